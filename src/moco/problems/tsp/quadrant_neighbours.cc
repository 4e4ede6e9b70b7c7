// A tree over the cities whose nodes know their bounding boxes: halves of halves along the longer side. A search goes
// to the nearer half first and leaves out boxes that are too far away or in other quadrants.
#include "moco/problems/tsp/quadrant_neighbours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "moco/error.h"
#include "moco/problems/tsp/knn.h"

namespace moco {

namespace {

constexpr std::size_t kCitiesOfLeaf = 8;
constexpr std::size_t kCitiesPerTask = 1024;
constexpr Index kShare = 5;  // k / kShare neighbours of each quadrant
constexpr int kQuadrants = 4;

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

struct Box {
  Point low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Point high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
};

/// Which side of a city another place is on; kQuadrants: both are in one place.
int quadrant_of(double dx, double dy) {
  if (dx > 0.0 && dy >= 0.0) {
    return 0;
  }
  if (dx <= 0.0 && dy > 0.0) {
    return 1;
  }
  if (dx < 0.0) {
    return 2;
  }
  return dy < 0.0 ? 3 : kQuadrants;
}

/// Whether a box may hold cities of a quadrant around a point.
bool reaches(const Box& box, int quadrant, const Point& from) {
  switch (quadrant) {
    case 0:
      return box.high.x > from.x && box.high.y >= from.y;
    case 1:
      return box.low.x <= from.x && box.high.y > from.y;
    case 2:
      return box.low.x < from.x && box.low.y <= from.y;
    case 3:
      return box.high.x >= from.x && box.low.y < from.y;
    default:
      return true;
  }
}

/// What grows with the distance of two places that are so far apart along the axes.
double key_of(Metric metric, double dx, double dy) {
  const double across = std::abs(dx);
  const double along = std::abs(dy);
  return metric == Metric::man_2d   ? across + along
         : metric == Metric::max_2d ? std::max(across, along)
                                    : across * across + along * along;
}

struct Candidate {
  double key = 0.0;
  Index city = 0;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.key != b.key ? a.key < b.key : a.city < b.city;
  }
};

/// The best few candidates seen, in order.
class Few {
 public:
  void reset(std::size_t most) {
    most_ = most;
    found_.clear();
  }
  void add(Candidate candidate) {
    if (found_.size() == most_) {
      if (most_ == 0 || !(candidate < found_.back())) {
        return;
      }
      found_.pop_back();
    }
    found_.insert(std::ranges::upper_bound(found_, candidate, std::less<>()), candidate);
  }
  bool too_far(double key) const { return found_.size() == most_ && (most_ == 0 || key > found_.back().key); }
  std::span<const Candidate> found() const { return found_; }

 private:
  std::size_t most_ = 0;
  std::vector<Candidate> found_;
};

class CityTree {
 public:
  CityTree(std::span<const Point> points, Metric metric, const Halt* halt)
      : points_(points), metric_(metric), cities_(points.size()), watch_(halt) {
    std::iota(cities_.begin(), cities_.end(), Index{0});
    nodes_.reserve(4 * (points.size() / kCitiesOfLeaf + 1));
    build(0, cities_.size());
  }

  /// The nearest cities of a quadrant, or of all of them, other than the city itself.
  void search(Index city, int quadrant, Few& few) const { search(0, city, points_[at(city)], quadrant, few); }
  std::span<const Index> cities() const { return cities_; }

 private:
  struct Node {
    Box box;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t second = 0;  ///< child; the first one follows its parent; 0: a leaf
  };

  std::size_t build(std::size_t begin, std::size_t end) {
    const std::size_t own = nodes_.size();
    Node node{{}, begin, end, 0};
    for (std::size_t i = begin; i < end; ++i) {
      const Point& point = points_[at(cities_[i])];
      node.box.low = {std::min(node.box.low.x, point.x), std::min(node.box.low.y, point.y)};
      node.box.high = {std::max(node.box.high.x, point.x), std::max(node.box.high.y, point.y)};
    }
    nodes_.push_back(node);
    if (end - begin <= kCitiesOfLeaf) {
      return own;
    }
    watch_.look();
    const std::size_t middle = begin + (end - begin) / 2;
    const bool wide = node.box.high.x - node.box.low.x > node.box.high.y - node.box.low.y;
    const auto place = [&](std::size_t i) { return cities_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(place(begin), place(middle), place(end), [&](Index a, Index b) {
      const Point& p = points_[at(a)];
      const Point& q = points_[at(b)];
      const double left = wide ? p.x : p.y;
      const double right = wide ? q.x : q.y;
      return left != right ? left < right : a < b;
    });
    build(begin, middle);
    const std::size_t second = build(middle, end);
    nodes_[own].second = second;
    return own;
  }

  double key_to(const Box& box, const Point& from) const {
    return key_of(metric_, std::max({box.low.x - from.x, from.x - box.high.x, 0.0}),
                  std::max({box.low.y - from.y, from.y - box.high.y, 0.0}));
  }

  void search(std::size_t number, Index city, const Point& from, int quadrant, Few& few) const {
    const Node& node = nodes_[number];
    if (node.second == 0) {
      for (std::size_t i = node.begin; i < node.end; ++i) {
        const Index other = cities_[i];
        const double dx = points_[at(other)].x - from.x;
        const double dy = points_[at(other)].y - from.y;
        if (other != city && (quadrant == kQuadrants || quadrant_of(dx, dy) == quadrant)) {
          few.add({key_of(metric_, dx, dy), other});
        }
      }
      return;
    }
    std::array<std::pair<double, std::size_t>, 2> halves;
    halves[0] = {key_to(nodes_[number + 1].box, from), number + 1};
    halves[1] = {key_to(nodes_[node.second].box, from), node.second};
    if (halves[1].first < halves[0].first) {
      std::swap(halves[0], halves[1]);
    }
    for (const auto& [key, half] : halves) {
      if (!few.too_far(key) && reaches(nodes_[half].box, quadrant, from)) {
        search(half, city, from, quadrant, few);
      }
    }
  }

  std::span<const Point> points_;
  Metric metric_;
  std::vector<Index> cities_;
  std::vector<Node> nodes_;
  HaltWatch watch_;
};

}  // namespace

bool has_quadrants(Metric metric) {
  switch (metric) {
    case Metric::euclidean:
    case Metric::euc_2d:
    case Metric::ceil_2d:
    case Metric::att:
    case Metric::man_2d:
    case Metric::max_2d:
      return true;
    case Metric::geo:
    case Metric::matrix:
    case Metric::euc_3d:
    case Metric::ceil_3d:
      break;
  }
  return false;
}

std::vector<Index> quadrant_neighbours(const TspInstance& instance, Index k, const Executor& executor) {
  const auto width = static_cast<std::size_t>(std::clamp<Index>(k, 0, instance.size() - 1));
  const std::size_t each = width / kShare;
  if (!has_quadrants(instance.metric()) || each == 0 || width + 1 >= at(instance.size())) {
    return nearest_neighbours(instance, k, executor);
  }
  const CityTree tree(instance.points(), instance.metric(), executor.halt());
  std::vector<Index> neighbours(at(instance.size()) * width);
  executor.for_each_range(at(instance.size()), kCitiesPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
    Few few;
    std::vector<Candidate> row;
    for (std::size_t i = begin; i < end; ++i) {
      const Index city = tree.cities()[i];
      row.clear();
      few.reset(width);
      tree.search(city, kQuadrants, few);
      std::vector<Candidate> near(few.found().begin(), few.found().end());
      for (int quadrant = 0; quadrant < kQuadrants; ++quadrant) {
        few.reset(each);
        tree.search(city, quadrant, few);
        row.insert(row.end(), few.found().begin(), few.found().end());
      }
      const auto chosen = static_cast<std::ptrdiff_t>(row.size());
      for (const Candidate& candidate : near) {
        const auto is_it = [&](const Candidate& other) { return other.city == candidate.city; };
        if (row.size() < width && std::none_of(row.begin(), row.begin() + chosen, is_it)) {
          row.push_back(candidate);
        }
      }
      std::sort(row.begin(), row.end());
      std::ranges::transform(row, neighbours.begin() + static_cast<std::ptrdiff_t>(at(city) * width), &Candidate::city);
    }
  });
  return neighbours;
}

}  // namespace moco
