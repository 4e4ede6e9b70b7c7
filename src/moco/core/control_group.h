// The control groups (cgroups) of this process: what a container, a service or a batch system allows it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

namespace moco {

/// Where the system says which groups this process is in, and where it shows them. Tests have folders of their own.
struct ControlGroupFiles {
  std::filesystem::path membership = "/proc/self/cgroup";
  std::filesystem::path mount = "/sys/fs/cgroup";
};

inline constexpr std::uint64_t unlimited_bytes = std::numeric_limits<std::uint64_t>::max();

/// Bytes that the process's group and the groups around it still allow: the least of limit − usage, where file cache
/// does not count as used, since the kernel gives it up when memory is asked for. `unlimited_bytes` without a limit.
std::uint64_t control_group_memory(const ControlGroupFiles& files = {});

/// CPUs' worth of time that the groups allow, rounded up; 0 without a limit.
int control_group_cpus(const ControlGroupFiles& files = {});

}  // namespace moco
