// Which model a search uses: by name, by file, or the untrained baseline.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moco/model.h"

namespace moco::cli {

/// Folders in which models are looked up by name, in order.
std::vector<std::filesystem::path> model_folders();

/// The checkpoint of a model given by name, if there is one.
std::optional<std::filesystem::path> find_model(const std::string& name);

/// Whether `text` is to be read as the path of a checkpoint rather than the name of a model.
bool is_model_path(std::string_view text);

/// Name of the model for a problem when the user names none: the trained one that ships, or "adam" where there is none.
std::string default_model(std::string_view problem);

/// The model that `--model text` means. Throws UsageError naming the folders when there is none.
Model resolve_model(const std::string& text, std::string_view problem);

}  // namespace moco::cli
