// Which model a search uses: by name, by file, chosen after the instances, or the untrained baseline.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moco/evaluation/manifest.h"
#include "moco/model.h"
#include "moco/solve.h"

namespace moco {

/// Folders in which models are looked up, in order.
std::vector<std::filesystem::path> model_folders();

/// The checkpoint of a model given by name, if there is one.
std::optional<std::filesystem::path> find_model(const std::string& name);

/// Whether `text` is to be read as the path of a checkpoint rather than the name of a model.
bool is_model_path(std::string_view text);

/// The entries of all manifests whose checkpoints are there; of entries of one name the first folder's.
std::vector<ModelEntry> known_models();

/// Name of the model for instances when the user names none: the nearest known one, or "adam" where there is none.
std::string automatic_model(const InstanceTraits& traits);

/// Sets what a search of instances with so many nodes should take over from the training of a known model: k and the
/// length of episodes, which grows in proportion with instances larger than the model was trained for. Leaves the loop
/// alone for other models.
void follow_training(const std::string& name, double nodes, LoopOptions& loop);

/// The model that `--model text` means, where `text` is not "auto". Throws OptionError naming the folders when there is
/// none.
Model resolve_model(const std::string& text, std::string_view problem);

}  // namespace moco
