// Both versions of cgroups: in version 2 one hierarchy has all controllers, in version 1 each has its own.
#include "moco/core/control_group.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moco {

namespace {

/// Whether a comma-separated list has the word.
bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == word) {
      return true;
    }
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

/// Folders of the process's groups with this controller, innermost first. A container often sees its own group as the
/// root while its membership names the path outside: folders that are not there are passed over.
std::vector<std::filesystem::path> group_folders(std::string_view controller, const ControlGroupFiles& files) {
  std::vector<std::filesystem::path> folders;
  std::ifstream membership(files.membership);
  for (std::string line; std::getline(membership, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
    if (!controllers.empty() && !lists(controllers, controller)) {
      continue;
    }
    const std::filesystem::path root = controllers.empty() ? files.mount : files.mount / controller;
    std::filesystem::path group = std::filesystem::path(line.substr(second + 1)).relative_path().lexically_normal();
    if (!group.empty() && *group.begin() == "..") {
      group.clear();  // outside of what this process may see
    }
    for (; !group.empty(); group = group.parent_path()) {
      folders.push_back(root / group);
    }
    folders.push_back(root);
  }
  return folders;
}

/// The file's first number, if it begins with one ("max" is none, nor is −1).
std::optional<std::uint64_t> read_number(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::int64_t value = 0;
  return in >> value && value >= 0 ? std::optional(static_cast<std::uint64_t>(value)) : std::nullopt;
}

/// Sum of the values behind these keys.
std::uint64_t sum_of(const std::filesystem::path& file, std::string_view first, std::string_view second) {
  std::ifstream in(file);
  std::string key;
  std::uint64_t value = 0;
  std::uint64_t sum = 0;
  while (in >> key >> value) {
    sum += key == first || key == second ? value : 0;
  }
  return sum;
}

std::uint64_t difference(std::uint64_t from, std::uint64_t less) {
  return from > less ? from - less : 0;
}

std::uint64_t memory_left(const std::filesystem::path& folder) {
  if (const auto limit = read_number(folder / "memory.max")) {
    const std::uint64_t cache = sum_of(folder / "memory.stat", "inactive_file", "active_file");
    return difference(*limit, difference(read_number(folder / "memory.current").value_or(0), cache));
  }
  if (const auto limit = read_number(folder / "memory.limit_in_bytes")) {
    const std::uint64_t cache = sum_of(folder / "memory.stat", "total_inactive_file", "total_active_file");
    return difference(*limit, difference(read_number(folder / "memory.usage_in_bytes").value_or(0), cache));
  }
  return unlimited_bytes;
}

/// Microseconds of CPU time per microsecond; 0 without a limit.
double cpu_share(const std::filesystem::path& folder) {
  double quota = 0.0;
  double period = 0.0;
  if (std::ifstream in(folder / "cpu.max"); in >> quota >> period && quota > 0.0 && period > 0.0) {
    return quota / period;
  }
  const auto v1_quota = read_number(folder / "cpu.cfs_quota_us");
  const auto v1_period = read_number(folder / "cpu.cfs_period_us");
  return v1_quota && v1_period.value_or(0) > 0 ? static_cast<double>(*v1_quota) / static_cast<double>(*v1_period) : 0.0;
}

}  // namespace

std::uint64_t control_group_memory(const ControlGroupFiles& files) {
  std::uint64_t least = unlimited_bytes;
  for (const std::filesystem::path& folder : group_folders("memory", files)) {
    least = std::min(least, memory_left(folder));
  }
  return least;
}

int control_group_cpus(const ControlGroupFiles& files) {
  constexpr double most = 1 << 20;
  int least = 0;
  for (const std::filesystem::path& folder : group_folders("cpu", files)) {
    if (const double share = cpu_share(folder); share > 0.0) {
      const auto cpus = static_cast<int>(std::ceil(std::min(share, most)));
      least = least == 0 ? cpus : std::min(least, cpus);
    }
  }
  return least;
}

}  // namespace moco
