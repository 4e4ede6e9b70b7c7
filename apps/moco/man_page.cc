// The man page: the help of all commands in one page of roff.
#include <algorithm>
#include <cctype>
#include <span>

#include <fmt/format.h>

#include "help.h"
#include "help_text.h"
#include "moco/problem.h"
#include "moco/version.h"

namespace moco::cli {

namespace {

/// Text in which roff sees nothing of its own: no escapes, no hyphens for minus signs, no requests at the start.
std::string escaped(std::string_view text) {
  std::string result;
  if (text.starts_with('.') || text.starts_with('\'')) {
    result += "\\&";
  }
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", escaped(text));
}

std::string italic(std::string_view text) {
  return fmt::format("\\fI{}\\fR", escaped(text));
}

/// A paragraph that hangs below a short heading of its own.
std::string item(std::string_view heading, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", heading, escaped(text));
}

std::string option_item(const OptionSpec& option) {
  const std::string value = placeholder(option);
  const std::string names =
      option.short_name.empty()
          ? bold(fmt::format("--{}", option.name))
          : fmt::format("{}, {}", bold(fmt::format("-{}", option.short_name)), bold(fmt::format("--{}", option.name)));
  return item(value.empty() ? names : fmt::format("{} {}", names, italic(value)), full_meaning(option));
}

/// A line that is shown as it is typed.
std::string verbatim(std::string_view line) {
  return fmt::format(".EX\n{}\n.EE\n", escaped(line));
}

std::string examples_text(std::span<const ExampleSpec> examples) {
  std::string text;
  for (const ExampleSpec& example : examples) {
    text += fmt::format(".PP\n{}:\n.RS 4\n{}.RE\n", escaped(example.explanation), verbatim(example.command));
  }
  return text;
}

std::string command_section(const CommandSpec& command) {
  std::string heading = fmt::format("moco {}", command.name);
  std::ranges::transform(heading, heading.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text =
      fmt::format(".SH \"{}\"\n{}.PP\n{}\n", heading, verbatim(usage_of(command)), escaped(command.description));
  for (const PositionalSpec& positional : command.positionals) {
    text += item(italic(spelled_name(positional)), positional.help);
  }
  for (const OptionSpec& option : command.options) {
    if (!option.group.empty() || &option == &command.options.front()) {
      text += fmt::format(".SS \"{}: {}\"\n", command.name, option.group.empty() ? "Options" : option.group);
    }
    text += option_item(option);
  }
  text += fmt::format(".SS \"{}: Examples\"\n", command.name);
  return text + examples_text(command.examples);
}

}  // namespace

std::string man_page() {
  std::string text = fmt::format(
      "'\\\" -*- coding: UTF-8 -*-\n.TH MOCO 1 \"\" \"moco {}\" \"User Commands\"\n.SH NAME\nmoco \\- {}\n.SH "
      "SYNOPSIS\n{} {} [{}] [{}]\n",
      version(), escaped(kTagline), bold("moco"), italic("COMMAND"), italic("ARGUMENTS"), italic("OPTIONS"));
  text += fmt::format(
      ".SH DESCRIPTION\n{}\n.SS \"First steps\"\n{}.SS Commands\n",
      escaped("Finds good solutions of combinatorial problems on graphs and in the plane, checks, improves and draws "
              "them, and trains the models that guide the search. Each command has a section below; moco COMMAND "
              "--help shows the same on the terminal."),
      examples_text(kFirstExamples));
  for (const CommandSpec& command : command_table()) {
    text += item(bold(command.name), command.summary);
  }
  text += ".SS Problems\n";
  for (const Problem* problem : problems()) {
    text += item(bold(problem->name()), problem->summary());
  }
  text += ".SH OPTIONS\n";
  text += item(fmt::format("{}, {}", bold("-h"), bold("--help")), "list the commands, or after a command explain it");
  text += item(bold("--version"), "print the version of the program");
  for (const CommandSpec& command : command_table()) {
    text += command_section(command);
  }
  text += ".SH \"EXIT STATUS\"\n";
  for (const ExitStatusSpec& spec : kExitStatuses) {
    text += item(bold(spec.status), spec.meaning);
  }
  text += ".SH ENVIRONMENT\n";
  text += item(bold("MOCO_MODELS"), "folder in which models are looked up before the others");
  text += ".SH FILES\n";
  text += item(italic("PREFIX/share/moco/models"),
               "the trained models and their manifest, where PREFIX/bin is the folder of the program");
  return text;
}

}  // namespace moco::cli
