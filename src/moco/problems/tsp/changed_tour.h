// Partial samples of a tour by a team: what rebuilt_tour.h is to one thread with memory of its own. The arrays are the
// caller's, and nothing is written down to be taken back: whoever wants the base again assigns it. Symmetric distances
// without fixed edges.
#pragma once

#include <cmath>
#include <cstdint>

#include "moco/core/numeric.h"
#include "moco/core/work_queue.h"
#include "moco/problems/tsp/three_opt.h"
#include "moco/problems/tsp/tour_arrays.h"
#include "moco/problems/tsp/tour_walk.h"

namespace moco {

/// Memory of a tour of n cities; `City` holds the number of one.
template <typename City>
struct ChangedTourMemory {
  City* order = nullptr;            ///< [n]
  City* position = nullptr;         ///< [n]
  City* moved = nullptr;            ///< [n]
  City* waiting = nullptr;          ///< [n]
  unsigned char* queued = nullptr;  ///< [n]
  unsigned char* seen = nullptr;    ///< [n]

  static constexpr int kBytesPerCity = 4 * static_cast<int>(sizeof(City)) + 2;

  MOCO_TEAM_CODE ChangedTourMemory(unsigned char* memory, int n) {
    order = reinterpret_cast<City*>(memory);
    position = order + n;
    moved = position + n;
    waiting = moved + n;
    queued = reinterpret_cast<unsigned char*>(waiting + n);
    seen = queued + n;
  }
};

/// A sum over 0 … count − 1 in this order, of what the lanes find out together; no term is negative.
template <typename Team, typename Term>
MOCO_TEAM_CODE double sum_in_order(const Team& team, int count, const Term& term) {
  double sum = 0.0;
  for (int base = 0; base < count; base += Team::width) {
    const int number = base + team.lane();
    const double own = number < count ? term(number) : 0.0;
    MOCO_TEAM_UNROLL
    for (int lane = 0; lane < Team::width; ++lane) {
      sum += team.from(lane, own);
    }
  }
  return sum;
}

/// Hears of no choice.
struct NoChoices {
  MOCO_TEAM_CODE void chosen(int, Index, int, double) const {}
};

template <typename Team, typename City, typename Distance>
class ChangedTour {
 public:
  using Exchange = ExchangeOfEdges<3>;

  MOCO_TEAM_CODE ChangedTour(const Team& team, int n, const Distance& distance, const TourNeighbours& neighbours,
                             double cost_scale, const ChangedTourMemory<City>& memory)
      : team_(team),
        n_(n),
        distance_(distance),
        neighbours_(neighbours),
        least_gain_(kLeastPartialGain * cost_scale),
        seen_(memory.seen),
        order_(memory.order),
        arrays_(team, n, memory.order, memory.position, memory.moved),
        queue_(team, n, memory.waiting, memory.queued) {}
  ChangedTour(const ChangedTour&) = delete;
  ChangedTour& operator=(const ChangedTour&) = delete;

  /// A tour whose length and hash are known.
  template <typename Cities>
  MOCO_TEAM_CODE void assign(const Cities* cities, double length, std::uint64_t identity) {
    team_.sync();
    for (int i = team_.lane(); i < n_; i += Team::width) {
      order_[i] = static_cast<City>(cities[i]);
    }
    team_.sync();
    arrays_.locate();
    length_ = length;
    identity_ = team_.lane() == 0 ? identity : 0;
  }
  /// Adds length and hash up anew, from the first city in the arrays on.
  MOCO_TEAM_CODE void measure() {
    length_ = n_ > 1 ? sum_in_order(team_, n_, [&](int i) { return edge_length(i); }) : 0.0;
    identity_ = 0;
    for (int i = team_.lane(); i < n_; i += Team::width) {
      identity_ += undirected_edge_hash(order_[i], order_[i + 1 == n_ ? 0 : i + 1]);
    }
  }

  /// Local search everywhere, until a round over all cities finds nothing.
  MOCO_TEAM_CODE void mend() {
    if (n_ >= kFewestCitiesToChange) {
      for (double before = INFINITY; length_ < before;) {
        before = length_;
        queue_.fill(order_, n_);
        settle();
      }
    }
    measure();
  }

  /// Changes the tour by a sample with walks of up to `most` choices, of which `listener` hears; the length before the
  /// local search.
  template <typename Listener>
  MOCO_TEAM_CODE double sample(const float* theta, int most, StreamKey stream, std::uint32_t step, std::uint32_t number,
                               Listener& listener) {
    if (n_ >= kFewestCitiesToChange) {
      Walk<Listener> walk{*this, theta, stream, step, number, listener};
      walk_anew(walk, place_of_walk(stream, step, number, n_), most < n_ - 1 ? most : n_ - 1);
    }
    const double chosen = length_;
    settle();
    return chosen;
  }

  MOCO_TEAM_CODE double length() const { return length_; }
  /// The hash of the tour; the whole team asks.
  MOCO_TEAM_CODE std::uint64_t identity() const { return team_.sum(identity_); }
  MOCO_TEAM_CODE const City* order() const { return order_; }
  /// The city `steps` places behind another one.
  MOCO_TEAM_CODE Index along(Index city, int steps) const { return arrays_.along(city, steps, true); }
  /// The length as the checker adds it up, from a city on.
  MOCO_TEAM_CODE double length_from(Index city) const {
    return n_ > 1 ? sum_in_order(team_, n_, [&](int i) { return distance_(along(city, i), along(city, i + 1)); }) : 0.0;
  }

 private:
  /// What walk_anew() asks of a tour.
  template <typename Listener>
  struct Walk {
    using Exchange = ChangedTour::Exchange;

    ChangedTour& tour;
    const float* theta;
    StreamKey stream;
    std::uint32_t step_of_search;
    std::uint32_t number;
    Listener& listener;

    MOCO_TEAM_CODE Index next(Index city) const { return tour.arrays_.next(city); }
    MOCO_TEAM_CODE Index previous(Index city) const { return tour.arrays_.previous(city); }
    MOCO_TEAM_CODE double distance(Index a, Index b) const { return tour.distance_(a, b); }
    MOCO_TEAM_CODE static bool symmetric() { return true; }
    MOCO_TEAM_CODE static bool is_fixed(Index, Index) { return false; }
    MOCO_TEAM_CODE bool has_seen(Index city) const { return tour.seen_[city] != 0; }
    MOCO_TEAM_CODE void mark(Index city) const {
      tour.team_.sync();
      if (tour.team_.lane() == 0) {
        tour.seen_[city] = 1;
      }
      tour.team_.sync();
    }
    MOCO_TEAM_CODE void begin_walk() const {
      for (int i = tour.team_.lane(); i < tour.n_; i += Team::width) {
        tour.seen_[i] = 0;
      }
      tour.team_.sync();
    }

    /// The largest key, ties to the nearer neighbour; a random number for each, in blocks of four that begin anew with
    /// every step.
    MOCO_TEAM_CODE Index choose(int step, Index here, bool) const {
      const int k = tour.neighbours_.degree;
      const auto first_block = static_cast<std::uint32_t>(step) * static_cast<std::uint32_t>((k + 3) / 4);
      const long long row = static_cast<long long>(here) * k;
      TeamChoice own{-INFINITY, -1};
      for (int r = tour.team_.lane(); r < k; r += Team::width) {
        if (has_seen(tour.neighbours_.targets[row + r])) {
          continue;
        }
        const Philox4 random = philox(first_block + static_cast<std::uint32_t>(r / 4), number, step_of_search,
                                      static_cast<std::uint32_t>(Purpose::rebuild), stream);
        const std::uint32_t low = (r & 1) != 0 ? random.v[1] : random.v[0];
        const std::uint32_t high = (r & 1) != 0 ? random.v[3] : random.v[2];
        const float key = theta[row + r] + gumbel((r & 2) != 0 ? high : low);
        if (own.number < 0 || key > own.gain) {
          own = {key, r};
        }
      }
      const int best = tour.team_.best(own).number;
      return best < 0 ? -1 : static_cast<Index>(row + best);
    }
    MOCO_TEAM_CODE Index target(Index variable) const { return tour.neighbours_.targets[variable]; }
    MOCO_TEAM_CODE void change(const Exchange& exchange) const { tour.change(exchange); }
    MOCO_TEAM_CODE void chosen(int step, Index here, Index variable, double cost) const {
      listener.chosen(step, here, static_cast<int>(variable - here * tour.neighbours_.degree), cost);
    }
  };

  MOCO_TEAM_CODE double edge_length(int i) const { return distance_(order_[i], order_[i + 1 == n_ ? 0 : i + 1]); }

  MOCO_TEAM_CODE void settle() {
    // Made here: an object that points into itself would be kept out of registers.
    ThreeOpt<Distance, TourArrays<Team, City>, Exchange> moves(arrays_, distance_, neighbours_, least_gain_);
    settle_tour(
        queue_, moves, [] { return false; }, [this](const Exchange& move) { change(move); });
  }

  MOCO_TEAM_CODE void change(const Exchange& exchange) {
    NoJournal none;
    arrays_.make(exchange, none);
    length_ -= exchange.gain;
    const int ends = 2 * exchange.edges;
    for (int i = team_.lane(); i < ends; i += Team::width) {
      const std::uint64_t hash = undirected_edge_hash(exchange.end(i), exchange.end(i + 1 == ends ? 0 : i + 1));
      identity_ += i % 2 == 0 ? 0 - hash : hash;
    }
    const auto& t = exchange.ends;
    if (exchange.edges == 2) {
      queue_.push({t[0], t[1], t[2], t[3]});
    } else {
      queue_.push({t[0], t[1], t[2], t[3], t[4], t[5]});
    }
  }

  Team team_;
  int n_;
  Distance distance_;
  TourNeighbours neighbours_;
  double least_gain_;
  unsigned char* seen_;
  City* order_;
  TourArrays<Team, City> arrays_;
  WorkQueue<Team, City> queue_;
  double length_ = 0.0;
  std::uint64_t identity_ = 0;  ///< the lane's share of the sum
};

}  // namespace moco
