// TSP generators: uniform points in the unit square, and points scattered around random centres.
#include "moco/problems/generators.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace moco {

namespace {

Index draw_size(const GeneratorOptions& options, RandomSequence& random) {
  require_option(options.nodes >= 1, "the number of nodes must be at least 1");
  require_memory(options, 1, false);
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

}  // namespace

ExpectedSize expected_points(const GeneratorOptions& options) {
  ExpectedSize size;
  size.nodes = std::max(options.nodes, options.max_nodes);
  size.other_bytes = options.kind == "clustered" ? static_cast<double>(sizeof(Point)) * options.clusters : 0.0;
  return size;
}

InstancePtr generate_uniform(const GeneratorOptions& options, std::string name, RandomSequence& random) {
  std::vector<Point> points(static_cast<std::size_t>(draw_size(options, random)));
  for (Point& point : points) {
    point = draw_point(random);
  }
  return std::make_shared<TspInstance>(std::move(name), std::move(points), Metric::euclidean);
}

InstancePtr generate_clustered(const GeneratorOptions& options, std::string name, RandomSequence& random) {
  require_option(options.clusters >= 1, "the number of clusters must be at least 1");
  require_option(options.spread >= 0.0 && options.spread <= 1.0, "the spread of clusters must lie in 0 … 1");
  std::vector<Point> points(static_cast<std::size_t>(draw_size(options, random)));
  std::vector<Point> centres(static_cast<std::size_t>(options.clusters));
  for (Point& centre : centres) {
    centre = draw_point(random);
  }
  for (Point& point : points) {
    const Point& centre = centres[random.next_below(static_cast<std::uint32_t>(centres.size()))];
    const double x = draw_near(centre.x, options.spread, random);
    const double y = draw_near(centre.y, options.spread, random);
    point = {x, y};
  }
  return std::make_shared<TspInstance>(std::move(name), std::move(points), Metric::euclidean);
}

}  // namespace moco
