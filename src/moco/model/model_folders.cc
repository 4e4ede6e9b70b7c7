// The list of folders: what was asked for, what lies around the program, what was installed.
#include "moco/model_folders.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <system_error>

namespace moco {

namespace {

namespace fs = std::filesystem;

struct ChosenFolder {
  std::mutex mutex;
  fs::path path;
};

ChosenFolder& chosen_folder() {
  static ChosenFolder folder;
  return folder;
}

/// A build tree inside the source tree: the source tree is the folder above that has the project's headers and models.
std::optional<fs::path> source_tree_around(const fs::path& program) {
  std::error_code error;
  for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / "include" / "moco" / "model.h", error) && fs::is_directory(folder / "models", error)) {
      return folder;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<fs::path> model_folders() {
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& folder) {
    const fs::path plain = folder.lexically_normal();
    if (!plain.empty() && std::ranges::find(folders, plain) == folders.end()) {
      folders.push_back(plain);
    }
  };
  {
    const std::scoped_lock lock(chosen_folder().mutex);
    add(chosen_folder().path);
  }
  if (const char* variable = std::getenv("MOCO_MODELS"); variable != nullptr) {
    add(variable);
  }
  const fs::path installed = fs::path("share") / "moco" / "models";
  std::error_code error;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error) {
    add(program.parent_path().parent_path() / installed);
    if (const auto source = source_tree_around(program)) {
      add(*source / "models");
    }
  }
  add(fs::path(MOCO_INSTALL_PREFIX) / installed);
  add(fs::path("/usr") / installed);
  return folders;
}

void set_model_folder(const fs::path& folder) {
  const std::scoped_lock lock(chosen_folder().mutex);
  chosen_folder().path = folder;
}

}  // namespace moco
