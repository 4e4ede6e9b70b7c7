// Data sets: the instances of files, folders and archives together.
#pragma once

#include <string>
#include <vector>

#include "moco/io.h"

namespace moco {

/// All instances of files, folders and tar archives (.tar, .tar.gz, .tgz). The files of a folder or archive are read
/// in the order of their names; hidden ones are passed over, and with a warning those that are no instances and neither
/// called nor beginning like one (README, notes, tours), unless the options give the format. Throws InputError when one
/// is damaged, or of another problem than asked for or than those before it, and when a path gives no instance.
std::vector<InstancePtr> read_data_set(const std::vector<std::string>& paths, const ReadOptions& options,
                                       std::vector<std::string>* warnings = nullptr);

}  // namespace moco
