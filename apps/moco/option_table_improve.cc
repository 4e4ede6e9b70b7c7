// Option table of `moco improve`.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "declared_options.h"
#include "option_table_parts.h"

namespace moco::cli {

using enum OptionType;

CommandSpec improve_command() {
  static const std::string help = fmt::format("{}; auto: what suits the instances", local_search_names_text());
  CommandSpec command = {
      .name = "improve",
      .summary = "improve given solutions by local search",
      .description =
          "Applies a local search to each solution until no move helps, and prints the cost before and after. The "
          "result is feasible and never worse. An infeasible solution is refused with the checker's words and exit "
          "status 1. SIGINT (Ctrl-C), SIGTERM or SIGHUP ends the work early with what was reached.",
      .positionals = {{.name = "INSTANCE", .help = "file with one or more instances; - reads standard input"}},
      .options = {{.name = "solution",
                   .type = text,
                   .value = "FILE",
                   .group = "Input",
                   .help = "file with one solution per instance, in order; - reads standard input"},
                  {.name = "solution-format",
                   .type = choice,
                   .value = "FORMAT",
                   .choices = solution_format_choices(),
                   .help = "format of the solutions; by default name and content decide"},
                  problem_option(),
                  instance_format_option("format", "format of the instances; by default name and content decide"),
                  complement_option(),
                  {.name = "local-search",
                   .type = text,
                   .value = "auto|NAME",
                   .names = NameKind::local_searches,
                   .fallback = "auto",
                   .group = "Local search",
                   .help = help},
                  move_limit_option(),
                  {.name = "output",
                   .short_name = "o",
                   .type = text,
                   .value = "FILE",
                   .group = "Output",
                   .help = "write the solutions; .tour, .txt, .json, .jsonl and .csv choose the format; - prints "
                           "them instead of the lines, as JSON unless --output-format says otherwise"},
                  {.name = "output-format",
                   .type = choice,
                   .value = "FORMAT",
                   .choices = solution_format_choices(),
                   .help = "format of -o when its name does not tell; only json and csv hold several solutions"},
                  json_option("results as JSON Lines, to standard output instead of the lines, or to a file"),
                  {.name = "quiet", .short_name = "q", .type = flag, .help = "no warnings"}},
      .examples = {
          {"moco improve cities.tsp --solution best.tour -o better.tour", "2-opt and Or-opt until neither helps"},
          {"moco improve network.graph --solution set.txt --plateau-steps 1000 --json", "a larger independent set"},
      }};
  const auto behind = std::ranges::find(command.options, "move-limit", &OptionSpec::name) + 1;
  const std::vector<OptionSpec> own = problem_option_specs({OptionUse::graph, OptionUse::local_search});
  command.options.insert(behind, own.begin(), own.end());
  return command;
}

}  // namespace moco::cli
