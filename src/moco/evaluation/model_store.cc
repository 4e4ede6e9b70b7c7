// Search for checkpoints and manifests.
#include "moco/evaluation/model_store.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/core/files.h"
#include "moco/core/sha256.h"
#include "moco/error.h"
#include "moco/model_folders.h"

namespace moco {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".safetensors";

constexpr std::string_view kManifest = "manifest.toml";

std::string read_checkpoint(const fs::path& file) {
  try {
    return read_file(file);
  } catch (const IoError& error) {
    throw OptionError(error.what());
  }
}

/// The models that a folder's manifest lists; none where it has no manifest.
std::vector<ModelEntry> listed_models(const fs::path& folder) {
  const fs::path manifest = folder / kManifest;
  std::error_code error;
  if (!fs::is_regular_file(manifest, error)) {
    return {};
  }
  return parse_manifest(read_file(manifest), manifest.lexically_normal().string());
}

/// A checkpoint found by name: the one that the manifest beside it describes, if that lists it.
Model load_listed(const fs::path& file, const std::string& name) {
  const std::string content = read_checkpoint(file);
  const std::string path = file.lexically_normal().string();
  const std::vector<ModelEntry> listed = listed_models(file.parent_path());
  if (const auto entry = std::ranges::find(listed, name, &ModelEntry::name); entry != listed.end()) {
    if (const std::string digest = sha256(content); digest != entry->sha256) {
      throw InputError(
          path, fmt::format("its SHA-256 is {}, in {} it is {}: the file is damaged or not the one described", digest,
                            kManifest, entry->sha256));
    }
  }
  return parse_model(content, path);
}

[[noreturn]] void refuse_name(const std::string& text) {
  std::vector<std::string> names;
  for (const ModelEntry& entry : known_models()) {
    names.push_back(entry.name);
  }
  throw OptionError(fmt::format("no model '{0}': no file of this name, and no {0}{1} in {2}; models there: {3}", text,
                                kSuffix, model_folders_text(),
                                names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace

std::string model_folders_text() {
  std::vector<std::string> folders;
  for (const fs::path& folder : model_folders()) {
    folders.push_back(folder.string());
  }
  return fmt::format("{}", fmt::join(folders, ", "));
}

std::optional<fs::path> find_model(const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos) {
    return std::nullopt;
  }
  for (const fs::path& folder : model_folders()) {
    const fs::path file = folder / (name + std::string(kSuffix));
    std::error_code error;
    if (fs::is_regular_file(file, error)) {
      return file;
    }
  }
  return std::nullopt;
}

std::vector<ModelEntry> known_models() {
  std::vector<ModelEntry> known;
  for (const fs::path& folder : model_folders()) {
    for (ModelEntry& entry : listed_models(folder)) {
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
    loop.problem.merge(entry->options);
    const double growth = std::max(1.0, nodes / entry->most_nodes);
    loop.episode_steps = static_cast<int>(std::min(std::round(growth * entry->episode_steps), 1e9));
  }
}

Model load_named_model(const std::string& text) {
  if (const auto file = find_model(text)) {
    return load_listed(*file, text);
  }
  std::error_code error;
  if (text.find('/') == std::string::npos && !fs::exists(text, error)) {
    refuse_name(text);
  }
  return parse_model(read_checkpoint(text), text);
}

Model resolve_model(const std::string& text, std::string_view family) {
  return text == "adam" ? adam_model(family) : load_named_model(text);
}

}  // namespace moco
