// Option tables of `moco train` and `moco plot`. The keys of a training configuration come from the library's table.
#include <limits>
#include <variant>

#include "moco/training/config_fields.h"
#include "option_table_parts.h"

namespace moco::cli {

using enum OptionType;

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

std::string_view heading_of(std::string_view section) {
  if (section == "model") {
    return "Model";
  }
  if (section == "data") {
    return "Instances";
  }
  if (section == "search") {
    return "Search inside training";
  }
  if (section == "es") {
    return "Evolution strategies";
  }
  if (section == "optimizer") {
    return "Optimizer";
  }
  return section == "validation" ? "Validation" : "Configuration (each option overrides one key)";
}

/// The option that overrides a key of the configuration.
OptionSpec option_of(const ConfigField& field) {
  OptionSpec option{.name = field.option, .low = field.low, .high = field.high, .help = field.help};
  if (const auto* declared = std::get_if<DeclaredField>(&field.value)) {
    const bool words = declared->declaration->kind == OptionKind::choice;
    option.type = words ? choice : declared->declaration->kind == OptionKind::integer ? integer : real;
    option.choices = declared->declaration->choices;
    option.value = words ? "" : option.type == integer ? "N" : "X";
    option.short_name = declared->declaration->short_name;
  } else if (const auto* choices = std::get_if<ChoiceField>(&field.value)) {
    option.type = choice;
    option.choices = choices->words;
  } else if (std::holds_alternative<FieldOf<int>>(field.value) ||
             std::holds_alternative<FieldOf<std::uint64_t>>(field.value)) {
    option.type = integer;
    option.value = "N";
  } else if (std::holds_alternative<FieldOf<double>>(field.value)) {
    option.type = real;
    option.value = "X";
  } else if (std::holds_alternative<FieldOf<bool>>(field.value)) {
    option.type = choice;
    option.choices = {"true", "false"};
  } else {
    const bool files = std::holds_alternative<FieldOf<std::vector<std::string>>>(field.value);
    const bool text = std::holds_alternative<FieldOf<std::string>>(field.value);
    option.value = field.key == "from" ? "NAME|FILE" : files ? "FILES" : text ? "TEXT" : "VALUE";
    option.names = field.option == "from"           ? NameKind::models
                   : field.option == "kind"         ? NameKind::generators
                   : field.option == "local-search" ? NameKind::local_searches
                                                    : NameKind::none;
    option.low = -kUnbounded;
    option.high = kUnbounded;
  }
  return option;
}

std::vector<OptionSpec> train_options() {
  std::vector<OptionSpec> options = {
      {.name = "preset",
       .type = choice,
       .value = "NAME",
       .choices = preset_names(),
       .group = "Run",
       .help = "configuration that comes with the program"},
      {.name = "config", .value = "FILE", .help = "configuration in TOML; docs/training.md explains the keys"},
      {.name = "output",
       .short_name = "o",
       .value = "FOLDER",
       .help = "folder of the run: state, checkpoints, metrics; made if need be"},
      {.name = "resume", .type = flag, .help = "go on where the run in the folder stopped; begins it if there is none"},
      {.name = "anneal",
       .type = integer,
       .value = "N",
       .low = 1,
       .high = 1e9,
       .help = "with --resume: let the learning rate fall to 0 from here in N outer steps, then end"},
      {.name = "time-limit",
       .type = real,
       .value = "S",
       .low = 0,
       .help = "seconds of the run: everything is saved and over by then; --resume goes on"},
      {.name = "save-every",
       .type = real,
       .value = "SECONDS",
       .low = 0,
       .fallback = "60",
       .help = "time between saved states"},
      {.name = "save-every-steps",
       .type = integer,
       .value = "N",
       .low = 0,
       .high = 1e9,
       .fallback = "0",
       .help = "save also after this many outer steps; 0: by time alone"},
      {.name = "engine",
       .type = choice,
       .choices = {"auto", "cpu", "cuda"},
       .fallback = "auto",
       .help = "where the searches run"},
      threads_option("threads per process; 0: the machine's cores, shared among its processes"),
      {.name = "print-config", .type = flag, .help = "print the complete configuration and do nothing"},
      {.name = "quiet", .short_name = "q", .type = flag, .help = "no progress"}};
  std::string_view section = "-";
  for (const ConfigField& field : config_fields()) {
    OptionSpec option = option_of(field);
    if (field.section() != section) {
      section = field.section();
      option.group = heading_of(section);
    }
    options.push_back(std::move(option));
  }
  return options;
}

}  // namespace

CommandSpec train_command() {
  return {
      .name = "train",
      .summary = "train a model by evolution strategies",
      .description =
          "Trains the networks that update θ: every outer step runs short searches with perturbed weights and follows "
          "the perturbations that found better solutions. The same configuration gives the same model. SIGINT "
          "(Ctrl-C), "
          "SIGTERM or SIGHUP saves the state and ends with status 0; --resume goes on exactly where a run stopped, "
          "however it "
          "ended. Started by mpirun, the processes share the work.",
      .options = train_options(),
      .examples = {
          {"moco train --preset tsp100 -o runs/tsp100", "the settings of the shipped model"},
          {"moco train --preset tsp100 -o runs/tsp100 --resume", "go on after an interruption"},
          {"moco train --preset tsp100 --nodes 150 --from tsp100 -o runs/tsp150", "fine-tune a model for another size"},
          {"mpirun -np 4 moco train --preset mis-er -o runs/mis --engine cuda", "four devices"}}};
}

CommandSpec plot_command() {
  return {
      .name = "plot",
      .summary = "draw the metrics of training runs",
      .description = "Draws one curve per file of metrics (metrics.jsonl of a run's folder, or the folder itself).",
      .positionals = {{.name = "METRICS", .repeated = true, .help = "metrics.jsonl files or folders of runs"}},
      .options = {{.name = "output",
                   .short_name = "o",
                   .value = "FILE",
                   .fallback = "-",
                   .help = "picture; .svg and .png choose the format; - prints SVG"},
                  {.name = "x",
                   .type = choice,
                   .choices = {"step", "seconds"},
                   .fallback = "step",
                   .help = "what the horizontal axis shows"},
                  {.name = "y",
                   .type = choice,
                   .value = "COLUMN",
                   .choices = {"validation", "gap", "entropy", "loss", "difference", "gradient_norm", "learning_rate",
                               "search_steps", "instances_per_second"},
                   .fallback = "validation",
                   .help = "what the vertical axis shows"},
                  {.name = "log-x", .type = flag, .help = "logarithmic horizontal axis"},
                  {.name = "log-y",
                   .type = flag,
                   .help = "logarithmic vertical axis; values of 0 and less are rings on a line of their own"}},
      .examples = {{"moco plot runs/tsp100 -o curve.svg", "validation over outer steps"},
                   {"moco plot runs/a runs/b --x seconds --y gap --log-y -o compare.png", "two runs against time"}}};
}

}  // namespace moco::cli
