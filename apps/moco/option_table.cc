// The list of commands, the pieces their tables share, and the short tables.
#include "option_table.h"

#include <algorithm>
#include <iterator>

#include "moco/problem.h"
#include "option_table_parts.h"

namespace moco::cli {

using enum OptionType;

const std::vector<std::string_view>& instance_format_choices() {
  static const std::vector<std::string_view> words = {"tsplib",    "concorde",      "npy",   "csv",  "dimacs", "metis",
                                                      "edge-list", "matrix-market", "ml4co", "pace", "matrix"};
  return words;
}

const std::vector<std::string_view>& solution_format_choices() {
  static const std::vector<std::string_view> words = {"tour", "node-list", "kamis", "json", "csv"};
  return words;
}

OptionSpec problem_option(std::string_view group) {
  return {.name = "problem",
          .type = choice,
          .choices = problem_names(),
          .group = group,
          .help = "what is asked of the instances; the default is tsp for points and mis for graphs"};
}

OptionSpec instance_format_option(std::string_view name, std::string_view help) {
  return {.name = name, .type = choice, .value = "FORMAT", .choices = instance_format_choices(), .help = help};
}

OptionSpec complement_option() {
  return {.name = "complement",
          .type = flag,
          .help = "graphs: take the complement of what the files hold, edges where there are none"};
}

OptionSpec scale_option() {
  return {.name = "scale",
          .type = real,
          .value = "X",
          .low = 1e-9,
          .high = 1e15,
          .help =
              "points in the plane: multiply the coordinates and round them to whole numbers, with whole distances "
              "(EUC_2D of TSPLIB)"};
}

OptionSpec json_option(std::string_view help) {
  return {.name = "json", .type = optional_file, .value = "FILE", .help = help};
}

OptionSpec move_limit_option() {
  return {.name = "move-limit",
          .type = integer,
          .value = "N",
          .low = 0,
          .high = 1'000'000'000,
          .fallback = "0",
          .help = "moves per solution at most; 0 goes on until no move helps"};
}

CommandSpec check_command() {
  return {
      .name = "check",
      .summary = "recompute the cost of solutions or name their first violation",
      .description =
          "Checks solutions against the definition of the problem, independently of the search. Prints 'feasible cost "
          "C' (of sets 'feasible size C' or 'weight C') or 'infeasible: ' with the first violation, after the name of "
          "the instance "
          "when there are several. The exit status is 0 when all are feasible and 1 otherwise.",
      .positionals = {{.name = "INSTANCE", .help = "file with one or more instances; - reads standard input"},
                      {.name = "SOLUTION",
                       .help = "file with one solution per instance, in order; - reads standard input"}},
      .options = {problem_option(),
                  instance_format_option("format", "format of the instances; by default name and content decide"),
                  complement_option(),
                  {.name = "solution-format",
                   .type = choice,
                   .value = "FORMAT",
                   .choices = solution_format_choices(),
                   .help = "format of the solutions; by default name and content decide"},
                  json_option("verdicts as JSON Lines, to standard output or a file"),
                  {.name = "quiet", .short_name = "q", .type = flag, .help = "no warnings"}},
      .examples = {{"moco check cities.tsp best.tour", "is it a tour, and how long is it?"},
                   {"moco solve cities.tsp -o - | moco check cities.tsp -", "a second opinion"},
                   {"moco check test.txt solutions.jsonl --json", "a verdict per line for a script"}}};
}

CommandSpec convert_command() {
  return {
      .name = "convert",
      .summary = "rewrite instances in another format",
      .description = "Reads all instances of a file and writes them to another; names ending in .gz are compressed.",
      .positionals = {{.name = "IN", .help = "file to read; - reads standard input"},
                      {.name = "OUT", .help = "file to write; - prints"}},
      .options = {problem_option(),
                  instance_format_option("from", "format of IN; by default name and content decide"),
                  instance_format_option("to", "format of OUT; by default its name decides"),
                  complement_option(),
                  scale_option(),
                  {.name = "quiet", .short_name = "q", .type = flag, .help = "no warnings"}},
      .examples = {{"moco convert network.col network.graph", "DIMACS to METIS"},
                   {"moco convert points.npy points.txt --to concorde", "an array of coordinates to Concorde text"}}};
}

CommandSpec info_command() {
  return {
      .name = "info",
      .summary = "describe instance files and models",
      .description =
          "Prints what a file holds: problem, size, edges and degrees or metric and bounding box, and the cost of a "
          "solution that came with the instance; for a model its configuration, number of parameters and metadata.",
      .positionals = {{.name = "FILE",
                       .repeated = true,
                       .names = NameKind::models,
                       .help = "instance files, checkpoints or names of models"}},
      .options = {problem_option(),
                  instance_format_option("format", "format of the instances; by default name and content decide"),
                  complement_option(),
                  json_option("facts as JSON Lines, to standard output or a file"),
                  {.name = "quiet", .short_name = "q", .type = flag, .help = "no warnings"}},
      .examples = {{"moco info cities.tsp", "facts about an instance"},
                   {"moco info model.safetensors --json", "facts about a checkpoint as JSON"}}};
}

CommandSpec help_command() {
  return {
      .name = "help",
      .summary = "explain the program or a command",
      .description =
          "Prints what 'moco --help' or 'moco COMMAND --help' does, or with an option a text made from the same table "
          "for another reader: a man page, completions for a shell, the reference of the documentation.",
      .positionals = {{.name = "COMMAND",
                       .required = false,
                       .names = NameKind::commands,
                       .help = "command to explain; without it the program as a whole"}},
      .options = {{.name = "man", .type = flag, .help = "print the man page, in roff"},
                  {.name = "completion",
                   .type = choice,
                   .choices = {"bash", "zsh", "fish"},
                   .help = "print the completions of a shell"},
                  {.name = "options-markdown", .type = flag, .help = "print docs/cli.md"}},
      .examples = {{"moco help solve", "the same as moco solve --help"},
                   {"moco help --man | man -l -", "read the man page of a program that is not installed"},
                   {"source <(moco help --completion bash)", "completions for this session alone"}}};
}

const std::vector<CommandSpec>& command_table() {
  static const std::vector<CommandSpec> table = {
      solve_command(),   eval_command(), models_command(), improve_command(), generate_command(), check_command(),
      convert_command(), info_command(), train_command(),  plot_command(),    help_command()};
  return table;
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  std::ranges::transform(command_table(), std::back_inserter(names), &CommandSpec::name);
  return names;
}

const CommandSpec* find_command(std::string_view name) {
  const auto& table = command_table();
  const auto found = std::ranges::find(table, name, &CommandSpec::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace moco::cli
