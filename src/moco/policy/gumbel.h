// Bulk Gumbel noise for the samplers: the exponential race that replaces step-wise softmax sampling.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moco/core/random.h"

namespace moco {

/// Writes 4·blocks standard Gumbel variates: number 4q + r is lane r of the Philox block with counter
/// (q, sample, step, purpose).
void fill_gumbel(StreamKey key, std::uint32_t step, std::uint32_t sample, std::size_t blocks, float* out,
                 Purpose purpose = Purpose::sample);

}  // namespace moco
