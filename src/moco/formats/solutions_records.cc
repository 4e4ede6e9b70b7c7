// Solution formats that hold any number of solutions: JSON Lines and CSV. Records stand in the order of the instances
// and carry their names, so that solutions cannot be mixed up unnoticed.
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "moco/error.h"
#include "moco/formats/labels_json.h"
#include "moco/formats/solution_formats.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

using Json = nlohmann::ordered_json;

/// JSON text, which holds U+FFFD for bytes of names that are no UTF-8.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// How the name of an instance comes back from a file of a format that cannot hold every name.
std::string json_name(const std::string& name) {
  return Json::parse(dump(Json(name))).get<std::string>();
}

/// Likewise for CSV, which is read line by line.
std::string csv_name(const std::string& name) {
  std::string line = name;
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

/// Throws unless record number `index` may belong to an instance and, when it has a name, to this one: `as_read` is
/// what becomes of the instance's name in the file.
void require_record(std::size_t index, const std::optional<std::string>& name, std::span<const SolutionTarget> targets,
                    const SourceLine& place, const std::function<std::string(const std::string&)>& as_read) {
  if (index >= targets.size()) {
    place.fail(
        fmt::format("more solutions than the {} instance{} given", targets.size(), targets.size() == 1 ? "" : "s"));
  }
  if (name && *name != as_read(targets[index].name)) {
    place.fail(fmt::format("a solution of instance {} where one of {} is expected", in_quotes(*name),
                           in_quotes(targets[index].name)));
  }
}

void require_all(std::size_t found, std::span<const SolutionTarget> targets, std::string_view file) {
  if (found != targets.size()) {
    throw InputError(file, fmt::format("{} solutions for {} instances", found, targets.size()));
  }
}

Solution solution_of(const Json& record, const SolutionTarget& target, const SourceLine& place) {
  const auto items = record.find("solution");
  if (items == record.end() || !items->is_array()) {
    place.fail("the record has no array \"solution\"");
  }
  const NodeLabels labels(target.labels);
  Solution solution;
  solution.items.reserve(items->size());
  for (const Json& item : *items) {
    const auto node = node_of_json(item, labels);
    if (!node) {
      place.fail(fmt::format("item {} of \"solution\" is not a {}", solution.items.size(),
                             labels.empty() ? "node number" : "node of the instance"));
    }
    solution.items.push_back(*node);
  }
  return solution;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string field = "\"";
  for (const char c : text) {
    field.append(c == '"' ? 2 : 1, c);
  }
  return field + '"';
}

/// Takes a field, possibly in quotes, and the comma after it off `rest`.
std::string take_csv_field(std::string_view& rest, const SourceLine& place) {
  std::string field;
  if (!rest.starts_with('"')) {
    const std::size_t end = rest.find(',');
    field = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return field;
  }
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] != '"') {
      field += rest[i];
    } else if (i + 1 < rest.size() && rest[i + 1] == '"') {
      field += '"';
      ++i;
    } else if (i + 1 == rest.size() || rest[i + 1] == ',') {
      rest.remove_prefix(std::min(i + 2, rest.size()));
      return field;
    } else {
      break;
    }
  }
  place.fail("a quoted field does not end");
}

Index csv_item(const std::string& item, const NodeLabels& labels, const SourceLine& place) {
  if (!labels.empty()) {
    const auto node = labels.node(item);
    if (!node) {
      place.fail(fmt::format("item {} is not a node of the instance", in_quotes(item)));
    }
    return *node;
  }
  const std::int64_t value = place.integer(item, "item");
  if (value < std::numeric_limits<Index>::min() || value > std::numeric_limits<Index>::max()) {
    place.fail(fmt::format("item {} is out of range", value));
  }
  return static_cast<Index>(value);
}

}  // namespace

std::string format_json(std::span<const SolutionRecord> records) {
  std::string text;
  for (const SolutionRecord& record : records) {
    Json json;
    json["instance"] = record.target.name;
    json["problem"] = record.problem;
    json["cost"] = record.cost ? Json(*record.cost) : Json(nullptr);
    json["solution"] = json_of_nodes<Json>(record.solution->items, NodeLabels(record.target.labels));
    text += dump(json);
    text += '\n';
  }
  return text;
}

std::string format_solution_csv(std::span<const SolutionRecord> records) {
  std::string text = fmt::format("{}\n", kSolutionCsvHeader);
  for (const SolutionRecord& record : records) {
    const std::string name = csv_field(csv_name(record.target.name));
    const NodeLabels labels(record.target.labels);
    const std::vector<Index>& items = record.solution->items;
    if (items.empty()) {
      text += name + ",,\n";
    }
    for (std::size_t position = 0; position < items.size(); ++position) {
      text += fmt::format("{},{},{}\n", name, position, csv_field(csv_name(labels.text(items[position]))));
    }
  }
  return text;
}

std::vector<Solution> parse_json(std::string_view content, std::string_view file,
                                 std::span<const SolutionTarget> targets) {
  std::vector<Solution> solutions;
  for (LineReader lines(content); lines.next();) {
    if (trim(lines.line()).empty()) {
      continue;
    }
    const SourceLine place{file, lines.number()};
    const Json record = Json::parse(lines.line(), nullptr, false);
    if (record.is_discarded() || !record.is_object()) {
      place.fail("not a JSON object");
    }
    std::optional<std::string> name;
    if (const auto field = record.find("instance"); field != record.end() && field->is_string()) {
      name = field->get<std::string>();
    }
    require_record(solutions.size(), name, targets, place, json_name);
    solutions.push_back(solution_of(record, targets[solutions.size()], place));
  }
  require_all(solutions.size(), targets, file);
  return solutions;
}

std::vector<Solution> parse_solution_csv(std::string_view content, std::string_view file,
                                         std::span<const SolutionTarget> targets) {
  std::vector<Solution> solutions;
  NodeLabels labels({});
  std::string current_name;
  bool current_empty = false;
  for (LineReader lines(content); lines.next();) {
    std::string_view rest = trim(lines.line());
    if (rest.empty() || rest == kSolutionCsvHeader) {
      continue;
    }
    const SourceLine place{file, lines.number()};
    const std::string name = take_csv_field(rest, place);
    const std::string position = take_csv_field(rest, place);
    const std::string item = take_csv_field(rest, place);
    if (!rest.empty()) {
      place.fail("expected three fields: instance, position, item");
    }
    const bool empty_solution = position.empty() && item.empty();
    const std::int64_t expected = solutions.empty() ? 0 : static_cast<std::int64_t>(solutions.back().items.size());
    const std::int64_t found = empty_solution ? 0 : place.integer(position, "position");
    if (empty_solution || found == 0) {
      require_record(solutions.size(), name, targets, place, csv_name);
      labels = NodeLabels(targets[solutions.size()].labels);
      solutions.emplace_back();
      current_name = name;
      current_empty = empty_solution;
    } else if (solutions.empty() || current_empty || name != current_name || found != expected) {
      place.fail(fmt::format("position {} of instance {} does not follow the row before", found, in_quotes(name)));
    }
    if (!empty_solution) {
      solutions.back().items.push_back(csv_item(item, labels, place));
    }
  }
  require_all(solutions.size(), targets, file);
  return solutions;
}

}  // namespace moco
