// Every key with its place in the configuration; options of problems and generators come from their declarations.
#include "moco/training/config_fields.h"

#include <algorithm>
#include <deque>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/problems/declared_options.h"

namespace moco {

namespace {

constexpr double kMany = 1'000'000'000;
constexpr double kMaxNodes = 100'000'000;
constexpr double kTiny = 1e-300;

/// Reference to a member, through the members that hold it.
template <auto... Members>
constexpr auto value() {
  return +[](TrainConfig & config) -> auto& {
    return (config.*....*Members);
  };
}

/// An enumeration by its names (moco/choices.h).
template <auto... Members>
ChoiceField choice() {
  using Enum = std::remove_cvref_t<decltype((std::declval<TrainConfig&>().*....*Members))>;
  return {
      choice_names<Enum>(), [](const TrainConfig& config) { return name_of((config.*....*Members)); },
      [](TrainConfig& config, std::string_view name) { (config.*....*Members) = choice_named<Enum>("choice", name); }};
}

/// Texts that fields refer to; a deque, so that they stay where they are.
std::string_view kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

/// A number of some update rules (moco/model.h).
template <auto Member>
ConfigField rule_field(std::string_view option) {
  const RuleParameter& parameter = *std::ranges::find(rule_parameters(), Member, &RuleParameter::value);
  return {kept(fmt::format("model.{}", parameter.key)),
          option,
          value<&TrainConfig::model, Member>(),
          parameter.help,
          parameter.low,
          parameter.high};
}

std::span<const OptionDeclaration> options_of_problem(const TrainConfig& config) {
  return find_problem(config.problem).options();
}

std::span<const OptionDeclaration> options_of_generator(const TrainConfig& config) {
  return find_generator(config.data.generator).options;
}

void append(std::vector<ConfigField>& fields, std::string_view section, const std::vector<SharedOption>& all,
            DeclaredField field) {
  for (const SharedOption& declared : all) {
    if (declared.option->use == OptionUse::start) {
      continue;  // training knows no start
    }
    field.declaration = declared.option;
    fields.push_back({kept(fmt::format("{}.{}", section, declared.option->key)),
                      kept(declared.option->command_line_name()), field,
                      kept(fmt::format("{} ({})", declared.option->help, fmt::join(declared.owners, ", "))),
                      declared.option->low, declared.option->high});
  }
}

/// Lets the problems that have a model option describe it.
void describe_model_option(ConfigField& field) {
  if (field.section() != "model") {
    return;
  }
  std::vector<std::string_view> owners;
  std::string_view help;
  for (const Problem* problem : problems()) {
    for (const ModelOption& option : problem->model_options()) {
      if (option.key == field.name()) {
        help = option.help;
        owners.push_back(problem->name());
      }
    }
  }
  if (!owners.empty()) {
    field.model_option = true;
    field.help = kept(fmt::format("{} ({})", help, fmt::join(owners, ", ")));
  }
}

/// The declared options of all problems and generators, each key once, behind the other keys of its section.
std::vector<ConfigField> with_declared(const std::vector<ConfigField>& fixed) {
  std::vector<ConfigField> fields;
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    fields.push_back(fixed[i]);
    describe_model_option(fields.back());
    const std::string_view section = fixed[i].section();
    const bool last = i + 1 == fixed.size() || fixed[i + 1].section() != section;
    if (last && section == "data") {
      append(
          fields, section, options_of_all_generators(),
          {nullptr, value<&TrainConfig::data, &DataConfig::generator, &GeneratorOptions::own>(), options_of_generator});
    } else if (last && section == "search") {
      append(fields, section, options_of_all_problems(),
             {nullptr, value<&TrainConfig::search, &LoopOptions::problem>(), options_of_problem});
    }
  }
  return fields;
}

}  // namespace

bool ConfigField::applies_to(const TrainConfig& config) const {
  const auto* declared = std::get_if<DeclaredField>(&value);
  return declared != nullptr ? declared->applies_to(config)
                             : !model_option || has_model_option(find_problem(config.problem), name());
}

const std::vector<ConfigField>& config_fields() {
  static const std::vector<ConfigField> fields = with_declared({
      {"problem", "problem",
       ChoiceField{problem_names(), [](const TrainConfig& config) { return find_problem(config.problem).name(); },
                   [](TrainConfig& config, std::string_view name) { set_problem(config, name); }},
       "problem to train for"},
      {"seed", "seed", value<&TrainConfig::seed>(), "seed of weights, instances, noise and searches", 0},
      {"steps", "steps", value<&TrainConfig::steps>(), "outer steps of the run", 1, kMany},
      {"from", "from", value<&TrainConfig::from>(), "checkpoint whose weights the run starts from"},
      {"first_step", "first-step", value<&TrainConfig::first_step>(),
       "with from: outer step at which the run enters its schedule", 0, kMany},

      {"model.init", "init", choice<&TrainConfig::model, &ModelConfig::init>(),
       "where the heatmap begins: by a network, by the problem's heuristic, by what ants see, or with all choices "
       "alike"},
      {"model.rule", "rule", choice<&TrainConfig::model, &ModelConfig::rule>(),
       "how the heatmap is updated: by a network on the graph, by one that sees each variable alone, by Adam, or by "
       "pheromones"},
      rule_field<&ModelConfig::learning_rate>("theta-rate"),
      rule_field<&ModelConfig::evaporation>("evaporation"),
      rule_field<&ModelConfig::elitist_weight>("elitist-weight"),
      rule_field<&ModelConfig::trail_weight>("trail-weight"),
      rule_field<&ModelConfig::visibility_weight>("visibility-weight"),
      {"model.hidden", "hidden", value<&TrainConfig::model, &ModelConfig::hidden>(), "width of the networks", 8, 1024},
      {"model.blocks", "blocks", value<&TrainConfig::model, &ModelConfig::blocks>(), "blocks of each network", 1, 16},
      {"model.gcn", "gcn", choice<&TrainConfig::model, &ModelConfig::gcn>(), ""},
      {"model.global_pooling", "global-pooling", choice<&TrainConfig::model, &ModelConfig::global_pooling>(),
       "how nodes and edges enter the global state"},
      {"model.theta_update", "theta-update", choice<&TrainConfig::model, &ModelConfig::theta_update>(),
       "whether the network emits the next heatmap, a step from the present one or a step from the first"},
      {"model.membership", "membership", choice<&TrainConfig::model, &ModelConfig::membership>(), ""},
      {"model.gradient_scale", "gradient-scale", value<&TrainConfig::model, &ModelConfig::gradient_scale>(),
       "factor of the policy gradient among the network's inputs", 1e-6, 1e6},
      {"model.elite", "elite", choice<&TrainConfig::model, &ModelConfig::elite>(),
       "best solutions that the network sees: all, distinct ones, or distinct ones with the newest first of equals"},
      {"model.crowding", "crowding", value<&TrainConfig::model, &ModelConfig::crowding>(), ""},
      {"model.node_weights", "node-weights", value<&TrainConfig::model, &ModelConfig::node_weights>(), ""},

      {"data.kind", "kind", value<&TrainConfig::data, &DataConfig::generator, &GeneratorOptions::kind>(),
       "generator of the instances; the default is the first of the problem"},
      {"data.nodes", "nodes", value<&TrainConfig::data, &DataConfig::nodes>(),
       "nodes per instance: a number or a list such as [50, 100]", 1, kMaxNodes},
      {"data.max_nodes", "max-nodes", value<&TrainConfig::data, &DataConfig::generator, &GeneratorOptions::max_nodes>(),
       "if above nodes: sizes are uniform between the two", 0, kMaxNodes},
      {"data.mix", "mix", choice<&TrainConfig::data, &DataConfig::mix>(),
       "with a list of sizes: one size per outer step, or each instance its own"},
      {"data.files", "data", value<&TrainConfig::data, &DataConfig::files>(),
       "files or folders of instances to draw from instead of generating"},

      {"search.steps", "search-steps", value<&TrainConfig::search_steps>(),
       "K: a number, or a curve over the run such as [[0, 20], [0.5, 50], [1, 200]] (share of the run, K)", 1, 1e6},
      {"search.least_steps", "least-search-steps", value<&TrainConfig::least_search_steps>(),
       "if above 0: K is drawn log-uniformly between this and search.steps", 0, 1e6},
      {"search.samples", "samples", value<&TrainConfig::search, &LoopOptions::samples>(),
       "solutions sampled per search step, b", 1, 1e6},
      {"search.episode_steps", "episode-steps", value<&TrainConfig::search, &LoopOptions::episode_steps>(),
       "what searches by the model do unless told otherwise: cut their K steps into episodes of so many; 0: one piece",
       0, kMany},
      {"search.rebuild", "rebuild", value<&TrainConfig::search, &LoopOptions::rebuild>(),
       "cities or nodes of a good solution that each sample but the first ones chooses anew; 0: whole solutions", 0,
       kMany},
      {"search.gradient", "gradient", choice<&TrainConfig::search, &LoopOptions::gradient>(),
       "policy gradient: advantage of the whole solution, or reward-to-go"},
      {"search.local_search", "local-search",
       value<&TrainConfig::search, &LoopOptions::local_search, &LocalSearchOptions::name>(),
       "name of the local search on every sampled solution; empty: none"},
      {"search.move_limit", "move-limit",
       value<&TrainConfig::search, &LoopOptions::local_search, &LocalSearchOptions::move_limit>(),
       "local search: moves per solution at most; 0: no limit", 0, kMany},
      {"search.advantage", "advantage", choice<&TrainConfig::search, &LoopOptions::advantage>(),
       "costs that the policy gradient sees: of what was sampled or of what it was improved to"},

      {"es.pairs", "pairs", value<&TrainConfig::es, &EsConfig::pairs>(), "antithetic pairs per outer step", 1, 1e6},
      {"es.pairs_per_instance", "pairs-per-instance", value<&TrainConfig::es, &EsConfig::pairs_per_instance>(),
       "pairs that share an instance", 1, 1e6},
      {"es.sigma", "sigma", value<&TrainConfig::es, &EsConfig::sigma>(), "standard deviation of the perturbations",
       kTiny, 100},
      {"es.loss", "loss", choice<&TrainConfig::es, &EsConfig::loss>(),
       "best cost found, its logarithm, or the mean cost of the 32 best solutions"},
      {"es.difference_clip", "difference-clip", value<&TrainConfig::es, &EsConfig::difference_clip>(),
       "bound of a pair's loss difference; 0: none", 0, 1e9},
      {"es.shaping", "shaping", choice<&TrainConfig::es, &EsConfig::shaping>(),
       "what becomes of the differences before they weigh the noise"},

      {"optimizer.kind", "optimizer", choice<&TrainConfig::optimizer, &OptimizerConfig::kind>(), "rule of the update"},
      {"optimizer.learning_rate", "learning-rate", value<&TrainConfig::optimizer, &OptimizerConfig::learning_rate>(),
       "largest learning rate", kTiny, 100},
      {"optimizer.schedule", "schedule", choice<&TrainConfig::optimizer, &OptimizerConfig::schedule>(),
       "course of the learning rate after the warm-up"},
      {"optimizer.warmup", "warmup", value<&TrainConfig::optimizer, &OptimizerConfig::warmup>(),
       "outer steps in which the learning rate grows linearly", 0, kMany},
      {"optimizer.anneal_from", "anneal-from", value<&TrainConfig::optimizer, &OptimizerConfig::anneal_from>(),
       "if above 0: outer step from which the learning rate falls from anneal_rate to 0, by a cosine", 0, kMany},
      {"optimizer.anneal_rate", "anneal-rate", value<&TrainConfig::optimizer, &OptimizerConfig::anneal_rate>(),
       "learning rate at anneal_from", 0, 100},
      {"optimizer.beta1", "beta1", value<&TrainConfig::optimizer, &OptimizerConfig::beta1>(),
       "decay of the first moment", 0, 0.9999999},
      {"optimizer.beta2", "beta2", value<&TrainConfig::optimizer, &OptimizerConfig::beta2>(),
       "decay of the second moment", 0, 0.9999999},
      {"optimizer.epsilon", "epsilon", value<&TrainConfig::optimizer, &OptimizerConfig::epsilon>(),
       "added to the denominator", kTiny, 1},
      {"optimizer.weight_decay", "weight-decay", value<&TrainConfig::optimizer, &OptimizerConfig::weight_decay>(),
       "adam: added to the gradient; adamw: decoupled", 0, 1},
      {"optimizer.gradient_clip", "gradient-clip", value<&TrainConfig::optimizer, &OptimizerConfig::gradient_clip>(),
       "bound of the gradient's norm; 0: none", 0, 1e9},

      {"validation.every", "validate-every", value<&TrainConfig::validation, &ValidationConfig::every>(),
       "outer steps between validations; 0: none", 0, kMany},
      {"validation.instances", "validation-instances", value<&TrainConfig::validation, &ValidationConfig::instances>(),
       "instances of the validation set", 1, 1e6},
      {"validation.seed", "validation-seed", value<&TrainConfig::validation, &ValidationConfig::seed>(),
       "seed of the validation set", 0},
      {"validation.steps", "validation-steps", value<&TrainConfig::validation, &ValidationConfig::steps>(),
       "K of the validation; 0: the largest of search.steps", 0, 1e6},
      {"validation.files", "validation-data", value<&TrainConfig::validation, &ValidationConfig::files>(),
       "files or folders of validation instances, with reference solutions where known"},
  });
  return fields;
}

}  // namespace moco
