// The rule's numbers in the order of the CPU's rule, so that both round alike.
#include "moco/engine/cuda/rules/pheromone_program.h"

#include "moco/engine/cuda/rules/rule_kernels.h"

namespace moco::cuda {

PheromoneProgram::PheromoneProgram(const ModelConfig& config, BatchLayout& layout)
    : visibility_weight_(static_cast<float>(config.visibility_weight)) {
  cut_variables(layout, kVariablesOfBlock);
  data_.bounded = config.rule == UpdateRule::max_min;
  data_.kept = static_cast<float>(1.0 - config.evaporation);
  data_.trail_weight = static_cast<float>(config.trail_weight);
  data_.of_samples = data_.bounded ? config.evaporation : config.evaporation / (1.0 + config.elitist_weight);
  data_.of_best = data_.bounded ? config.evaporation : data_.of_samples * config.elitist_weight;
}

void PheromoneProgram::place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  batch.pheromones = data_;
  arena.place(batch.pheromones.trails, layout.variables);
  arena.place(batch.pheromones.weighed_theta, layout.variables);
  arena.place(batch.pheromones.unit_cost, layout.per_trajectory(), Cleared::at_begin);
}

void PheromoneProgram::begin(const DeviceBatch& batch, KernelQueue& queue) const {
  queue.run("pheromones_begin", [&](cudaStream_t stream) { pheromones_begin(batch, visibility_weight_, stream); });
}

void PheromoneProgram::take_over(const DeviceBatch& batch, KernelQueue& queue) const {
  queue.run("pheromones_begin", [&](cudaStream_t stream) { pheromones_begin(batch, 1.0f, stream); });
}

void PheromoneProgram::remember(const DeviceBatch& batch, KernelQueue& queue) const {
  queue.run("pheromones_deposit", [&](cudaStream_t stream) { pheromones_deposit(batch, stream); });
}

void PheromoneProgram::update(const DeviceBatch& batch, KernelQueue& queue) const {
  queue.run("pheromones_update", [&](cudaStream_t stream) { pheromones_update(batch, stream); });
}

}  // namespace moco::cuda
