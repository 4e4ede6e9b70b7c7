// Solution formats that hold any number of solutions: JSON Lines and CSV. Records stand in the order of the instances
// and carry their names, so that solutions cannot be mixed up unnoticed.
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "moco/core/json_integer.h"
#include "moco/error.h"
#include "moco/problems/solution_formats.h"
#include "moco/problems/text.h"

namespace moco {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view csv_header = "instance,position,item";

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
void require_record(std::size_t index, const std::optional<std::string>& name, std::span<const InstancePtr> instances,
                    const Place& place, const std::function<std::string(const std::string&)>& as_read) {
  if (index >= instances.size()) {
    place.fail(
        fmt::format("more solutions than the {} instance{} given", instances.size(), instances.size() == 1 ? "" : "s"));
  }
  if (name && *name != as_read(instances[index]->name())) {
    place.fail(fmt::format("a solution of instance {} where one of {} is expected", in_quotes(*name),
                           in_quotes(instances[index]->name())));
  }
}

void require_all(std::size_t found, std::span<const InstancePtr> instances, std::string_view file) {
  if (found != instances.size()) {
    throw InputError(file, fmt::format("{} solutions for {} instances", found, instances.size()));
  }
}

Solution solution_of(const Json& record, const Place& place) {
  const auto items = record.find("solution");
  if (items == record.end() || !items->is_array()) {
    place.fail("the record has no array \"solution\"");
  }
  Solution solution;
  solution.items.reserve(items->size());
  for (const Json& item : *items) {
    if (!holds_integer<Index>(item)) {
      place.fail(fmt::format("item {} of \"solution\" is not a node number", solution.items.size()));
    }
    solution.items.push_back(item.get<Index>());
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
std::string take_csv_field(std::string_view& rest, const Place& place) {
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

}  // namespace

std::string format_json(std::span<const SolvedInstance> solved) {
  std::string text;
  for (const auto& [instance, solution] : solved) {
    const CheckResult result = instance->check(solution);
    Json record;
    record["instance"] = instance->name();
    record["problem"] = instance->problem();
    record["cost"] = result.feasible ? Json(result.cost) : Json(nullptr);
    record["solution"] = solution.items;
    text += dump(record);
    text += '\n';
  }
  return text;
}

std::string format_solution_csv(std::span<const SolvedInstance> solved) {
  std::string text = fmt::format("{}\n", csv_header);
  for (const auto& [instance, solution] : solved) {
    const std::string name = csv_field(csv_name(instance->name()));
    if (solution.items.empty()) {
      text += name + ",,\n";
    }
    for (std::size_t position = 0; position < solution.items.size(); ++position) {
      text += fmt::format("{},{},{}\n", name, position, solution.items[position]);
    }
  }
  return text;
}

std::vector<Solution> parse_json(std::string_view content, std::string_view file,
                                 std::span<const InstancePtr> instances) {
  std::vector<Solution> solutions;
  for (LineReader lines(content); lines.next();) {
    if (trim(lines.line()).empty()) {
      continue;
    }
    const Place place{file, lines.number()};
    const Json record = Json::parse(lines.line(), nullptr, false);
    if (record.is_discarded() || !record.is_object()) {
      place.fail("not a JSON object");
    }
    std::optional<std::string> name;
    if (const auto field = record.find("instance"); field != record.end() && field->is_string()) {
      name = field->get<std::string>();
    }
    require_record(solutions.size(), name, instances, place, json_name);
    solutions.push_back(solution_of(record, place));
  }
  require_all(solutions.size(), instances, file);
  return solutions;
}

std::vector<Solution> parse_solution_csv(std::string_view content, std::string_view file,
                                         std::span<const InstancePtr> instances) {
  std::vector<Solution> solutions;
  std::string current_name;
  bool current_empty = false;
  for (LineReader lines(content); lines.next();) {
    std::string_view rest = trim(lines.line());
    if (rest.empty() || rest == csv_header) {
      continue;
    }
    const Place place{file, lines.number()};
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
      require_record(solutions.size(), name, instances, place, csv_name);
      solutions.emplace_back();
      current_name = name;
      current_empty = empty_solution;
    } else if (solutions.empty() || current_empty || name != current_name || found != expected) {
      place.fail(fmt::format("position {} of instance {} does not follow the row before", found, in_quotes(name)));
    }
    if (!empty_solution) {
      const std::int64_t value = place.integer(item, "item");
      if (value < std::numeric_limits<Index>::min() || value > std::numeric_limits<Index>::max()) {
        place.fail(fmt::format("item {} is out of range", value));
      }
      solutions.back().items.push_back(static_cast<Index>(value));
    }
  }
  require_all(solutions.size(), instances, file);
  return solutions;
}

}  // namespace moco
