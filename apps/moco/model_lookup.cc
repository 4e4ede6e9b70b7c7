// Search for checkpoints by name.
#include "model_lookup.h"

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line.h"

namespace moco::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".safetensors";

Model load(const fs::path& file) {
  try {
    return load_model(file);
  } catch (const IoError& error) {
    throw UsageError(error.what());
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

std::string default_model(std::string_view problem) {
  constexpr const char* kTrained = "tsp100";
  return problem == "tsp" && find_model(kTrained) ? kTrained : "adam";
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
  throw UsageError(
      fmt::format("no model named '{}': looked for {}{} in {}", text, text, kSuffix, fmt::join(looked, ", ")));
}

}  // namespace moco::cli
