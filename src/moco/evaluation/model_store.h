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

/// The folders in which models are looked up, for messages: "a, b, c".
std::string model_folders_text();

/// The checkpoint of a model given by name, if there is one. A text with a slash is never a name.
std::optional<std::filesystem::path> find_model(const std::string& name);

/// The entries of all manifests whose checkpoints are there; of entries of one name the first folder's.
std::vector<ModelEntry> known_models();

/// Name of the model for instances when the user names none: the nearest known one, or "adam" where there is none.
std::string automatic_model(const InstanceTraits& traits);

/// Sets what a search of instances with so many nodes should take over from the training of a known model: the
/// problem's options and the length of episodes, which grows in proportion with instances larger than the model was
/// trained for. Leaves the loop alone for other models.
void follow_training(const std::string& name, double nodes, LoopOptions& loop);

/// The checkpoint that a text means wherever a model is named: the model of that name in the folders, or else the file,
/// whatever its extension. A model that its folder's manifest lists must have the manifest's SHA-256. Throws
/// OptionError when there is neither, InputError when the checkpoint is damaged.
Model load_named_model(const std::string& text);

/// The model that `--model text` means, where `text` is not "auto": "adam", or as load_named_model has it.
Model resolve_model(const std::string& text, std::string_view family);

}  // namespace moco
