// What a problem's kernels own on the device beyond what every search has.
#pragma once

#include <cstdint>

#include "moco/core/float_bits.h"

namespace moco::cuda {

/// The tour that a trajectory's partial samples change.
struct BaseTour {
  double length;
  std::uint64_t identity;
  int ready;  ///< there is one, and a local search has been everywhere on it
  int fresh;  ///< no sample has changed it yet: what whole samples left behind is still to be cleared
};

/// Partial samples of tours.
struct TourChanges {
  int most = 0;  ///< choices of a sample; 0 where all samples are whole

  BaseTour* base = nullptr;           ///< [T]
  int* order = nullptr;               ///< [S] the base's cities
  int* walked = nullptr;              ///< [T × b × most] cities that a sample chose the way on from
  int* made = nullptr;                ///< [T × b] choices
  double* chosen = nullptr;           ///< [T × b] cost after the choices
  double* mended = nullptr;           ///< [T × b] and after the local search
  std::uint64_t* identity = nullptr;  ///< [T × b]
  unsigned char* copies = nullptr;    ///< [b × n] working copies, when shared memory is too small

  /// Whether a trajectory's samples are changes by now.
  MOCO_HOST_DEVICE bool have_base(int trajectory) const { return most > 0 && base[trajectory].ready != 0; }
};

/// Tours (tsp/).
struct TourData {
  bool penalty = false;              ///< for dead ends, instead of the nearest city
  bool all_plane = false;            ///< every instance has Metric::euclidean
  int* choice = nullptr;             ///< [n × b]: neighbour taken from a node, −1 when that was no choice
  unsigned char* visited = nullptr;  ///< [b × n], when the marks do not fit into shared memory
  TourChanges changes;
};

/// Independent sets (mis/).
struct SetData {
  bool weighted = false;          ///< some graph's nodes have weights
  double* mass = nullptr;         ///< [V]: e^(θ − max)
  std::uint32_t* bits = nullptr;  ///< of all graphs; null where one is too large
  std::uint32_t* keys = nullptr;  ///< [b × n], when the keys do not fit into shared memory
};

}  // namespace moco::cuda
