// Rounds of windows on an engine. By number of kicks, everything follows from the tour that a round begins with. By
// time, a round lasts for its share of what is left, and the temperature follows the clock. An engine is given a few
// hundredths of a second's kicks at a time, so that clock and signals are kept to.
#include "moco/problems/tsp/plane_window_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "moco/core/ceil_div.h"
#include "moco/problems/tsp/tour_joining.h"
#include "moco/problems/tsp/window_search.h"
#include "moco/problems/tsp/windowed_tour.h"

namespace moco {

namespace {

constexpr std::size_t kMostPerWindow = 256;    // cities
constexpr std::size_t kFewestPerWindow = 128;  // even where the engine could do with more windows
constexpr double kMostRounds = 200.0;
constexpr double kKicksPerRound = 20.0;    // per city at least, by number
constexpr double kLeastShare = 0.85;       // of a round, by time, for the engine's kicks
constexpr double kKicksToSettle = 40.0;    // per city and budget; with fewer the temperature stays 0
constexpr double kFirstTemperature = 0.6;  // mean lengths of an edge
constexpr double kSecondsTogether = 0.03;  // between two looks at the budget
constexpr std::uint32_t kFewestTogether = 16;
constexpr double kClosing = 4.0;  // until it is known: times what a look at the whole tour takes

/// Planar metrics, as lengths between points of the plane that may be scaled, and rounded.
struct PlaneMetric {
  double scale = 1.0;
  LengthRounding rounding = LengthRounding::none;
};

std::optional<PlaneMetric> plane_metric(Metric metric) {
  switch (metric) {
    case Metric::euclidean:
      return PlaneMetric{};
    case Metric::euc_2d:
      return PlaneMetric{1.0, LengthRounding::nearest};
    case Metric::ceil_2d:
      return PlaneMetric{1.0, LengthRounding::up};
    case Metric::att:
      return PlaneMetric{std::sqrt(0.1), LengthRounding::up};
    default:
      return {};
  }
}

class PlaneWindowSearch {
 public:
  PlaneWindowSearch(const DecisionGraph& graph, const std::vector<Index>& items, StreamKey key,
                    const DividedKicks& task, WindowKicks& engine, const Executor& executor)
      : tour_(graph, items, task, executor),
        metric_(plane_metric(tour_.instance().metric()).value()),
        key_(key),
        task_(task),
        engine_(engine),
        executor_(executor) {
    const std::size_t cities = items.size();
    const std::size_t spread = cities / engine.at_once(kMostPerWindow);
    windows_ = ceil_div(cities, std::clamp(spread, kFewestPerWindow, std::min(kMostPerWindow, engine.most_cities())));
  }

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
  double share() const {
    const std::int64_t kicks = task_.kicks > 0 ? std::min(kicks_, task_.kicks - 1) : kicks_;
    return task_.spent({true, kicks, tour_.best_length()});
  }
  /// Whether what is left goes into putting windows back.
  bool is_over(double now) const { return now + closing_ >= 1.0; }

  void run_by_number() {
    begin_with_local_search();
    const double per_city = static_cast<double>(task_.kicks) / tour_.cities();
    hot_ = per_city >= kKicksToSettle;
    const auto rounds = static_cast<std::int64_t>(std::clamp(std::round(per_city / kKicksPerRound), 1.0, kMostRounds));
    const auto each = static_cast<std::int64_t>(windows_);
    for (std::int64_t left = rounds; left > 0 && share() < 1.0; --left) {
      const std::int64_t kicks = ceil_div(ceil_div(task_.kicks - kicks_, left), each);
      const double begin = temperature(static_cast<double>(kicks_) / static_cast<double>(task_.kicks));
      const double end = temperature(static_cast<double>(kicks_ + kicks * each) / static_cast<double>(task_.kicks));
      play([&] {
        for (KickSlice slice = {0, 0, static_cast<float>(begin),
                                static_cast<float>((begin - end) / static_cast<double>(kicks))};
             slice.end < kicks && share() < 1.0;) {
          slice.begin = slice.end;
          slice.end = static_cast<std::uint32_t>(std::min<std::int64_t>(kicks, slice.begin + together()));
          kick(slice);
        }
      });
    }
  }

  void run_by_share() {
    const double before = share();
    tour_.length_of(tour_.tour());
    closing_ = kClosing * (share() - before);
    begin_with_local_search();
    const double begin = share();
    bool first_round = true;
    for (double now = begin; !is_over(now); now = share()) {
      const double left = 1.0 - closing_ - now;
      const double least = std::max((1.0 - begin) / kMostRounds, host_ / (1.0 - kLeastShare));
      const double end = now + left / std::max(1.0, std::round(left / least));
      play([&] {
        std::uint32_t done = 0;
        for (; now < end && !is_over(now); now = share()) {
          const double way = (now - begin) / (1.0 - closing_ - begin);
          const KickSlice slice{done, done + together(), static_cast<float>(temperature(way)), 0.0f};
          kick(slice);
          done = slice.end;
        }
      });
      if (first_round) {
        const double kicks = static_cast<double>(kicks_) / std::max(1e-9, share() - begin) * (1.0 - begin);
        hot_ = kicks >= kKicksToSettle * tour_.cities();
        first_round = false;
      }
    }
  }

  /// Twice in windows, so that little is left for the whole.
  void begin_with_local_search() {
    for (int round = 0; round < 2 && !is_over(share()); ++round) {
      play([&] { engine_.kick({}); });
    }
    tour_.settle(key_, [&] { return share() >= 1.0; });
  }

  /// A round: cuts the tour into windows, on which `kicks` has the engine work, and puts them back.
  template <typename Kicks>
  void play(const Kicks& kicks) {
    const double begin = share();
    RandomSequence random(StreamKey{key_.lo, key_.hi ^ round_}, Purpose::kick);
    const TourWindows windows = tour_.cut(windows_, random);
    engine_.begin(in_plane(windows));
    const double cut = share();
    kicks();
    const double closing = share();
    const std::span<const std::uint16_t> orders = engine_.orders();
    const double kicked = share();
    put_back(windows, orders);
    const double end = share();
    closing_ = task_.kicks > 0 ? 0.0 : std::max(round_ == 0 ? 0.0 : closing_, end - closing);
    host_ = (cut - begin) + (end - kicked);
    ++round_;
  }

  PlaneWindows in_plane(const TourWindows& windows) const {
    PlaneWindows plane;
    const std::size_t n = windows.cities.size();
    plane.rounding = metric_.rounding;
    plane.first.assign(windows.first.begin(), windows.first.end());
    plane.points.resize(n);
    plane.fixed.resize(n);
    plane.keys.resize(windows.count());
    executor_.for_each(windows.count(), [&](std::size_t window, std::size_t) {
      plane.keys[window] = stream_key((std::uint64_t{key_.hi} << 32) | key_.lo, round_, window);
      const auto point = [&](std::size_t slot) {
        return tour_.points()[static_cast<std::size_t>(windows.cities[slot])];
      };
      Point low = point(windows.first[window]);
      Point high = low;
      for (std::size_t slot = windows.first[window]; slot < windows.first[window + 1]; ++slot) {
        low = {std::min(low.x, point(slot).x), std::min(low.y, point(slot).y)};
        high = {std::max(high.x, point(slot).x), std::max(high.y, point(slot).y)};
      }
      for (std::size_t slot = windows.first[window]; slot < windows.first[window + 1]; ++slot) {
        plane.points[slot] = {static_cast<float>(metric_.scale * (point(slot).x - 0.5 * (low.x + high.x))),
                              static_cast<float>(metric_.scale * (point(slot).y - 0.5 * (low.y + high.y)))};
        plane.fixed[slot] = windows.joined[slot] == 0 ? 1 : 0;
      }
    });
    return plane;
  }

  void put_back(const TourWindows& windows, std::span<const std::uint16_t> orders) {
    TourJoining joining(tour_.instance(), tour_.part(), tour_.tour(), windows);
    std::vector<std::vector<Index>> order(executor_.workers());
    executor_.for_each(windows.count(), [&](std::size_t window, std::size_t worker) {
      const auto own = orders.subspan(windows.first[window], windows.size(window));
      order[worker].assign(own.begin(), own.end());
      joining.put_back(window, order[worker]);
    });
    tour_.take(joining.tour(), hot_);
  }

  double temperature(double way) const {
    return hot_ ? kFirstTemperature * tour_.mean_edge() * std::max(0.0, 1.0 - way) : 0.0;
  }

  std::uint32_t together() const {
    return std::max(kFewestTogether, static_cast<std::uint32_t>(kSecondsTogether * kicks_per_second_));
  }

  /// The engine returns when it has done the slice before, which shows how long that took.
  void kick(const KickSlice& slice) {
    using Clock = std::chrono::steady_clock;
    engine_.kick(slice);
    kicks_ += static_cast<std::int64_t>(slice.end - slice.begin) * static_cast<std::int64_t>(windows_);
    const Clock::time_point now = Clock::now();
    if (slice.begin == 0) {
      slices_ = 0;
    }
    if (++slices_ > 2) {
      kicks_per_second_ = kicks_before_ / std::max(1e-6, std::chrono::duration<double>(now - before_).count());
    }
    kicks_before_ = slice.end - slice.begin;
    before_ = now;
  }

  WindowedTour tour_;
  PlaneMetric metric_;
  StreamKey key_;
  const DividedKicks& task_;
  WindowKicks& engine_;
  const Executor& executor_;
  std::size_t windows_ = 1;
  bool hot_ = false;  ///< whether longer tours are accepted at first
  std::uint32_t round_ = 0;
  std::int64_t kicks_ = 0;
  double closing_ = 0.0;  ///< share of the budget that ending a round takes
  double host_ = 0.0;     ///< and that a round takes beside the engine's kicks
  int slices_ = 0;        ///< of the round
  double kicks_before_ = 0.0;
  std::chrono::steady_clock::time_point before_;
  double kicks_per_second_ = 0.0;  ///< of each window
};

}  // namespace

bool suits_plane_windows(const DecisionGraph& graph) {
  const auto& instance = dynamic_cast<const TspInstance&>(*graph.instance);
  return suits_windows(graph) && plane_metric(instance.metric()).has_value();
}

std::int64_t search_plane_windows(const DecisionGraph& graph, std::vector<Index>& items, StreamKey key,
                                  const DividedKicks& task, WindowKicks& engine, const Executor& executor) {
  return run_rounds<PlaneWindowSearch>(items, graph, items, key, task, engine, executor);
}

}  // namespace moco
