// Iterated local search on tours: kicks (kicked_tour.h) and, where the budget allows a population of their results,
// edge assembly (tour_breeding.h).
//
// Breeding: tours are made by scrambling the last one and a few kicks, until nearly half of what is left of the
// budget is spent; they breed until nothing is gained; the best one goes on to the next population.
// Annealing, where the budget is too small for that: a kick that made the tour longer is kept when that is below a
// random threshold. Its mean, the temperature, falls from about one edge's length to 0 over the budget, if the budget
// has kicks enough for every city to settle again; otherwise it is 0 all the time. Asymmetric distances are annealed
// only.
#include "moco/problems/tsp/tour_kicks.h"

#include <algorithm>
#include <numeric>

#include "moco/problems/tsp/directed_moves.h"
#include "moco/problems/tsp/distance.h"
#include "moco/problems/tsp/kicked_tour.h"
#include "moco/problems/tsp/plane_window_search.h"
#include "moco/problems/tsp/three_opt.h"
#include "moco/problems/tsp/tour_breeding.h"
#include "moco/problems/tsp/window_search.h"

namespace moco {

namespace {

constexpr int kBreadth = 8;                // neighbours of a city that moves look at
constexpr int kFewestCities = 5;           // for a kick
constexpr std::int64_t kLookEvery = 64;    // kicks between looks at the budget
constexpr double kKicksToSettle = 40.0;    // per city and budget; with fewer the temperature stays 0
constexpr double kFirstTemperature = 1.0;  // mean lengths of an edge
constexpr double kLeastGain = 1e-10;       // of the instance's scale
constexpr std::size_t kCitiesPerTask = 65536;

constexpr int kFewestToBreed = 8;        // cities
constexpr int kFewestTours = 12;         // of a population
constexpr std::size_t kMostTours = 300;  // of the first population
constexpr double kScrambled = 0.08;      // kicks per city at once
constexpr double kKicked = 0.5;          // kicks per city after that
constexpr double kMakingShare = 0.45;    // of the rest of the budget that making tours may take

/// A search: its tour, its budget and the best tour so far.
template <typename Tour>
class TourKicks {
 public:
  TourKicks(Tour& tour, int n, const KickBudget& spent) : tour_(tour), n_(n), spent_(spent) {
    tour_.settle_everywhere([&] {
      share_ = ++looks_ % kLookEvery == 0 ? spent_({false, 0, tour_.length(), [this] { return best(); }}) : share_;
      return share_ >= 1.0;
    });
    best_ = tour_.length();
    look(best_);
  }

  std::int64_t kicks() const { return kicks_; }
  std::vector<Index> best() const { return at_best_ ? tour_.order() : best_order_; }

  /// Kicks until the budget is spent.
  void anneal() {
    if (n_ < kFewestCities) {
      return;
    }
    const double mean_edge = tour_.mean_edge();
    const double begin = share_;
    while (share_ < 1.0) {
      const double way = (share_ - begin) / (1.0 - begin);
      const bool enough = kicks_ > 0 && static_cast<double>(kicks_) >= kKicksToSettle * n_ * way;
      kick(kLookEvery, !bred_ && enough ? kFirstTemperature * mean_edge * (1.0 - way) : 0.0);
    }
  }

  /// Populations for as long as the budget allows another one.
  template <typename Breeding>
  void breed(Breeding& population) {
    for (std::size_t most = kMostTours; n_ >= kFewestToBreed && make_tours(population, most); most *= 2) {
      bred_ = true;
      population.breed(tour_.random(), [&] {
        if (++kicks_ % kExchangesPerLook == 0) {
          if (population.best_length() < best_) {
            look(population.best_length(), [&] { return population.best(); });
          } else {
            look(best_);
          }
        }
        return share_ < 1.0;
      });
      if (population.best_length() < best_) {
        best_ = population.best_length();
        best_order_ = population.best();
        at_best_ = false;
      }
    }
    tour_.assign(best());
    at_best_ = true;
  }

 private:
  void look(double length) {
    look(length, [this] { return best(); });
  }
  void look(double length, const std::function<std::vector<Index>()>& items) {
    share_ = spent_({true, kicks_, length, items});
  }

  void kick(std::int64_t count, double temperature) {
    for (std::int64_t i = 0; i < count; ++i) {
      const double before = tour_.length();
      if (!tour_.kick(temperature)) {
        continue;
      }
      if (at_best_ && tour_.length() > before) {
        best_order_ = tour_.before_kick();
        at_best_ = false;
      }
      keep_if_best();
    }
    kicks_ += count;
    look(best_);
  }

  void keep_if_best() {
    if (tour_.length() < best_) {
      best_ = tour_.length();
      at_best_ = true;
    }
  }

  /// False when the rest of the budget does not allow a population.
  template <typename Breeding>
  bool make_tours(Breeding& population, std::size_t most) {
    const double begin = share_;
    const double until = begin + kMakingShare * (1.0 - begin);
    population.clear();
    for (int made = 0; population.size() < most && share_ < until; ++made) {
      if (bred_ && made == 0) {
        population.add(best(), best_);
      }
      if (bred_ || made > 0) {
        scramble();
      }
      for (auto left = static_cast<std::int64_t>(kKicked * n_); left > 0 && share_ < 1.0; left -= kLookEvery) {
        kick(std::min(left, kLookEvery), 0.0);
      }
      population.add(tour_.order(), tour_.length());
      if (made < 2 && (share_ - begin) * kFewestTours > (until - begin) * (made + 1)) {
        return false;
      }
    }
    return share_ < 1.0;
  }

  void scramble() {
    if (at_best_) {
      best_order_ = tour_.order();
      at_best_ = false;
    }
    const int count = 1 + static_cast<int>(kScrambled * n_);
    tour_.scramble(count, [&] {
      if (++looks_ % kLookEvery == 0) {
        look(best_);
      }
      return share_ >= 1.0;
    });
    tour_.measure();
    kicks_ += count;
    keep_if_best();
  }

  static constexpr std::int64_t kExchangesPerLook = 8;

  Tour& tour_;
  int n_;
  const KickBudget& spent_;
  std::int64_t looks_ = 0;
  std::int64_t kicks_ = 0;
  double share_ = 0.0;
  double best_ = 0.0;
  bool at_best_ = true;  // the tour is the best one
  std::vector<Index> best_order_;
  bool bred_ = false;
};

/// Kicks at the temperatures of `pace`; the tour is what is left in the end, not the best one.
template <typename Tour>
std::int64_t follow(Tour& tour, int n, const KickPace& pace) {
  std::int64_t looks = 0;
  bool over = false;
  tour.settle_everywhere([&] {
    over = over || (++looks % kLookEvery == 0 && pace.temperature({false, 0, tour.length()}) < 0.0);
    return over;
  });
  std::int64_t kicks = 0;
  while (n >= kFewestCities) {
    const double temperature = pace.temperature({true, kicks, tour.length()});
    if (temperature < 0.0) {
      break;
    }
    for (std::int64_t i = 0; i < kLookEvery; ++i) {
      tour.kick(temperature);
    }
    kicks += kLookEvery;
  }
  return kicks;
}

/// The candidates of a tour's cities, numbered in the order of the tour, so that what is near lies near in memory too.
TourPart renumbered(const DecisionGraph& graph, const std::vector<Index>& tour, std::span<const Index> fixed,
                    const Executor& executor) {
  const auto at = [](Index index) { return static_cast<std::size_t>(index); };
  TourPart part{tour, std::min(graph.degree, kBreadth), {}, {}, {}};
  RawVector<Index> number(tour.size());
  executor.for_each_range(tour.size(), kCitiesPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      number[at(tour[i])] = static_cast<Index>(i);
    }
  });
  const std::size_t degree = at(part.degree);
  part.targets.resize(tour.size() * degree);
  part.length.resize(part.targets.size());
  executor.for_each_range(tour.size(), kCitiesPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t row = at(tour[i]) * at(graph.degree);
      for (std::size_t rank = 0; rank < degree; ++rank) {
        part.targets[i * degree + rank] = number[at(graph.targets[row + rank])];
        part.length[i * degree + rank] = graph.length[row + rank];
      }
    }
  });
  for (std::size_t i = 0; !fixed.empty() && i < tour.size(); ++i) {
    for (std::size_t end = 2 * at(tour[i]); end < 2 * at(tour[i]) + 2; ++end) {
      part.fixed.push_back(fixed[end] < 0 ? -1 : number[at(fixed[end])]);
    }
  }
  return part;
}

template <typename Distance>
std::int64_t kick(const Distance& distance, bool symmetric, const TourPart& part, double least_gain,
                  std::vector<Index>& order, StreamKey key, const KickBudget& spent, TourPool* pool) {
  const TourNeighbours neighbours{part.targets.data(), part.length.data(), part.degree};
  const FixedEdges fixed(part.fixed);
  const auto n = static_cast<int>(order.size());
  const auto run = [&](const auto& move_distance) {
    using MoveDistance = std::remove_cvref_t<decltype(move_distance)>;
    if (!symmetric) {
      KickedTour<DirectedMoves<MoveDistance>, Distance> tour(neighbours, least_gain, distance, move_distance, fixed,
                                                             order, key);
      TourKicks search(tour, n, spent);
      search.anneal();
      order = search.best();
      return search.kicks();
    }
    KickedTour<ThreeOpt<MoveDistance>, Distance> tour(neighbours, least_gain, distance, move_distance, fixed, order,
                                                      key);
    TourKicks search(tour, n, spent);
    const PoolEntry entry(pool, part.cities);
    TourBreeding<Distance> population(n, distance, neighbours, fixed, least_gain, entry);
    search.breed(population);
    search.anneal();
    order = search.best();
    return search.kicks();
  };
  const Index start = order.front();
  const std::int64_t kicks = fixed.none() ? run(distance) : run(FixedEdgesAreShortest<Distance>{distance, fixed});
  std::rotate(order.begin(), std::find(order.begin(), order.end(), start), order.end());
  return kicks;
}

template <typename Distance>
std::int64_t kick(const Distance& distance, const TourPart& part, double least_gain, std::vector<Index>& order,
                  StreamKey key, const KickPace& pace) {
  const TourNeighbours neighbours{part.targets.data(), part.length.data(), part.degree};
  const FixedEdges fixed(part.fixed);
  const auto run = [&](const auto& move_distance) {
    using MoveDistance = std::remove_cvref_t<decltype(move_distance)>;
    KickedTour<ThreeOpt<MoveDistance>, Distance> tour(neighbours, least_gain, distance, move_distance, fixed, order,
                                                      key);
    const std::int64_t kicks = follow(tour, static_cast<int>(order.size()), pace);
    order = tour.order();
    return kicks;
  };
  return fixed.none() ? run(distance) : run(FixedEdgesAreShortest<Distance>{distance, fixed});
}

std::int64_t kick(const TspInstance& instance, const TourPart& part, std::vector<Index>& order, StreamKey key,
                  const KickBudget& spent, TourPool* pool) {
  if (order.size() <= 3) {  // one tour, but for its direction
    return 0;
  }
  return with_distance(instance, part.cities, [&](const auto& distance) {
    return kick(distance, instance.symmetric(), part, kLeastGain * instance.scale(), order, key, spent, pool);
  });
}

class TourKickSearch final : public KickSearch {
 public:
  explicit TourKickSearch(const DecisionGraph& graph)
      : graph_(graph), instance_(dynamic_cast<const TspInstance&>(*graph.instance)) {}

  std::int64_t run(std::vector<Index>& items, StreamKey key, const KickBudget& spent) const override {
    const TourPart part = renumbered(graph_, items, instance_.fixed_partners(), Executor());
    const auto in_cities = [&part](std::vector<Index> numbers) {
      std::ranges::transform(numbers, numbers.begin(),
                             [&](Index i) { return part.cities[static_cast<std::size_t>(i)]; });
      return numbers;
    };
    const KickBudget ask = [&](KickMoment moment) {
      moment.items = [&in_cities, numbers = std::move(moment.items)] { return in_cities(numbers()); };
      return spent(moment);
    };
    std::iota(items.begin(), items.end(), Index{0});
    const std::int64_t kicks = kick(instance_, part, items, key, ask, shared_ ? &pool_ : nullptr);
    items = in_cities(std::move(items));
    return kicks;
  }
  void share() override { shared_ = true; }
  bool divides() const override { return suits_windows(graph_); }
  bool suits(const WindowKicks&) const override { return suits_plane_windows(graph_); }
  std::int64_t run_divided(std::vector<Index>& items, StreamKey key, const DividedKicks& task,
                           const Executor& executor) const override {
    return task.engine != nullptr ? search_plane_windows(graph_, items, key, task, *task.engine, executor)
                                  : search_windows(graph_, items, key, task, executor);
  }

 private:
  const DecisionGraph& graph_;
  const TspInstance& instance_;
  bool shared_ = false;
  mutable TourPool pool_;
};

}  // namespace

std::int64_t kick_tour(const TspInstance& instance, const TourPart& part, std::vector<Index>& order, StreamKey key,
                       const KickBudget& spent) {
  return kick(instance, part, order, key, spent, nullptr);
}

std::int64_t kick_tour(const TspInstance& instance, const TourPart& part, std::vector<Index>& order, StreamKey key,
                       const KickPace& pace) {
  if (order.size() <= 3) {
    return 0;
  }
  return with_distance(instance, part.cities, [&](const auto& distance) {
    return kick(distance, part, kLeastGain * instance.scale(), order, key, pace);
  });
}

TourPart whole_part(const DecisionGraph& graph, const std::vector<Index>& tour, const Executor& executor) {
  return renumbered(graph, tour, {}, executor);
}

std::unique_ptr<KickSearch> make_tour_kicks(const DecisionGraph& graph) {
  return std::make_unique<TourKickSearch>(graph);
}

}  // namespace moco
