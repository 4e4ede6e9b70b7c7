// Names of the instance and solution formats.
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/format.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

constexpr std::array<std::pair<std::string_view, InstanceFormat>, 12> instance_formats{{
    {"auto", InstanceFormat::automatic},
    {"tsplib", InstanceFormat::tsplib},
    {"concorde", InstanceFormat::concorde},
    {"npy", InstanceFormat::npy},
    {"csv", InstanceFormat::csv},
    {"dimacs", InstanceFormat::dimacs},
    {"metis", InstanceFormat::metis},
    {"edge-list", InstanceFormat::edge_list},
    {"matrix-market", InstanceFormat::matrix_market},
    {"ml4co", InstanceFormat::ml4co},
    {"pace", InstanceFormat::pace},
    {"matrix", InstanceFormat::matrix},
}};

constexpr std::array<std::pair<std::string_view, SolutionFormat>, 6> solution_formats{{
    {"auto", SolutionFormat::automatic},
    {"tour", SolutionFormat::tour},
    {"node-list", SolutionFormat::node_list},
    {"kamis", SolutionFormat::kamis},
    {"json", SolutionFormat::json},
    {"csv", SolutionFormat::csv},
}};

template <typename Table, typename Format>
std::string_view name_of(const Table& table, Format wanted) {
  for (const auto& [name, format] : table) {
    if (format == wanted) {
      return name;
    }
  }
  return "unknown";
}

template <typename Table>
auto format_of(const Table& table, std::string_view wanted, std::string_view kind) {
  std::string known;
  for (const auto& [name, format] : table) {
    if (name == wanted) {
      return format;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  }
  throw OptionError(fmt::format("unknown {} format {}; known are {}", kind, in_quotes(wanted), known));
}

}  // namespace

std::string_view to_string(InstanceFormat format) {
  return name_of(instance_formats, format);
}

std::string_view to_string(SolutionFormat format) {
  return name_of(solution_formats, format);
}

InstanceFormat instance_format_from(std::string_view name) {
  return format_of(instance_formats, name, "instance");
}

SolutionFormat solution_format_from(std::string_view name) {
  return format_of(solution_formats, name, "solution");
}

}  // namespace moco
