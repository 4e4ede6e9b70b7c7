// Kicks on a small tour of cities in the plane by a team of lanes: two neighbouring short paths are exchanged (a double
// bridge), moves mend the surroundings (plane_moves.h), and the tour as it was comes back unless the new one is good
// enough. One definition for all engines; lengths are float, by the same operations everywhere.
#pragma once

#include "moco/problems/tsp/plane_moves.h"

namespace moco {

constexpr int kMostPlaneCities = 1024;  // whose numbers fit beside a distance in a word

/// Bytes of the arrays of `n` cities.
MOCO_HOST_DEVICE constexpr int plane_memory_bytes(int n) {
  constexpr int kEach = static_cast<int>(sizeof(PlanePoint)) + 2 * (4 + kPlaneNeighbours) + 2;
  constexpr int kOpenings = kPlaneOpenings * static_cast<int>(sizeof(PlaneOpening));
  return kOpenings + (n + 3) / 4 * 4 * kEach;
}

/// Places the arrays in memory aligned to words.
MOCO_HOST_DEVICE inline PlaneMemory place_plane_memory(unsigned char* bytes, int n) {
  const int room = (n + 3) / 4 * 4;
  PlaneMemory memory;
  memory.openings = reinterpret_cast<PlaneOpening*>(bytes);
  memory.points = reinterpret_cast<PlanePoint*>(memory.openings + kPlaneOpenings);
  memory.neighbours = reinterpret_cast<std::uint16_t*>(memory.points + room);
  memory.order = memory.neighbours + kPlaneNeighbours * room;
  memory.position = memory.order + room;
  memory.kept = memory.position + room;
  memory.queue = memory.kept + room;
  memory.queued = reinterpret_cast<unsigned char*>(memory.queue + room);
  memory.fixed = memory.queued + room;
  return memory;
}

template <typename Team, LengthRounding Rounding>
class PlaneKicks {
 public:
  /// The memory has points, order and fixed edges.
  MOCO_TEAM_CODE PlaneKicks(const Team& team, int n, const PlaneMemory& memory, StreamKey key)
      : team_(team),
        n_(n),
        memory_(memory),
        key_(key),
        moves_(team, n, memory, kLeastGain * extent(team, n, memory)),
        queue_(team, n, memory.queue, memory.queued) {
    find_neighbours();
    keep();
  }

  /// Local search everywhere.
  MOCO_TEAM_CODE void settle() {
    queue_.fill(memory_.order, n_);
    moves_.settle(queue_);
    keep();
  }

  /// A kick, whose random numbers belong to its number.
  MOCO_TEAM_CODE void kick(std::uint32_t number, float temperature) {
    if (n_ < kFewestCities) {
      return;
    }
    const Philox4 random = philox(number, 0u, 0u, static_cast<std::uint32_t>(Purpose::kick), key_);
    const int longest = (n_ - 2) / 3 < kLongestPath ? (n_ - 2) / 3 : kLongestPath;
    const int first = 1 + below(longest, random.v[1]);
    const int second = 1 + below(longest, random.v[2]);
    const int x = memory_.order[below(n_, random.v[0])];
    const auto along = [&](int steps) { return moves_.tour().along(x, steps, true); };
    const int t[6] = {x, along(1), along(first + second), along(first + second + 1), along(first), along(first + 1)};
    if (moves_.fixed(t[0], t[1]) || moves_.fixed(t[2], t[3]) || moves_.fixed(t[4], t[5])) {
      return;
    }
    const float removed = moves_.length(t[0], t[1]) + moves_.length(t[2], t[3]) + moves_.length(t[4], t[5]);
    const float added = moves_.length(t[1], t[2]) + moves_.length(t[3], t[4]) + moves_.length(t[5], t[0]);
    moves_.exchange_paths(t);
    queue_.push(t);
    const float longer = added - removed - moves_.settle(queue_);
    if (longer > (temperature > 0.0f ? -temperature * fast_log(uniform_open(random.v[3])) : 0.0f)) {
      copy(memory_.kept, memory_.order);
      moves_.tour().renumber();
    } else {
      keep();
    }
  }

 private:
  static constexpr int kFewestCities = 8;
  static constexpr int kLongestPath = 50;        // cities of a path that a kick moves
  static constexpr float kLeastGain = 0x1p-18f;  // of the largest coordinate: more than lengths' rounding adds up to

  /// Uniform in 0 … bound − 1, but for 2⁻³² · bound.
  MOCO_TEAM_CODE static int below(int bound, std::uint32_t bits) {
    return static_cast<int>((std::uint64_t{bits} * static_cast<std::uint32_t>(bound)) >> 32);
  }

  MOCO_TEAM_CODE static float extent(const Team& team, int n, const PlaneMemory& memory) {
    TeamChoice largest;
    for (int i = team.lane(); i < n; i += Team::width) {
      largest.gain = fmaxf(largest.gain, fmaxf(fabsf(memory.points[i].x), fabsf(memory.points[i].y)));
    }
    return team.best(largest).gain;
  }

  /// The nearest cities of each. Squares of distances are compared by their upper 22 bits, then cities by number.
  MOCO_TEAM_CODE void find_neighbours() {
    constexpr std::uint32_t kNumbers = kMostPlaneCities - 1;
    for (int i = team_.lane(); i < n_; i += Team::width) {
      const PlanePoint here = memory_.points[i];
      std::uint32_t nearest[kPlaneNeighbours];
      for (std::uint32_t& key : nearest) {
        key = ~kNumbers | static_cast<std::uint32_t>(i);
      }
      for (int other = 0; other < n_; ++other) {
        const float dx = memory_.points[other].x - here.x;
        const float dy = memory_.points[other].y - here.y;
        std::uint32_t key = (bits_of(fmaf(dx, dx, dy * dy)) & ~kNumbers) | static_cast<std::uint32_t>(other);
        if (other == i || key >= nearest[kPlaneNeighbours - 1]) {
          continue;
        }
        for (std::uint32_t& place : nearest) {
          const std::uint32_t larger = key > place ? key : place;
          place = key > place ? place : key;
          key = larger;
        }
      }
      for (int rank = 0; rank < kPlaneNeighbours; ++rank) {
        memory_.neighbours[i * kPlaneNeighbours + rank] = static_cast<std::uint16_t>(nearest[rank] & kNumbers);
      }
    }
    team_.sync();
  }

  MOCO_TEAM_CODE void keep() { copy(memory_.order, memory_.kept); }
  MOCO_TEAM_CODE void copy(const std::uint16_t* from, std::uint16_t* to) {
    team_.sync();
    for (int i = team_.lane(); i < n_; i += Team::width) {
      to[i] = from[i];
    }
    team_.sync();
  }

  Team team_;
  int n_;
  PlaneMemory memory_;
  StreamKey key_;
  PlaneMoves<Team, Rounding> moves_;
  WorkQueue<Team, std::uint16_t> queue_;
};

/// Goes on with the tour in `memory` by the kicks of a slice.
template <LengthRounding Rounding, typename Team>
MOCO_TEAM_CODE void kick_in_plane(const Team& team, int n, const PlaneMemory& memory, StreamKey key,
                                  const KickSlice& slice) {
  if (n <= 3) {
    return;
  }
  PlaneKicks<Team, Rounding> kicks(team, n, memory, key);
  if (slice.begin == 0) {
    kicks.settle();
  }
  for (std::uint32_t number = slice.begin; number < slice.end; ++number) {
    kicks.kick(number, fmaf(-slice.temperature_fall, static_cast<float>(number), slice.temperature));
  }
}

}  // namespace moco
