// A model: the update rule of the search with its weights, and the checkpoint file that holds both.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/choices.h"
#include "moco/local_search.h"
#include "moco/options.h"
#include "moco/types.h"

namespace moco {

struct ModelConfig {
  std::string family = "tsp";  ///< of problems that it is for; decides the architecture (Problem::network)
  Initialisation init = Initialisation::learned;
  UpdateRule rule = UpdateRule::gnn;
  int hidden = 128;
  int blocks = 3;
  GcnVariant gcn = GcnVariant::paper;
  GlobalPooling global_pooling = GlobalPooling::sum;
  ThetaUpdate theta_update = ThetaUpdate::absolute;
  Membership membership = Membership::directed;  ///< variables on edges only
  double gradient_scale = 1.0;                   ///< factor of the gradient and its averages among the features
  EliteRule elite = EliteRule::paper;
  /// Variables on nodes only: in place of the constant, GNN_update sees how many neighbours a node has in the best
  /// solutions, on average.
  bool crowding = false;
  /// mis only: both networks see what a node weighs, as a share of the mean weight.
  bool node_weights = false;
  double learning_rate = 0.2;  ///< adam only
  // Of the rules with pheromones τ, θ = trail_weight·ln τ + visibility_weight·θ⁰.
  double evaporation = 0.1;        ///< ρ, the share of the pheromone that a step takes away
  double elitist_weight = 0.0;     ///< ant-system only: of the best solution so far; 1: as much as all samples together
  double trail_weight = 1.0;       ///< α
  double visibility_weight = 1.0;  ///< β

  friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

/// How the searches went that a model was trained by. Searches by the model go the same way unless told otherwise.
struct TrainedSearch {
  int steps = 0;          ///< K, the largest
  int samples = 0;        ///< b
  int episode_steps = 0;  ///< longer searches are cut into episodes of so many steps; 0: one piece
  Index nodes = 0;        ///< of the largest instances, 0 where not known; episodes are longer for larger ones
  OptionValues problem;   ///< options that the problem declares
  GradientKind gradient = GradientKind::total;
  LocalSearchOptions local_search;
  AdvantageKind advantage = AdvantageKind::sampled;
  int rebuild = 0;  ///< cities or nodes that a partial sample chooses anew; 0: whole solutions

  friend bool operator==(const TrainedSearch&, const TrainedSearch&) = default;
};

struct Model {
  ModelConfig config;
  std::vector<float>
      weights;  ///< flat, in the order of ParameterLayout (model/parameters.h); empty where nothing is learned
  std::optional<TrainedSearch> search = {};          ///< where it is known
  std::map<std::string, std::string> metadata = {};  ///< free text of the checkpoint (training set-up, licence, …)
};

/// Where searches by a rule begin that nobody has said otherwise of: networks go together, pheromones begin with the
/// visibility, and Adam with −d for tours and with all nodes alike for sets.
Initialisation usual_init(UpdateRule rule, std::string_view family);

/// A model that needs no training, by its name: for every family of problems.
struct Baseline {
  std::string_view name;  ///< "adam"
  std::string_view summary;
  ModelConfig config;  ///< but for the family and the beginning, which is the usual one
};
std::span<const Baseline> baselines();
/// The baseline of a name, or null.
const Baseline* find_baseline(std::string_view name);
Model baseline_model(const Baseline& baseline, std::string_view family);
/// The baseline "adam" for a family of problems.
Model adam_model(std::string_view family);
/// Weights as freshly initialised for training (truncated normal, 1/√fan-in), from a seed.
Model random_model(const ModelConfig& config, std::uint64_t seed);

/// What a search is told to do otherwise than its model.
struct ModelChanges {
  std::optional<Initialisation> init;
  std::optional<UpdateRule> rule;
  std::optional<double> learning_rate = {};  ///< of rule adam
  std::optional<double> evaporation = {};    ///< of the rules with pheromones, as the others
  std::optional<double> elitist_weight = {};
  std::optional<double> trail_weight = {};
  std::optional<double> visibility_weight = {};

  friend bool operator==(const ModelChanges&, const ModelChanges&) = default;
};

/// A number that only some update rules have. The command line, configurations of trainings, checkpoints and Python
/// take its name, range and meaning from here.
struct RuleParameter {
  std::string_view key;           ///< "learning_rate"
  std::vector<UpdateRule> rules;  ///< that have it
  std::string_view help;
  double low = 0.0;
  double high = 0.0;
  double ModelConfig::*value = nullptr;
  std::optional<double> ModelChanges::*change = nullptr;

  bool is_of(UpdateRule rule) const;
  std::string command_line_name() const;  ///< "learning-rate"
};
std::span<const RuleParameter> rule_parameters();

/// The model with other parts; networks that it then has no use for are left out. Throws OptionError where a change
/// needs a network that the model does not have, or says something of a part that it does not have then.
Model changed_model(Model model, const ModelChanges& changes);

/// Reads a checkpoint (safetensors, see docs/checkpoint-format.md). Throws InputError on anything malformed.
Model load_model(const std::filesystem::path& file);
/// Same from memory; `name` stands for the file in messages.
Model parse_model(std::string_view content, const std::string& name);
/// Writes a checkpoint atomically.
void save_model(const std::filesystem::path& file, const Model& model);

}  // namespace moco
