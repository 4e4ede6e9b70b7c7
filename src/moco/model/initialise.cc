// Models that come from no file: baselines without networks, freshly initialised networks, and parts of other models.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "moco/core/random.h"
#include "moco/error.h"
#include "moco/model/parameters.h"
#include "moco/model/rule_parameters.h"

namespace moco {

namespace {

/// Standard normal cut at ±2 (Box–Muller with rejection), the usual start for linear layers.
double truncated_normal(RandomSequence& random) {
  for (;;) {
    const double u = 1.0 - random.next_double();
    const double v = random.next_double();
    const double x = std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
    if (std::abs(x) <= 2.0) {
      return x;
    }
  }
}

/// The weights of a configuration's networks, taken by name from a model that has these networks and others.
std::vector<float> weights_of(const ModelConfig& config, const Model& model) {
  const ParameterLayout layout(config);
  const ParameterLayout there(model.config);
  std::vector<float> weights(layout.size());
  for (const TensorSpec& tensor : layout.tensors()) {
    if (!there.has(tensor.name)) {
      throw OptionError(fmt::format(
          "the model has no networks for init '{}' with rule '{}': it was made for init '{}' with rule '{}'",
          name_of(config.init), name_of(config.rule), name_of(model.config.init), name_of(model.config.rule)));
    }
    const auto from = model.weights.begin() + static_cast<std::ptrdiff_t>(there.at(tensor.name).offset);
    std::copy_n(from, tensor.size(), weights.begin() + static_cast<std::ptrdiff_t>(tensor.offset));
  }
  return weights;
}

}  // namespace

Initialisation usual_init(UpdateRule rule, std::string_view family) {
  if (rule == UpdateRule::gnn) {
    return Initialisation::learned;
  }
  if (has_pheromones(rule)) {
    return Initialisation::visibility;
  }
  return find_family(family).network() == NetworkKind::graph_network ? Initialisation::heuristic
                                                                     : Initialisation::uniform;
}

std::span<const Baseline> baselines() {
  static const std::vector<Baseline> all = {
      {"adam", "gradient descent on θ", {.rule = UpdateRule::adam}},
      {"ants",
       "pheromones of an elitist ant system",
       {.rule = UpdateRule::ant_system, .elitist_weight = 1.0, .visibility_weight = 3.0}},
      {"max-min", "pheromones of a max–min ant system", {.rule = UpdateRule::max_min, .visibility_weight = 3.0}}};
  return all;
}

const Baseline* find_baseline(std::string_view name) {
  const auto found = std::ranges::find(baselines(), name, &Baseline::name);
  return found != baselines().end() ? &*found : nullptr;
}

Model baseline_model(const Baseline& baseline, std::string_view family) {
  Model model;
  model.config = baseline.config;
  model.config.family = family;
  model.config.init = usual_init(model.config.rule, family);
  validate(model.config);
  return model;
}

Model adam_model(std::string_view family) {
  return baseline_model(*find_baseline("adam"), family);
}

Model random_model(const ModelConfig& config, std::uint64_t seed) {
  Model model;
  model.config = config;
  const ParameterLayout layout(config);
  model.weights.assign(layout.size(), 0.0f);
  RandomSequence random(stream_key(seed, 0, 0), Purpose::weights);
  for (const TensorSpec& tensor : layout.tensors()) {
    float* values = model.weights.data() + tensor.offset;
    if (tensor.name.ends_with(".w")) {
      const double deviation = 1.0 / std::sqrt(static_cast<double>(tensor.rows));
      for (std::size_t i = 0; i < tensor.size(); ++i) {
        values[i] = static_cast<float>(deviation * truncated_normal(random));
      }
    } else if (tensor.name.ends_with(".scale")) {
      std::fill_n(values, tensor.size(), 1.0f);
    }
  }
  return model;
}

Model changed_model(Model model, const ModelChanges& changes) {
  ModelConfig config = model.config;
  config.init = changes.init.value_or(config.init);
  config.rule = changes.rule.value_or(config.rule);
  for (const RuleParameter& parameter : rule_parameters()) {
    if (const std::optional<double> value = changes.*parameter.change) {
      require_rule(parameter, config.rule);
      config.*parameter.value = *value;
    }
  }
  validate(config);
  model.weights = weights_of(config, model);
  model.config = config;
  return model;
}

}  // namespace moco
