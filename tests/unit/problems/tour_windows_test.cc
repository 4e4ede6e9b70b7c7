// Cutting a tour into windows, putting them back, and the search that does so round by round.
#include "moco/problems/tsp/tour_windows.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "moco/generate.h"
#include "moco/policy/kicks.h"
#include "moco/problem.h"
#include "moco/problems/tsp/plane_window_search.h"
#include "moco/problems/tsp/quick_tours.h"
#include "moco/problems/tsp/tour_joining.h"
#include "moco/problems/tsp/tsp_graph.h"
#include "moco/problems/tsp/window_search.h"
#include "serial_windows.h"

namespace moco {
namespace {

struct Given {
  explicit Given(Index n, std::uint64_t seed = 1)
      : instance(std::dynamic_pointer_cast<const TspInstance>(generate({.nodes = n, .seed = seed}))),
        graph(tsp_decision_graph(instance, 8)),
        tour(curve_tour(*instance).items),
        all(whole_part(
            graph,
            [n] {
              std::vector<Index> numbers(static_cast<std::size_t>(n));
              std::iota(numbers.begin(), numbers.end(), Index{0});
              return numbers;
            }(),
            Executor())) {}

  double length(const std::vector<Index>& order) const {
    const CheckResult check = instance->check({order});
    EXPECT_TRUE(check.feasible) << check.violation;
    return check.cost;
  }

  std::shared_ptr<const TspInstance> instance;
  DecisionGraph graph;
  std::vector<Index> tour;
  TourPart all;  ///< with the instance's numbers
};

using Edges = std::set<std::pair<Index, Index>>;

Edges edges_of(const std::vector<Index>& tour) {
  Edges edges;
  for (std::size_t i = 0; i < tour.size(); ++i) {
    edges.insert(std::minmax(tour[i], tour[(i + 1) % tour.size()]));
  }
  return edges;
}

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

std::vector<TourWindows> windows_of(const Given& given) {
  RandomSequence random(stream_key(7, 0, 0), Purpose::kick);
  std::vector<TourWindows> cuts;
  for (const std::size_t count : {1u, 2u, 7u, 30u}) {
    cuts.push_back(cut_into_cells(given.instance->points(), given.tour, count, random, Executor()));
  }
  return cuts;
}

/// Reverses random paths of a window between edges that are not fixed: any improvement is a sequence of such.
std::vector<Index> shuffled(std::span<const unsigned char> joined, RandomSequence& random) {
  const std::size_t m = joined.size();
  std::vector<Index> order(m);
  std::iota(order.begin(), order.end(), Index{0});
  const auto fixed = [&](Index a, Index b) {
    return (joined[at(a)] == 0 && at(b) == (at(a) + 1) % m) || (joined[at(b)] == 0 && at(a) == (at(b) + 1) % m);
  };
  for (int tries = 0; m > 4 && tries < 100; ++tries) {
    const std::size_t begin = 1 + random.next_below(static_cast<std::uint32_t>(m - 2));
    const std::size_t end = begin + 1 + random.next_below(static_cast<std::uint32_t>(m - begin));
    if (!fixed(order[begin - 1], order[begin]) && !fixed(order[end - 1], order[end % m])) {
      std::reverse(order.begin() + static_cast<std::ptrdiff_t>(begin),
                   order.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }
  return order;
}

TEST(TourWindows, HaveEveryCityOnceInTheOrderOfTheTour) {
  const Given given(500);
  std::vector<std::size_t> place(given.tour.size());
  for (std::size_t i = 0; i < given.tour.size(); ++i) {
    place[at(given.tour[i])] = i;
  }
  for (const TourWindows& windows : windows_of(given)) {
    EXPECT_EQ(windows.first.back(), given.tour.size());
    for (std::size_t window = 0; window < windows.count(); ++window) {
      const auto cities = windows.cities_of(window);
      EXPECT_GT(cities.size(), 500 / windows.count() / 4);
      for (std::size_t i = 0; i < cities.size(); ++i) {
        EXPECT_EQ(windows.slot[at(cities[i])], windows.first[window] + i);
        const std::size_t next = place[at(cities[(i + 1) % cities.size()])];
        EXPECT_EQ(windows.joined_of(window)[i] != 0, next == (place[at(cities[i])] + 1) % 500);
        EXPECT_TRUE(i == 0 || place[at(cities[i])] > place[at(cities[i - 1])]);
      }
    }
    RawVector<Index> all = windows.cities;
    std::ranges::sort(all);
    for (Index city = 0; city < 500; ++city) {
      EXPECT_EQ(all[at(city)], city);
    }
  }
}

TEST(TourJoining, EachWindowAloneLeavesATourAndTheEdgesOutside) {
  const Given given(500);
  RandomSequence random(stream_key(8, 0, 0), Purpose::kick);
  const Edges before = edges_of(given.tour);
  for (const TourWindows& windows : windows_of(given)) {
    for (std::size_t window = 0; window < windows.count(); ++window) {
      TourJoining joining(*given.instance, given.all, given.tour, windows);
      joining.put_back(window, shuffled(windows.joined_of(window), random));
      const std::vector<Index> tour = joining.tour();
      given.length(tour);
      EXPECT_EQ(joining.cycles(), 1u);
      const Edges after = edges_of(tour);
      const auto inside = [&](Index city) {
        const std::size_t slot = windows.slot[at(city)];
        return windows.first[window] <= slot && slot < windows.first[window + 1];
      };
      for (const auto& [a, b] : before) {
        EXPECT_TRUE((inside(a) && inside(b)) || after.contains({a, b}));
      }
    }
  }
}

TEST(TourJoining, AllWindowsTogetherLeaveATour) {
  const Given given(500);
  RandomSequence random(stream_key(9, 0, 0), Purpose::kick);
  std::size_t most_cycles = 0;
  for (const TourWindows& windows : windows_of(given)) {
    TourJoining joining(*given.instance, given.all, given.tour, windows);
    for (std::size_t window = 0; window < windows.count(); ++window) {
      joining.put_back(window, shuffled(windows.joined_of(window), random));
    }
    given.length(joining.tour());
    most_cycles = std::max(most_cycles, joining.cycles());
  }
  EXPECT_GT(most_cycles, 1u);
}

std::vector<Index> kicked(const Given& given, std::int64_t kicks, int threads, WindowKicks* engine = nullptr) {
  ThreadPool pool(threads);
  std::vector<Index> tour = given.tour;
  DividedKicks task{kicks, [](const KickMoment&) { return 0.0; }, {}, engine};
  double last = given.length(tour);
  task.improved = [&](const std::vector<Index>& better, double cost) {
    EXPECT_NEAR(given.length(better), cost, 1e-9 * cost);
    EXPECT_LT(cost, last);
    last = cost;
  };
  const StreamKey key = stream_key(3, 0, 0);
  EXPECT_GE(engine != nullptr ? search_plane_windows(given.graph, tour, key, task, *engine, Executor(pool))
                              : search_windows(given.graph, tour, key, task, Executor(pool)),
            kicks);
  EXPECT_NEAR(given.length(tour), last, 1e-9 * last);
  return tour;
}

TEST(WindowSearch, DoesNotDependOnTheNumberOfThreads) {
  const Given given(6000);
  for (const std::int64_t kicks : {640, 60'000}) {
    const std::vector<Index> tour = kicked(given, kicks, 1);
    EXPECT_LT(given.length(tour), 0.85 * given.length(given.tour));
    EXPECT_EQ(kicked(given, kicks, 3), tour);
  }
}

TEST(WindowSearch, EndsEarlyWithATourThatIsNotWorse) {
  const Given given(6000);
  ThreadPool pool(2);
  const auto search = given.instance->problem().kicks(given.graph);
  for (const int looks : {0, 3, 100, 1000}) {
    std::vector<Index> tour = given.tour;
    std::atomic<int> left = looks;
    const DividedKicks task{0, [&](const KickMoment&) { return --left < 0 ? 1.0 : 0.5 - 0.5 * left / 1000.0; }, {}};
    search->run_divided(tour, stream_key(3, 0, 0), task, Executor(pool));
    EXPECT_LE(given.length(tour), given.length(given.tour));
  }
}

/// Between rounds too, while the whole tour is looked at.
TEST(WindowSearch, AHaltAtAnyLookLeavesATourThatIsNotWorse) {
  const Given given(20000);
  ThreadPool pool(2);
  SerialWindows engine;
  const auto search = given.instance->problem().kicks(given.graph);
  for (WindowKicks* const own : {static_cast<WindowKicks*>(nullptr), static_cast<WindowKicks*>(&engine)}) {
    int improved = 0;
    for (int polls = 0; polls < 400; polls = polls * 5 / 4 + 1) {
      std::atomic<int> left = polls;
      const Halt halt(Halt::Clock::now(), std::numeric_limits<double>::infinity(), [&] { return --left < 0; });
      const DividedKicks task{20000, [&](const KickMoment&) { return left < 0 ? 1.0 : 0.0; }, {}, own, &halt};
      std::vector<Index> tour = given.tour;
      search->run_divided(tour, stream_key(3, 0, 0), task, Executor(pool));
      const double length = given.length(tour);
      EXPECT_LE(length, given.length(given.tour));
      improved += length < given.length(given.tour) ? 1 : 0;
    }
    EXPECT_GT(improved, 0) << "some ended after a round";
  }
}

TEST(WindowSearch, OnAnEngineDoesNotDependOnTheNumberOfThreads) {
  const Given given(1000);
  SerialWindows engine;
  for (const std::int64_t kicks : {640, 60'000}) {
    const std::vector<Index> tour = kicked(given, kicks, 1, &engine);
    EXPECT_LT(given.length(tour), 0.85 * given.length(given.tour));
    EXPECT_EQ(kicked(given, kicks, 3, &engine), tour);
  }
}

/// Says that so many looks at the budget are left, the first of them early in it.
TEST(WindowSearch, OnAnEngineEndsEarlyWithATourThatIsNotWorse) {
  const Given given(11000);
  ThreadPool pool(2);
  SerialWindows engine;
  const auto search = given.instance->problem().kicks(given.graph);
  for (const int looks : {0, 3, 10, 60}) {
    std::vector<Index> tour = given.tour;
    std::atomic<int> left = looks;
    const DividedKicks task{
        0, [&](const KickMoment&) { return --left < 0 ? 1.0 : 0.5 - 0.5 * left / 60.0; }, {}, &engine};
    search->run_divided(tour, stream_key(3, 0, 0), task, Executor(pool));
    EXPECT_LE(given.length(tour), given.length(given.tour));
  }
}

TEST(WindowSearch, OnAnEngineIsForMetricsOfThePlane) {
  const Given given(76000);
  const auto points = given.instance->points();
  SerialWindows engine;
  const auto suits = [&](Metric metric) {
    const auto instance =
        std::make_shared<const TspInstance>("p", std::vector<Point>(points.begin(), points.end()), metric);
    const DecisionGraph graph = tsp_decision_graph(instance, 8);
    return instance->problem().kicks(graph)->suits(engine);
  };
  for (const Metric metric : {Metric::euclidean, Metric::euc_2d, Metric::ceil_2d, Metric::att}) {
    EXPECT_TRUE(suits(metric));
  }
  for (const Metric metric : {Metric::man_2d, Metric::max_2d}) {
    EXPECT_FALSE(suits(metric));
  }
}

TEST(WindowSearch, IsForLargeInstancesWithCoordinates) {
  EXPECT_TRUE(Given(76000).instance->problem().kicks(Given(76000).graph)->divides());
  EXPECT_FALSE(Given(500).instance->problem().kicks(Given(500).graph)->divides());
}

}  // namespace
}  // namespace moco
