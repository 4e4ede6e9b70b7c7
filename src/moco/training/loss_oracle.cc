// Batches of unrolls.
#include "moco/training/loss_oracle.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "moco/error.h"
#include "moco/search/algorithm.h"

namespace moco {

namespace {

/// Share of the memory that batches may take: the rest is for graphs and whatever else runs on the machine.
constexpr double kMemoryShare = 0.8;

Index start_node(const Unroll& unroll) {
  RandomSequence random(unroll.stream, Purpose::start_node);
  return static_cast<Index>(random.next_below(static_cast<std::uint32_t>(unroll.graph->start_nodes)));
}

}  // namespace

Unroller::Unroller(Engine& engine, const ModelConfig& model, const LoopOptions& loop)
    : engine_(engine), model_(model), loop_(loop) {}

/// A batch with only the graphs and weights that these unrolls use.
BatchSpec Unroller::make_spec(std::span<const WeightSet> weights, std::span<const Unroll> unrolls, int steps,
                              bool track_entropy) const {
  BatchSpec spec;
  spec.config = model_;
  spec.loop = loop_;
  spec.loop.steps = steps;
  spec.track_entropy = track_entropy;
  std::map<const DecisionGraph*, std::size_t> graphs;
  std::map<std::size_t, std::size_t> sets;
  for (const Unroll& unroll : unrolls) {
    const auto [graph, new_graph] = graphs.try_emplace(unroll.graph, spec.graphs.size());
    if (new_graph) {
      spec.graphs.push_back(unroll.graph);
    }
    const auto [set, new_set] = sets.try_emplace(unroll.weights, spec.weights.size());
    if (new_set) {
      spec.weights.push_back(weights[unroll.weights]);
    }
    spec.trajectories.push_back({graph->second, set->second, unroll.stream, start_node(unroll), nullptr});
  }
  return spec;
}

bool Unroller::fits(const BatchSpec& spec) {
  const std::uint64_t bytes = engine_.batch_bytes(spec);
  if (bytes <= proven_bytes_) {
    return true;
  }
  if (static_cast<double>(bytes) > kMemoryShare * static_cast<double>(engine_.available_bytes())) {
    return false;
  }
  proven_bytes_ = bytes;
  return true;
}

std::vector<TrajectoryStatus> Unroller::run(std::span<const WeightSet> weights, std::span<const Unroll> unrolls,
                                            int steps, bool track_entropy, const std::function<bool()>& abandon) {
  std::vector<TrajectoryStatus> all;
  all.reserve(unrolls.size());
  std::size_t size = unrolls.size();
  while (all.size() < unrolls.size()) {
    size = std::min(size, unrolls.size() - all.size());
    BatchSpec spec = make_spec(weights, unrolls.subspan(all.size(), size), steps, track_entropy);
    if (size > 1 && !fits(spec)) {
      size = (size + 1) / 2;
      continue;
    }
    const std::unique_ptr<Batch> batch = engine_.create(std::move(spec));
    if (!unroll(*batch, steps, abandon)) {
      throw Abandoned();
    }
    const std::vector<TrajectoryStatus> status = batch->status();
    all.insert(all.end(), status.begin(), status.end());
  }
  return all;
}

double loss_of(const TrajectoryStatus& status, double cost_scale, LossKind kind) {
  const double cost = (kind == LossKind::pool ? status.pool_cost : status.best_cost) / cost_scale;
  if (kind != LossKind::log || cost == 0.0) {
    return cost;
  }
  return cost > 0.0 ? std::log(cost) : -std::log(-cost);
}

EngineOracle::EngineOracle(Engine& engine, const TrainConfig& config)
    : engine_(engine), unroller_(engine, config.model, config.search), loss_(config.es.loss) {}

std::vector<double> EngineOracle::losses(std::span<const WeightSet> weights, std::span<const Unroll> unrolls,
                                         int steps) {
  const std::vector<TrajectoryStatus> status = unroller_.run(weights, unrolls, steps, false, abandon);
  std::vector<double> losses;
  losses.reserve(status.size());
  for (std::size_t i = 0; i < status.size(); ++i) {
    losses.push_back(loss_of(status[i], unrolls[i].graph->cost_scale, loss_));
  }
  return losses;
}

void EngineOracle::add_noise(std::span<const StreamKey> keys, std::span<const float> factors, std::span<float> sum) {
  engine_.add_noise(keys, factors, sum);
}

}  // namespace moco
