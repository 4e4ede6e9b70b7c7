// `moco generate`: seeded random instances to a file, to many files, or to standard output.
#include "moco/generate.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "commands.h"
#include "declared_options.h"
#include "generator_arguments.h"
#include "instance_input.h"
#include "instance_output.h"
#include "moco/formats/detect.h"
#include "moco/io.h"
#include "output_files.h"

namespace moco::cli {

namespace {

std::string_view extension_of(InstanceFormat format, DataKind data) {
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
  return data == DataKind::points ? ".txt" : ".graph";
}

/// `pattern` with {} replaced by the number, padded so that names sort in order.
std::string numbered_name(const std::string& pattern, std::uint64_t number, std::uint64_t count) {
  const std::size_t width = fmt::formatted_size("{}", count - 1);
  const std::size_t hole = pattern.find("{}");
  return fmt::format("{}{:0{}}{}", pattern.substr(0, hole), number, width, pattern.substr(hole + 2));
}

void write_numbered(const std::string& pattern, const GeneratorOptions& options, std::uint64_t count,
                    InstanceFormat format, const Arguments& arguments) {
  require_writable(numbered_name(pattern, 0, count));
  require_memory(options, 1, true);
  for (std::uint64_t i = 0; i < count; ++i) {
    const InstancePtr instance = generate(options, i);
    write_instance_output(numbered_name(pattern, i, count), {&instance, 1}, format, arguments);
  }
}

}  // namespace

GeneratorOptions generator_options(const Arguments& arguments) {
  const auto index = [&](std::string_view name) { return static_cast<Index>(arguments.integer(name)); };
  const std::string& problem = arguments.positional("PROBLEM");
  GeneratorOptions options;
  options.problem = problem;
  options.kind = arguments.text("kind");
  const auto kinds = find_problem(problem).generators();
  if (!options.kind.empty() && std::ranges::find(kinds, options.kind, &GeneratorKind::name) == kinds.end()) {
    throw UsageError(fmt::format("generate: there is no kind {} for {}", options.kind, problem));
  }
  const GeneratorKind& kind = find_generator(options);
  options.kind = kind.name;
  for (const char* name : {"nodes", "max-nodes"}) {
    if (arguments.given(name) && !kind.sized) {
      throw UsageError(fmt::format("generate: --{} does not apply to kind {}", name, kind.name));
    }
  }
  options.own = given_generator_options(arguments, kind);
  options.nodes = index("nodes");
  options.max_nodes = index("max-nodes");
  if (arguments.given("max-nodes") && options.max_nodes != 0 && options.max_nodes < options.nodes) {
    throw UsageError(fmt::format("generate: --max-nodes {} is below --nodes {}", options.max_nodes, options.nodes));
  }
  options.seed = static_cast<std::uint64_t>(arguments.integer("seed"));
  return options;
}

int run_generate(const Arguments& arguments) {
  const GeneratorOptions options = generator_options(arguments);
  const std::string& problem = arguments.positional("PROBLEM");
  const DataKind data = find_problem(problem).data();
  const auto count = static_cast<std::uint64_t>(arguments.integer("count"));
  InstanceFormat format = instance_format_named(arguments.text("format"));
  std::string output = arguments.text("output");

  std::error_code error;
  if (std::filesystem::is_directory(output, error)) {
    output =
        (std::filesystem::path(output) / fmt::format("{}-{{}}{}", options.kind, extension_of(format, data))).string();
  }
  if (output.find("{}") != std::string::npos) {
    write_numbered(output, options, count, format, arguments);
    return kExitSuccess;
  }

  const bool several =
      format == InstanceFormat::ml4co ||
      (format == InstanceFormat::automatic && instance_format_to_write(output, data) == InstanceFormat::ml4co);
  if (data == DataKind::graph && count > 1 && !several) {
    throw UsageError(
        fmt::format("generate: one file holds one graph, not {}: give a name with {{}} in it, such as -o "
                    "graphs/er-{{}}.graph, a folder, or a file of many graphs, .ml4co",
                    count));
  }
  if (output.empty() || output == "-") {
    output = "/dev/stdout";
    if (format == InstanceFormat::automatic) {
      format = data == DataKind::points ? InstanceFormat::concorde : InstanceFormat::metis;
    }
  } else {
    require_writable(output);
  }
  require_memory(options, count, true);
  std::vector<InstancePtr> instances;
  for (std::uint64_t i = 0; i < count; ++i) {
    instances.push_back(generate(options, i));
  }
  write_instance_output(output, instances, format, arguments);
  return kExitSuccess;
}

}  // namespace moco::cli
