// Files of solutions that commands write: their formats, checks before the work, writing after it.
#pragma once

#include <string>
#include <vector>

#include "moco/io.h"
#include "moco/problem.h"

namespace moco::cli {

/// Format of a file for `count` solutions of a problem: the one named, or what the file's name says. Throws UsageError
/// when that format cannot hold them.
SolutionFormat solution_output_format(const std::string& file, const std::string& format_name, std::size_t count,
                                      const Problem& problem);

/// Refuses outputs that overwrite each other or an input, or that cannot be written. Empty names are passed over.
void require_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// "-" prints.
void write_solution_output(const std::string& file, SolutionFormat format, const std::vector<SolvedInstance>& solved);

}  // namespace moco::cli
