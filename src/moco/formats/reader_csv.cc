// Reader of delimited tables: coordinates "x,y" or "id,x,y" a line, and what else a table may hold, which it passes on.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/labels.h"
#include "moco/formats/limits.h"
#include "moco/formats/readers.h"
#include "moco/formats/survey.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

double coordinate(std::string_view field, std::string_view what, const SourceLine& place) {
  const double value = place.real(field, what);
  if (std::abs(value) > largest_coordinate) {
    place.fail(fmt::format("{} {} is out of range", what, in_quotes(field)));
  }
  return value;
}

/// Whether a table holds a matrix rather than coordinates: three columns may be both, more only a matrix.
bool holds_matrix(const ReaderInput& input, const TableSurvey& survey) {
  if (survey.named_square()) {
    return true;
  }
  if (!survey.square() || survey.header != TableSurvey::Header::none) {
    return false;
  }
  const SquareLook look = look_at_square(input.content, survey);
  return survey.rows > 3 || (look.symmetric && look.zero_diagonal);
}

/// City ids become labels, unless they only number the rows from 0 or 1 on or are not unique.
std::vector<std::string> city_labels(std::vector<std::string> ids) {
  bool counts = true;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    counts = counts && ids[i] == fmt::format("{}", i + (ids.front() == "1" ? 1 : 0));
  }
  return counts ? std::vector<std::string>() : usable_labels(std::move(ids));
}

std::vector<InstanceData> read_coordinates(const ReaderInput& input) {
  PointData data;
  std::vector<std::string> ids;
  std::vector<std::string_view> fields;
  char separator = '\0';
  std::size_t columns = 0;
  for (LineReader lines(input.content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (line.empty() || line.front() == '#') {
      continue;
    }
    const SourceLine place{input.file, lines.number()};
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
    if (columns == 3) {
      if (parse_real(fields[0]) && !parse_integer(fields[0])) {
        place.fail(fmt::format("three columns are id, x, y, but {} is not an id", in_quotes(fields[0])));
      }
      ids.emplace_back(fields[0]);
    }
    const std::string_view x = fields[columns - 2];
    const std::string_view y = fields[columns - 1];
    data.points.push_back({coordinate(x, "x coordinate", place), coordinate(y, "y coordinate", place)});
  }
  if (data.points.empty()) {
    throw InputError(input.file, "no coordinates");
  }
  return finish_points(input, std::move(data), city_labels(std::move(ids)));
}

}  // namespace

std::vector<InstanceData> read_csv(const ReaderInput& input) {
  const TableSurvey survey = survey_table(input.content);
  const bool edges = survey.header == TableSurvey::Header::edges && input.wanted != DataKind::points;
  if (!edges && survey.header != TableSurvey::Header::coordinates && holds_matrix(input, survey)) {
    return read_matrix(input);
  }
  if (edges || input.wanted == DataKind::graph) {
    return read_edge_list(input);
  }
  return read_coordinates(input);
}

}  // namespace moco
