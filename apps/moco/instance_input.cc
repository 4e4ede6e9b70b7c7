// Reading through the library, with the program's ways of reporting.
#include "instance_input.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "messages.h"
#include "moco/data_set.h"

namespace moco::cli {

namespace {

std::string path_of(const std::string& file) {
  return file == "-" ? "/dev/stdin" : file;
}

}  // namespace

InstanceFormat instance_format_named(const std::string& name) {
  return name.empty() ? InstanceFormat::automatic : instance_format_from(name);
}

SolutionFormat solution_format_named(const std::string& name) {
  return name.empty() ? SolutionFormat::automatic : solution_format_from(name);
}

ReadOptions read_options(const Arguments& arguments) {
  return {.format = instance_format_named(arguments.text("format")),
          .problem = arguments.text("problem"),
          .complement = arguments.flag("complement")};
}

std::vector<InstancePtr> load_instances(const std::string& file, const Arguments& arguments) {
  return load_instances(file, read_options(arguments), arguments.flag("quiet"));
}

std::vector<InstancePtr> load_instances(const std::string& file, const ReadOptions& options, bool quiet) {
  std::vector<std::string> warnings;
  auto instances = as_input([&] { return read_instances(path_of(file), options, &warnings); });
  if (!quiet) {
    std::ranges::for_each(warnings, warn);
  }
  return instances;
}

std::vector<InstancePtr> load_data_files(const std::vector<std::string>& paths, const Arguments& arguments) {
  std::vector<std::string> files;
  std::ranges::transform(paths, std::back_inserter(files), path_of);
  std::vector<std::string> warnings;
  auto instances = as_input([&] { return read_data_set(files, read_options(arguments), &warnings); });
  if (!arguments.flag("quiet")) {
    std::ranges::for_each(warnings, warn);
  }
  if (instances.empty()) {
    throw UsageError(fmt::format("{}: no instance in this file", paths.front()));
  }
  return instances;
}

void require_one_standard_input(std::initializer_list<std::string> files) {
  if (std::ranges::count(files, "-") > 1) {
    throw UsageError("standard input (-) can be only one of the files");
  }
}

std::vector<Solution> load_solutions(const std::string& file, std::span<const InstancePtr> instances,
                                     const std::string& format_name) {
  return as_input([&] { return read_solutions(path_of(file), instances, solution_format_named(format_name)); });
}

}  // namespace moco::cli
