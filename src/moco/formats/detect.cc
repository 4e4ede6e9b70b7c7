// Formats by file name, and those of solutions by content. docs/formats.md states the rules; keep the two in step.
#include "moco/formats/detect.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/formats/text.h"
#include "moco/formats/tsplib.h"

namespace moco {

namespace {

constexpr std::array<std::pair<std::string_view, InstanceFormat>, 19> instance_extensions{{
    {"tsp", InstanceFormat::tsplib},        {"atsp", InstanceFormat::tsplib},
    {"concorde", InstanceFormat::concorde}, {"npy", InstanceFormat::npy},
    {"csv", InstanceFormat::csv},           {"tsv", InstanceFormat::csv},
    {"col", InstanceFormat::dimacs},        {"clq", InstanceFormat::dimacs},
    {"mis", InstanceFormat::dimacs},        {"dimacs", InstanceFormat::dimacs},
    {"graph", InstanceFormat::metis},       {"metis", InstanceFormat::metis},
    {"edges", InstanceFormat::edge_list},   {"edgelist", InstanceFormat::edge_list},
    {"el", InstanceFormat::edge_list},      {"mtx", InstanceFormat::matrix_market},
    {"ml4co", InstanceFormat::ml4co},       {"gr", InstanceFormat::pace},
    {"matrix", InstanceFormat::matrix},
}};

constexpr std::array<std::pair<std::string_view, SolutionFormat>, 6> solution_extensions{{
    {"tour", SolutionFormat::tour},
    {"nodes", SolutionFormat::node_list},
    {"kamis", SolutionFormat::kamis},
    {"json", SolutionFormat::json},
    {"jsonl", SolutionFormat::json},
    {"csv", SolutionFormat::csv},
}};

template <typename Table, typename Format>
Format look_up(const Table& table, std::string_view extension, Format otherwise) {
  for (const auto& [name, format] : table) {
    if (name == extension) {
      return format;
    }
  }
  return otherwise;
}

/// ".a, .b, .c": the extensions of a table and some more.
template <typename Table>
std::string with_dots(const Table& table, std::initializer_list<std::string_view> more) {
  std::string text;
  for (const auto& [name, format] : table) {
    text += fmt::format("{}.{}", text.empty() ? "" : ", ", name);
  }
  for (const std::string_view name : more) {
    text += fmt::format(", .{}", name);
  }
  return text;
}

std::string_view without_gz(std::string_view file) {
  return file.size() > 3 && name_ends_with(file, ".gz") ? file.substr(0, file.size() - 3) : file;
}

/// Whether every token is 0 or 1 and there is one for each of n nodes.
bool is_indicator(std::string_view content, Index n) {
  Index count = 0;
  for (LineReader lines(content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (line.empty()) {
      continue;
    }
    if (line != "0" && line != "1") {
      return false;
    }
    if (++count > n) {
      return false;
    }
  }
  return count == n;
}

}  // namespace

std::string format_extension(std::string_view file) {
  std::string extension = std::filesystem::path(without_gz(file)).extension().string();
  return to_lower(extension.empty() ? extension : extension.substr(1));
}

std::string file_stem(std::string_view file) {
  return std::filesystem::path(without_gz(file)).stem().string();
}

InstanceFormat instance_format_of_extension(std::string_view extension) {
  return look_up(instance_extensions, extension, InstanceFormat::automatic);
}

SolutionFormat solution_format_of_extension(std::string_view extension) {
  return look_up(solution_extensions, extension, SolutionFormat::automatic);
}

InstanceFormat instance_format_to_write(std::string_view file, std::optional<DataKind> kind) {
  const std::string extension = format_extension(file);
  if (extension == "txt") {
    return kind == DataKind::points ? InstanceFormat::concorde : InstanceFormat::edge_list;
  }
  return instance_format_of_extension(extension);
}

SolutionFormat solution_format_to_write(std::string_view file) {
  const std::string extension = format_extension(file);
  return extension == "txt" || extension == "sol" ? SolutionFormat::node_list : solution_format_of_extension(extension);
}

std::string written_instance_extensions() {
  return with_dots(instance_extensions, {"txt"});
}

std::string written_solution_extensions() {
  return with_dots(solution_extensions, {"txt", "sol"});
}

SolutionFormat solution_format_of_content(std::string_view content, const SolutionTarget& target) {
  for (LineReader lines(content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (line.empty()) {
      continue;
    }
    if (line.front() == '{') {
      return SolutionFormat::json;
    }
    if (is_tsplib_line(line)) {
      return SolutionFormat::tour;
    }
    if (line.starts_with("instance,position,item")) {
      return SolutionFormat::csv;
    }
    break;
  }
  const bool indicator = target.shape == SolutionShape::subset && target.size > 2 && is_indicator(content, target.size);
  return indicator ? SolutionFormat::kamis : SolutionFormat::node_list;
}

bool holds(InstanceFormat format, DataKind kind) {
  switch (format) {
    case InstanceFormat::dimacs:
    case InstanceFormat::metis:
    case InstanceFormat::edge_list:
    case InstanceFormat::ml4co:
    case InstanceFormat::pace:
      return kind == DataKind::graph;
    case InstanceFormat::tsplib:
    case InstanceFormat::concorde:
      return kind == DataKind::points;
    case InstanceFormat::npy:
    case InstanceFormat::csv:
    case InstanceFormat::matrix:
    case InstanceFormat::matrix_market:
    case InstanceFormat::automatic:
      break;
  }
  return true;
}

}  // namespace moco
