// Sizes of generated instances take turns; a search for each goes through the solver that users call.
#include "moco/training/validation.h"

#include <algorithm>

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

Validator::Validator(const TrainConfig& config, std::shared_ptr<Engine> engine, int threads, Communicator& communicator)
    : communicator_(communicator), solver_(random_model(config.model, 0), std::move(engine), threads) {
  const std::vector<InstancePtr> read = config.validation.files.empty()
                                            ? std::vector<InstancePtr>{}
                                            : read_data_set(config.validation.files, {.problem = config.problem});
  const auto wanted = static_cast<std::size_t>(config.validation.instances);
  const Share share = communicator.share(read.empty() ? wanted : std::min(wanted, read.size()));
  for (std::size_t i = share.begin; i < share.end; ++i) {
    instances_.push_back(read.empty() ? generated_instance(config, i) : read[i]);
    references_.push_back(reference_cost(*instances_.back()));
  }
  options_.loop = config.search;
  options_.loop.steps = config.validation.steps > 0 ? config.validation.steps : most_search_steps(config);
  options_.loop.episode_steps = 0;
  options_.seed = training_seed(config.validation.seed, TrainingDraw::validation);
  options_.first_instance = share.begin;
  options_.track_entropy = true;
}

std::optional<ValidationResult> Validator::run(std::span<const float> parameters,
                                               const std::function<bool()>& abandon) {
  solver_.set_weights(parameters);
  std::vector<double> mine;  // cost, reference, entropy of every instance
  options_.interrupted = abandon;
  const std::vector<SolveResult> results = solver_.solve(instances_, options_);
  const bool through = results.size() == instances_.size() &&
                       std::ranges::none_of(results, [](const SolveResult& r) { return r.stop == StopReason::signal; });
  const double abandoned = through ? 0.0 : 1.0;
  if (std::ranges::count(communicator_.gather(std::span(&abandoned, 1)), 1.0) > 0) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    mine.insert(mine.end(), {results[i].cost, references_[i], results[i].entropy});
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
