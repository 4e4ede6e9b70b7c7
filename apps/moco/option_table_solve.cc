// Option table of `moco solve`.
#include <limits>

#include "declared_options.h"
#include "option_table_parts.h"

namespace moco::cli {

using enum OptionType;

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kMaxCount = 1'000'000'000;

std::vector<OptionSpec> solve_options() {
  std::vector<OptionSpec> options = setting_options(integer, "N");
  OptionSpec& steps = options.front();
  steps.group = "Search";
  steps.low = 0;
  steps.fallback = "";
  steps.help =
      "steps of the search by the model, K; 0: none, only the greedy start and the kicks. The default is 200 with "
      "--local-search none, 20 with any other option of the steps, such as --model or -M, and 0 without; under "
      "a time limit the steps go on for all of it, or for half of it before kicks";
  append(options, search_variant_options());
  append(options, problem_option_specs({OptionUse::start}));
  append(options, {{.name = "warm-start",
                    .type = text,
                    .value = "FILE",
                    .help = "solutions, one per instance, that the search knows from the start"},
                   search_seed_option()});
  append(options, local_search_options("auto"));
  append(options, {{.name = "kicks",
                    .type = text,
                    .value = "auto|N",
                    .fallback = "auto",
                    .help = "iterated local search after the steps: N small perturbations of the best solution, each "
                            "followed by a local search around it. auto: by size, or under a time limit without -K to "
                            "the end of it; none without local search"}});
  append(options, model_options());
  append(
      options,
      {{.name = "time-limit",
        .type = real,
        .value = "S",
        .low = 0.001,
        .high = kUnbounded,
        .group = "When to stop",
        .help = "seconds per instance, or per batch with --batch, reading included; without -K or --kicks all of them "
                "are used"},
       {.name = "target",
        .type = real,
        .value = "C",
        .help =
            "stop once the cost is at or below C; of sets that are to be large, once the size or weight is at least C"},
       {.name = "no-improvement",
        .type = integer,
        .value = "N",
        .low = 1,
        .high = kMaxCount,
        .help = "stop after N steps without a better solution"}});
  append(options, machine_options());
  append(
      options,
      {problem_option("Input"),
       instance_format_option("format", "format of the files; by default name and content decide"),
       complement_option(),
       {.name = "output",
        .short_name = "o",
        .type = text,
        .value = "FILE",
        .group = "Output",
        .help = "write the solutions; .tour, .txt, .json, .jsonl and .csv choose the format; - prints them instead "
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
        .help = "write one row per step and per improvement by kicks: instance,phase,step,best,mean,entropy,seconds "
                "(costs; minus the size or weight of sets that are to be large)"},
       {.name = "incumbents",
        .type = text,
        .value = "FILE",
        .help = "write ever better solutions as they come, at most ten a second: a line with instance,seconds,cost "
                "(seconds since the program began), in a FILE that ends in .jsonl a JSON object with the solution; - "
                "prints the lines instead of the result lines"},
       {.name = "plot",
        .type = text,
        .value = "FILE",
        .help = "draw the solution of a single instance, with θ as the shade of edges or nodes; .svg "
                "and .png choose the format; - prints SVG"},
       {.name = "quiet", .short_name = "q", .type = flag, .help = "no progress line, notices or warnings"}});
  return options;
}

}  // namespace

CommandSpec solve_command() {
  return {
      .name = "solve",
      .summary = "search for good solutions of instances",
      .description =
          "Finds good solutions of each instance. A greedy solution is improved by kicks: small perturbations, each "
          "followed by a local search around it. With -K, --model and the like, a search by the model goes before: in "
          "each of its K steps it samples b solutions from a policy with parameters θ, improves them by local search, "
          "keeps the best ones, and lets the model update θ. --local-search none is the plain method of the paper: "
          "these steps alone. Prints one line per instance; files get each result as soon as it is there. Started by "
          "mpirun, the processes share the instances. SIGINT (Ctrl-C), SIGTERM or SIGHUP ends "
          "the search early: the best solution so far is written as usual and the exit status is 0; a second signal "
          "exits "
          "at once with status 130.",
      .positionals = {{.name = "FILE",
                       .repeated = true,
                       .help = "instance files, plain or gzip-compressed, folders and tar archives, in which files "
                               "that are no instances "
                               "are passed over with a warning; - reads standard input"}},
      .options = solve_options(),
      .examples = {
          {"moco solve cities.tsp", "a good tour within seconds"},
          {"moco solve cities.tsp --local-search none", "the paper's plain method: 200 steps with 32 samples each"},
          {"moco solve cities.tsp -K 2000 -M 8 --time-limit 60 -o best.tour", "search longer and keep the tour"},
          {"moco solve cities.tsp --local-search 2opt+oropt -o best.tour", "improve every sample by 2-opt and Or-opt"},
          {"moco solve network.graph --target 43 --json", "stop at an independent set of 43 nodes, print JSON"},
          {"moco solve test.txt --model adam --json results.jsonl --quiet", "all instances of a file, for a script"},
          {"moco solve cities.tsp --start farthest-insertion -K 0 --local-search none",
           "farthest insertion and no more"},
          {"moco solve cities.tsp --warm-start best.tour --plot tour.svg", "improve a known tour and draw the result"},
      }};
}

}  // namespace moco::cli
