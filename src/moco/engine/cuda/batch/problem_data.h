// What a problem's kernels own on the device beyond what every search has.
#pragma once

#include <cstdint>

namespace moco::cuda {

/// Tours (tsp/).
struct TourData {
  bool penalty = false;              ///< for dead ends, instead of the nearest city
  bool all_plane = false;            ///< every instance has Metric::euclidean
  int* choice = nullptr;             ///< [n × b]: neighbour taken from a node, −1 when that was no choice
  unsigned char* visited = nullptr;  ///< [b × n], when the marks do not fit into shared memory
};

/// Independent sets (mis/).
struct SetData {
  bool weighted = false;          ///< some graph's nodes have weights
  double* mass = nullptr;         ///< [V]: e^(θ − max)
  std::uint32_t* bits = nullptr;  ///< of all graphs; null where one is too large
  std::uint32_t* keys = nullptr;  ///< [b × n], when the keys do not fit into shared memory
};

}  // namespace moco::cuda
