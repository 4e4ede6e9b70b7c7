// From arguments to a model and search options.
#include "search_arguments.h"

#include <utility>

#include <fmt/format.h>

#include "declared_options.h"
#include "local_search_arguments.h"
#include "moco/core/cpus.h"
#include "moco/models.h"

namespace moco::cli {

namespace {

/// What to say where --model auto finds nothing to choose.
std::string notice_without_model(const ModelStore& store, const Problem& problem) {
  return store.entries().empty()
             ? fmt::format("no trained model was found in {}; using --model adam", store.folders_text())
             : fmt::format("there is no trained model for {}; using --model adam", problem.name());
}

ModelChanges model_changes(const Arguments& arguments) {
  ModelChanges changes;
  if (arguments.given("init")) {
    changes.init = choice_named<Initialisation>("--init", arguments.text("init"));
  }
  if (arguments.given("rule")) {
    changes.rule = choice_named<UpdateRule>("--rule", arguments.text("rule"));
  }
  for (const RuleParameter& parameter : rule_parameters()) {
    if (const std::string name = parameter.command_line_name(); arguments.given(name)) {
      changes.*parameter.change = arguments.real(name);
    }
  }
  return changes;
}

/// Options that say how to search locally, without one that says to, are a mistake.
void require_local_search(const Arguments& arguments, bool on, bool rebuilds) {
  if (!on && !arguments.given("polish")) {
    const std::string name =
        arguments.given("move-limit") ? "move-limit" : given_option_of_use(arguments, OptionUse::local_search);
    if (!name.empty()) {
      throw UsageError(fmt::format("--{} needs --local-search or --polish", name));
    }
  }
  if (arguments.given("advantage") && !on && !rebuilds) {
    throw UsageError("--advantage needs --local-search or --rebuild");
  }
}

}  // namespace

ChosenModel choose_model(const Arguments& arguments, std::span<const InstancePtr> instances,
                         const std::string& distribution) {
  const Problem& problem = instances.front()->problem();
  const ModelStore store;
  ChosenModel chosen;
  chosen.name = arguments.text("model");
  if (chosen.name == "auto") {
    InstanceTraits traits = traits_of(instances, distribution);
    traits.local_search = local_search_name(arguments, *instances.front());
    const ModelEntry* nearest = store.nearest(traits);
    chosen.name = nearest != nullptr ? nearest->name : "adam";
    chosen.notice =
        nearest != nullptr ? fmt::format("using --model {}", chosen.name) : notice_without_model(store, problem);
  }
  chosen.model = store.load_or_baseline(chosen.name, problem.family());
  if (chosen.model.config.family != problem.family()) {
    throw UsageError(fmt::format("model '{}' is for {}, the instances are for {}", chosen.name,
                                 chosen.model.config.family, problem.name()));
  }
  chosen.model = changed_model(std::move(chosen.model), model_changes(arguments));
  return chosen;
}

Solver make_solver(const Arguments& arguments, Model model, const Communicator& communicator) {
  SolverOptions options;
  options.engine = choice_named<EngineKind>("--engine", arguments.text("engine"));
  options.threads = static_cast<int>(arguments.integer("threads"));
  if (options.threads == 0 && communicator.local_size() > 1) {
    options.threads = usable_cpus(communicator.local_size());
  }
  options.process = communicator.local_rank();
  return Solver(std::move(model), options);
}

SolveOptions common_search_options(const Arguments& arguments, const ChosenModel& model,
                                   std::span<const InstancePtr> instances) {
  SolveOptions options;
  follow_training(model.model, traits_of(instances).nodes, options.loop);
  if (arguments.given("local-search") || options.loop.local_search.name.empty()) {
    options.loop.local_search.name = local_search_name(arguments, *instances.front());
  }
  if (arguments.given("rebuild")) {
    options.loop.rebuild = static_cast<int>(arguments.integer("rebuild"));
  }
  require_local_search(arguments, !options.loop.local_search.name.empty(), options.loop.rebuild > 0);
  if (arguments.given("move-limit")) {
    options.loop.local_search.move_limit = static_cast<int>(arguments.integer("move-limit"));
  }
  options.loop.problem.merge(given_problem_options(arguments, instances.front()->problem(), kSearchUses));
  if (arguments.given("episode-steps")) {
    options.loop.episode_steps = static_cast<int>(arguments.integer("episode-steps"));
  }
  if (arguments.given("budget-steps")) {
    options.loop.budget_steps = static_cast<int>(arguments.integer("budget-steps"));
  }
  if (arguments.given("gradient")) {
    options.loop.gradient = choice_named<GradientKind>("--gradient", arguments.text("gradient"));
  }
  if (arguments.given("elite")) {
    options.loop.elite = choice_named<EliteRule>("--elite", arguments.text("elite"));
  }
  if (arguments.given("advantage")) {
    options.loop.advantage = choice_named<AdvantageKind>("--advantage", arguments.text("advantage"));
  }
  options.polish = arguments.text("polish");
  options.seed = static_cast<std::uint64_t>(arguments.integer("seed"));
  options.batch = static_cast<int>(arguments.integer("batch"));
  return options;
}

}  // namespace moco::cli
