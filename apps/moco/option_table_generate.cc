// Option table of `moco generate`.
#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "declared_options.h"
#include "option_table_parts.h"

namespace moco::cli {

using enum OptionType;

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kMaxNodes = 100'000'000;

/// "tsp: uniform (default), uniform in the unit square; …": problems with the same generators together.
std::string kinds_text() {
  std::string text;
  const GeneratorKind* before = nullptr;
  for (const Problem* problem : problems()) {
    const auto kinds = problem->generators();
    if (kinds.empty()) {
      continue;
    }
    if (kinds.data() == before) {  // name the problem beside the one before
      text.insert(text.rfind(':'), fmt::format(", {}", problem->name()));
      continue;
    }
    before = kinds.data();
    text += fmt::format("{}{}:", text.empty() ? "" : "; ", problem->name());
    for (const GeneratorKind& kind : kinds) {
      text += fmt::format("{} {} {}{}", &kind == &kinds.front() ? "" : ",", kind.name,
                          &kind == &kinds.front() ? "(default) " : "", kind.summary);
    }
  }
  return text;
}

std::string sized_kinds() {
  std::vector<std::string_view> names;
  for (const Problem* problem : problems()) {
    for (const GeneratorKind& kind : problem->generators()) {
      if (kind.sized && std::ranges::find(names, kind.name) == names.end()) {
        names.push_back(kind.name);
      }
    }
  }
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

CommandSpec generate_command() {
  static const std::string kinds = kinds_text();
  static const std::string sized = sized_kinds();
  CommandSpec command = {
      .name = "generate",
      .summary = "make random instances from a seed",
      .description =
          "The same options give the same instances on every machine. Without -o they are printed: points as Concorde "
          "text (one instance a line), graphs as METIS. Files that hold one instance each need a name with {} in it, "
          "which "
          "becomes the number of the instance, or an existing folder.",
      .positionals = {{.name = "PROBLEM", .choices = problem_names(), .help = "what the instances are for"}},
      .options =
          {
              {.name = "kind", .type = choice, .choices = generator_names(), .group = "Instances", .help = kinds},
              {.name = "nodes",
               .short_name = "n",
               .type = integer,
               .value = "N",
               .low = 1,
               .high = kMaxNodes,
               .fallback = "100",
               .kinds = sized,
               .help = "nodes per instance"},
              {.name = "max-nodes",
               .type = integer,
               .value = "N",
               .low = 0,
               .high = kMaxNodes,
               .fallback = "0",
               .kinds = sized,
               .help = "if above --nodes: sizes are uniform between the two"},
              {.name = "count",
               .type = integer,
               .value = "N",
               .low = 1,
               .high = 100'000'000,
               .fallback = "1",
               .help = "number of instances"},
              {.name = "seed",
               .type = integer,
               .value = "N",
               .low = 0,
               .high = kUnbounded,
               .fallback = "1",
               .help = "seed of the family; its instances are numbered from 0"},
              {.name = "output",
               .short_name = "o",
               .type = text,
               .value = "FILE",
               .group = "Output",
               .help = "file, name with {} in it, or existing folder; - or nothing prints the instances"},
              instance_format_option("format", "format of the files; by default the name decides"),
              scale_option(),
          },
      .examples = {
          {"moco generate tsp -n 100 --count 1000 --seed 7 -o test.txt", "a thousand instances in one file"},
          {"moco generate mis -n 700 --max-nodes 800 --count 128 -o graphs/er-{}.graph", "one file per graph"},
          {"moco generate tsp -n 50 | moco solve -", "make an instance and solve it"},
      }};
  std::vector<OptionSpec> own = generator_option_specs();
  own.front().group = "Parameters of the kinds";
  command.options.insert(std::ranges::find(command.options, "output", &OptionSpec::name), own.begin(), own.end());
  return command;
}

}  // namespace moco::cli
