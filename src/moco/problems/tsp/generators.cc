// Uniform points in the unit square, and points scattered around random centres.
#include "moco/problems/tsp/generators.h"

#include <algorithm>
#include <utility>

#include "moco/problems/generators.h"

namespace moco {

namespace {

const OptionDeclaration kClusters = {
    .key = "clusters", .fallback = 8.0, .help = "number of centres", .low = 1, .high = 100'000'000};
const OptionDeclaration kSpread = {.key = "spread",
                                   .kind = OptionKind::real,
                                   .fallback = 0.05,
                                   .help = "standard deviation around a centre",
                                   .low = 0,
                                   .high = 1};

Index draw_size(const GeneratorOptions& options, RandomSequence& random) {
  return draw_between(options.nodes, options.max_nodes, random);
}

Point draw_point(RandomSequence& random) {
  const double x = random.next_double();
  const double y = random.next_double();
  return {x, y};
}

/// Normal to a good approximation, with mean 0 and variance 1: a sum of twelve uniform numbers. Unlike the transforms
/// by logarithm and cosine it is the same on every machine.
double draw_normal(RandomSequence& random) {
  double sum = -6.0;
  for (int i = 0; i < 12; ++i) {
    sum += random.next_double();
  }
  return sum;
}

/// A coordinate near `centre` within [0, 1); what falls outside is drawn again.
double draw_near(double centre, double spread, RandomSequence& random) {
  for (;;) {
    const double value = centre + spread * draw_normal(random);
    if (value >= 0.0 && value < 1.0) {
      return value;
    }
  }
}

/// `own` is what the generator keeps besides.
ExpectedSize expected_points(const GeneratorOptions& options, double own) {
  require_option(options.nodes >= 1, "the number of nodes must be at least 1");
  return {.nodes = static_cast<double>(std::max(options.nodes, options.max_nodes)), .other_bytes = own};
}

ExpectedSize expected_uniform(const GeneratorOptions& options) {
  return expected_points(options, 0.0);
}

ExpectedSize expected_clustered(const GeneratorOptions& options) {
  return expected_points(options, static_cast<double>(sizeof(Point)) * options.own.number(kClusters));
}

InstanceData generate_uniform(const GeneratorOptions& options, RandomSequence& random) {
  std::vector<Point> points(static_cast<std::size_t>(draw_size(options, random)));
  for (Point& point : points) {
    point = draw_point(random);
  }
  return {.content = PointData{.points = std::move(points)}};
}

InstanceData generate_clustered(const GeneratorOptions& options, RandomSequence& random) {
  const double spread = options.own.number(kSpread);
  std::vector<Point> points(static_cast<std::size_t>(draw_size(options, random)));
  std::vector<Point> centres(static_cast<std::size_t>(options.own.integer(kClusters)));
  for (Point& centre : centres) {
    centre = draw_point(random);
  }
  for (Point& point : points) {
    const Point& centre = centres[random.next_below(static_cast<std::uint32_t>(centres.size()))];
    const double x = draw_near(centre.x, spread, random);
    const double y = draw_near(centre.y, spread, random);
    point = {x, y};
  }
  return {.content = PointData{.points = std::move(points)}};
}

}  // namespace

std::span<const GeneratorKind> point_generators() {
  static const std::vector<GeneratorKind> kinds = {
      {"uniform", "uniform in the unit square", true, {}, generate_uniform, expected_uniform},
      {"clustered", "around random centres", true, {kClusters, kSpread}, generate_clustered, expected_clustered}};
  return kinds;
}

}  // namespace moco
