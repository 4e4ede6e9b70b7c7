// Reader of Concorde text: one instance a line, "x1 y1 … xn yn output t1 … tn t1" with a 1-based tour. The part from
// "output" on may be missing.
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "moco/formats/limits.h"
#include "moco/formats/readers.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

struct ConcordeLine {
  std::vector<Point> points;
  std::optional<Solution> tour;
};

/// The tour after "output": every city once, and maybe the first one again at the end.
Solution parse_tour(std::string_view rest, std::size_t n, const SourceLine& place) {
  Solution tour;
  std::vector<bool> visited(n, false);
  bool closed = false;
  for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
    const std::int64_t city = place.integer(token, "tour entry");
    if (city < 1 || city > static_cast<std::int64_t>(n)) {
      place.fail(fmt::format("tour entry {}: {} is not a city of 1 … {}", tour.items.size() + 1, city, n));
    }
    if (closed) {
      place.fail(fmt::format("tour goes on with {} after it has returned to its first city", city));
    }
    const auto index = static_cast<std::size_t>(city - 1);
    if (tour.items.size() == n) {
      if (tour.items.front() != static_cast<Index>(index)) {
        place.fail(fmt::format("tour ends in city {} instead of returning to its first city {}", city,
                               tour.items.front() + 1));
      }
      closed = true;
      continue;
    }
    if (visited[index]) {
      place.fail(fmt::format("tour entry {}: city {} appears a second time", tour.items.size() + 1, city));
    }
    visited[index] = true;
    tour.items.push_back(static_cast<Index>(index));
  }
  if (tour.items.size() != n) {
    place.fail(fmt::format("tour has {} cities, the instance {}", tour.items.size(), n));
  }
  return tour;
}

ConcordeLine parse_line(std::string_view rest, const SourceLine& place) {
  ConcordeLine result;
  double x = 0.0;
  bool has_x = false;
  for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
    if (token == "output") {
      if (has_x || result.points.empty()) {
        break;
      }
      result.tour = parse_tour(rest, result.points.size(), place);
      break;
    }
    const double value = place.real(token, "coordinate");
    if (std::abs(value) > largest_coordinate) {
      place.fail(fmt::format("coordinate {} is out of range", in_quotes(token)));
    }
    if (has_x) {
      result.points.push_back({x, value});
    }
    x = value;
    has_x = !has_x;
  }
  if (has_x) {
    place.fail(fmt::format("odd number of coordinates: city {} has an x and no y", result.points.size() + 1));
  }
  if (result.points.empty()) {
    place.fail("no coordinates before 'output'");
  }
  return result;
}

}  // namespace

std::vector<InstanceData> read_concorde(const ReaderInput& input) {
  std::vector<InstanceData> instances;
  for (LineReader lines(input.content); lines.next();) {
    if (trim(lines.line()).empty()) {
      continue;
    }
    ConcordeLine line = parse_line(lines.line(), {input.file, lines.number()});
    instances.push_back(
        {.name = {},
         .content =
             PointData{.metric = Metric::euclidean, .points = std::move(line.points), .matrix = {}, .heights = {}},
         .labels = {},
         .reference = std::move(line.tour)});
  }
  for (std::size_t i = 0; i < instances.size(); ++i) {
    instances[i].name = name_in_file(input.name, i, instances.size());
  }
  return instances;
}

}  // namespace moco
