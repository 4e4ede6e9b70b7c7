// Which format a file has, by its name and content.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "moco/data.h"
#include "moco/format.h"
#include "moco/formats/solution_formats.h"

namespace moco {

/// Lower-case extension of a file name without its dot, a final ".gz" left aside; empty when there is none.
std::string format_extension(std::string_view file);
/// The file's name without folders, ".gz" and extension.
std::string file_stem(std::string_view file);

/// Format that an extension stands for; `automatic` when it leaves doubt.
InstanceFormat instance_format_of_extension(std::string_view extension);
SolutionFormat solution_format_of_extension(std::string_view extension);

/// Format to write under a file name; `automatic` when the name does not tell.
InstanceFormat instance_format_to_write(std::string_view file, std::optional<DataKind> kind);
SolutionFormat solution_format_to_write(std::string_view file);
/// The extensions that tell it, for messages: ".tour, .nodes, …".
std::string written_instance_extensions();
std::string written_solution_extensions();

/// What an instance file is taken for.
struct Detection {
  InstanceFormat format = InstanceFormat::automatic;  ///< `automatic` when it cannot be told
  std::string otherwise;                              ///< how to have it read in another way, where there is doubt
};

/// Decides by content and extension. Throws InputError where two readings are equally likely, naming both.
Detection detect_instance_format(std::string_view content, std::string_view file, std::optional<DataKind> wanted);
/// Whether a file leaves no doubt that an instance is meant: by an extension of the formats, or by how it begins.
/// Two numbers at the beginning of the first line are a sign, words are none. `content` is unpacked.
bool claims_to_be_instance(std::string_view content, std::string_view file);
/// Format of a solution file by its content.
SolutionFormat solution_format_of_content(std::string_view content, const SolutionTarget& target);

/// Whether files of a format can hold this.
bool holds(InstanceFormat format, DataKind kind);

}  // namespace moco
