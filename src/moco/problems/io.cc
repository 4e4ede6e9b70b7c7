// Reading and writing of instance files: chooses the format and calls its reader or writer.
#include "moco/io.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/problems/detect.h"
#include "moco/problems/readers.h"
#include "moco/problems/writers.h"

namespace moco {

namespace {

std::vector<InstancePtr> read_as(InstanceFormat format, const ReaderInput& input) {
  switch (format) {
    case InstanceFormat::tsplib:
      return read_tsplib(input);
    case InstanceFormat::concorde:
      return read_concorde(input);
    case InstanceFormat::npy:
      return read_npy(input);
    case InstanceFormat::csv:
      return read_csv(input);
    case InstanceFormat::dimacs:
      return read_dimacs(input);
    case InstanceFormat::metis:
      return read_metis(input);
    case InstanceFormat::edge_list:
      return read_edge_list(input);
    case InstanceFormat::matrix_market:
      return read_matrix_market(input);
    case InstanceFormat::automatic:
      break;
  }
  throw InputError(input.file,
                   "neither name nor content tell the format; say which of tsplib, concorde, npy, csv, dimacs, metis, "
                   "edge-list and matrix-market it is");
}

InstanceFormat decide_format(std::string_view content, std::string_view file, const ReadOptions& options) {
  if (options.format != InstanceFormat::automatic) {
    return options.format;
  }
  const InstanceFormat by_name = instance_format_of_extension(format_extension(file));
  return by_name != InstanceFormat::automatic ? by_name : instance_format_of_content(content, options.problem);
}

/// The instances as those of the class a format writes. Throws when one is of another problem.
template <typename Wanted>
std::vector<const Wanted*> all_as(std::span<const InstancePtr> instances, InstanceFormat format) {
  std::vector<const Wanted*> result;
  for (const InstancePtr& instance : instances) {
    const auto* wanted = dynamic_cast<const Wanted*>(instance.get());
    if (wanted == nullptr) {
      throw OptionError(fmt::format("format {} holds {} instances, but '{}' is a {} instance", to_string(format),
                                    problem_of_format(format), instance->name(), instance->problem()));
    }
    result.push_back(wanted);
  }
  return result;
}

std::string format_tsp(std::span<const InstancePtr> instances, InstanceFormat format) {
  const std::vector<const TspInstance*> all = all_as<TspInstance>(instances, format);
  switch (format) {
    case InstanceFormat::tsplib:
      return format_tsplib(*all.front());
    case InstanceFormat::concorde:
      return format_concorde(all);
    case InstanceFormat::npy:
      return format_npy(all);
    default:
      return format_csv(*all.front());
  }
}

std::string format_mis(std::span<const InstancePtr> instances, InstanceFormat format) {
  const GraphInstance& graph = *all_as<GraphInstance>(instances, format).front();
  switch (format) {
    case InstanceFormat::dimacs:
      return format_dimacs(graph);
    case InstanceFormat::metis:
      return format_metis(graph);
    case InstanceFormat::edge_list:
      return format_edge_list(graph);
    default:
      return format_matrix_market(graph);
  }
}

InstanceFormat decide_output_format(const std::filesystem::path& file, const Instance& first) {
  const InstanceFormat format = instance_format_to_write(file.string(), first.problem());
  if (format == InstanceFormat::automatic) {
    throw OptionError(fmt::format("the name '{}' does not tell the format to write; say which, or use one of {}",
                                  file.string(), written_instance_extensions()));
  }
  return format;
}

}  // namespace

std::vector<InstancePtr> parse_instances(std::string_view content, std::string_view name, const ReadOptions& options,
                                         std::vector<std::string>* warnings) {
  if (!options.problem.empty() && options.problem != "tsp" && options.problem != "mis") {
    throw OptionError(fmt::format("unknown problem '{}'; known are tsp, mis", options.problem));
  }
  std::string unpacked;
  if (is_gzip(content)) {
    unpacked = gunzip(content, name);
    content = unpacked;
  }
  const InstanceFormat format = decide_format(content, name, options);
  const std::string_view problem = problem_of_format(format);
  if (!options.problem.empty() && !problem.empty() && problem != options.problem) {
    throw InputError(name, fmt::format("format {} holds {} instances, but {} was asked for", to_string(format), problem,
                                       options.problem));
  }
  if (std::all_of(content.begin(), content.end(), [](char c) { return c == '\n' || c == '\r' || c == ' '; })) {
    throw InputError(name, "the file is empty");
  }
  std::vector<InstancePtr> instances = read_as(format, {content, name, file_stem(name), warnings});
  if (instances.empty()) {
    throw InputError(name, "the file holds no instance");
  }
  return instances;
}

std::vector<InstancePtr> read_instances(const std::filesystem::path& file, const ReadOptions& options,
                                        std::vector<std::string>* warnings) {
  return parse_instances(read_file(file), file.string(), options, warnings);
}

void write_instances(const std::filesystem::path& file, std::span<const InstancePtr> instances, InstanceFormat format) {
  if (instances.empty()) {
    throw OptionError("there is no instance to write");
  }
  if (format == InstanceFormat::automatic) {
    format = decide_output_format(file, *instances.front());
  }
  if (instances.size() > 1 && format != InstanceFormat::concorde && format != InstanceFormat::npy) {
    throw OptionError(fmt::format("format {} holds one instance a file, not {}", to_string(format), instances.size()));
  }
  write_file(file, problem_of_format(format) == "tsp" ? format_tsp(instances, format) : format_mis(instances, format));
}

}  // namespace moco
