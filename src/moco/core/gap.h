// How far a cost is from a known one: the one definition for validation and evaluation.
#pragma once

#include <cmath>

namespace moco {

/// (cost − reference)/|reference|. Costs of sets are minus their size, so that this is (reference − size)/reference of
/// the sizes. Negative when the cost is better than the reference, which must not be 0.
inline double relative_gap(double cost, double reference) {
  return (cost - reference) / std::abs(reference);
}

}  // namespace moco
