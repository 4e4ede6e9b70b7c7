// What this process may use of the machine that the tests run on.
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "moco/core/cpus.h"
#include "moco/core/memory.h"

namespace moco {
namespace {

TEST(UsableCpus, FollowTheAffinity) {
  std::thread([] {  // the affinity is the thread's
    cpu_set_t allowed;
    ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    const int before = usable_cpus();
    EXPECT_GE(before, 1);
    EXPECT_LE(before, CPU_COUNT(&allowed));
    int first = 0;
    while (!CPU_ISSET(first, &allowed)) {
      ++first;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(usable_cpus(), 1);
  })
      .join();
}

TEST(UsableCpus, AreSharedAmongProcesses) {
  EXPECT_LE(usable_cpus(2), usable_cpus());
  EXPECT_EQ(usable_cpus(1 << 20), 1);
}

TEST(AvailableMemory, IsWhatTheAddressSpaceLeaves) {
  constexpr std::uint64_t room = std::uint64_t{64} << 20;
  std::uint64_t mapped_pages = 0;
  std::ifstream("/proc/self/statm") >> mapped_pages;
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &usual), 0);
  rlimit tight = usual;
  tight.rlim_cur = mapped_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + room;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  const std::uint64_t left = available_memory();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &usual), 0);
  EXPECT_GT(left, 0u);
  EXPECT_LE(left, room);
}

}  // namespace
}  // namespace moco
