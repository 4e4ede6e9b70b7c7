#include "moco/core/control_group.h"

#include <gtest/gtest.h>

#include "moco/core/cpus.h"
#include "moco/core/memory.h"
#include "temporary_folder.h"

namespace moco {
namespace {

/// Control groups as a system would show them, in a folder.
class ControlGroup : public testing::Test {
 protected:
  void member_of(const std::string& text) { spill(files_.membership, text); }
  void put(const std::string& file, const std::string& text) {
    const std::filesystem::path path = files_.mount / file;
    std::filesystem::create_directories(path.parent_path());
    spill(path, text);
  }

  std::uint64_t memory() const { return control_group_memory(files_); }
  int cpus() const { return control_group_cpus(files_); }

 private:
  TemporaryFolder folder_;
  ControlGroupFiles files_{folder_.path() / "membership", folder_.path() / "mount"};
};

TEST_F(ControlGroup, NoneMeansNoLimit) {
  EXPECT_EQ(memory(), unlimited_bytes);
  EXPECT_EQ(cpus(), 0);
  member_of("0::/\nnonsense\n3:cpu\n");
  EXPECT_EQ(memory(), unlimited_bytes);
  EXPECT_EQ(cpus(), 0);
}

TEST_F(ControlGroup, FileCacheIsNotUsedMemory) {
  member_of("0::/\n");
  put("memory.max", "1000\n");
  put("memory.current", "900\n");
  EXPECT_EQ(memory(), 100u);
  put("memory.stat", "anon 150\nfile 750\nshmem 50\ninactive_file 500\nactive_file 200\n");
  EXPECT_EQ(memory(), 800u);
  put("memory.current", "2000\n");
  EXPECT_EQ(memory(), 0u);
  put("memory.max", "max\n");
  EXPECT_EQ(memory(), unlimited_bytes);
}

TEST_F(ControlGroup, FileCacheIsNotUsedMemoryInVersion1) {
  member_of("5:cpuset:/\n4:memory:/job\n0::/\n");
  put("memory/job/memory.limit_in_bytes", "1000\n");
  put("memory/job/memory.usage_in_bytes", "900\n");
  put("memory/job/memory.stat", "cache 800\ninactive_file 1\ntotal_inactive_file 300\ntotal_active_file 400\n");
  put("memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(memory(), 800u);
}

TEST_F(ControlGroup, TheTightestOfTheGroupsAroundCounts) {
  member_of("0::/user/job\n");
  put("user/job/memory.max", "max\n");
  put("user/job/cpu.max", "300000 100000\n");
  put("user/memory.max", "5000\n");
  put("user/memory.current", "1000\n");
  put("user/cpu.max", "150000 100000\n");
  put("memory.max", "100000\n");
  put("memory.current", "2000\n");
  EXPECT_EQ(memory(), 4000u);
  EXPECT_EQ(cpus(), 2);
}

TEST_F(ControlGroup, PartsOfACpuRoundUp) {
  member_of("0::/\n");
  put("cpu.max", "max 100000\n");
  EXPECT_EQ(cpus(), 0);
  put("cpu.max", "10000 100000\n");
  EXPECT_EQ(cpus(), 1);
  put("cpu.max", "200000 100000\n");
  EXPECT_EQ(cpus(), 2);
  put("cpu.max", "200001 100000\n");
  EXPECT_EQ(cpus(), 3);
}

TEST_F(ControlGroup, CpuQuotaOfVersion1) {
  member_of("2:cpu,cpuacct:/job\n");
  put("cpu/job/cpu.cfs_quota_us", "-1\n");
  put("cpu/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpus(), 0);
  put("cpu/job/cpu.cfs_quota_us", "350000\n");
  EXPECT_EQ(cpus(), 4);
}

/// A container without a namespace for control groups sees its own as the root, under its path outside.
TEST_F(ControlGroup, PathsThatAreNotThereLeadToTheRoot) {
  for (const char* path : {"/docker/0123", "/../../elsewhere"}) {
    member_of(std::string("0::") + path + "\n");
    put("cpu.max", "400000 100000\n");
    put("memory.max", "700\n");
    put("memory.current", "200\n");
    EXPECT_EQ(cpus(), 4);
    EXPECT_EQ(memory(), 500u);
  }
}

}  // namespace
}  // namespace moco
