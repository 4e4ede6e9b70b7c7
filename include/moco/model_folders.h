// Where trained models are looked up by name.
#pragma once

#include <filesystem>
#include <vector>

namespace moco {

/// The folders, in order, each once: the one of set_model_folder; $MOCO_MODELS; share/moco/models beside the folder of
/// the running program, as an installation has it wherever it was moved to; models/ of the source tree that the program
/// lies in; share/moco/models of the prefix that the library was configured for, and of /usr.
std::vector<std::filesystem::path> model_folders();

/// Has models looked up in a folder before all others; an empty path takes that back. For the whole process.
void set_model_folder(const std::filesystem::path& folder);

}  // namespace moco
