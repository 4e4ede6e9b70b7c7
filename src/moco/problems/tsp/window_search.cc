// Rounds of windows. By number of kicks everything about a round follows from the tour it begins with; by time, a
// window gets its share of what is left of the round when a thread begins with it.
#include "moco/problems/tsp/window_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "moco/problems/tsp/tour_joining.h"
#include "moco/problems/tsp/tour_kicks.h"
#include "moco/problems/tsp/windowed_tour.h"

namespace moco {

namespace {

constexpr Index kFewestCities = 75000;  // of fewer, a population of whole tours does better (docs/local-search.md)
constexpr double kCitiesPerWindow = 1000.0;
constexpr double kKicksPerRound = 10.0;      // per city
constexpr double kKicksToSettle = 40.0;      // per city and budget; with fewer the temperature stays 0
constexpr double kFirstTemperature = 0.6;    // mean lengths of an edge
constexpr double kClosing = 4.0;             // until it is known: times what a look at the whole tour takes
constexpr std::int64_t kKicksTogether = 64;  // between two looks at the budget

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

/// A window as a part of its own, which numbers its cities in their order there.
TourPart part_of(const TourPart& all, const TourWindows& windows, std::size_t window) {
  const auto cities = windows.cities_of(window);
  const auto joined = windows.joined_of(window);
  const std::size_t m = cities.size();
  const std::size_t degree = at(all.degree);
  TourPart part;
  part.degree = all.degree;
  part.cities.reserve(m);
  part.targets.reserve(m * degree);
  part.length.reserve(m * degree);
  part.fixed.assign(2 * m, -1);
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t next = i + 1 == m ? 0 : i + 1;
    if (joined[i] == 0) {
      part.fixed[2 * i + 1] = static_cast<Index>(next);
      part.fixed[2 * next] = static_cast<Index>(i);
    }
    part.cities.push_back(all.cities[at(cities[i])]);
    for (std::size_t edge = at(cities[i]) * degree; edge < (at(cities[i]) + 1) * degree; ++edge) {
      const std::size_t slot = windows.slot[at(all.targets[edge])];
      if (windows.first[window] <= slot && slot < windows.first[window + 1]) {
        part.targets.push_back(static_cast<Index>(slot - windows.first[window]));
        part.length.push_back(all.length[edge]);
      }
    }
    part.targets.resize((i + 1) * degree, static_cast<Index>(next));
    part.length.resize((i + 1) * degree, std::numeric_limits<double>::infinity());
  }
  return part;
}

/// One round: what to do in it, and what its windows have done.
struct Round {
  const TourWindows& windows;
  TourJoining joining;
  std::int64_t kicks = 0;                ///< to do; 0: as many as there is time for until `end`
  double begin = 0.0;                    ///< share of the budget that was spent
  double end = 1.0;                      ///< share of the budget that may then be spent
  std::atomic<std::size_t> waiting = 0;  ///< cities of windows that nobody has begun with
  std::atomic<std::int64_t> done = 0;    ///< kicks
  std::atomic<double> kicking = 0.0;     ///< share of the budget that went into kicks, of all threads together
};

class WindowSearch {
 public:
  WindowSearch(const DecisionGraph& graph, const std::vector<Index>& items, StreamKey key, const DividedKicks& task,
               const Executor& executor)
      : tour_(graph, items, task, executor), key_(key), task_(task), executor_(executor) {}

  void run() {
    if (task_.kicks > 0) {
      run_by_number();
    } else {
      run_by_share();
    }
  }

  std::int64_t kicks() const { return kicks_; }

  std::vector<Index> best() const { return tour_.best(); }

 private:
  double cities() const { return tour_.cities(); }
  double workers() const { return static_cast<double>(executor_.workers()); }
  /// Of the budget; 1 when the search is to end before it has done its number of kicks.
  double share() const {
    return task_.spent({true, task_.kicks > 0 ? std::min(kicks_, task_.kicks - 1) : kicks_, tour_.best_length()});
  }

  /// Whether what is left goes into putting windows back.
  bool is_over(double now) const { return now + closing_ >= 1.0; }

  void run_by_number() {
    const double per_city = static_cast<double>(task_.kicks) / cities();
    const auto rounds = static_cast<std::int64_t>(std::max(1.0, std::round(per_city / kKicksPerRound)));
    settle();
    hot_ = per_city >= kKicksToSettle;
    for (std::int64_t left = rounds; left > 0 && share() < 1.0; --left) {
      begin_ = static_cast<double>(kicks_) / static_cast<double>(task_.kicks);
      play((task_.kicks - kicks_) / left, 1.0);
    }
  }

  void run_by_share() {
    const double before = share();
    tour_.length_of(tour_.tour());
    closing_ = kClosing * (share() - before);
    play(static_cast<std::int64_t>(cities()), 1.0);
    settle();
    begin_ = share();
    hot_ = (1.0 - begin_) / per_kick_and_city_ >= kKicksToSettle;
    for (double now = begin_; !is_over(now); now = share()) {
      const double left = 1.0 - closing_ - now;
      const double rounds = std::max(1.0, std::round(left / (kKicksPerRound * per_kick_and_city_)));
      play(0, now + left / rounds);
    }
  }

  /// A round of so many kicks or, with none, one that lasts until that share of the budget is spent.
  void play(std::int64_t kicks, double end) {
    RandomSequence random(StreamKey{key_.lo, key_.hi ^ round_}, Purpose::kick);
    auto count = static_cast<std::size_t>(std::ceil(cities() / kCitiesPerWindow));
    if (task_.kicks == 0) {  // no thread is to be idle in the end
      count = (count + executor_.workers() - 1) / executor_.workers() * executor_.workers();
    }
    const TourWindows windows = tour_.cut(count, random);
    Round round{
        windows, {tour_.instance(), tour_.part(), tour_.tour(), windows}, kicks, share(), end, tour_.tour().size()};
    std::vector<std::vector<Index>> orders(executor_.workers());
    executor_.for_each(windows.count(), [&](std::size_t window, std::size_t worker) {
      if (is_over(share())) {
        return;
      }
      improve(round, window, orders[worker]);
      round.joining.put_back(window, orders[worker]);
    });
    kicks_ += round.done;
    const double played = share();
    tour_.take(round.joining.tour(), hot_);
    if (task_.kicks == 0) {
      closing_ = round_ == 0 ? share() - played : std::max(closing_, share() - played);
    }
    if (round.done > 0 && round.kicking > 0.0) {
      per_kick_and_city_ = round.kicking / workers() * cities() / static_cast<double>(round.done);
    }
    ++round_;
  }

  void settle() {
    tour_.settle(key_, [&] { return share() >= 1.0; });
  }

  void improve(Round& round, std::size_t window, std::vector<Index>& order) {
    const TourWindows& windows = round.windows;
    const std::size_t m = windows.size(window);
    const std::size_t waiting = round.waiting.fetch_sub(m);
    const TourPart part = part_of(tour_.part(), windows, window);
    order.resize(m);
    std::iota(order.begin(), order.end(), Index{0});
    const StreamKey key = stream_key((std::uint64_t{key_.hi} << 32) | key_.lo, round_, window);
    const auto kicks_up_to = [&](std::size_t slot) {
      const double looks = std::ceil(static_cast<double>(round.kicks) / kKicksTogether);
      return static_cast<std::int64_t>(looks * static_cast<double>(slot) / cities()) * kKicksTogether;
    };
    const std::int64_t most = kicks_up_to(windows.first[window + 1]) - kicks_up_to(windows.first[window]);
    const double begin = share();
    const double slice = std::min(1.0, workers() * static_cast<double>(m) / static_cast<double>(waiting));
    const double end = round.kicks > 0 ? 1.0 : begin + (round.end - begin) * slice;
    double settled = -1.0;
    double now = begin;
    round.done += kick_tour(tour_.instance(), part, order, key, KickPace{[&](const KickMoment& moment) {
                              now = share();
                              if (settled < 0.0 && moment.settled) {
                                settled = now;
                              }
                              const bool over = round.kicks > 0 ? moment.kicks >= most : now >= end;
                              if (is_over(now) || (over && moment.settled)) {
                                return -1.0;
                              }
                              return temperature(
                                  round, round.kicks > 0 ? static_cast<double>(moment.kicks) / static_cast<double>(most)
                                                         : (now - begin) / (end - begin));
                            }});
    if (settled >= 0.0) {
      round.kicking += now - settled;
    }
  }

  /// Falls in every window as if all were at work at the same time.
  double temperature(const Round& round, double done) const {
    if (!hot_) {
      return 0.0;
    }
    const double way = task_.kicks > 0
                           ? begin_ + done * static_cast<double>(round.kicks) / static_cast<double>(task_.kicks)
                           : (round.begin + done * (round.end - round.begin) - begin_) / (1.0 - closing_ - begin_);
    return kFirstTemperature * tour_.mean_edge() * std::max(0.0, 1.0 - way);
  }

  WindowedTour tour_;
  StreamKey key_;
  const DividedKicks& task_;
  const Executor& executor_;
  bool hot_ = false;    ///< whether longer tours are accepted at first
  double begin_ = 0.0;  ///< share of the budget where the temperature begins to fall; by number, where the round begins
  std::uint32_t round_ = 0;
  std::int64_t kicks_ = 0;
  double closing_ = 0.0;            ///< share of the budget that putting a round's windows back takes
  double per_kick_and_city_ = 1.0;  ///< share of the budget that a kick for every city takes
};

}  // namespace

bool suits_windows(const DecisionGraph& graph) {
  const auto& instance = dynamic_cast<const TspInstance&>(*graph.instance);
  return graph.symmetric && graph.degree > 0 && graph.nodes >= kFewestCities && !instance.points().empty() &&
         instance.fixed_partners().empty();
}

std::int64_t search_windows(const DecisionGraph& graph, std::vector<Index>& items, StreamKey key,
                            const DividedKicks& task, const Executor& executor) {
  return run_rounds<WindowSearch>(items, graph, items, key, task, executor);
}

}  // namespace moco
