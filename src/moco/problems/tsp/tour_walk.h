// A walk of a few cities that is chosen anew under θ on a tour, as in focused ant colonies (Skinderowicz 2022). One
// definition for all engines.
//
// From the city at hand the walk goes to one of its candidate neighbours that it has not been to yet, chosen by
// softmax(θ) over these. If that is where the tour goes, nothing changes; otherwise the tour is made to go there at
// once, so that it always is one: the city is moved there, or the path up to it reversed, whichever leaves the shorter
// tour. Where the first step follows the tour backwards, so does the rest of the walk. The walk so far is a path of the
// tour whose far end is the city at hand, so every candidate left can be brought there. Asymmetric distances keep every
// path's direction: cities are moved only.
//
// Fixed edges are followed as soon as the walk comes to one, and a city between two of them is never gone to otherwise;
// what begins a path of them is moved together with the path. The walk begins at the beginning of such a path, so that
// none leads back to it.
//
// The tour that is changed is the business of a class Tour:
//   next(city), previous(city), distance(a, b), symmetric()
//   is_fixed(a, b)                   whether this edge of the tour stays
//   begin_walk()                     the walk has been nowhere; mark(city), has_seen(city): it has been there
//   choose(step, here, forward)      the variable chosen of those that are open, −1 when none is
//   target(variable)                 the city it leads to
//   change(exchange)                 makes an exchange (of type Tour::Exchange)
//   chosen(step, here, variable, cost)   hears of every choice, and by how much it changed the length
#pragma once

#include "moco/core/random.h"
#include "moco/core/team.h"
#include "moco/policy/solution_identity.h"
#include "moco/types.h"

namespace moco {

/// Of a tour that samples change.
inline constexpr int kFewestCitiesToChange = 5;
/// By how much a mending exchange has to shorten a tour, as a share of the instance's scale.
inline constexpr double kLeastPartialGain = 1e-10;
/// Mean lengths of an edge by which samples may be worse than the base at the beginning of a search, on average.
inline constexpr double kFirstTourTemperature = 1.0;

/// Where a sample's walk is to begin.
MOCO_HOST_DEVICE inline Index place_of_walk(StreamKey stream, std::uint32_t step, std::uint32_t sample, Index cities) {
  const Philox4 place = philox(0, sample, step, static_cast<std::uint32_t>(Purpose::place), stream);
  return static_cast<Index>((std::uint64_t{place.v[0]} * static_cast<std::uint64_t>(cities)) >> 32);
}

template <typename Tour>
MOCO_TEAM_CODE Index ahead_of(const Tour& tour, Index city, bool forward) {
  return forward ? tour.next(city) : tour.previous(city);
}

/// The exchange after which a tour goes from `here` to `next`, which lies ahead of it: the cheaper one of two.
template <typename Tour>
MOCO_TEAM_CODE typename Tour::Exchange going_to(const Tour& tour, Index here, Index next, bool forward) {
  const Index left = ahead_of(tour, here, forward);
  const Index before = ahead_of(tour, next, !forward);
  Index last = next;  // of the path that is moved
  while (tour.is_fixed(last, ahead_of(tour, last, forward))) {
    last = ahead_of(tour, last, forward);
  }
  const Index behind = ahead_of(tour, last, forward);
  const double common = tour.distance(here, left) + tour.distance(last, behind) - tour.distance(here, next);
  const double moved = common + tour.distance(before, next) - tour.distance(last, left) - tour.distance(before, behind);
  if (tour.symmetric() && last == next) {
    const double reversed = common - tour.distance(left, behind);
    if (reversed >= moved || tour.is_fixed(before, next)) {
      return {reversed, 2, {left, here, next, behind}};
    }
  }
  return {moved, 3, {here, left, last, behind, before, next}};
}

/// A walk of at most `steps` choices from the city that was drawn, or the beginning of its path of fixed edges; none if
/// all edges are fixed.
template <typename Tour>
MOCO_TEAM_CODE void walk_anew(Tour& tour, Index drawn, int steps) {
  Index here = drawn;
  while (tour.is_fixed(tour.previous(here), here)) {
    here = tour.previous(here);
    if (here == drawn) {
      return;
    }
  }
  tour.begin_walk();
  tour.mark(here);
  bool forward = true;
  const Index start = here;
  for (int step = 0; step < steps; ++step) {
    for (Index ahead = ahead_of(tour, here, forward); tour.is_fixed(here, ahead) && !tour.has_seen(ahead);
         ahead = ahead_of(tour, here, forward)) {
      here = ahead;
      tour.mark(here);
    }
    const Index variable = tour.choose(step, here, forward);
    if (variable < 0) {
      return;  // the walk has been to all neighbours
    }
    const Index next = tour.target(variable);
    if (here == start && tour.symmetric() && next == tour.previous(here)) {
      forward = false;
    }
    double cost = 0.0;
    if (next != ahead_of(tour, here, forward)) {
      const typename Tour::Exchange exchange = going_to(tour, here, next, forward);
      tour.change(exchange);
      forward = tour.next(here) == next;  // the path that is shorter was reversed, this one or the others
      cost = -exchange.gain;
    }
    tour.chosen(step, here, variable, cost);
    tour.mark(next);
    here = next;
  }
}

/// Makes the moves that `moves` finds at the waiting cities until none is left.
template <typename Queue, typename Moves, typename Stop, typename MakeMove>
MOCO_TEAM_CODE void settle_tour(Queue& queue, Moves& moves, const Stop& stop, const MakeMove& make_move) {
  while (!queue.empty() && !stop()) {
    const Index city = queue.pop();
    for (auto move = moves.find(city); move.edges > 0 && !stop(); move = moves.find(city)) {
      make_move(move);
    }
  }
}

}  // namespace moco
