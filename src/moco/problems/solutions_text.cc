// Solution formats that hold one solution a file: TSPLIB tours, node lists and KaMIS indicator lines.
#include <limits>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problems/solution_formats.h"
#include "moco/problems/text.h"
#include "moco/problems/writers.h"

namespace moco {

namespace {

Index parse_item(std::string_view token, std::string_view what, const Place& place) {
  const std::int64_t item = place.integer(token, what);
  if (item < std::numeric_limits<Index>::min() || item > std::numeric_limits<Index>::max()) {
    place.fail(fmt::format("{} {} is out of range", what, item));
  }
  return static_cast<Index>(item);
}

/// Reads the keywords before TOUR_SECTION; true when the section has begun.
bool begins_tour(std::string_view line, const Place& place, const Instance& instance) {
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
  if (keyword == "DIMENSION" && place.integer(word, "DIMENSION") != instance.size()) {
    place.fail(fmt::format("DIMENSION {} does not fit the {} cities of '{}'", word, instance.size(), instance.name()));
  }
  return false;
}

}  // namespace

std::string format_tour(const SolvedInstance& solved) {
  std::string text = fmt::format("NAME : {}\nTYPE : TOUR\nDIMENSION : {}\nTOUR_SECTION\n",
                                 one_line(solved.instance->name()), solved.solution.items.size());
  for (const Index city : solved.solution.items) {
    text += fmt::format("{}\n", city + 1);
  }
  return text + "-1\nEOF\n";
}

std::string format_node_list(const SolvedInstance& solved) {
  std::string text;
  for (const Index item : solved.solution.items) {
    text += fmt::format("{}\n", item);
  }
  return text;
}

std::string format_kamis(const SolvedInstance& solved) {
  const auto n = static_cast<std::size_t>(solved.instance->size());
  std::string text;
  text.reserve(2 * n);
  for (std::size_t node = 0; node < n; ++node) {
    text += "0\n";
  }
  for (const Index node : solved.solution.items) {
    if (node < 0 || node >= solved.instance->size()) {
      throw OptionError(fmt::format("node {} of the solution is not a node of '{}'", node, solved.instance->name()));
    }
    text[2 * static_cast<std::size_t>(node)] = '1';
  }
  return text;
}

Solution parse_tour(std::string_view content, std::string_view file, const Instance& instance) {
  Solution tour;
  bool in_section = false;
  for (LineReader lines(content); lines.next();) {
    const Place place{file, lines.number()};
    std::string_view rest = trim(lines.line());
    if (rest.empty()) {
      continue;
    }
    if (!in_section) {
      in_section = begins_tour(rest, place, instance);
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

Solution parse_node_list(std::string_view content, std::string_view file) {
  Solution solution;
  for (LineReader lines(content); lines.next();) {
    const Place place{file, lines.number()};
    const std::string_view line = trim(lines.line());
    if (!line.empty() && line.front() != '#') {
      solution.items.push_back(parse_item(line, "node", place));
    }
  }
  return solution;
}

Solution parse_kamis(std::string_view content, std::string_view file, const Instance& instance) {
  Solution set;
  Index node = 0;
  for (LineReader lines(content); lines.next();) {
    const Place place{file, lines.number()};
    const std::string_view line = trim(lines.line());
    if (line.empty()) {
      continue;
    }
    if (line != "0" && line != "1") {
      place.fail(fmt::format("expected 0 or 1, found {}", in_quotes(line)));
    }
    if (node == instance.size()) {
      place.fail(fmt::format("more lines than the {} nodes of '{}'", instance.size(), instance.name()));
    }
    if (line == "1") {
      set.items.push_back(node);
    }
    ++node;
  }
  if (node != instance.size()) {
    throw InputError(file, fmt::format("{} lines for the {} nodes of '{}'", node, instance.size(), instance.name()));
  }
  return set;
}

}  // namespace moco
