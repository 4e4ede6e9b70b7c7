// Option tables of `moco eval` and `moco models`.
#include <limits>

#include "option_table_parts.h"

namespace moco::cli {

using enum OptionType;

namespace {

constexpr double kMaxCount = 1'000'000'000;

std::vector<OptionSpec> eval_options() {
  std::vector<OptionSpec> options = {
      {.name = "settings",
       .type = text,
       .value = "MxKxb,…",
       .group = "Settings",
       .help = "settings to run one after the other, such as 1x200x32,32x500x128 for restarts x steps x samples"}};
  append(options, setting_options(integers, "N,…"));
  append(options, search_variant_options());
  append(options, {search_seed_option()});
  append(options, local_search_options("none"));
  append(options, model_options());
  append(options, {{.name = "time-limit",
                    .type = real,
                    .value = "S",
                    .low = 0.001,
                    .high = std::numeric_limits<double>::infinity(),
                    .group = "When to stop",
                    .help = "seconds per instance, besides K; kept to within one step"}});
  append(options, machine_options());
  append(
      options,
      {problem_option("Data"),
       instance_format_option("format", "format of the files; by default name and content decide"),
       complement_option(),
       {.name = "instances",
        .type = integer,
        .value = "N",
        .low = 1,
        .high = kMaxCount,
        .help = "only the first N instances of the data set"},
       {.name = "reference",
        .type = text,
        .value = "FILE",
        .help = "known costs or sizes, or solutions, to compute gaps with: a value a line in the order of the "
                "instances, name and value, a table with a header, JSON Lines, or a solution file; by default the "
                "solutions that came with the instances"},
       {.name = "csv",
        .type = text,
        .value = "FILE",
        .group = "Output",
        .help = "write the results as CSV, a row per setting; - prints them instead of the table"},
       json_option("results as JSON Lines, an object per setting: to standard output instead of the table, or to a "
                   "file. A FILE that does not end in .json or .jsonl is given as --json=FILE"),
       {.name = "per-instance",
        .type = flag,
        .help = "also every instance's result: key scores in JSON, a row per instance and setting in CSV"},
       {.name = "curve",
        .type = flag,
        .help = "also the mean best after every step of searches in one piece, key curve in JSON; costs a little time"},
       {.name = "quiet", .short_name = "q", .type = flag, .help = "no progress line, notices or warnings"}});
  return options;
}

}  // namespace

CommandSpec eval_command() {
  return {
      .name = "eval",
      .summary = "measure a model on a data set, for one or several settings",
      .description =
          "Searches every instance of a data set and prints, per setting of M, K and b, the mean cost or set size, "
          "the mean gap to the references with standard errors, and the seconds per instance: of the search alone, "
          "and of everything but reading. A gap is (cost − reference)/reference, for mis (reference − "
          "size)/reference, per instance and then averaged; it is negative where the reference was beaten. Every "
          "solution goes through the checker; an infeasible one is an error. SIGINT (Ctrl-C), SIGTERM or SIGHUP ends "
          "the evaluation: the instances that were searched to the end are printed and written, and said to be not "
          "all; the exit status is 0, or 1 when there is none. Files get a row as soon as it is there. Started by "
          "mpirun, "
          "the processes share the instances.",
      .positionals = {{.name = "DATASET",
                       .repeated = true,
                       .help = "instance files, folders and tar archives, in which files that are no instances are "
                               "passed over with a warning; or one quoted 'generate …' with the arguments of moco "
                               "generate"}},
      .options = eval_options(),
      .examples = {
          {"moco eval test.txt", "K = 200, b = 32, M = 1; gaps to the tours in the file"},
          {"moco eval 'generate tsp -n 100 --count 128 --seed 7' -K 50,200 -b 32,128", "four settings side by side"},
          {"moco eval graphs.tar.gz --reference best.tsv --settings 1x50x32,32x200x32 --json results.jsonl",
           "an archive of graphs against known sizes"},
          {"moco eval tsplib/*.tsp --reference optima.txt --csv results.csv --per-instance",
           "a row per instance for a spreadsheet"},
      }};
}

CommandSpec models_command() {
  return {
      .name = "models",
      .summary = "list the trained models",
      .description =
          "Lists the models of the manifests: what each was trained for, what that cost, and its scores. "
          "--model auto chooses among them: by problem; by distribution, which is known of generated instances and "
          "recognised of graphs of 3-SAT formulas and road-like graphs (few neighbours per node, about as many for "
          "all), while other graphs get the model for random graphs; then by size and mean degree. Wherever a model "
          "is named (--model, train --from, info), the models of this list come first, and anything else is a "
          "checkpoint file, whatever its extension; a file called like a model is given as ./NAME. A model of this "
          "list is used only if its file has the SHA-256 of the manifest.",
      .options = {json_option("entries as JSON Lines, to standard output or a file"),
                  {.name = "names", .type = flag, .help = "print only the names, one a line"}},
      .examples = {{"moco models", "what there is"}, {"moco models --json", "with checksums, for a script"}}};
}

}  // namespace moco::cli
