// Whose turn it is, and what networks of both kinds share.
#include "moco/engine/cuda/step/step.h"

#include <utility>

#include <fmt/format.h>

#include "moco/engine/cuda/step/step_kernels.h"

namespace moco::cuda {

Step::Step(const ModelConfig& config, WeightSets weights, Programs programs)
    : init_(config.init),
      theta_update_(config.theta_update),
      gradient_scale_(static_cast<float>(config.gradient_scale)),
      keeps_first_theta_((config.rule == UpdateRule::gnn || config.rule == UpdateRule::mlp) &&
                         config.theta_update == ThetaUpdate::anchored),
      weights_(std::move(weights)),
      problem_(std::move(programs.problem)),
      network_(std::move(programs.network)),
      rule_(std::move(programs.rule)) {}

std::string Step::name() const {
  const bool both = rule_ != nullptr && network_ != nullptr;
  return both ? fmt::format("{} after {}", rule_->name(), network_->name()) : std::string(rule().name());
}

void Step::place(Arena& lasting, Arena& of_update, const BatchLayout& layout, DeviceBatch& batch) const {
  problem_->place(lasting, layout, batch);
  NetworkData& network = batch.network;
  network.theta_update = theta_update_;
  network.gradient_scale = gradient_scale_;
  of_update.place(network.first_theta, keeps_first_theta_ ? layout.variables : 0);
  weights_.place(of_update, network);
  if (network_ != nullptr) {
    network_->place(of_update, layout, batch);
  }
  if (rule_ != nullptr) {
    rule_->place(of_update, layout, batch);
  }
}

void Step::add_prepared(const DeviceBatch& batch, std::span<GraphData> graphs) const {
  problem_->add_prepared(batch, graphs);
  if (network_ != nullptr) {
    network_->add_prepared(batch, graphs);
  }
}

void Step::prepare(const DeviceBatch& batch, const WeightTables& tables, cudaStream_t stream) const {
  problem_->prepare(batch, stream);
  weights_.prepare(batch.network, tables, stream);
  if (network_ != nullptr) {
    network_->prepare(batch, stream);
  }
}

void Step::begin(const DeviceBatch& batch, KernelQueue& queue) const {
  if (init_ == Initialisation::learned) {
    network_->first_theta(batch, queue);
  } else {
    problem_->promise(batch, init_, queue);
  }
  keep_first_theta(batch, queue);
  rule().begin(batch, queue);
}

void Step::take_over(const DeviceBatch& batch, KernelQueue& queue) const {
  keep_first_theta(batch, queue);
  rule().take_over(batch, queue);
  problem_->show_elites(batch, weights().update, queue);
}

void Step::keep_first_theta(const DeviceBatch& batch, KernelQueue& queue) const {
  if (batch.network.first_theta != nullptr) {
    queue.run("keep_theta", [&](cudaStream_t stream) { keep_theta(batch, batch.network.first_theta, stream); });
  }
}

void Step::sample(const DeviceBatch& batch, SamplesOf which, KernelQueue& queue) const {
  problem_->sample(batch, weights().update, which, queue);
  rule().remember(batch, queue);
}

}  // namespace moco::cuda
