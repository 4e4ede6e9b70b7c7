// Format detection. docs/formats.md states the rules; keep the two in step.
#include "moco/problems/detect.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/problems/text.h"

namespace moco {

namespace {

constexpr std::array<std::pair<std::string_view, InstanceFormat>, 16> instance_extensions{{
    {"tsp", InstanceFormat::tsplib},
    {"atsp", InstanceFormat::tsplib},
    {"concorde", InstanceFormat::concorde},
    {"npy", InstanceFormat::npy},
    {"csv", InstanceFormat::csv},
    {"tsv", InstanceFormat::csv},
    {"col", InstanceFormat::dimacs},
    {"clq", InstanceFormat::dimacs},
    {"mis", InstanceFormat::dimacs},
    {"dimacs", InstanceFormat::dimacs},
    {"graph", InstanceFormat::metis},
    {"metis", InstanceFormat::metis},
    {"edges", InstanceFormat::edge_list},
    {"edgelist", InstanceFormat::edge_list},
    {"el", InstanceFormat::edge_list},
    {"mtx", InstanceFormat::matrix_market},
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

bool is_tsplib_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  std::string_view before_colon = line.substr(0, colon);
  const std::string word = to_upper(next_token(before_colon));
  if (word.ends_with("_SECTION")) {
    return true;
  }
  constexpr std::array<std::string_view, 5> keywords{"NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE"};
  return colon != std::string_view::npos && std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

bool all_integers(const std::vector<std::string_view>& tokens) {
  return std::all_of(tokens.begin(), tokens.end(),
                     [](std::string_view token) { return parse_integer(token).has_value(); });
}

bool all_numbers(const std::vector<std::string_view>& tokens) {
  return std::all_of(tokens.begin(), tokens.end(),
                     [](std::string_view token) { return parse_real(token).has_value(); });
}

/// Decides by the first line that is neither blank nor a comment.
InstanceFormat format_of_first_line(std::string_view line, std::string_view problem) {
  if (problem != "mis" && line.find_first_of(",;") != std::string_view::npos) {
    return InstanceFormat::csv;
  }
  const std::vector<std::string_view> tokens = tokens_of(line);
  if (std::find(tokens.begin(), tokens.end(), "output") != tokens.end()) {
    return InstanceFormat::concorde;
  }
  if (problem == "mis") {
    return InstanceFormat::edge_list;
  }
  if (tokens.size() >= 4 && tokens.size() % 2 == 0 && all_numbers(tokens)) {
    return InstanceFormat::concorde;
  }
  if (problem.empty() && tokens.size() == 2 && all_integers(tokens)) {
    return InstanceFormat::edge_list;
  }
  return tokens.size() == 2 || tokens.size() == 3 ? InstanceFormat::csv : InstanceFormat::automatic;
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

InstanceFormat instance_format_to_write(std::string_view file, std::string_view problem) {
  const std::string extension = format_extension(file);
  if (extension == "txt") {
    return problem == "tsp" ? InstanceFormat::concorde : InstanceFormat::edge_list;
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

InstanceFormat instance_format_of_content(std::string_view content, std::string_view problem) {
  if (content.starts_with("\x93NUMPY")) {
    return InstanceFormat::npy;
  }
  for (LineReader lines(content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (lines.number() == 1 && to_lower(line.substr(0, 14)) == "%%matrixmarket") {
      return InstanceFormat::matrix_market;
    }
    if (line.empty() || line.front() == '#' || line.front() == '%') {
      continue;
    }
    std::string_view rest = line;
    const std::string_view first = next_token(rest);
    if (first == "p") {
      return InstanceFormat::dimacs;
    }
    if (is_tsplib_line(line)) {
      return InstanceFormat::tsplib;
    }
    if (first != "c") {
      return format_of_first_line(line, problem);
    }
  }
  // Comments only: a graph of isolated nodes may be written as "# nodes N" and nothing else.
  return problem != "tsp" && content.find('#') != std::string_view::npos ? InstanceFormat::edge_list
                                                                         : InstanceFormat::automatic;
}

bool claims_to_be_instance(std::string_view content, std::string_view file, std::string_view problem) {
  const std::string extension = format_extension(file);
  if (instance_format_of_extension(extension) != InstanceFormat::automatic) {
    return true;
  }
  const InstanceFormat format = instance_format_of_content(content, problem);
  if (solution_format_of_extension(extension) != SolutionFormat::automatic || format == InstanceFormat::automatic) {
    return false;
  }
  if (format != InstanceFormat::csv && format != InstanceFormat::edge_list && format != InstanceFormat::concorde) {
    return true;
  }
  for (LineReader lines(content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (!line.empty() && line.front() != '#' && line.front() != '%') {
      std::string blanks(line);
      std::ranges::replace_if(
          blanks, [](char c) { return c == ',' || c == ';'; }, ' ');
      const auto tokens = tokens_of(blanks);
      return tokens.size() > 1 && parse_real(tokens[0]) && parse_real(tokens[1]);
    }
  }
  return false;
}

SolutionFormat solution_format_of_content(std::string_view content, const Instance& instance) {
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
  const bool indicator = instance.problem() == "mis" && instance.size() > 2 && is_indicator(content, instance.size());
  return indicator ? SolutionFormat::kamis : SolutionFormat::node_list;
}

std::string_view problem_of_format(InstanceFormat format) {
  switch (format) {
    case InstanceFormat::dimacs:
    case InstanceFormat::metis:
    case InstanceFormat::edge_list:
    case InstanceFormat::matrix_market:
      return "mis";
    case InstanceFormat::tsplib:
    case InstanceFormat::concorde:
    case InstanceFormat::npy:
    case InstanceFormat::csv:
      return "tsp";
    case InstanceFormat::automatic:
      break;
  }
  return {};
}

}  // namespace moco
