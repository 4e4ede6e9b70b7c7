// Weighted sums of noise vectors, Σ_i w_i ε(key_i): the update of evolution strategies, and with a single key the
// perturbation of a parameter vector.
#pragma once

#include <span>

#include "moco/core/random.h"
#include "moco/core/thread_pool.h"

namespace moco {

/// sum[p] += weights[i] · normal_noise(keys[i], p) for one key after the other, each product rounded: the result is the
/// same to the last bit for any executor. Keys of weight 0 cost nothing.
void sum_noise(std::span<const StreamKey> keys, std::span<const float> weights, std::span<float> sum,
               const Executor& executor = Executor());

}  // namespace moco
