// Nearest neighbours by a KD-tree over the distinct places of an instance, or by partial sorting of matrix rows.
//
// Each metric is mapped to a space in which the tree's pruning is valid: L2 for the Euclidean family, L1 for man_2d, L1
// on coordinates turned by 45° for max_2d (max(|dx|, |dy|) = |du| + |dv| with u = (x + y)/2, v = (x − y)/2), and L2 in
// three dimensions for spatial ones and geo. Cities in one place are merged first: ties at distance zero would
// otherwise make the tree visit all of them for each of them.
#include "moco/problems/tsp/knn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include <nanoflann.hpp>

#include "moco/core/halt.h"
#include "moco/core/radix_sort.h"
#include "moco/error.h"
#include "moco/problems/tsp/geo.h"

namespace moco {

namespace {

constexpr std::size_t kPlacesPerTask = 1024;

/// A city found near another one; `key` grows with the unrounded distance.
struct Candidate {
  double key = 0.0;
  Index city = 0;   ///< of a place, its smallest
  Index place = 0;  ///< where that is of interest

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.key != b.key ? a.key < b.key : a.city < b.city;
  }
};

/// What the tree sees of a place, and what its distance is computed from. The first coordinates are the tree's.
struct L2Plane {
  static constexpr int tree_dimensions = 2;
  using Place = std::array<double, 2>;  // x, y
  static constexpr double rounding = 0.0;

  static double along_axis(double a, double b) { return (a - b) * (a - b); }
  static double key(const double* a, const double* b) { return along_axis(a[0], b[0]) + along_axis(a[1], b[1]); }
};

struct L1Plane {
  static constexpr int tree_dimensions = 2;
  using Place = std::array<double, 2>;  // x, y
  static constexpr double rounding = 0.0;

  static double along_axis(double a, double b) { return std::abs(a - b); }
  static double key(const double* a, const double* b) { return along_axis(a[0], b[0]) + along_axis(a[1], b[1]); }
};

struct MaxPlane {
  static constexpr int tree_dimensions = 2;
  using Place = std::array<double, 4>;         // u, v for the tree; x, y
  static constexpr double rounding = 0x1p-48;  // of u and v, with coordinates in −1 … 1

  static double along_axis(double a, double b) { return std::abs(a - b); }
  static double key(const double* a, const double* b) {
    return std::max(along_axis(a[2], b[2]), along_axis(a[3], b[3]));
  }
};

struct L2Space {
  static constexpr int tree_dimensions = 3;
  using Place = std::array<double, 3>;  // within ±1
  static constexpr double rounding = 0.0;

  static double along_axis(double a, double b) { return (a - b) * (a - b); }
  static double key(const double* a, const double* b) {
    return along_axis(a[0], b[0]) + along_axis(a[1], b[1]) + along_axis(a[2], b[2]);
  }
};

/// Cities along a Morton curve through the tree's coordinates: what is near in space is near in memory.
template <typename Space>
std::vector<NumberedKey> along_curve(const std::vector<typename Space::Place>& by_city, const Halt* halt) {
  constexpr int kDimensions = Space::tree_dimensions;
  constexpr int kBits = 32 / kDimensions;
  typename Space::Place low = by_city.front();
  double side = 0.0;
  for (int d = 0; d < kDimensions; ++d) {
    const auto axis = static_cast<std::size_t>(d);
    const auto along_axis = [axis](const auto& place) { return place[axis]; };
    const auto [least, most] = std::ranges::minmax_element(by_city, {}, along_axis);
    low[axis] = (*least)[axis];
    side = std::max(side, (*most)[axis] - low[axis]);
  }
  const double unit = side > 0.0 ? ((1u << kBits) - 1) / side : 0.0;
  std::vector<NumberedKey> order;
  order.reserve(by_city.size());
  for (const auto& place : by_city) {
    std::uint32_t key = 0;
    for (int d = 0; d < kDimensions; ++d) {
      const auto axis = static_cast<std::size_t>(d);
      const auto cell = static_cast<std::uint32_t>((place[axis] - low[axis]) * unit);
      for (int bit = 0; bit < kBits; ++bit) {
        key |= (cell >> bit & 1u) << (bit * kDimensions + d);
      }
    }
    order.push_back({key, static_cast<Index>(order.size())});
  }
  radix_sort(order, halt);
  return order;
}

/// Distinct places along a curve, with their cities in ascending order.
template <typename Space>
class Places {
 public:
  /// `halt` may be null; it may end the sorting here and the building of a tree over the places.
  Places(const std::vector<typename Space::Place>& by_city, const Halt* halt) : watch_(halt) {
    const std::vector<NumberedKey> order = along_curve<Space>(by_city, halt);
    const auto place_of = [&](Index city) -> const auto& {
      return by_city[static_cast<std::size_t>(city)];
    };
    cities_.resize(order.size());
    std::ranges::transform(order, cities_.begin(), &NumberedKey::number);
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      while (end < order.size() && order[end].key == order[begin].key) {
        ++end;
      }
      std::sort(cities_.begin() + static_cast<std::ptrdiff_t>(begin),
                cities_.begin() + static_cast<std::ptrdiff_t>(end), watch_.with([&](Index a, Index b) {
                  return place_of(a) != place_of(b) ? place_of(a) < place_of(b) : a < b;
                }));
    }
    for (std::size_t i = 0; i < cities_.size(); ++i) {
      if (i == 0 || place_of(cities_[i]) != place_of(cities_[i - 1])) {
        coordinates_.push_back(place_of(cities_[i]));
        first_.push_back(i);
      }
    }
    first_.push_back(cities_.size());
  }

  std::size_t size() const { return coordinates_.size(); }
  const double* coordinates(std::size_t place) const { return coordinates_[place].data(); }
  /// The first one is the smallest.
  std::span<const Index> cities(std::size_t place) const {
    return {cities_.data() + first_[place], first_[place + 1] - first_[place]};
  }

  // What nanoflann asks of a data source; coordinates only while it builds the tree.
  std::size_t kdtree_get_point_count() const { return size(); }
  double kdtree_get_pt(std::size_t place, std::size_t dimension) const {
    watch_.look();
    return coordinates_[place][dimension];
  }
  template <typename Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }

 private:
  mutable HaltWatch watch_;
  std::vector<typename Space::Place> coordinates_;
  std::vector<std::size_t> first_;
  std::vector<Index> cities_;
};

/// Distance functor in nanoflann's sense.
template <typename Space>
struct Measure {
  using ElementType = double;
  using DistanceType = double;

  explicit Measure(const Places<Space>& source) : places(source) {}

  double evalMetric(const double* from, std::uint32_t place, std::size_t) const {
    return Space::key(from, places.coordinates(place));
  }
  double accum_dist(double a, double b, std::size_t) const { return Space::along_axis(a, b); }

  const Places<Space>& places;
};

/// Result set in nanoflann's sense: the `capacity` places first in (key, smallest city). The bound it reports is
/// widened a little, so that neither ties nor the rounding of the tree's lower bounds can lose a place.
template <typename Space>
class NearestPlaces {
 public:
  NearestPlaces(const Places<Space>& places, std::size_t capacity)
      : places_(places), capacity_(capacity), widening_(std::numeric_limits<double>::min() + Space::rounding) {
    found_.reserve(capacity);
  }

  void clear() { found_.clear(); }
  std::span<const Candidate> found() const { return found_; }

  bool addPoint(double key, std::uint32_t place) {
    if (full() && key > found_.back().key) {
      return true;
    }
    const Candidate candidate{key, places_.cities(place).front(), static_cast<Index>(place)};
    if (full()) {
      if (!(candidate < found_.back())) {
        return true;
      }
      found_.pop_back();
    }
    found_.insert(std::upper_bound(found_.begin(), found_.end(), candidate), candidate);
    return true;
  }
  double worstDist() const {
    constexpr double relative_widening = 1.0 + 1e-12;
    return full() ? found_.back().key * relative_widening + widening_ : std::numeric_limits<double>::infinity();
  }
  bool full() const { return found_.size() == capacity_; }

 private:
  const Places<Space>& places_;
  std::size_t capacity_;
  double widening_;
  std::vector<Candidate> found_;
};

/// Appends to `candidates` what decides the k nearest of `city`: the cities of the places found, nearest first, until
/// there are k and no tie is left.
template <typename Space>
void collect_cities(const Places<Space>& places, std::span<const Candidate> found, Index city, std::size_t k,
                    std::vector<Candidate>& candidates) {
  double last_key = 0.0;
  for (const Candidate& place : found) {
    if (candidates.size() >= k && place.key > last_key) {
      return;
    }
    last_key = place.key;
    std::size_t taken = 0;
    for (const Index other : places.cities(static_cast<std::size_t>(place.place))) {
      if (taken == k) {
        break;
      }
      if (other != city) {
        candidates.push_back({.key = place.key, .city = other});
        ++taken;
      }
    }
  }
}

template <typename Space>
std::vector<Index> search_tree(const std::vector<typename Space::Place>& by_city, std::size_t k,
                               const Executor& executor) {
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<Measure<Space>, Places<Space>, Space::tree_dimensions>;
  const Places<Space> places(by_city, executor.halt());
  const Tree tree(Space::tree_dimensions, places, nanoflann::KDTreeSingleIndexAdaptorParams(10));

  std::vector<Index> neighbours(by_city.size() * k);
  executor.for_each_range(places.size(), kPlacesPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
    NearestPlaces<Space> nearest(places, std::min(k + 1, places.size()));
    std::vector<Candidate> candidates;
    for (std::size_t place = begin; place < end; ++place) {
      nearest.clear();
      tree.findNeighbors(nearest, places.coordinates(place), nanoflann::SearchParams());
      for (const Index city : places.cities(place)) {
        candidates.clear();
        collect_cities(places, nearest.found(), city, k, candidates);
        const auto wanted = candidates.begin() + static_cast<std::ptrdiff_t>(k);
        std::partial_sort(candidates.begin(), wanted, candidates.end());
        Index* row = neighbours.data() + static_cast<std::size_t>(city) * k;
        std::transform(candidates.begin(), wanted, row, [](const Candidate& candidate) { return candidate.city; });
      }
    }
  });
  return neighbours;
}

/// The points scaled by a power of two into −1 … 1, where no square can overflow; exact but for underflow.
std::vector<L2Plane::Place> scaled_points(std::span<const Point> points) {
  double largest = 0.0;
  for (const Point& point : points) {
    largest = std::max({largest, std::abs(point.x), std::abs(point.y)});
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  std::vector<L2Plane::Place> places;
  places.reserve(points.size());
  for (const Point& point : points) {
    places.push_back({std::ldexp(point.x, -exponent), std::ldexp(point.y, -exponent)});
  }
  return places;
}

std::vector<Index> spatial_neighbours(const TspInstance& instance, std::size_t k, const Executor& executor) {
  double largest = 0.0;
  for (std::size_t city = 0; city < instance.points().size(); ++city) {
    const auto& [x, y] = instance.points()[city];
    largest = std::max({largest, std::abs(x), std::abs(y), std::abs(instance.heights()[city])});
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  std::vector<L2Space::Place> places;
  places.reserve(instance.points().size());
  for (std::size_t city = 0; city < instance.points().size(); ++city) {
    const auto& [x, y] = instance.points()[city];
    places.push_back(
        {std::ldexp(x, -exponent), std::ldexp(y, -exponent), std::ldexp(instance.heights()[city], -exponent)});
  }
  return search_tree<L2Space>(places, k, executor);
}

std::vector<Index> max_neighbours(const TspInstance& instance, std::size_t k, const Executor& executor) {
  std::vector<MaxPlane::Place> places;
  places.reserve(instance.points().size());
  for (const auto& [x, y] : scaled_points(instance.points())) {
    places.push_back({(x + y) / 2, (x - y) / 2, x, y});
  }
  return search_tree<MaxPlane>(places, k, executor);
}

std::vector<Index> geo_neighbours(const TspInstance& instance, std::size_t k, const Executor& executor) {
  std::vector<L2Space::Place> places;
  places.reserve(instance.points().size());
  for (const Point& point : instance.points()) {
    const double latitude = geo_radians(point.x);
    const double longitude = geo_radians(point.y);
    places.push_back(
        {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude)});
  }
  std::vector<Index> neighbours = search_tree<L2Space>(places, k, executor);
  for (Index city = 0; city < instance.size(); ++city) {
    const auto row = neighbours.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(city) * k);
    std::stable_sort(row, row + static_cast<std::ptrdiff_t>(k),
                     [&](Index a, Index b) { return instance.distance(city, a) < instance.distance(city, b); });
  }
  return neighbours;
}

std::vector<Index> matrix_neighbours(const TspInstance& instance, std::size_t k, const Executor& executor) {
  const auto n = static_cast<std::size_t>(instance.size());
  std::vector<Index> neighbours(n * k);
  executor.for_each(n, [&](std::size_t row, std::size_t) {
    const auto city = static_cast<Index>(row);
    std::vector<Candidate> candidates;
    candidates.reserve(n);
    for (Index other = 0; other < instance.size(); ++other) {
      if (other != city) {
        candidates.push_back({.key = instance.distance(city, other), .city = other});
      }
    }
    const auto wanted = candidates.begin() + static_cast<std::ptrdiff_t>(k);
    std::partial_sort(candidates.begin(), wanted, candidates.end());
    std::transform(candidates.begin(), wanted, neighbours.begin() + static_cast<std::ptrdiff_t>(row * k),
                   [](const Candidate& candidate) { return candidate.city; });
  });
  return neighbours;
}

}  // namespace

std::vector<Index> nearest_neighbours(const TspInstance& instance, Index k, const Executor& executor) {
  if (k < 0) {
    throw OptionError("the number of nearest neighbours must not be negative");
  }
  const auto width = static_cast<std::size_t>(std::min(k, instance.size() - 1));
  if (width == 0) {
    return {};
  }
  switch (instance.metric()) {
    case Metric::matrix:
      return matrix_neighbours(instance, width, executor);
    case Metric::euc_3d:
    case Metric::ceil_3d:
      return spatial_neighbours(instance, width, executor);
    case Metric::geo:
      return geo_neighbours(instance, width, executor);
    case Metric::max_2d:
      return max_neighbours(instance, width, executor);
    case Metric::man_2d:
      return search_tree<L1Plane>(scaled_points(instance.points()), width, executor);
    case Metric::euclidean:
    case Metric::euc_2d:
    case Metric::ceil_2d:
    case Metric::att:
      break;
  }
  return search_tree<L2Plane>(scaled_points(instance.points()), width, executor);
}

}  // namespace moco
