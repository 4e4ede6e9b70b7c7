// Search for checkpoints and manifests.
#include "moco/evaluation/model_store.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/core/files.h"
#include "moco/error.h"

namespace moco {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".safetensors";

Model load(const fs::path& file) {
  try {
    return load_model(file);
  } catch (const IoError& error) {
    throw OptionError(error.what());
  }
}

}  // namespace

std::vector<fs::path> model_folders() {
  std::vector<fs::path> folders;
  if (const char* variable = std::getenv("MOCO_MODELS"); variable != nullptr && *variable != '\0') {
    folders.emplace_back(variable);
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    return folders;
  }
  folders.push_back(program.parent_path().parent_path() / "share" / "moco" / "models");
  // A build tree inside the source tree: the source tree is the folder above that has the project's headers and models.
  for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / "include" / "moco" / "model.h", error) && fs::is_directory(folder / "models", error)) {
      folders.push_back(folder / "models");
      break;
    }
  }
  return folders;
}

std::optional<fs::path> find_model(const std::string& name) {
  for (const fs::path& folder : model_folders()) {
    const fs::path file = folder / (name + std::string(kSuffix));
    std::error_code error;
    if (fs::is_regular_file(file, error)) {
      return file;
    }
  }
  return std::nullopt;
}

bool is_model_path(std::string_view text) {
  return text.ends_with(kSuffix) || text.find('/') != std::string_view::npos;
}

std::vector<ModelEntry> known_models() {
  std::vector<ModelEntry> known;
  for (const fs::path& folder : model_folders()) {
    const fs::path manifest = folder / "manifest.toml";
    std::error_code error;
    if (!fs::is_regular_file(manifest, error)) {
      continue;
    }
    for (ModelEntry& entry : parse_manifest(read_file(manifest), manifest.lexically_normal().string())) {
      if (std::ranges::find(known, entry.name, &ModelEntry::name) == known.end() && find_model(entry.name)) {
        known.push_back(std::move(entry));
      }
    }
  }
  return known;
}

std::string automatic_model(const InstanceTraits& traits) {
  const std::vector<ModelEntry> known = known_models();
  const ModelEntry* nearest = nearest_model(known, traits);
  return nearest == nullptr ? "adam" : nearest->name;
}

void follow_training(const std::string& name, double nodes, LoopOptions& loop) {
  const std::vector<ModelEntry> known = known_models();
  if (const auto entry = std::ranges::find(known, name, &ModelEntry::name); entry != known.end()) {
    loop.neighbours = entry->neighbours.value_or(loop.neighbours);
    const double growth = std::max(1.0, nodes / entry->most_nodes);
    loop.episode_steps = static_cast<int>(std::min(std::round(growth * entry->episode_steps), 1e9));
  }
}

Model resolve_model(const std::string& text, std::string_view problem) {
  if (text == "adam") {
    return adam_model(problem);
  }
  if (is_model_path(text)) {
    return load(text);
  }
  if (const auto file = find_model(text)) {
    return load(*file);
  }
  std::vector<std::string> looked;
  for (const fs::path& folder : model_folders()) {
    looked.push_back(folder.lexically_normal().string());
  }
  throw OptionError(
      fmt::format("no model named '{}': looked for {}{} in {}", text, text, kSuffix, fmt::join(looked, ", ")));
}

}  // namespace moco
