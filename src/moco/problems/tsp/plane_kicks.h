// Kicks on a small tour of cities in the plane by a team of lanes: of three short paths that follow each other the
// first and the third change places (a double bridge), moves mend the surroundings (plane_moves.h), and the tour as it
// was comes back unless the new one is good enough. One definition for all engines; lengths are float, by the same
// operations everywhere.
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
  /// The memory has points, order and, as in PlaneWindows, fixed edges.
  MOCO_TEAM_CODE PlaneKicks(const Team& team, int n, const PlaneMemory& memory, StreamKey key)
      : team_(team),
        n_(n),
        memory_(memory),
        key_(key),
        moves_(team, n, memory, kLeastGain * extent(team, n, memory)),
        queue_(team, n, memory.queue, memory.queued) {
    mark_fixed_edges();
    find_neighbours();
    copy(memory_.order, memory_.kept);
  }

  /// A local search everywhere where the slice is the first one, then its kicks.
  MOCO_TEAM_CODE void run(const KickSlice& slice) {
    bool everywhere = slice.begin == 0;
    if (everywhere) {
      queue_.fill(memory_.order, n_);
    }
    for (std::uint32_t number = slice.begin; everywhere || (number < slice.end && n_ >= kFewestCities);) {
      float threshold = 0.0f;
      PlaneExchange bridge;
      if (!everywhere) {
        const Philox4 random = philox(number, 0u, 0u, static_cast<std::uint32_t>(Purpose::kick), key_);
        const float temperature = fmaf(-slice.temperature_fall, static_cast<float>(number), slice.temperature);
        threshold = temperature > 0.0f ? -temperature * fast_log(uniform_open(random.v[3])) : 0.0f;
        bridge = double_bridge(random);
        ++number;
        if (bridge.way == PlaneExchange::kNone) {
          continue;
        }
      }
      everywhere = false;
      if (-moves_.settle(queue_, bridge) > threshold) {
        copy(memory_.kept, memory_.order);
        moves_.tour().renumber();
      } else {
        copy(memory_.order, memory_.kept);
      }
    }
  }

 private:
  static constexpr int kFewestCities = 8;
  static constexpr int kLongestPath = 30;        // cities of a path that a kick moves
  static constexpr float kLeastGain = 0x1p-18f;  // of the largest coordinate: more than lengths' rounding adds up to

  /// Uniform in 0 … bound − 1, but for 2⁻³² · bound.
  MOCO_TEAM_CODE static int below(int bound, std::uint32_t bits) {
    return static_cast<int>((std::uint64_t{bits} * static_cast<std::uint32_t>(bound)) >> 32);
  }

  /// Of three short paths that follow each other, the first and the third change places; none where an edge between
  /// them is fixed.
  MOCO_TEAM_CODE PlaneExchange double_bridge(const Philox4& random) {
    const int longest = (n_ - 2) / 3 < kLongestPath ? (n_ - 2) / 3 : kLongestPath;
    const int x = memory_.order[below(n_, random.v[0])];
    const int first = 1 + below(longest, random.v[1] & 0xFFFF0000u);
    const int second = first + 1 + below(longest, random.v[1] << 16);
    const int third = second + 1 + below(longest, random.v[2]);
    const auto along = [&](int steps) { return moves_.tour().along(x, steps, true); };
    const int ends[8] = {
        x, along(1), along(third), along(third + 1), along(first), along(first + 1), along(second), along(second + 1)};
    float gain = 0.0f;
    bool fixed = false;
    for (int edge = 0; edge < 4; ++edge) {
      constexpr int kFrom[4] = {0, 4, 6, 2};
      constexpr int kTo[4] = {1, 5, 7, 3};
      fixed = fixed || moves_.fixed(ends[kFrom[edge]], ends[kTo[edge]]);
      gain += moves_.length(ends[kFrom[edge]], ends[kTo[edge]]);
    }
    gain -= moves_.length(ends[0], ends[7]);
    gain -= moves_.length(ends[2], ends[5]);
    gain -= moves_.length(ends[6], ends[1]);
    gain -= moves_.length(ends[4], ends[3]);
    PlaneExchange bridge;
    if (!fixed) {
      bridge.gain = gain;
      bridge.way = PlaneExchange::kDoubleBridge;
      for (int i = 0; i < 8; ++i) {
        bridge.ends[i] = ends[i];
      }
    }
    return bridge;
  }

  MOCO_TEAM_CODE static float extent(const Team& team, int n, const PlaneMemory& memory) {
    TeamChoice largest;
    for (int i = team.lane(); i < n; i += Team::width) {
      largest.gain = fmaxf(largest.gain, fmaxf(fabsf(memory.points[i].x), fabsf(memory.points[i].y)));
    }
    return team.best(largest).gain;
  }

  /// At their second ends too.
  MOCO_TEAM_CODE void mark_fixed_edges() {
    for (int base = 0; base < n_; base += Team::width) {
      const int i = base + team_.lane();
      const bool marked = i < n_ && (memory_.fixed[i == 0 ? n_ - 1 : i - 1] & PlaneMemory::kToNext) != 0;
      team_.sync();
      if (marked) {
        memory_.fixed[i] |= PlaneMemory::kToPrevious;
      }
      team_.sync();
    }
  }

  /// The nearest cities of each, the nearest one of every quadrant among them: clusters are joined where they lie.
  /// Squares of distances are compared by their upper 22 bits, then cities by number.
  MOCO_TEAM_CODE void find_neighbours() {
    constexpr std::uint32_t kNumbers = kMostPlaneCities - 1;
    for (int i = team_.lane(); i < n_; i += Team::width) {
      const PlanePoint here = memory_.points[i];
      std::uint32_t nearest[kPlaneNeighbours];
      std::uint32_t in_quadrant[4];
      const std::uint32_t none = ~kNumbers | static_cast<std::uint32_t>(i);
      for (std::uint32_t& key : nearest) {
        key = none;
      }
      for (std::uint32_t& key : in_quadrant) {
        key = none;
      }
      for (int other = 0; other < n_; ++other) {
        const float dx = memory_.points[other].x - here.x;
        const float dy = memory_.points[other].y - here.y;
        std::uint32_t key = (bits_of(fmaf(dx, dx, dy * dy)) & ~kNumbers) | static_cast<std::uint32_t>(other);
        if (other == i) {
          continue;
        }
        const int quadrant = (dx < 0.0f ? 1 : 0) + (dy < 0.0f ? 2 : 0);
        for (int q = 0; q < 4; ++q) {
          in_quadrant[q] = q == quadrant && key < in_quadrant[q] ? key : in_quadrant[q];
        }
        if (key >= nearest[kPlaneNeighbours - 1]) {
          continue;
        }
        for (std::uint32_t& place : nearest) {
          const std::uint32_t larger = key > place ? key : place;
          place = key > place ? place : key;
          key = larger;
        }
      }
      const std::uint32_t farthest = nearest[kPlaneNeighbours - 1];
      for (const std::uint32_t key : in_quadrant) {
        bool placed = key == none || key <= farthest;
        for (int rank = kPlaneNeighbours - 1; rank >= 0; --rank) {
          const std::uint32_t old = nearest[rank];
          const bool stays =
              old == in_quadrant[0] || old == in_quadrant[1] || old == in_quadrant[2] || old == in_quadrant[3];
          if (!placed && !stays) {
            nearest[rank] = key;
            placed = true;
          }
        }
      }
      for (int rank = 0; rank < kPlaneNeighbours; ++rank) {
        memory_.neighbours[i * kPlaneNeighbours + rank] = static_cast<std::uint16_t>(nearest[rank] & kNumbers);
      }
    }
    team_.sync();
  }

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
  PlaneKicks<Team, Rounding>(team, n, memory, key).run(slice);
}

}  // namespace moco
