// Option table of `moco improve`.
#include "option_table_parts.h"

namespace moco::cli {

using enum OptionType;

CommandSpec improve_command() {
  return {
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
                  {.name = "local-search",
                   .type = text,
                   .value = "auto|NAME",
                   .fallback = "auto",
                   .group = "Local search",
                   .help = "2opt, oropt, 2opt+oropt, oropt3 or 2opt+oropt3 for tsp, swap12 for mis; auto: what suits "
                           "the instances"},
                  move_rule_option(),
                  move_limit_option(),
                  plateau_steps_option(),
                  {.name = "neighbours",
                   .short_name = "k",
                   .type = integer,
                   .value = "N",
                   .low = 1,
                   .high = 10'000,
                   .fallback = "20",
                   .help = "candidate neighbours per city, k (tsp)"},
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
}

}  // namespace moco::cli
