// `moco generate`: seeded random instances to a file, to many files, or to standard output.
#include "moco/generate.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "commands.h"
#include "generator_arguments.h"
#include "instance_input.h"
#include "moco/io.h"
#include "output_files.h"

namespace moco::cli {

namespace {

/// Refuses options of other kinds: they would be ignored, which is rarely what was meant.
void check_kinds(const Arguments& arguments, std::string_view kind) {
  for (const OptionSpec& option : find_command("generate")->options) {
    const std::string padded = fmt::format(" {} ", option.kinds);
    if (!option.kinds.empty() && arguments.given(option.name) &&
        padded.find(fmt::format(" {} ", kind)) == std::string::npos) {
      throw UsageError(
          fmt::format("generate: --{} does not apply to kind {} (only to: {})", option.name, kind, option.kinds));
    }
  }
}

std::string_view extension_of(InstanceFormat format, std::string_view problem) {
  switch (format) {
    case InstanceFormat::tsplib:
      return ".tsp";
    case InstanceFormat::concorde:
      return ".txt";
    case InstanceFormat::npy:
      return ".npy";
    case InstanceFormat::csv:
      return ".csv";
    case InstanceFormat::dimacs:
      return ".dimacs";
    case InstanceFormat::metis:
      return ".graph";
    case InstanceFormat::edge_list:
      return ".edges";
    case InstanceFormat::matrix_market:
      return ".mtx";
    case InstanceFormat::ml4co:
      return ".ml4co";
    case InstanceFormat::pace:
      return ".gr";
    case InstanceFormat::matrix:
      return ".matrix";
    case InstanceFormat::automatic:
      break;
  }
  return problem == "tsp" ? ".txt" : ".graph";
}

/// `pattern` with {} replaced by the number, padded so that names sort in order.
std::string numbered_name(const std::string& pattern, std::uint64_t number, std::uint64_t count) {
  const std::size_t width = fmt::formatted_size("{}", count - 1);
  const std::size_t hole = pattern.find("{}");
  return fmt::format("{}{:0{}}{}", pattern.substr(0, hole), number, width, pattern.substr(hole + 2));
}

void write_numbered(const std::string& pattern, const GeneratorOptions& options, std::uint64_t count,
                    InstanceFormat format) {
  require_writable(numbered_name(pattern, 0, count));
  require_memory(options, 1, true);
  for (std::uint64_t i = 0; i < count; ++i) {
    const InstancePtr instance = generate(options, i);
    write_instances(numbered_name(pattern, i, count), {&instance, 1}, format);
  }
}

}  // namespace

GeneratorOptions generator_options(const Arguments& arguments) {
  const auto index = [&](std::string_view name) { return static_cast<Index>(arguments.integer(name)); };
  const std::string& problem = arguments.positional("PROBLEM");
  GeneratorOptions options;
  options.kind = arguments.text("kind");
  if (options.kind.empty()) {
    options.kind = problem == "tsp" ? "uniform" : "er";
  }
  if (problem_of_generator(options.kind) != problem) {
    throw UsageError(fmt::format("generate: kind {} is for {}, not for {}", options.kind,
                                 problem_of_generator(options.kind), problem));
  }
  check_kinds(arguments, options.kind);
  options.nodes = index("nodes");
  options.max_nodes = index("max-nodes");
  if (arguments.given("max-nodes") && options.max_nodes != 0 && options.max_nodes < options.nodes) {
    throw UsageError(fmt::format("generate: --max-nodes {} is below --nodes {}", options.max_nodes, options.nodes));
  }
  options.seed = static_cast<std::uint64_t>(arguments.integer("seed"));
  options.clusters = index("clusters");
  options.spread = arguments.real("spread");
  options.probability = arguments.real("probability");
  options.attachment = index("attachment");
  options.cliques = index("cliques");
  options.clique_size = index("clique-size");
  options.tightness = arguments.real("tightness");
  options.density = arguments.real("density");
  options.variables = index("variables");
  options.clauses = index("clauses");
  options.max_clauses = arguments.given("clauses") && !arguments.given("max-clauses") ? 0 : index("max-clauses");
  return options;
}

int run_generate(const Arguments& arguments) {
  const GeneratorOptions options = generator_options(arguments);
  const std::string& problem = arguments.positional("PROBLEM");
  const auto count = static_cast<std::uint64_t>(arguments.integer("count"));
  InstanceFormat format = instance_format_named(arguments.text("format"));
  std::string output = arguments.text("output");

  std::error_code error;
  if (std::filesystem::is_directory(output, error)) {
    output = (std::filesystem::path(output) / fmt::format("{}-{{}}{}", options.kind, extension_of(format, problem)))
                 .string();
  }
  if (output.find("{}") != std::string::npos) {
    write_numbered(output, options, count, format);
    return kExitSuccess;
  }

  if (problem == "mis" && count > 1) {
    throw UsageError(
        fmt::format("generate: one file holds one graph, not {}: give a name with {{}} in it, such as -o "
                    "graphs/er-{{}}.graph, or a folder",
                    count));
  }
  if (output.empty() || output == "-") {
    output = "/dev/stdout";
    if (format == InstanceFormat::automatic) {
      format = problem == "tsp" ? InstanceFormat::concorde : InstanceFormat::metis;
    }
  } else {
    require_writable(output);
  }
  require_memory(options, count, true);
  std::vector<InstancePtr> instances;
  for (std::uint64_t i = 0; i < count; ++i) {
    instances.push_back(generate(options, i));
  }
  write_instances(output, instances, format);
  return kExitSuccess;
}

}  // namespace moco::cli
