// Reading of tables and JSON Lines of references.
#include "moco/evaluation/reference_entries.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "moco/error.h"
#include "moco/formats/detect.h"
#include "moco/formats/labels_json.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> kNameColumns = {"instance", "name", "file"};
constexpr std::array<std::string_view, 5> kValueColumns = {"reference", "optimum", "size", "cost", "best"};

/// The fields of a line: between commas, semicolons, tabs or colons, or, when there are none of these, between blanks.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  constexpr std::string_view kSeparators = ",;\t:";
  const std::size_t first = line.find_first_of(kSeparators);
  if (first == std::string_view::npos) {
    const auto tokens = tokens_of(line);
    return {tokens.begin(), tokens.end()};
  }
  const char separator = line[first];
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::string_view field = trim(line.substr(begin, end - begin));
    if (field.size() > 1 && field.front() == '"' && field.back() == '"') {
      field = field.substr(1, field.size() - 2);
    }
    fields.emplace_back(field);
    begin = end + 1;
  }
  return fields;
}

/// A field without the remark in parentheses that may follow its value.
std::string_view without_remark(std::string_view field) {
  return field.ends_with(')') ? trim(field.substr(0, field.find('('))) : field;
}

/// Which fields of a line mean what; -1: not there.
struct Columns {
  int name = -1;
  int value = -1;
  int nodes = -1;
  int edges = -1;
};

/// The columns that a header names, or nothing when the line is no header.
std::optional<Columns> header_columns(const std::vector<std::string>& fields) {
  Columns columns;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string word = to_lower(fields[i]);
    const auto at = static_cast<int>(i);
    if (std::ranges::find(kNameColumns, word) != kNameColumns.end()) {
      columns.name = at;
    } else if (columns.value < 0 && std::ranges::find(kValueColumns, word) != kValueColumns.end()) {
      columns.value = at;
    } else if (word == "n") {
      columns.nodes = at;
    } else if (word == "m") {
      columns.edges = at;
    }
  }
  return columns.value < 0 ? std::nullopt : std::optional(columns);
}

/// The columns of a table without a header, by their number.
Columns default_columns(const std::vector<std::string>& fields, const SourceLine& place) {
  switch (fields.size()) {
    case 1:
      return {.value = 0};
    case 2:
      return {.name = 0, .value = 1};
    case 3:
      place.fail("three columns need a header that names one of them reference, optimum, size, cost or best");
    default:
      return {.name = 0, .value = 3, .nodes = 1, .edges = 2};
  }
}

/// Whether a reference called `name`, which may be a file's, is for the instance.
bool names_instance(const std::string& name, const Instance& instance) {
  return name == instance.name() || file_stem(name) == instance.name();
}

/// A list of nodes, called as the instance's file calls them.
Solution solution_of(const json& list, const Instance& instance, const SourceLine& place) {
  const NodeLabels labels(instance.labels());
  Solution solution;
  for (const json& item : list.is_array() ? list : json::array({nullptr})) {
    const auto node = node_of_json(item, labels);
    if (!node) {
      place.fail("'solution' is not a list of nodes");
    }
    solution.items.push_back(*node);
  }
  return solution;
}

ReferenceEntry parse_json_line(const json& object, const SourceLine& place, std::span<const InstancePtr> instances,
                               std::size_t number) {
  ReferenceEntry entry{.line = place.line, .name = "", .value = 0.0, .nodes = {}, .edges = {}};
  if (object.is_number()) {
    entry.value = object.get<double>();
    return entry;
  }
  if (!object.is_object()) {
    place.fail("neither a number nor an object");
  }
  for (const std::string_view key : kNameColumns) {
    if (object.contains(key) && object.at(std::string(key)).is_string()) {
      entry.name = object.at(std::string(key)).get<std::string>();
    }
  }
  if (object.contains("solution")) {
    const auto named = std::ranges::find_if(
        instances, [&](const InstancePtr& instance) { return names_instance(entry.name, *instance); });
    const bool by_order = entry.name.empty() && number < instances.size();
    if (named == instances.end() && !by_order) {
      return entry;  // a solution of another data set's instance
    }
    const Instance& instance = by_order ? *instances[number] : **named;
    const Solution solution = solution_of(object.at("solution"), instance, place);
    entry.value = reference_solution_cost(instance, solution, place.file, place.line);
    return entry;
  }
  for (const std::string_view key : kValueColumns) {
    if (object.contains(key) && object.at(std::string(key)).is_number()) {
      entry.value = object.at(std::string(key)).get<double>();
      return entry;
    }
  }
  place.fail("no number called reference, optimum, size, cost or best, and no solution");
}

}  // namespace

double reference_solution_cost(const Instance& instance, const Solution& solution, std::string_view file,
                               std::int64_t line) {
  const CheckResult check = instance.check(solution);
  if (!check.feasible) {
    throw InputError(file, line,
                     fmt::format("the reference solution of {} is infeasible: {}", instance.name(), check.violation));
  }
  return check.cost;
}

std::vector<ReferenceEntry> parse_reference_table(std::string_view content, std::string_view file) {
  std::vector<ReferenceEntry> entries;
  std::optional<Columns> columns;
  for (LineReader reader(content); reader.next();) {
    const std::string_view line = trim(reader.line());
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    const SourceLine place{file, reader.number()};
    const std::vector<std::string> fields = fields_of(line);
    if (!columns) {
      columns = header_columns(fields);
      if (columns) {
        continue;
      }
      columns = default_columns(fields, place);
    }
    const auto field = [&](int column) -> const std::string& {
      if (static_cast<std::size_t>(column) >= fields.size()) {
        place.fail(fmt::format("{} columns, but column {} was expected", fields.size(), column + 1));
      }
      return fields[static_cast<std::size_t>(column)];
    };
    ReferenceEntry entry{.line = reader.number(),
                         .name = "",
                         .value = place.real(without_remark(field(columns->value)), "reference"),
                         .nodes = {},
                         .edges = {}};
    if (columns->name >= 0) {
      entry.name = field(columns->name);
    }
    if (columns->nodes >= 0) {
      entry.nodes = place.integer(field(columns->nodes), "number of nodes");
    }
    if (columns->edges >= 0) {
      entry.edges = place.integer(field(columns->edges), "number of edges");
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<ReferenceEntry> parse_reference_json(std::string_view content, std::string_view file,
                                                 std::span<const InstancePtr> instances) {
  std::vector<ReferenceEntry> entries;
  for (LineReader reader(content); reader.next();) {
    if (trim(reader.line()).empty()) {
      continue;
    }
    const SourceLine place{file, reader.number()};
    const json object = json::parse(reader.line(), nullptr, false);
    if (object.is_discarded()) {
      place.fail("not a line of JSON");
    }
    entries.push_back(parse_json_line(object, place, instances, entries.size()));
  }
  return entries;
}

}  // namespace moco
