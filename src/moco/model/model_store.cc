// Search for checkpoints and manifests.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/core/files.h"
#include "moco/core/sha256.h"
#include "moco/error.h"
#include "moco/model_folders.h"
#include "moco/models.h"

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

bool is_file(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

}  // namespace

ModelStore::ModelStore() : folders_(model_folders()) {
  std::set<std::string> names;
  for (const fs::path& folder : folders_) {
    const fs::path manifest = folder / kManifest;
    if (!is_file(manifest)) {
      continue;
    }
    for (ModelEntry& entry : parse_manifest(read_file(manifest), manifest.lexically_normal().string())) {
      if (is_file(entry.file) && names.insert(entry.name).second) {
        entries_.push_back(std::move(entry));
      }
    }
  }
}

std::optional<fs::path> ModelStore::find(const std::string& name) const {
  if (name.empty() || name.find('/') != std::string::npos) {
    return std::nullopt;
  }
  for (const fs::path& folder : folders_) {
    const fs::path file = folder / (name + std::string(kSuffix));
    if (is_file(file)) {
      return file;
    }
  }
  return std::nullopt;
}

Model ModelStore::load(const std::string& text) const {
  if (const auto file = find(text)) {
    const std::string content = read_checkpoint(*file);
    const std::string path = file->lexically_normal().string();
    const auto entry = std::ranges::find(entries_, file->lexically_normal(), &ModelEntry::file);
    if (entry != entries_.end()) {
      if (const std::string digest = sha256(content); digest != entry->sha256) {
        throw InputError(
            path, fmt::format("its SHA-256 is {}, in {} it is {}: the file is damaged or not the one described", digest,
                              kManifest, entry->sha256));
      }
    }
    return parse_model(content, path);
  }
  std::error_code error;
  if (text.find('/') == std::string::npos && !fs::exists(text, error)) {
    std::vector<std::string> names;
    std::ranges::transform(entries_, std::back_inserter(names), &ModelEntry::name);
    throw OptionError(fmt::format("no model '{0}': no file of this name, and no {0}{1} in {2}; models there: {3}", text,
                                  kSuffix, folders_text(),
                                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  return parse_model(read_checkpoint(text), text);
}

Model ModelStore::load_or_baseline(const std::string& text, std::string_view family) const {
  const Baseline* baseline = find_baseline(text);
  return baseline != nullptr ? baseline_model(*baseline, family) : load(text);
}

std::string ModelStore::folders_text() const {
  std::vector<std::string> folders;
  std::ranges::transform(folders_, std::back_inserter(folders), [](const fs::path& folder) { return folder.string(); });
  return fmt::format("{}", fmt::join(folders, ", "));
}

}  // namespace moco
