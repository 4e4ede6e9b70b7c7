// Chunks of variables by what fills the device.
#include "moco/engine/cuda/rules/mlp_program.h"

#include <algorithm>

namespace moco::cuda {

namespace {

/// So many variables that the device, which holds two thread blocks on a multiprocessor, has work for all of them; each
/// block fetches the matrices once.
int variables_of_block(const BatchLayout& layout) {
  constexpr long long kMostTiles = 16;
  const long long tiles = static_cast<long long>(layout.variables) / (kMlpRows * 2 * kMultiprocessors);
  return kMlpRows * static_cast<int>(std::clamp<long long>(tiles, 1, kMostTiles));
}

}  // namespace

MlpProgram::MlpProgram(const ModelConfig& config, const WeightSets& weights, BatchLayout& layout)
    : net_(weights.plan().mlp), shape_(mlp_shape(config.hidden, config.blocks, weights.bf16())) {
  cut_variables(layout, variables_of_block(layout));
}

void MlpProgram::update(const DeviceBatch& batch, KernelQueue& queue) const {
  queue.run("mlp", [&](cudaStream_t stream) { mlp_update(batch, net_, shape_, stream); });
}

}  // namespace moco::cuda
