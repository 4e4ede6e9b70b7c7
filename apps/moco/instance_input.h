// Reading of instances for the commands.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "command_line.h"
#include "moco/instance.h"
#include "moco/io.h"

namespace moco::cli {

/// What `read` returns. A file it cannot open was asked for on the command line: that is bad input, a UsageError, and
/// not a failure of the work.
template <class Function>
auto as_input(Function read) {
  try {
    return read();
  } catch (const IoError& error) {
    throw UsageError(error.what());
  }
}

/// All instances of one file ("-": standard input).
/// Prints warnings unless `quiet`. A file that cannot be opened is a UsageError.
std::vector<InstancePtr> load_instances(const std::string& file, const ReadOptions& options, bool quiet);
/// The same as the options --format, --problem and --complement of the command say.
std::vector<InstancePtr> load_instances(const std::string& file, const Arguments& arguments);
/// All instances of files, folders and tar archives, all of one problem; likewise.
std::vector<InstancePtr> load_data_files(const std::vector<std::string>& paths, const Arguments& arguments);
/// What these options say.
ReadOptions read_options(const Arguments& arguments);

/// Refuses files of which more than one is "-": standard input can be read only once. Throws UsageError.
void require_one_standard_input(std::initializer_list<std::string> files);

/// Solutions for the instances ("-": standard input); a file that cannot be opened is a UsageError.
std::vector<Solution> load_solutions(const std::string& file, std::span<const InstancePtr> instances,
                                     const std::string& format_name);

/// Formats from the spelling of the option table; an empty name is automatic.
InstanceFormat instance_format_named(const std::string& name);
SolutionFormat solution_format_named(const std::string& name);

}  // namespace moco::cli
