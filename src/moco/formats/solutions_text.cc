// Solution formats that hold one solution a file: TSPLIB tours, node lists and KaMIS indicator lines.
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/labels.h"
#include "moco/formats/solution_formats.h"
#include "moco/formats/text.h"
#include "moco/formats/writers.h"

namespace moco {

namespace {

Index parse_item(std::string_view token, std::string_view what, const SourceLine& place) {
  const std::int64_t item = place.integer(token, what);
  if (item < std::numeric_limits<Index>::min() || item > std::numeric_limits<Index>::max()) {
    place.fail(fmt::format("{} {} is out of range", what, item));
  }
  return static_cast<Index>(item);
}

Index parse_label(std::string_view label, const NodeLabels& labels, std::string_view name, const SourceLine& place) {
  const auto node = labels.node(label);
  if (!node) {
    place.fail(fmt::format("{} is not a node of '{}'", in_quotes(label), name));
  }
  return *node;
}

/// Reads the keywords before TOUR_SECTION; true when the section has begun.
bool begins_tour(std::string_view line, const SourceLine& place, const SolutionTarget& target) {
  const std::size_t colon = line.find(':');
  std::string_view before_colon = line.substr(0, colon);
  const std::string keyword = to_upper(next_token(before_colon));
  if (keyword == "TOUR_SECTION") {
    return true;
  }
  if (colon == std::string_view::npos) {
    place.fail(fmt::format("expected 'KEYWORD : value' or TOUR_SECTION, found {}", in_quotes(line)));
  }
  std::string_view value = line.substr(colon + 1);
  const std::string_view word = next_token(value);
  if (keyword == "TYPE" && to_upper(word) != "TOUR") {
    place.fail(fmt::format("TYPE {} is not TOUR", in_quotes(word)));
  }
  if (keyword == "DIMENSION" && place.integer(word, "DIMENSION") != target.size) {
    place.fail(fmt::format("DIMENSION {} does not fit the {} cities of '{}'", word, target.size, target.name));
  }
  return false;
}

}  // namespace

std::string format_tour(const SolutionRecord& record) {
  std::string text = fmt::format("NAME : {}\nTYPE : TOUR\nDIMENSION : {}\nTOUR_SECTION\n", one_line(record.target.name),
                                 record.solution->items.size());
  text.reserve(text.size() + record.solution->items.size() * 9);
  for (const Index city : record.solution->items) {
    const fmt::format_int number(std::int64_t{city} + 1);
    text.append(number.data(), number.size()).push_back('\n');
  }
  text += "-1\nEOF\n";
  return text;
}

std::string format_node_list(const SolutionRecord& record) {
  const NodeLabels labels(record.target.labels);
  std::string text;
  for (const Index item : record.solution->items) {
    text += fmt::format("{}\n", one_line(labels.text(item)));
  }
  return text;
}

std::string format_kamis(const SolutionRecord& record) {
  const auto n = static_cast<std::size_t>(record.target.size);
  std::string text;
  text.reserve(2 * n);
  for (std::size_t node = 0; node < n; ++node) {
    text += "0\n";
  }
  for (const Index node : record.solution->items) {
    if (node < 0 || node >= record.target.size) {
      throw OptionError(fmt::format("node {} of the solution is not a node of '{}'", node, record.target.name));
    }
    text[2 * static_cast<std::size_t>(node)] = '1';
  }
  return text;
}

Solution parse_tour(std::string_view content, std::string_view file, const SolutionTarget& target) {
  Solution tour;
  bool in_section = false;
  for (LineReader lines(content); lines.next();) {
    const SourceLine place{file, lines.number()};
    std::string_view rest = trim(lines.line());
    if (rest.empty()) {
      continue;
    }
    if (!in_section) {
      in_section = begins_tour(rest, place, target);
      continue;
    }
    for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
      if (token == "-1" || token == "EOF") {
        return tour;
      }
      const Index city = parse_item(token, "city", place);
      if (city < 1) {
        place.fail(fmt::format("city {} of a tour counted from 1", city));
      }
      tour.items.push_back(city - 1);
    }
  }
  if (!in_section) {
    throw InputError(file, "TOUR_SECTION is missing");
  }
  return tour;
}

Solution parse_node_list(std::string_view content, std::string_view file, const SolutionTarget& target) {
  const NodeLabels labels(target.labels);
  Solution solution;
  for (LineReader lines(content); lines.next();) {
    const SourceLine place{file, lines.number()};
    const std::string_view line = trim(lines.line());
    if (!line.empty() && line.front() != '#') {
      solution.items.push_back(labels.empty() ? parse_item(line, "node", place)
                                              : parse_label(line, labels, target.name, place));
    }
  }
  return solution;
}

Solution parse_kamis(std::string_view content, std::string_view file, const SolutionTarget& target) {
  Solution set;
  Index node = 0;
  for (LineReader lines(content); lines.next();) {
    const SourceLine place{file, lines.number()};
    const std::string_view line = trim(lines.line());
    if (line.empty()) {
      continue;
    }
    if (line != "0" && line != "1") {
      place.fail(fmt::format("expected 0 or 1, found {}", in_quotes(line)));
    }
    if (node == target.size) {
      place.fail(fmt::format("more lines than the {} nodes of '{}'", target.size, target.name));
    }
    if (line == "1") {
      set.items.push_back(node);
    }
    ++node;
  }
  if (node != target.size) {
    throw InputError(file, fmt::format("{} lines for the {} nodes of '{}'", node, target.size, target.name));
  }
  return set;
}

}  // namespace moco
