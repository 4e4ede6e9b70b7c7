// From loss differences of antithetic pairs to the weights of their noise. Every rule is odd: swapping the halves of
// all pairs changes the sign of the update and nothing else.
#pragma once

#include <span>

#include "moco/training/config.h"

namespace moco {

/// Bounds |d|; a bound of 0 is none. Differences that are not finite become 0.
void clip_differences(std::span<double> differences, double bound);

/// raw: d · normalised: d / √(mean d²) · rank: sign(d)·(rank of |d|)/n, ties share their mean rank · sign: sign(d).
/// All-zero differences stay 0.
void shape_differences(std::span<double> differences, Shaping shaping);

}  // namespace moco
