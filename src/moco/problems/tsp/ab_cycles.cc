// A walk along edges of A and B in turns; whenever it comes back to a city that it left in the same tour's turn, the
// part since then is a cycle.
#include "moco/problems/tsp/ab_cycles.h"

namespace moco {

namespace {

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

bool linked(const std::array<Index, 2>& links, Index city) {
  return links[0] == city || links[1] == city;
}

}  // namespace

void AbCycles::find(const TourLinks& a, const TourLinks& b, RandomSequence& random) {
  const std::size_t n = a.size();
  for (int tour = 0; tour < 2; ++tour) {
    rest_[at(tour)].resize(n);
    visited_[at(tour)].assign(n, -1);
  }
  differing_.clear();
  cities_.clear();
  first_.assign(1, 0);
  for (std::size_t city = 0; city < n; ++city) {
    Rest& in_a = rest_[0][city];
    Rest& in_b = rest_[1][city];
    in_a.count = in_b.count = 0;
    for (const std::size_t side : {0u, 1u}) {
      if (!linked(b[city], a[city][side])) {
        in_a.to[at(in_a.count++)] = a[city][side];
      }
      if (!linked(a[city], b[city][side])) {
        in_b.to[at(in_b.count++)] = b[city][side];
      }
    }
    if (in_a.count > 0) {
      differing_.push_back(static_cast<Index>(city));
    }
  }
  for (const Index city : differing_) {
    while (rest_[0][at(city)].count > 0) {
      walk_from(city, random);
    }
  }
}

void AbCycles::take(int tour, Index from, Index to) {
  Rest& rest = rest_[at(tour)][at(from)];
  if (rest.to[0] == to) {
    rest.to[0] = rest.to[1];
  }
  --rest.count;
}

void AbCycles::walk_from(Index start, RandomSequence& random) {
  walk_.assign(1, start);
  visited_[0][at(start)] = 0;
  do {
    const int tour = static_cast<int>((walk_.size() - 1) % 2);
    const Index from = walk_.back();
    const Rest& rest = rest_[at(tour)][at(from)];
    const Index to = rest.to[rest.count == 2 ? random.next_u32() >> 31 : 0];
    take(tour, from, to);
    take(tour, to, from);
    const auto place = static_cast<std::int32_t>(walk_.size());
    walk_.push_back(to);
    std::int32_t& seen = visited_[at(1 - tour)][at(to)];
    if (seen < 0) {
      seen = place;
      continue;
    }
    // A cycle that begins with an edge of B is written down from its second city on.
    const std::int32_t begin = seen;
    for (std::int32_t i = begin + begin % 2; i < place + begin % 2; ++i) {
      cities_.push_back(walk_[at(i)]);
    }
    first_.push_back(cities_.size());
    for (std::int32_t i = begin + 1; i < place; ++i) {
      visited_[at(i % 2)][at(walk_[at(i)])] = -1;
    }
    walk_.resize(at(begin) + 1);
  } while (walk_.size() > 1);
  visited_[0][at(start)] = -1;
}

}  // namespace moco
