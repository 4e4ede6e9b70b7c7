// Linux: the process's affinity mask and its control groups.
#include "moco/core/cpus.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <thread>
#include <vector>

#include <sched.h>

#include "moco/core/control_group.h"

namespace moco {

namespace {

int allowed_cpus() {
  constexpr std::size_t most_sets = 1024;  // of 1024 CPUs each
  for (std::size_t sets = 1; sets <= most_sets; sets *= 2) {
    std::vector<cpu_set_t> mask(sets);
    const std::size_t bytes = sets * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, mask.data()) == 0) {
      return CPU_COUNT_S(bytes, mask.data());
    }
    if (errno != EINVAL) {  // the machine may have more CPUs than the mask has bits
      break;
    }
  }
  return std::numeric_limits<int>::max();
}

}  // namespace

int usable_cpus(int processes) {
  int shared = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (const int quota = control_group_cpus(); quota > 0) {
    shared = std::min(shared, quota);
  }
  return std::max(1, std::min(allowed_cpus(), shared / processes));
}

}  // namespace moco
