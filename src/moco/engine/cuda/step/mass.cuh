// The mass e^(θ − max) of a choice.
#pragma once

namespace moco::cuda {

constexpr double kSmallestExponent = -690.0;  // e^this is still a normal double

__device__ inline double mass_of(float theta, float top) {
  return exp(fmax(static_cast<double>(theta) - static_cast<double>(top), kSmallestExponent));
}

}  // namespace moco::cuda
