// Which format a file has, by its name and content.
#pragma once

#include <string>
#include <string_view>

#include "moco/io.h"

namespace moco {

/// Lower-case extension of a file name without its dot, a final ".gz" left aside; empty when there is none.
std::string format_extension(std::string_view file);
/// The file's name without folders, ".gz" and extension.
std::string file_stem(std::string_view file);

/// Format that an extension stands for; `automatic` when it leaves doubt.
InstanceFormat instance_format_of_extension(std::string_view extension);
SolutionFormat solution_format_of_extension(std::string_view extension);

/// Format to write under a file name; `automatic` when the name does not tell.
InstanceFormat instance_format_to_write(std::string_view file, std::string_view problem);
SolutionFormat solution_format_to_write(std::string_view file);
/// The extensions that tell it, for messages: ".tour, .nodes, …".
std::string written_instance_extensions();
std::string written_solution_extensions();

/// Format of an instance file by its content; `automatic` when that cannot be told. `problem` may be empty.
InstanceFormat instance_format_of_content(std::string_view content, std::string_view problem);
/// Whether a file leaves no doubt that an instance is meant: by an extension of the formats, or by how it begins.
/// Two numbers at the beginning of the first line are a sign, words are none. `content` is unpacked.
bool claims_to_be_instance(std::string_view content, std::string_view file, std::string_view problem);
/// Format of a solution file for `instance` by its content.
SolutionFormat solution_format_of_content(std::string_view content, const Instance& instance);

/// Problem of the instances that a format holds.
std::string_view problem_of_format(InstanceFormat format);

}  // namespace moco
