// Writing of instances for the commands.
#pragma once

#include <span>
#include <string>

#include "command_line.h"
#include "moco/io.h"

namespace moco::cli {

/// Writes the instances, their coordinates scaled as --scale says.
void write_instance_output(const std::string& file, std::span<const InstancePtr> instances, InstanceFormat format,
                           const Arguments& arguments);

}  // namespace moco::cli
