// Keys of all random draws of training. Every draw is a function of (seed, kind, outer step, index) alone, so that a
// run can be resumed at any step, split over any number of processes, and repeated.
#pragma once

#include <cstdint>

#include "moco/core/random.h"

namespace moco {

/// What a draw is for; kinds never share numbers.
enum class TrainingDraw : std::uint64_t {
  noise = 1,       ///< perturbation of a pair
  search = 2,      ///< inner loop of an instance, shared by the pairs on it
  instance = 3,    ///< generated instances, or the choice among those of a data set
  schedule = 4,    ///< K and the size of a step
  validation = 5,  ///< the fixed validation set
};

inline std::uint64_t training_seed(std::uint64_t seed, TrainingDraw kind) {
  return mix64(mix64(seed) + static_cast<std::uint64_t>(kind));
}

inline StreamKey training_key(std::uint64_t seed, TrainingDraw kind, std::uint64_t step, std::uint64_t index) {
  return stream_key(training_seed(seed, kind), mix64(step), index);
}

}  // namespace moco
