// What engines need not say themselves.
#include "moco/engine/engine.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/core/memory.h"
#include "moco/error.h"

namespace moco {

std::uint64_t Engine::available_host_bytes() const {
  return available_memory();
}

std::vector<std::vector<TrajectoryStatus>> Batch::advance(int steps) {
  std::vector<std::vector<TrajectoryStatus>> all;
  for (int i = 0; i < steps; ++i) {
    update();
    sample();
    all.push_back(status());
  }
  return all;
}

void Batch::set_theta(std::size_t, std::span<const float>) {
  throw OptionError("this engine takes no θ from outside");
}

void Batch::set_theta_from_device(std::size_t, std::span<const float>) {
  throw OptionError("this engine searches in the host's memory: give θ as an array there");
}

ArrayView Batch::array(SearchArray, std::size_t) {
  throw OptionError("this engine shows no arrays of a search, only copies");
}

void require_fitting_rule(const ModelConfig& config, const LoopOptions& loop) {
  if (loop.rebuild > 0 && has_pheromones(config.rule)) {
    throw OptionError(fmt::format("rule {} needs whole samples: rebuild is for the other rules", name_of(config.rule)));
  }
}

void require_theta_size(std::size_t values, std::size_t variables) {
  if (values != variables) {
    throw OptionError(fmt::format("{} values of θ for {} variables", values, variables));
  }
}

BatchSpec with_model(const BatchSpec& before, const ModelConfig& config, std::span<const float> weights) {
  if (config.family != before.config.family) {
    throw OptionError(
        fmt::format("a model for {} cannot go on with a search for {}", config.family, before.config.family));
  }
  BatchSpec spec = before;
  spec.loop.elite = elite_rule(before);
  spec.config = config;
  spec.base_weights = 0;
  std::ranges::fill(spec.weights, WeightSet{weights, 0.0f, {}});
  return spec;
}

void Batch::set_model(const ModelConfig&, std::span<const float>) {
  throw OptionError("this engine cannot change the model of a search under way");
}

}  // namespace moco
