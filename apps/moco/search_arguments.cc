// From arguments to a model and search options.
#include "search_arguments.h"

#include <utility>

#include <fmt/format.h>

#include "declared_options.h"
#include "local_search_arguments.h"
#include "moco/evaluation/model_store.h"

namespace moco::cli {

namespace {

EngineKind engine_of(const std::string& name) {
  if (name == "cpu") {
    return EngineKind::cpu;
  }
  if (name == "cuda") {
    return EngineKind::cuda;
  }
  return name == "check" ? EngineKind::check : EngineKind::automatic;
}

PoolRule pool_rule_of(const std::string& name) {
  if (name == "newest") {
    return PoolRule::newest;
  }
  return name == "distinct" ? PoolRule::distinct : PoolRule::paper;
}

/// What to say where --model auto finds nothing to choose.
std::string notice_without_model(const Problem& problem) {
  const bool none = known_models().empty();
  return none ? fmt::format("no trained model was found in {}; using --model adam", model_folders_text())
              : fmt::format("there is no trained model for {}; using --model adam", problem.name());
}

/// Options that say how to search locally, without one that says to, are a mistake.
void require_local_search(const Arguments& arguments, bool on) {
  if (!on && !arguments.given("polish")) {
    const std::string name =
        arguments.given("move-limit") ? "move-limit" : given_option_of_use(arguments, OptionUse::local_search);
    if (!name.empty()) {
      throw UsageError(fmt::format("--{} needs --local-search or --polish", name));
    }
  }
  if (arguments.given("advantage") && !on) {
    throw UsageError("--advantage needs --local-search");
  }
}

}  // namespace

ChosenModel choose_model(const Arguments& arguments, std::span<const InstancePtr> instances,
                         const std::string& distribution) {
  const Problem& problem = instances.front()->problem();
  ChosenModel chosen;
  chosen.name = arguments.text("model");
  if (chosen.name == "auto") {
    InstanceTraits traits = traits_of(instances, distribution);
    traits.local_search = local_search_name(arguments, *instances.front());
    chosen.name = automatic_model(traits);
    chosen.notice =
        chosen.name == "adam" ? notice_without_model(problem) : fmt::format("using --model {}", chosen.name);
  }
  chosen.model = resolve_model(chosen.name, problem.family());
  if (chosen.model.config.family != problem.family()) {
    throw UsageError(fmt::format("model '{}' is for {}, the instances are for {}", chosen.name,
                                 chosen.model.config.family, problem.name()));
  }
  if (arguments.given("learning-rate")) {
    if (chosen.model.config.rule != UpdateRule::adam) {
      throw UsageError("--learning-rate applies to --model adam only");
    }
    chosen.model.config.learning_rate = arguments.real("learning-rate");
  }
  return chosen;
}

Solver make_solver(const Arguments& arguments, Model model) {
  return Solver(std::move(model),
                {engine_of(arguments.text("engine")), static_cast<int>(arguments.integer("threads"))});
}

SolveOptions common_search_options(const Arguments& arguments, const ChosenModel& model,
                                   std::span<const InstancePtr> instances) {
  SolveOptions options;
  options.loop.local_search = local_search_arguments(arguments, *instances.front());
  require_local_search(arguments, !options.loop.local_search.name.empty());
  follow_training(model.name, traits_of(instances).nodes, options.loop);
  options.loop.problem.merge(given_problem_options(arguments, instances.front()->problem(), kAllUses));
  if (arguments.given("episode-steps")) {
    options.loop.episode_steps = static_cast<int>(arguments.integer("episode-steps"));
  }
  options.loop.gradient = arguments.text("gradient") == "causal" ? GradientKind::causal : GradientKind::total;
  if (arguments.given("pool")) {
    options.loop.pool = pool_rule_of(arguments.text("pool"));
  }
  options.loop.advantage = arguments.text("advantage") == "improved" ? AdvantageKind::improved : AdvantageKind::sampled;
  options.polish = arguments.text("polish");
  options.seed = static_cast<std::uint64_t>(arguments.integer("seed"));
  options.batch = static_cast<int>(arguments.integer("batch"));
  return options;
}

}  // namespace moco::cli
