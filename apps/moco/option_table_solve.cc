// Option table of `moco solve`.
#include <limits>

#include "option_table_parts.h"

namespace moco::cli {

using enum OptionType;

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kMaxCount = 1'000'000'000;

}  // namespace

CommandSpec solve_command() {
  return {
      .name = "solve",
      .summary = "search for good solutions of instances",
      .description =
          "Searches each instance for K steps: every step samples b solutions from a policy with parameters θ, keeps "
          "the "
          "best ones, and lets the model update θ. Prints one line per instance. SIGINT (Ctrl-C) or SIGTERM ends the "
          "search early: the best solution so far is written as usual and the exit status is 0; a second signal exits "
          "at once with status 130.",
      .positionals = {{.name = "FILE",
                       .repeated = true,
                       .help = "instance files, plain or gzip-compressed; - reads standard input"}},
      .options =
          {
              {.name = "steps",
               .short_name = "K",
               .type = integer,
               .value = "N",
               .low = 1,
               .high = kMaxCount,
               .fallback = "200",
               .group = "Search",
               .help = "steps of the search, K"},
              {.name = "samples",
               .short_name = "b",
               .type = integer,
               .value = "N",
               .low = 1,
               .high = 1'000'000,
               .fallback = "32",
               .help = "solutions sampled per step, b"},
              {.name = "restarts",
               .short_name = "M",
               .type = integer,
               .value = "N",
               .low = 1,
               .high = 1'000'000,
               .fallback = "1",
               .help = "independent searches per instance, M; the best one counts"},
              neighbours_option(),
              {.name = "gradient",
               .type = choice,
               .choices = {"total", "causal"},
               .fallback = "total",
               .help = "policy gradient: advantage of the whole solution, or reward-to-go"},
              {.name = "dead-end",
               .type = choice,
               .choices = {"nearest", "penalty"},
               .fallback = "nearest",
               .help =
                   "when all candidate neighbours of a city are visited: go to the nearest unvisited city, or end the "
                   "sample with a penalty per unvisited city (tsp; returned tours are complete either way)"},
              {.name = "distinct", .type = flag, .help = "keep only distinct solutions among the best ones"},
              {.name = "warm-start",
               .type = text,
               .value = "FILE",
               .help = "solutions, one per instance, that the search knows from the start"},
              {.name = "seed",
               .type = integer,
               .value = "N",
               .low = 0,
               .high = kUnbounded,
               .fallback = "1",
               .help =
                   "seed of the random numbers; the same seed gives the same result whatever the number of threads"},
              {.name = "local-search",
               .type = text,
               .value = "NAME",
               .group = "Local search",
               .help = "improve every sampled solution: 2opt, oropt, 2opt+oropt, oropt3 or 2opt+oropt3 for tsp, swap12 "
                       "for mis; the improved solutions are reported and kept"},
              {.name = "polish",
               .type = text,
               .value = "NAME",
               .help = "improve the result of the search by the local search of that name; it may take a tenth of "
                       "--time-limit beyond it and is left out after a signal"},
              move_rule_option(),
              move_limit_option(),
              plateau_steps_option(),
              {.name = "advantage",
               .type = choice,
               .choices = {"sampled", "improved"},
               .fallback = "sampled",
               .help = "costs that the policy gradient sees: of what was sampled or of what it was improved to"},
              {.name = "model",
               .type = text,
               .value = "NAME|FILE|adam",
               .group = "Model",
               .help =
                   "trained model by name or checkpoint file, or adam: gradient descent on θ without a network; the "
                   "default is tsp100 for tsp and adam for mis. Names are looked up as NAME.safetensors in "
                   "$MOCO_MODELS, in "
                   "../share/moco/models next to the program's folder, and in models/ of a source tree"},
              {.name = "learning-rate",
               .type = real,
               .value = "X",
               .low = 1e-9,
               .high = 1e9,
               .help = "learning rate of --model adam; the default is the model's own"},
              {.name = "time-limit",
               .type = real,
               .value = "S",
               .low = 0.001,
               .high = kUnbounded,
               .group = "When to stop",
               .help = "seconds per instance; kept to within one step"},
              {.name = "target",
               .type = real,
               .value = "C",
               .help = "stop once the cost is at or below C; for mis, once the set has at least C nodes"},
              {.name = "no-improvement",
               .type = integer,
               .value = "N",
               .low = 1,
               .high = kMaxCount,
               .help = "stop after N steps without a better solution"},
              {.name = "engine",
               .type = choice,
               .choices = {"auto", "cpu", "cuda", "check"},
               .fallback = "auto",
               .group = "Machine",
               .help = "where to compute; check runs cpu and cuda side by side and compares them"},
              {.name = "threads",
               .type = integer,
               .value = "N",
               .low = 0,
               .high = 4096,
               .fallback = "0",
               .help = "threads of the cpu engine; 0 means all cores"},
              {.name = "batch",
               .type = integer,
               .value = "N",
               .low = 0,
               .high = 1'000'000,
               .fallback = "0",
               .help = "most instances searched side by side, as far as memory allows; 0: as many as fill the engine, "
                       "one under a time limit"},
              problem_option("Input"),
              instance_format_option("format", "format of the files; by default name and content decide"),
              {.name = "output",
               .short_name = "o",
               .type = text,
               .value = "FILE",
               .group = "Output",
               .help =
                   "write the solutions; .tour, .txt, .json, .jsonl and .csv choose the format; - prints them instead "
                   "of the result lines, as JSON unless --output-format says otherwise"},
              {.name = "output-format",
               .type = choice,
               .value = "FORMAT",
               .choices = solution_format_choices(),
               .help = "format of -o when its name does not tell; only json and csv hold several solutions"},
              json_option("results as JSON Lines, one object per instance: to standard output instead of the result "
                          "lines, or to a file. A FILE that does not end in .json or .jsonl is given as --json=FILE"),
              {.name = "trace",
               .type = text,
               .value = "FILE.csv",
               .help =
                   "write one row per step: instance,step,best,mean,entropy,seconds (costs; for mis minus the size)"},
              {.name = "plot",
               .type = text,
               .value = "FILE.svg",
               .help = "draw the solution of a single instance, with θ as the shade of edges (tsp) or nodes (mis)"},
              {.name = "quiet", .short_name = "q", .type = flag, .help = "no progress line, notices or warnings"},
          },
      .examples = {
          {"moco solve berlin52.tsp", "200 steps with 32 samples each, on all cores"},
          {"moco solve cities.tsp -K 2000 -M 8 --time-limit 60 -o best.tour", "search longer and keep the tour"},
          {"moco solve cities.tsp --local-search 2opt+oropt -o best.tour", "improve every sample by 2-opt and Or-opt"},
          {"moco solve network.graph --target 43 --json", "stop at an independent set of 43 nodes, print JSON"},
          {"moco solve test.txt --model adam --json results.jsonl --quiet", "all instances of a file, for a script"},
          {"moco solve cities.tsp --warm-start best.tour --plot tour.svg", "improve a known tour and draw the result"},
      }};
}

}  // namespace moco::cli
