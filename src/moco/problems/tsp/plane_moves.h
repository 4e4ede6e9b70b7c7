// Sequential exchanges of two or three edges on a small tour of cities in the plane, looked for by a team of lanes
// (core/team.h): the openings of all at a few cities are found at once, then several openings at a time are judged by
// positions in all the ways to go on with them. The best one of the first opening that gains is made.
//
// With t2 beside t1, the edge {t1, t2} goes, {t2, t3} comes, {t3, t4} goes, and so on; the last edge comes back to t1.
// In the direction of the walk from t1 to t2:
//   t4 behind t3   {t4, t1} closes an exchange of two edges; or t5 lies anywhere, t6 is the neighbour of t5 that comes
//                  before it once the path t2 … t4 is reversed.
//   t4 ahead of t3 t5 lies on the path t2 … t3: t6 ahead of it exchanges the paths t2 … t5 and t6 … t3, t6 behind it
//                  reverses each of t2 … t6 and t5 … t3 where it stands.
#pragma once

#include <cstdint>

#include "moco/core/numeric.h"
#include "moco/core/work_queue.h"
#include "moco/policy/plane_windows.h"
#include "moco/problems/tsp/tour.h"

namespace moco {

/// The first half of an exchange: {t1, t2} goes and {t2, t3} comes. Padded to whole words.
struct PlaneOpening {
  float gain = 0.0f;
  std::uint16_t t1 = 0;
  std::uint16_t t2 = 0;
  std::uint16_t t3 = 0;
  std::uint16_t forward = 0;
};

/// Where a search on n cities has its arrays.
struct PlaneMemory {
  static constexpr unsigned kToNext = 1;  ///< the edge to the city of the next number is fixed
  static constexpr unsigned kToPrevious = 2;

  PlanePoint* points = nullptr;
  std::uint16_t* order = nullptr;       ///< [n] the tour
  std::uint16_t* position = nullptr;    ///< [n]
  std::uint16_t* kept = nullptr;        ///< [n] the tour before a kick
  std::uint16_t* queue = nullptr;       ///< [n]
  std::uint16_t* neighbours = nullptr;  ///< [n × kPlaneNeighbours] the nearer first; missing ones are the city itself
  unsigned char* queued = nullptr;      ///< [n]
  unsigned char* fixed = nullptr;       ///< [n] which of a city's edges are
  PlaneOpening* openings = nullptr;     ///< [kPlaneOpenings]
};

constexpr int kPlaneNeighbours = 6;        // tried for t3
constexpr int kPlaneSecondNeighbours = 3;  // and for t5
constexpr int kPlaneCities = 2;            // looked at together
constexpr int kPlaneOpenings = kPlaneCities * 2 * kPlaneNeighbours;

/// An exchange of edges by its ends.
struct PlaneExchange {
  /// How an opening may be gone on with: closed; t4 behind t3 and a t5; t4 ahead of t3, a t5 and t6 ahead of or behind
  /// it.
  static constexpr int kWays = 1 + 3 * kPlaneSecondNeighbours;
  /// No opening but a double bridge: of the walk t1, t2 … t5, t6 … t7, t8 … t3, t4 the first and the third path
  /// change places.
  static constexpr int kDoubleBridge = kWays;
  static constexpr int kNone = -1;

  float gain = 0.0f;
  int way = kNone;
  int ends[8] = {};  ///< t1 … t8; where there are fewer, t1 and t2 stand for the others
};

template <LengthRounding Rounding>
MOCO_TEAM_CODE inline float plane_length(const PlanePoint& a, const PlanePoint& b) {
  const float dx = a.x - b.x;
  const float dy = a.y - b.y;
  const float length = sqrtf(fmaf(dx, dx, dy * dy));
  if constexpr (Rounding == LengthRounding::nearest) {
    return floorf(length + 0.5f);
  }
  return Rounding == LengthRounding::up ? ceilf(length) : length;
}

template <typename Team, LengthRounding Rounding>
class PlaneMoves {
 public:
  using Queue = WorkQueue<Team, std::uint16_t>;

  /// A gain counts above `least_gain`.
  MOCO_TEAM_CODE PlaneMoves(const Team& team, int n, const PlaneMemory& memory, float least_gain)
      : team_(team), n_(n), memory_(memory), least_gain_(least_gain), tour_(team, n, memory.order, memory.position) {}

  MOCO_TEAM_CODE Tour<Team, std::uint16_t>& tour() { return tour_; }

  MOCO_TEAM_CODE float length(int a, int b) const {
    return plane_length<Rounding>(memory_.points[a], memory_.points[b]);
  }
  MOCO_TEAM_CODE bool fixed(int a, int b) const {
    const unsigned sides = memory_.fixed[a];
    return sides != 0 && (((sides & PlaneMemory::kToNext) != 0 && b == (a + 1 == n_ ? 0 : a + 1)) ||
                          ((sides & PlaneMemory::kToPrevious) != 0 && a == (b + 1 == n_ ? 0 : b + 1)));
  }

  /// Makes an exchange and then those that begin at waiting cities, until none is left; returns what all gained.
  MOCO_TEAM_CODE float settle(Queue& queue, PlaneExchange exchange) {
    float gained = 0.0f;
    for (int cities = 0;;) {
      if (exchange.way == PlaneExchange::kNone) {
        queue.drop(cities);
      } else {
        make(exchange);
        queue.push(exchange.ends);
        gained += exchange.gain;
      }
      if (queue.empty()) {
        return gained;
      }
      cities = queue.size() < kPlaneCities ? queue.size() : kPlaneCities;
      const int openings = find_openings(queue, cities);
      const int number = best_of_first(openings);
      exchange = number < 0 ? PlaneExchange{} : judge(number);
    }
  }

 private:
  static constexpr int kWays = PlaneExchange::kWays;

  /// Writes down the openings at the first cities of the queue; returns their number.
  MOCO_TEAM_CODE int find_openings(const Queue& queue, int cities) {
    constexpr int kEach = 2 * kPlaneNeighbours;
    int found = 0;
    team_.sync();
    for (int base = 0; base < cities * kEach; base += Team::width) {
      const int number = base + team_.lane();
      bool opens = number < cities * kEach;
      PlaneOpening opening;
      if (opens) {
        const int t1 = queue.at(number / kEach);
        const bool forward = number % kEach < kPlaneNeighbours;
        const int t2 = tour_.ahead(t1, forward);
        const int t3 = memory_.neighbours[t2 * kPlaneNeighbours + number % kPlaneNeighbours];
        opening.gain = length(t1, t2) - length(t2, t3);
        opening.t1 = static_cast<std::uint16_t>(t1);
        opening.t2 = static_cast<std::uint16_t>(t2);
        opening.t3 = static_cast<std::uint16_t>(t3);
        opening.forward = forward ? 1 : 0;
        opens = opening.gain > least_gain_ && t3 != t2 && t3 != t1 && !fixed(t1, t2);
      }
      int opening_now = 0;
      const int place = found + team_.rank(opens, opening_now);
      if (opens) {
        memory_.openings[place] = opening;
      }
      found += opening_now;
    }
    team_.sync();
    return found;
  }

  /// The way of the largest gain to go on with the first opening that has any, or −1. The best one of all openings
  /// would be what takes a kick back, too often.
  MOCO_TEAM_CODE int best_of_first(int openings) const {
    constexpr int kTogether = Team::width < 2 * kWays ? 1 : Team::width / kWays;
    for (int first = 0; first < openings; first += kTogether) {
      const int end = (first + kTogether < openings ? first + kTogether : openings) * kWays;
      TeamChoice own;
      for (int number = first * kWays + team_.lane(); number < end; number += Team::width) {
        const float gain = judge(number).gain;
        own = gain > own.gain ? TeamChoice{gain, number} : own;
      }
      const int opening = team_.first({own.gain, own.number < 0 ? -1 : own.number / kWays}).number;
      if (opening >= 0) {
        return team_.best(own.number >= 0 && own.number / kWays == opening ? own : TeamChoice{}).number;
      }
    }
    return -1;
  }

  /// What an opening gains when gone on with in one of the ways; 0 where that is nothing or no tour.
  MOCO_TEAM_CODE PlaneExchange judge(int number) const {
    const PlaneOpening opening = memory_.openings[number / kWays];
    const int t1 = opening.t1;
    const int t2 = opening.t2;
    const int t3 = opening.t3;
    const bool forward = opening.forward != 0;
    PlaneExchange exchange;
    exchange.way = number % kWays;
    const bool behind = exchange.way <= kPlaneSecondNeighbours;
    const int t4 = tour_.ahead(t3, behind != forward);
    const int steps_to_t3 = tour_.steps_between(t2, t3, forward);
    if ((behind && steps_to_t3 <= 1) || fixed(t3, t4)) {
      return exchange;
    }
    const float opened = opening.gain + length(t3, t4);
    float gain = 0.0f;
    int t5 = t1;
    int t6 = t2;
    if (exchange.way == 0) {
      gain = opened - length(t4, t1);
    } else {
      t5 = memory_.neighbours[t4 * kPlaneNeighbours + (exchange.way - 1) % kPlaneSecondNeighbours];
      const float opened_again = opened - length(t4, t5);
      const int steps_to_t5 = tour_.steps_between(t2, t5, forward);
      const bool on_path = steps_to_t5 <= steps_to_t3;
      const bool back = behind ? !on_path : exchange.way > 2 * kPlaneSecondNeighbours;
      t6 = tour_.ahead(t5, back != forward);
      const bool fits = behind ? t5 != t1 && t6 != t4 : on_path && !(back && t5 == t2);
      if (t5 == t3 || t5 == t4 || !fits || opened_again <= least_gain_ || fixed(t5, t6)) {
        return exchange;
      }
      gain = opened_again + length(t5, t6) - length(t6, t1);
    }
    if (gain > least_gain_) {
      exchange.gain = gain;
      const int ends[8] = {t1, t2, t3, t4, t5, t6, t1, t2};
      for (int i = 0; i < 8; ++i) {
        exchange.ends[i] = ends[i];
      }
    }
    return exchange;
  }

  /// In one to four exchanges of two edges.
  MOCO_TEAM_CODE void make(const PlaneExchange& exchange) {
    // Each by the numbers of its four ends, the first in the lowest digits; 0 ends the list.
    constexpr std::uint64_t kClose = 0x2310;
    constexpr std::uint64_t kGoOn = 0x4530'2310;
    constexpr std::uint64_t kPaths = 0x3142'4520'3210;
    constexpr std::uint64_t kEach = 0x3241'4510;
    constexpr std::uint64_t kBridge = 0x3146'4562'6720'3210;
    std::uint64_t steps = exchange.way == 0                             ? kClose
                          : exchange.way <= kPlaneSecondNeighbours      ? kGoOn
                          : exchange.way <= 2 * kPlaneSecondNeighbours  ? kPaths
                          : exchange.way < PlaneExchange::kDoubleBridge ? kEach
                                                                        : kBridge;
    const auto end = [&](int digit) { return exchange.ends[(steps >> (4 * digit)) % 8]; };
    for (; steps != 0; steps >>= 16) {
      tour_.exchange(end(0), end(1), end(2), end(3));
    }
  }

  Team team_;
  int n_;
  PlaneMemory memory_;
  float least_gain_;
  Tour<Team, std::uint16_t> tour_;
};

}  // namespace moco
