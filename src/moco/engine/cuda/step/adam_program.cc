// Two moments per variable.
#include "moco/engine/cuda/step/adam_program.h"

#include "moco/engine/cuda/step/step_kernels.h"

namespace moco::cuda {

void AdamProgram::place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  batch.adam.learning_rate = learning_rate_;
  arena.place(batch.adam.moments, 2 * layout.variables, Cleared::at_begin);
}

void AdamProgram::begin(const DeviceBatch& batch, KernelQueue& queue) const {
  queue.run("adam", [&](cudaStream_t stream) { adam_begin(batch, stream); });
}

void AdamProgram::update(const DeviceBatch& batch, KernelQueue& queue) const {
  queue.run("adam", [&](cudaStream_t stream) { adam_update(batch, stream); });
}

}  // namespace moco::cuda
