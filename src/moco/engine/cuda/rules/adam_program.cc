// Two moments per variable, which begin with 0.
#include "moco/engine/cuda/rules/adam_program.h"

#include "moco/engine/cuda/rules/rule_kernels.h"

namespace moco::cuda {

AdamProgram::AdamProgram(const ModelConfig& config, BatchLayout& layout) : learning_rate_(config.learning_rate) {
  cut_variables(layout, kVariablesOfBlock);
}

void AdamProgram::place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  batch.adam.learning_rate = learning_rate_;
  arena.place(batch.adam.moments, 2 * layout.variables, Cleared::at_begin);
}

void AdamProgram::update(const DeviceBatch& batch, KernelQueue& queue) const {
  queue.run("adam", [&](cudaStream_t stream) { adam_update(batch, stream); });
}

}  // namespace moco::cuda
