// When two solutions of an elite are one: the same set of variables, or for a symmetric TSP the same set of undirected
// edges (a tour and its reverse), at the same cost. Shared by the engines, which must agree.
#pragma once

#include <cstdint>

#include "moco/core/random.h"

namespace moco {

/// What a variable adds to the hash of a solution; sums do not depend on the order.
MOCO_HOST_DEVICE inline std::uint64_t variable_hash(int variable) {
  return mix64(static_cast<std::uint64_t>(static_cast<std::uint32_t>(variable)));
}

/// What the edge between two cities adds to the hash of a tour, in whichever direction it is gone.
MOCO_HOST_DEVICE inline std::uint64_t undirected_edge_hash(int from, int to) {
  const auto low = static_cast<std::uint64_t>(from < to ? from : to);
  const auto high = static_cast<std::uint64_t>(from < to ? to : from);
  return mix64(high << 32 | low);
}

/// Hash of a whole solution, on the host.
inline std::uint64_t solution_hash(const int* items, const int* variables, int length, bool undirected_tour) {
  std::uint64_t sum = 0;
  for (int t = 0; t < length; ++t) {
    sum += undirected_tour ? undirected_edge_hash(items[t], items[t + 1 < length ? t + 1 : 0])
                           : variable_hash(variables[t]);
  }
  return sum;
}

/// Whether costs of solutions with the same hash are the same: a reversed tour adds its lengths up in another order.
MOCO_HOST_DEVICE inline bool same_cost(double a, double b) {
  const double difference = a < b ? b - a : a - b;
  return difference <= 1e-9 * (a < 0.0 ? -a : a);
}

}  // namespace moco
