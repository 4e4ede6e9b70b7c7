// A kick exchanges two short paths that follow each other on the tour (a double bridge on neighbouring cities), 3-opt
// moves (three_opt.h) mend its surroundings, and the exchanges are taken back when the tour has become longer by more
// than a random threshold. Its mean, the temperature, falls from about one edge's length to 0 over the budget, if the
// budget has kicks enough for every city to settle again; otherwise it is 0 all the time. Asymmetric distances use the
// moves that keep the direction of every path (tour_moves.h).
#include "moco/problems/tsp/tour_kicks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "moco/core/work_queue.h"
#include "moco/problems/tsp/distance.h"
#include "moco/problems/tsp/fixed_edges.h"
#include "moco/problems/tsp/kick_moves.h"

namespace moco {

namespace {

constexpr int kBreadth = 8;                // neighbours of a city that moves look at
constexpr int kLongestPath = 50;           // cities of a path that a kick moves
constexpr int kFewestCities = 5;           // for a kick
constexpr std::int64_t kLookEvery = 64;    // kicks between looks at the budget
constexpr double kKicksToSettle = 40.0;    // per city and budget; with fewer the temperature stays 0
constexpr double kFirstTemperature = 1.0;  // mean lengths of an edge
constexpr double kLeastGain = 1e-10;       // of the instance's scale

template <typename Moves, typename Distance>
class TourKicks {
 public:
  /// `order` is the tour; it is changed in place. Moves are judged by `move_distance`.
  template <typename MoveDistance>
  TourKicks(const TourNeighbours& neighbours, double least_gain, const Distance& distance,
            const MoveDistance& move_distance, FixedEdges fixed, std::vector<Index>& order, StreamKey key)
      : n_(static_cast<int>(order.size())),
        distance_(distance),
        fixed_(fixed),
        order_(order),
        position_(order.size()),
        ring_(order.size()),
        queued_(order.size()),
        tour_(SerialTeam(), n_, order_.data(), position_.data()),
        moves_(tour_, move_distance, neighbours, least_gain),
        queue_(SerialTeam(), n_, ring_.data(), queued_.data()),
        random_(key, Purpose::kick) {}

  std::int64_t run(const KickBudget& spent) {
    const int start = order_.front();
    length_ = tour_length();
    double share = 0.0;
    std::int64_t looks = 0;
    const std::vector<int> all(order_);
    queue_.fill(all.data(), n_);
    settle([&] {
      share = ++looks % kLookEvery == 0 ? spent({false, 0, length_}) : share;
      return share >= 1.0;
    });
    best_ = length_;
    const double mean_edge = mean_free_edge();
    const double first_share = spent({true, 0, best_});
    std::int64_t kicks = 0;
    for (share = first_share; n_ >= kFewestCities && share < 1.0;
         share = spent({true, kicks, std::min(best_, length_)})) {
      const double way = (share - first_share) / (1.0 - first_share);
      const bool enough = static_cast<double>(kicks) >= kKicksToSettle * n_ * way;
      temperature_ = enough && kicks > 0 ? kFirstTemperature * mean_edge * (1.0 - way) : 0.0;
      for (std::int64_t i = 0; i < kLookEvery; ++i) {
        kick();
      }
      kicks += kLookEvery;
    }
    order_ = at_best_ ? reading() : best_order_;
    std::rotate(order_.begin(), std::find(order_.begin(), order_.end(), start), order_.end());
    return kicks;
  }

 private:
  double tour_length() const {
    double length = 0.0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      length += distance_(order_[i], order_[i + 1 == order_.size() ? 0 : i + 1]);
    }
    return length;
  }

  double mean_free_edge() const {
    double length = 0.0;
    int edges = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Index next = order_[i + 1 == order_.size() ? 0 : i + 1];
      if (!fixed_.has(order_[i], next)) {
        length += distance_(order_[i], next);
        ++edges;
      }
    }
    return length / std::max(edges, 1);
  }

  /// The tour in the direction in which it is read.
  std::vector<Index> reading() const {
    std::vector<Index> cities(order_.size());
    for (int i = 0; i < n_; ++i) {
      cities[static_cast<std::size_t>(i)] = tour_.along(order_.front(), i, true);
    }
    return cities;
  }

  /// Makes moves at the waiting cities until none is left; the tour's length follows. The journal of exchanges grows.
  template <typename Stop>
  void settle(const Stop& stop) {
    while (!queue_.empty() && !stop()) {
      const int city = queue_.pop();
      for (ExchangeMove move = moves_.find(city); move.count > 0 && !stop(); move = moves_.find(city)) {
        make(move);
        length_ -= move.gain;
      }
    }
  }

  void make(const ExchangeMove& move) {
    moves_.make(move);
    journal_.insert(journal_.end(), move.steps().begin(), move.steps().end());
    for (const int city : move.touched()) {
      queue_.push(city);
    }
  }

  ExchangeMove random_double_bridge() {
    const auto longest = static_cast<std::uint32_t>(std::min(kLongestPath, (n_ - 2) / 3));
    const int x = static_cast<int>(random_.next_below(static_cast<std::uint32_t>(n_)));
    const int first = 1 + static_cast<int>(random_.next_below(longest));
    const int second = 1 + static_cast<int>(random_.next_below(longest));
    const auto along = [&](int steps) { return tour_.along(x, steps, true); };
    const int y = along(1), a = along(first), b = along(first + 1), u = along(first + second);
    const int v = along(first + second + 1);
    const double gain =
        distance_(x, y) + distance_(a, b) + distance_(u, v) - distance_(x, b) - distance_(u, y) - distance_(a, v);
    if (fixed_.has(x, y) || fixed_.has(a, b) || fixed_.has(u, v)) {
      return {};
    }
    return {gain, 3, exchange_paths(x, y, a, b, u, v), 6, {x, y, a, b, u, v}};
  }

  void kick() {
    journal_.clear();
    const double before = length_;
    const ExchangeMove bridge = random_double_bridge();
    if (bridge.count == 0) {  // it would break a fixed edge
      return;
    }
    const int x = bridge.cities[0];
    const int next = bridge.cities[1];
    make(bridge);
    moves_.restore_direction(x, bridge.cities[3]);
    length_ -= bridge.gain;
    settle([] { return false; });
    const double threshold = temperature_ > 0.0 ? -temperature_ * std::log(1.0 - random_.next_double()) : 0.0;
    if (length_ - before > threshold) {
      take_back();
      moves_.restore_direction(x, next);
      length_ = before;
    } else if (length_ > before && at_best_) {
      keep_best(before, x, next);
    } else if (length_ < best_) {
      best_ = length_;
      at_best_ = true;
    }
  }

  void take_back() {
    for (auto step = journal_.rbegin(); step != journal_.rend(); ++step) {
      const EdgeExchange inverse = step->inverse();
      tour_.exchange(inverse.x, inverse.y, inverse.u, inverse.v);
    }
  }

  /// The tour before the last kick, in which `next` came after x, was the best one: it is stored before the search goes
  /// on from a longer one.
  void keep_best(double length, int x, int next) {
    const int present_next = tour_.next(x);
    take_back();
    moves_.restore_direction(x, next);
    best_order_ = reading();
    best_ = length;
    at_best_ = false;
    for (const EdgeExchange& step : journal_) {
      tour_.exchange(step.x, step.y, step.u, step.v);
    }
    moves_.restore_direction(x, present_next);
  }

  int n_;
  const Distance& distance_;
  FixedEdges fixed_;
  std::vector<Index>& order_;
  std::vector<int> position_;
  std::vector<int> ring_;
  std::vector<unsigned char> queued_;
  Tour<SerialTeam> tour_;
  Moves moves_;
  WorkQueue<SerialTeam> queue_;
  RandomSequence random_;
  std::vector<EdgeExchange> journal_;
  std::vector<Index> best_order_;
  double length_ = 0.0;
  double best_ = 0.0;
  double temperature_ = 0.0;
  bool at_best_ = true;
};

/// The candidates of a tour's cities, numbered in the order of the tour, so that what is near lies near in memory too.
TourPart renumbered(const DecisionGraph& graph, const std::vector<Index>& tour, std::span<const Index> fixed) {
  const auto at = [](Index index) { return static_cast<std::size_t>(index); };
  TourPart part{tour, std::min(graph.degree, kBreadth), {}, {}, {}};
  std::vector<Index> number(tour.size());
  for (std::size_t i = 0; i < tour.size(); ++i) {
    number[at(tour[i])] = static_cast<Index>(i);
  }
  part.targets.reserve(tour.size() * at(part.degree));
  part.length.reserve(part.targets.capacity());
  for (const Index city : tour) {
    const std::size_t row = at(city) * at(graph.degree);
    for (std::size_t edge = row; edge < row + at(part.degree); ++edge) {
      part.targets.push_back(number[at(graph.targets[edge])]);
      part.length.push_back(graph.length[edge]);
    }
    for (std::size_t end = 2 * at(city); !fixed.empty() && end < 2 * at(city) + 2; ++end) {
      part.fixed.push_back(fixed[end] < 0 ? -1 : number[at(fixed[end])]);
    }
  }
  return part;
}

template <typename Distance>
std::int64_t kick(const Distance& distance, bool symmetric, const TourPart& part, double least_gain,
                  std::vector<Index>& order, StreamKey key, const KickBudget& spent) {
  const TourNeighbours neighbours{part.targets.data(), part.length.data(), part.degree};
  const FixedEdges fixed(part.fixed);
  const auto run = [&](const auto& move_distance) {
    using MoveDistance = std::remove_cvref_t<decltype(move_distance)>;
    if (symmetric) {
      return TourKicks<SymmetricMoves<MoveDistance>, Distance>(neighbours, least_gain, distance, move_distance, fixed,
                                                               order, key)
          .run(spent);
    }
    return TourKicks<DirectedMoves<MoveDistance>, Distance>(neighbours, least_gain, distance, move_distance, fixed,
                                                            order, key)
        .run(spent);
  };
  return fixed.none() ? run(distance) : run(FixedEdgesAreShortest<Distance>{distance, fixed});
}

class TourKickSearch final : public KickSearch {
 public:
  TourKickSearch(const DecisionGraph& graph, std::vector<Index> fixed)
      : graph_(graph), instance_(dynamic_cast<const TspInstance&>(*graph.instance)), fixed_(std::move(fixed)) {}

  std::int64_t run(std::vector<Index>& items, StreamKey key, const KickBudget& spent) const override {
    const TourPart part = renumbered(graph_, items, fixed_);
    std::iota(items.begin(), items.end(), Index{0});
    const std::int64_t kicks = kick_tour(instance_, part, items, key, spent);
    std::ranges::transform(items, items.begin(), [&](Index i) { return part.cities[static_cast<std::size_t>(i)]; });
    return kicks;
  }

 private:
  const DecisionGraph& graph_;
  const TspInstance& instance_;
  std::vector<Index> fixed_;
};

}  // namespace

std::int64_t kick_tour(const TspInstance& instance, const TourPart& part, std::vector<Index>& order, StreamKey key,
                       const KickBudget& spent) {
  if (order.size() <= 3) {  // one tour, but for its direction
    return 0;
  }
  return with_distance(instance, part.cities, [&](const auto& distance) {
    return kick(distance, instance.symmetric(), part, kLeastGain * instance.scale(), order, key, spent);
  });
}

std::unique_ptr<KickSearch> make_tour_kicks(const DecisionGraph& graph, std::vector<Index> fixed) {
  return std::make_unique<TourKickSearch>(graph, std::move(fixed));
}

}  // namespace moco
