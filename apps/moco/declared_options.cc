// From declarations to options of commands, and from arguments to values.
#include "declared_options.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moco/problems/declared_options.h"

namespace moco::cli {

namespace {

/// Texts that specs refer to; a deque, so that they stay where they are.
std::string_view kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

bool among(const std::vector<OptionUse>& uses, OptionUse use) {
  return std::ranges::find(uses, use) != uses.end();
}

std::vector<SharedOption> problem_options_with(const std::vector<OptionUse>& uses) {
  std::vector<SharedOption> all = options_of_all_problems();
  std::erase_if(all, [&](const SharedOption& shared) { return !among(uses, shared.option->use); });
  return all;
}

OptionSpec spec_of(const SharedOption& shared) {
  const OptionDeclaration& option = *shared.option;
  OptionSpec spec{.name = kept(option.command_line_name()), .short_name = option.short_name};
  if (option.kind == OptionKind::choice) {
    spec.type = OptionType::choice;
    spec.choices = option.choices;
  } else {
    spec.type = option.kind == OptionKind::integer ? OptionType::integer : OptionType::real;
    spec.value = option.kind == OptionKind::integer ? "N" : "X";
    spec.low = option.low;
    spec.high = option.high;
  }
  spec.fallback = kept(option.fallback_text());
  return spec;
}

/// Takes over the value of an option that is given.
void take(const Arguments& arguments, const OptionDeclaration& option, OptionValues& values) {
  const std::string name = option.command_line_name();
  if (option.kind == OptionKind::choice) {
    values.set(option.key, arguments.text(name));
  } else {
    values.set(option.key, arguments.real(name));
  }
}

}  // namespace

std::vector<OptionSpec> problem_option_specs(const std::vector<OptionUse>& uses) {
  std::vector<OptionSpec> specs;
  for (const SharedOption& shared : problem_options_with(uses)) {
    specs.push_back(spec_of(shared));
    specs.back().help = kept(fmt::format("{} ({})", shared.option->help, fmt::join(shared.owners, ", ")));
  }
  return specs;
}

std::vector<OptionSpec> generator_option_specs() {
  std::vector<OptionSpec> specs;
  for (const SharedOption& shared : options_of_all_generators()) {
    specs.push_back(spec_of(shared));
    specs.back().help = shared.option->help;
    specs.back().kinds = kept(fmt::format("{}", fmt::join(shared.owners, " ")));
  }
  return specs;
}

std::vector<std::string_view> generator_names() {
  std::vector<std::string_view> names;
  for (const Problem* problem : problems()) {
    for (const GeneratorKind& kind : problem->generators()) {
      if (std::ranges::find(names, kind.name) == names.end()) {
        names.push_back(kind.name);
      }
    }
  }
  return names;
}

OptionValues given_problem_options(const Arguments& arguments, const Problem& problem,
                                   const std::vector<OptionUse>& uses) {
  OptionValues values;
  for (const SharedOption& shared : problem_options_with(uses)) {
    if (!arguments.given(shared.option->command_line_name())) {
      continue;
    }
    const OptionDeclaration* own = find_option(problem.options(), shared.option->key);
    if (own == nullptr) {
      throw UsageError(fmt::format("--{} is for {}, not for {}", shared.option->command_line_name(),
                                   fmt::join(shared.owners, ", "), problem.name()));
    }
    take(arguments, *own, values);
  }
  return values;
}

std::string given_option_of_use(const Arguments& arguments, OptionUse use) {
  for (const SharedOption& shared : problem_options_with({use})) {
    if (arguments.given(shared.option->command_line_name())) {
      return shared.option->command_line_name();
    }
  }
  return "";
}

OptionValues given_generator_options(const Arguments& arguments, const GeneratorKind& kind) {
  OptionValues values;
  for (const SharedOption& shared : options_of_all_generators()) {
    if (!arguments.given(shared.option->command_line_name())) {
      continue;
    }
    const OptionDeclaration* own = find_option(kind.options, shared.option->key);
    if (own == nullptr) {
      throw UsageError(fmt::format("generate: --{} does not apply to kind {} (only to: {})",
                                   shared.option->command_line_name(), kind.name, fmt::join(shared.owners, " ")));
    }
    take(arguments, *own, values);
  }
  return values;
}

}  // namespace moco::cli
