// Reader of delimited coordinates: "x,y" or "id,x,y" a line, separated by commas, semicolons, tabs or blanks.
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problems/readers.h"
#include "moco/problems/text.h"
#include "moco/problems/tsp/limits.h"

namespace moco {

namespace {

/// The separator of a line; ' ' stands for any run of blanks.
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
      fields.push_back(token);
    }
    return;
  }
  for (;;) {
    const std::size_t end = line.find(separator);
    fields.push_back(trim(line.substr(0, end)));
    if (end == std::string_view::npos) {
      return;
    }
    line.remove_prefix(end + 1);
  }
}

bool is_header(const std::vector<std::string_view>& fields) {
  for (const std::string_view field : fields) {
    if (parse_real(field)) {
      return false;
    }
  }
  return true;
}

double coordinate(std::string_view field, std::string_view what, const Place& place) {
  const double value = place.real(field, what);
  if (std::abs(value) > largest_coordinate) {
    place.fail(fmt::format("{} {} is out of range", what, in_quotes(field)));
  }
  return value;
}

}  // namespace

std::vector<InstancePtr> read_csv(const ReaderInput& input) {
  std::vector<Point> points;
  std::vector<std::string_view> fields;
  char separator = '\0';
  std::size_t columns = 0;
  for (LineReader lines(input.content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (line.empty() || line.front() == '#') {
      continue;
    }
    const Place place{input.file, lines.number()};
    const bool first = separator == '\0';
    if (first) {
      separator = separator_of(line);
    }
    split(line, separator, fields);
    if (first) {
      columns = fields.size();
      if (columns != 2 && columns != 3) {
        place.fail(fmt::format("expected 2 columns (x, y) or 3 (id, x, y), found {}", columns));
      }
      if (is_header(fields)) {
        continue;
      }
    }
    if (fields.size() != columns) {
      place.fail(fmt::format("expected {} columns as on the first line, found {}", columns, fields.size()));
    }
    if (columns == 3 && parse_real(fields[0]) && !parse_integer(fields[0])) {
      place.fail(fmt::format("three columns are id, x, y, but {} is not an id", in_quotes(fields[0])));
    }
    const std::string_view x = fields[columns - 2];
    const std::string_view y = fields[columns - 1];
    points.push_back({coordinate(x, "x coordinate", place), coordinate(y, "y coordinate", place)});
  }
  if (points.empty()) {
    throw InputError(input.file, "no coordinates");
  }
  return {std::make_shared<TspInstance>(input.name, std::move(points), Metric::euclidean)};
}

}  // namespace moco
