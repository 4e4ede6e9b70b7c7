// Rows, columns and headers of text.
#include "moco/formats/table.h"

#include <algorithm>
#include <array>
#include <string>

#include "moco/formats/text.h"

namespace moco {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> end_names{{{"source", "target"},
                                                                                  {"from", "to"},
                                                                                  {"u", "v"},
                                                                                  {"src", "dst"},
                                                                                  {"node1", "node2"},
                                                                                  {"node_1", "node_2"},
                                                                                  {"fromnodeid", "tonodeid"}}};

std::optional<std::size_t> column_called(const std::vector<std::string_view>& header, std::string_view name) {
  const auto found = std::ranges::find_if(header, [&](std::string_view field) { return to_lower(field) == name; });
  return found == header.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - header.begin()));
}

std::string_view without_quotes(std::string_view field) {
  const bool quoted =
      field.size() > 1 && field.front() == field.back() && (field.front() == '"' || field.front() == '\'');
  return quoted ? field.substr(1, field.size() - 2) : field;
}

bool is_sorted_like_edges(const std::vector<IntegerPair>& pairs) {
  return std::ranges::is_sorted(pairs, {}, &IntegerPair::first) ||
         std::ranges::all_of(pairs, [](const IntegerPair& pair) { return pair.first < pair.second; }) ||
         std::ranges::all_of(pairs, [](const IntegerPair& pair) { return pair.first > pair.second; });
}

}  // namespace

char separator_of(std::string_view line) {
  for (const char candidate : {';', ',', '\t'}) {
    if (line.find(candidate) != std::string_view::npos) {
      return candidate;
    }
  }
  return ' ';
}

void split(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  if (separator == ' ') {
    for (std::string_view token = next_token(line); !token.empty(); token = next_token(line)) {
      fields.push_back(without_quotes(token));
    }
    return;
  }
  for (;;) {
    const std::size_t end = line.find(separator);
    fields.push_back(without_quotes(trim(line.substr(0, end))));
    if (end == std::string_view::npos) {
      return;
    }
    line.remove_prefix(end + 1);
  }
}

bool is_remark(std::string_view line) {
  return line.empty() || line.front() == '#' || line.front() == '%';
}

std::string_view before_braces(std::string_view line) {
  return trim(line.substr(0, line.find('{')));
}

bool is_header(const std::vector<std::string_view>& fields) {
  return std::ranges::none_of(fields, [](std::string_view field) { return parse_real(field).has_value(); });
}

std::optional<EdgeColumns> edge_columns(const std::vector<std::string_view>& header) {
  for (const auto& [one, other] : end_names) {
    const auto from = column_called(header, one);
    const auto to = column_called(header, other);
    if (from && to) {
      const auto weight = column_called(header, "weight");
      return EdgeColumns{*from, *to, weight ? weight : column_called(header, "w")};
    }
  }
  return std::nullopt;
}

bool names_coordinates(const std::vector<std::string_view>& header) {
  return (column_called(header, "x") && column_called(header, "y")) ||
         (column_called(header, "lat") && column_called(header, "lon")) ||
         (column_called(header, "latitude") && column_called(header, "longitude"));
}

std::vector<std::int64_t> distinct_numbers(const std::vector<IntegerPair>& pairs) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(2 * pairs.size());
  for (const auto& [a, b] : pairs) {
    numbers.push_back(a);
    numbers.push_back(b);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

PairsReading reading_of(std::vector<IntegerPair> pairs) {
  const std::vector<std::int64_t> numbers = distinct_numbers(pairs);
  if (numbers.size() > pairs.size() + 1) {
    return PairsReading::coordinates;
  }
  const bool sorted_like_edges = is_sorted_like_edges(pairs);
  const auto loops = static_cast<std::size_t>(
      std::ranges::count_if(pairs, [](const IntegerPair& pair) { return pair.first == pair.second; }));
  const std::size_t rows = pairs.size();
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  const std::size_t repeated = rows - pairs.size();
  const bool both_ways = std::ranges::all_of(pairs, [&](const IntegerPair& pair) {
    return std::ranges::binary_search(pairs, IntegerPair{pair.second, pair.first});
  });
  if (both_ways && loops <= numbers.size() / 10) {  // the places of a square grid have a loop at every number
    return PairsReading::edges;
  }
  const bool without_gap =
      numbers.front() <= 1 && numbers.back() - numbers.front() + 1 == static_cast<std::int64_t>(numbers.size());
  const bool edges = without_gap && sorted_like_edges && loops == 0 && repeated <= rows / 100;
  return edges ? PairsReading::edges : PairsReading::unclear;
}

}  // namespace moco
