// Layout of the help texts for terminals and for Markdown.
#include "help.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "help_text.h"
#include "moco/problem.h"
#include "text_table.h"

namespace moco::cli {

namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kHelpColumn = 30;

constexpr std::string_view kJsonReference = R"(
## JSON of moco solve

One object per instance and line, with these keys in this order:

| Key | Meaning |
| --- | --- |
| `instance` | name of the instance |
| `problem` | its name: `tsp`, `mis`, `vertex-cover`, `clique` |
| `n` | number of nodes |
| `cost` | tour length in the instance's metric, or minus the size of the set |
| `size` | of sets: nodes in the set; with weights `weight` follows, their sum |
| `feasible` | the independent checker's word |
| `solution` | 0-based: cities in visiting order, or chosen nodes in ascending order |
| `steps` | steps done |
| `restarts`, `samples` | M and b as asked for |
| `episode_steps` | length of the episodes that a search was cut into; 0: none |
| `rebuild` | only of partial samples: cities or nodes that each chose anew |
| `neighbours`, `candidates` | tsp only: k and which neighbours they are |
| `local_search` | name of the local search on every sample; missing in the plain method |
| `polish` | only when asked for: its name |
| `kicks` | kicks done after the steps; missing where there were to be none |
| `kicks_engine` | `cpu` or `cuda`: where they were done; missing where there were none |
| `unpolished_cost` | the cost before polish and kicks |
| `seconds` | time of the search, the polish and the kicks; of instances that are solved side by side each has its equal share |
| `stop` | `steps`, `kicks`, `time-limit`, `target`, `no-improvement` or `signal` |
| `seed`, `engine`, `model` | what was used |
| `reference_cost` | only when a solution came with the instance: its cost |

## JSON of moco eval

One object per setting and line, with these keys in this order:

| Key | Meaning |
| --- | --- |
| `dataset`, `problem` | what was searched |
| `instances`, `asked`, `complete` | instances searched to the end, instances of the data set, and whether that is all |
| `model` | name of the model, also when it was chosen by `auto` |
| `local_search`, `polish` | local search on every sample and on the result; empty: none |
| `restarts`, `steps`, `samples` | M, K and b |
| `time_limit` | seconds per instance; null when there was no limit |
| `episode_steps` | length of the episodes that a search was cut into; 0: none |
| `neighbours`, `candidates` | tsp only: k and which neighbours they are |
| `seed`, `engine`, `batch` | what was used; `batch` instances were searched side by side |
| `cost`, for mis `size` | `mean` and `standard_error` over the instances |
| `reference` | `source`, number of `instances` with one, their `mean`, and on how many the result was `better`; null when there is none |
| `gap` | `mean` and `standard_error` of the instances' gaps, as shares; null when there is no reference |
| `seconds` | per instance: `search` alone (of a batch each instance has its equal share), and the `whole` without reading |
| `curve` | with `--curve`: a list of step, mean best and mean seconds so far |
| `scores` | with `--per-instance`: `instance`, `n`, `cost` or `size`, `reference`, `gap` and `seconds` of each instance |
)";

/// Breaks `text` at spaces; lines after the first begin with `indent` spaces. `column` is where the first line begins.
std::string wrapped(std::string_view text, std::size_t column, std::size_t indent) {
  std::string result;
  bool line_start = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t width = display_width(word);
    if (!line_start && column + 1 + width > kLineWidth) {
      result += '\n';
      result.append(indent, ' ');
      column = indent;
      line_start = true;
    }
    if (!line_start) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width;
    line_start = false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

/// "  left        right, wrapped", on two lines when `left` is too long.
std::string entry(std::string_view left, std::string_view right) {
  std::string line = fmt::format("  {}", left);
  const std::size_t width = 2 + display_width(left);
  if (width + 2 > kHelpColumn) {
    line += '\n';
    line.append(kHelpColumn, ' ');
  } else {
    line.append(kHelpColumn - width, ' ');
  }
  return line + wrapped(right, kHelpColumn, kHelpColumn) + "\n";
}

/// Text for a Markdown table cell.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') {
      result += '\\';
    }
    result += c;
  }
  return result;
}

std::string markdown_command(const CommandSpec& command) {
  std::string text = fmt::format("## moco {}\n\n", command.name);
  text += fmt::format("```\n{}\n```\n\n{}\n\n", usage_of(command), command.description);
  text += command.positionals.empty() ? "" : "| Argument | Meaning |\n| --- | --- |\n";
  for (const PositionalSpec& positional : command.positionals) {
    text += fmt::format("| `{}` | {} |\n", spelled_name(positional), cell(positional.help));
  }
  std::string_view group = "Options";
  for (const OptionSpec& option : command.options) {
    if (!option.group.empty() || &option == &command.options.front()) {
      group = option.group.empty() ? group : option.group;
      text += fmt::format("\n### {}: {}\n\n| Option | Range | Default | Meaning |\n| --- | --- | --- | --- |\n",
                          command.name, group);
    }
    std::string range = short_range(option);
    if (!option.choices.empty()) {
      range = fmt::format("{}", fmt::join(option.choices, ", "));
    }
    const std::string kinds = option.kinds.empty() ? "" : fmt::format(" (kinds: {})", option.kinds);
    text += fmt::format("| `{}` | {} | {} | {}{} |\n", cell(spelled_names(option)), range, option.fallback,
                        cell(option.help), kinds);
  }
  text += fmt::format("\n### {}: Examples\n\n```sh\n", command.name);
  for (const ExampleSpec& example : command.examples) {
    text += fmt::format("# {}\n{}\n", example.explanation, example.command);
  }
  return text + "```\n";
}

}  // namespace

std::string overview_help() {
  std::string text = fmt::format("moco: {}\n\nUsage: moco COMMAND [ARGUMENTS] [OPTIONS]\n\nCommands:\n", kTagline);
  for (const CommandSpec& command : command_table()) {
    text += fmt::format("  {:<10}{}\n", command.name, command.summary);
  }
  text += "\nProblems:\n";
  for (const Problem* problem : problems()) {
    text += fmt::format("  {:<14}{}\n", problem->name(), problem->summary());
  }
  text +=
      "\nOptions:\n  -h, --help  this text, or after a command its own\n  --version   version of the program\n\n"
      "Examples:\n";
  for (const ExampleSpec& example : kFirstExamples) {
    text += fmt::format("  {}\n      {}\n", example.command, example.explanation);
  }
  return text;
}

std::string command_help(const CommandSpec& command) {
  std::string text = fmt::format("moco {}: {}\n\nUsage: {}\n\n", command.name, command.summary, usage_of(command));
  text += wrapped(command.description, 0, 0) + (command.positionals.empty() ? "\n" : "\n\nArguments:\n");
  for (const PositionalSpec& positional : command.positionals) {
    text += entry(spelled_name(positional), positional.help);
  }
  for (const OptionSpec& option : command.options) {
    if (!option.group.empty() || &option == &command.options.front()) {
      text += fmt::format("\n{}:\n", option.group.empty() ? "Options" : option.group);
    }
    text += entry(spelled_names(option), full_meaning(option));
  }
  text += fmt::format("\n{}\nExamples:\n", entry("-h, --help", "this text"));
  for (const ExampleSpec& example : command.examples) {
    text += fmt::format("  {}\n      {}\n", example.command, example.explanation);
  }
  return fmt::format("{}\n{}\n", text, wrapped(fmt::format("Exit status: {}", exit_status_text()), 0, 0));
}

std::string markdown_reference() {
  std::string text =
      "# Command line\n\n<!-- Made by `moco help --options-markdown`; a test compares the two. -->\n\n"
      "| Command | Purpose |\n| --- | --- |\n";
  for (const CommandSpec& command : command_table()) {
    text += fmt::format("| [`moco {0}`](#moco-{0}) | {1} |\n", command.name, command.summary);
  }
  text += fmt::format(
      "\nErrors are one line on standard error, beginning with `moco: `. Exit status: {}\n\n"
      "Files are written whole or not at all, and only after the work has succeeded.\n",
      exit_status_text());
  for (const CommandSpec& command : command_table()) {
    text += fmt::format("\n{}", markdown_command(command));
  }
  return text.append(kJsonReference);
}

}  // namespace moco::cli
