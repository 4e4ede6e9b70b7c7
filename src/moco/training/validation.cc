// Validation.
#include "moco/training/validation.h"

#include "moco/core/gap.h"
#include "moco/data_set.h"
#include "moco/generate.h"
#include "moco/training/schedules.h"
#include "moco/training/streams.h"
#include "moco/training/tasks.h"

namespace moco {

namespace {

/// Instance `index` of the generated set; sizes take turns.
InstancePtr generated_instance(const TrainConfig& config, std::size_t index) {
  const Index nodes = config.data.nodes[index % config.data.nodes.size()];
  const std::uint64_t seed = training_seed(config.validation.seed, TrainingDraw::validation);
  return generate(generator_for(config, nodes, seed), index);
}

double reference_cost(const Instance& instance) {
  if (!instance.reference()) {
    return 0.0;
  }
  const CheckResult check = instance.check(*instance.reference());
  return check.feasible ? check.cost : 0.0;
}

}  // namespace

Validator::Validator(const TrainConfig& config, Engine& engine, Communicator& communicator)
    : communicator_(communicator),
      unroller_(engine, config.model, config.search),
      steps_(config.validation.steps > 0 ? config.validation.steps : most_search_steps(config)) {
  const std::vector<InstancePtr> read = config.validation.files.empty()
                                            ? std::vector<InstancePtr>{}
                                            : read_data_set(config.validation.files, {.problem = config.problem});
  const auto wanted = static_cast<std::size_t>(config.validation.instances);
  const Share share = communicator.share(read.empty() ? wanted : std::min(wanted, read.size()));
  for (std::size_t i = share.begin; i < share.end; ++i) {
    const InstancePtr instance = read.empty() ? generated_instance(config, i) : read[i];
    members_.push_back({decision_graph(instance, config.search.problem),
                        training_key(config.validation.seed, TrainingDraw::validation, 0, i),
                        reference_cost(*instance)});
  }
}

ValidationResult Validator::run(std::span<const float> parameters) {
  const std::vector<WeightSet> weights = {{parameters, 0.0f, {}}};
  std::vector<Unroll> unrolls;
  for (const Member& member : members_) {
    unrolls.push_back({0, &member.graph, member.stream});
  }
  const std::vector<TrajectoryStatus> status = unroller_.run(weights, unrolls, steps_, true);
  std::vector<double> mine;  // cost, reference, entropy of every instance
  for (std::size_t i = 0; i < members_.size(); ++i) {
    mine.insert(mine.end(),
                {status[i].best_cost + members_[i].graph.cost_offset, members_[i].reference, status[i].entropy});
  }
  const std::vector<double> all = communicator_.gather(mine);
  const auto count = static_cast<double>(all.size() / 3);
  ValidationResult result;
  double gaps = 0.0;
  int known = 0;
  for (std::size_t i = 0; i < all.size(); i += 3) {
    result.cost += all[i] / count;
    result.entropy += all[i + 2] / count;
    if (all[i + 1] != 0.0) {
      gaps += relative_gap(all[i], all[i + 1]);
      ++known;
    }
  }
  if (known > 0) {
    result.gap = gaps / known;
  }
  return result;
}

}  // namespace moco
