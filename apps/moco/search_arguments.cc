// From arguments to a model and search options.
#include "search_arguments.h"

#include <fmt/format.h>

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

/// Options that say how to search locally, without one that says to, are a mistake.
void require_local_search(const Arguments& arguments, bool on) {
  if (!on && !arguments.given("polish")) {
    for (const char* name : {"move-rule", "move-limit", "plateau-steps"}) {
      if (arguments.given(name)) {
        throw UsageError(fmt::format("--{} needs --local-search or --polish", name));
      }
    }
  }
  if (arguments.given("advantage") && !on) {
    throw UsageError("--advantage needs --local-search");
  }
}

/// Options that mean nothing to a problem are a mistake too.
void require_tours(const Arguments& arguments, std::string_view problem) {
  for (const char* name : {"neighbours", "dead-end"}) {
    if (arguments.given(name) && problem != "tsp") {
      throw UsageError(fmt::format("--{} is for tsp: {} has no candidate neighbours", name, problem));
    }
  }
}

}  // namespace

ChosenModel choose_model(const Arguments& arguments, std::span<const InstancePtr> instances,
                         const std::string& distribution) {
  const std::string problem(instances.front()->problem());
  ChosenModel chosen;
  chosen.name = arguments.text("model");
  if (chosen.name == "auto") {
    InstanceTraits traits = traits_of(instances, distribution);
    traits.local_search = local_search_name(arguments, *instances.front());
    chosen.name = automatic_model(traits);
    chosen.notice = chosen.name == "adam"
                        ? fmt::format("no trained model is shipped for {}; using --model adam", problem)
                        : fmt::format("using --model {}", chosen.name);
  }
  chosen.model = resolve_model(chosen.name, problem);
  if (chosen.model.config.problem != problem) {
    throw UsageError(fmt::format("model '{}' is for {}, the instances are for {}", chosen.name,
                                 chosen.model.config.problem, problem));
  }
  if (arguments.given("learning-rate")) {
    if (chosen.model.config.rule != UpdateRule::adam) {
      throw UsageError("--learning-rate applies to --model adam only");
    }
    chosen.model.config.learning_rate = arguments.real("learning-rate");
  }
  return chosen;
}

SolveOptions common_search_options(const Arguments& arguments, const ChosenModel& model,
                                   std::span<const InstancePtr> instances) {
  SolveOptions options;
  options.loop.local_search = local_search_arguments(arguments, *instances.front());
  require_local_search(arguments, !options.loop.local_search.name.empty());
  require_tours(arguments, instances.front()->problem());
  follow_training(model.name, traits_of(instances).nodes, options.loop);
  if (arguments.given("neighbours")) {
    options.loop.neighbours = static_cast<int>(arguments.integer("neighbours"));
  }
  if (arguments.given("episode-steps")) {
    options.loop.episode_steps = static_cast<int>(arguments.integer("episode-steps"));
  }
  options.loop.gradient = arguments.text("gradient") == "causal" ? GradientKind::causal : GradientKind::total;
  options.loop.dead_end = arguments.text("dead-end") == "penalty" ? DeadEnd::penalty : DeadEnd::nearest;
  if (arguments.given("pool")) {
    options.loop.pool = pool_rule_of(arguments.text("pool"));
  }
  options.loop.advantage = arguments.text("advantage") == "improved" ? AdvantageKind::improved : AdvantageKind::sampled;
  options.polish = arguments.text("polish");
  options.seed = static_cast<std::uint64_t>(arguments.integer("seed"));
  options.engine = engine_of(arguments.text("engine"));
  options.threads = static_cast<int>(arguments.integer("threads"));
  options.batch = static_cast<int>(arguments.integer("batch"));
  return options;
}

}  // namespace moco::cli
