// Unrolls are the searches of Algorithm 1, packed into batches by the rule that solvers pack by.
#include "moco/training/loss_oracle.h"

#include <cmath>
#include <limits>

#include "moco/core/halt.h"
#include "moco/error.h"
#include "moco/search/algorithm.h"
#include "moco/search/batch_request.h"

namespace moco {

namespace {

Index start_node(const Unroll& unroll) {
  RandomSequence random(unroll.stream, Purpose::start_node);
  return static_cast<Index>(random.next_below(static_cast<std::uint32_t>(unroll.graph->start_nodes)));
}

}  // namespace

double loss_of(const TrajectoryStatus& status, double cost_scale, LossKind kind) {
  const double cost = (kind == LossKind::elite ? status.elite_cost : status.best_cost) / cost_scale;
  if (kind != LossKind::log || cost == 0.0) {
    return cost;
  }
  return cost > 0.0 ? std::log(cost) : -std::log(-cost);
}

EngineOracle::EngineOracle(Engine& engine, const TrainConfig& config)
    : engine_(engine), model_(config.model), loop_(config.search), loss_(config.es.loss), room_(engine) {}

std::vector<double> EngineOracle::losses(std::span<const WeightSet> weights, std::span<const Unroll> unrolls,
                                         int steps) {
  LoopOptions loop = loop_;
  loop.steps = steps;
  const Halt halt(Halt::Clock::now(), std::numeric_limits<double>::infinity(), abandon);
  std::vector<TrajectoryRequest> wanted;
  for (const Unroll& unroll : unrolls) {
    wanted.push_back({unroll.graph, unroll.weights, unroll.stream, start_node(unroll), nullptr});
  }
  const auto batch_of_range = [&](IndexRange range) {
    BatchSpec spec = batch_of(model_, loop, weights, std::span(wanted).subspan(range.begin, range.size()));
    spec.halt = &halt;
    return spec;
  };
  const auto fits = [&](IndexRange range) { return room_.fits(engine_.memory_need(batch_of_range(range))); };
  std::vector<double> losses;
  losses.reserve(unrolls.size());
  for (const IndexRange range : pack(unrolls.size(), fits)) {
    const std::unique_ptr<Batch> batch = engine_.create(batch_of_range(range));
    const InstanceRun run{.first = 0, .count = range.size()};
    if (run_algorithm(*batch, {&run, 1}, StopRules(steps, abandon)).front().stop != StopReason::steps) {
      throw Halted();
    }
    for (const TrajectoryStatus& status : batch->status()) {
      losses.push_back(loss_of(status, unrolls[losses.size()].graph->cost_scale, loss_));
    }
  }
  return losses;
}

void EngineOracle::add_noise(std::span<const StreamKey> keys, std::span<const float> factors, std::span<float> sum) {
  engine_.add_noise(keys, factors, sum);
}

}  // namespace moco
