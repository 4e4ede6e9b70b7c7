// Merging of declarations by name, and reading of values.
#include "declared_options.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace moco::cli {

namespace {

/// Texts that specs refer to; a deque, so that they stay where they are.
std::string_view kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

/// An option with all that declare it.
struct Shared {
  const OptionDeclaration* option;
  std::string name;
  std::vector<std::string_view> owners;
};

void collect(std::vector<Shared>& all, std::span<const OptionDeclaration> declared, std::string_view owner,
             const std::function<bool(const OptionDeclaration&)>& wanted) {
  for (const OptionDeclaration& option : declared) {
    if (!wanted(option)) {
      continue;
    }
    const auto known = std::ranges::find(all, option.command_line_name(), &Shared::name);
    if (known == all.end()) {
      all.push_back({&option, option.command_line_name(), {owner}});
    } else if (std::ranges::find(known->owners, owner) == known->owners.end()) {
      known->owners.push_back(owner);
    }
  }
}

bool among(const std::vector<OptionUse>& uses, OptionUse use) {
  return std::ranges::find(uses, use) != uses.end();
}

std::vector<Shared> shared_problem_options(const std::vector<OptionUse>& uses) {
  std::vector<Shared> all;
  for (const Problem* problem : problems()) {
    collect(all, problem->options(), problem->name(),
            [&](const OptionDeclaration& option) { return among(uses, option.use); });
  }
  return all;
}

std::vector<Shared> shared_generator_options() {
  std::vector<Shared> all;
  for (const Problem* problem : problems()) {
    for (const GeneratorKind& kind : problem->generators()) {
      collect(all, kind.options, kind.name, [](const OptionDeclaration&) { return true; });
    }
  }
  return all;
}

OptionSpec spec_of(const Shared& shared) {
  const OptionDeclaration& option = *shared.option;
  OptionSpec spec{.name = kept(shared.name), .short_name = option.short_name};
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

void take(const Arguments& arguments, const OptionDeclaration& option, OptionValues& values) {
  const std::string name = option.command_line_name();
  if (!arguments.given(name)) {
    return;
  }
  if (option.kind == OptionKind::choice) {
    values.set(option.key, arguments.text(name));
  } else {
    values.set(option.key, arguments.real(name));
  }
}

}  // namespace

std::vector<OptionSpec> problem_option_specs(const std::vector<OptionUse>& uses) {
  std::vector<OptionSpec> specs;
  for (const Shared& shared : shared_problem_options(uses)) {
    specs.push_back(spec_of(shared));
    specs.back().help = kept(fmt::format("{} ({})", shared.option->help, fmt::join(shared.owners, ", ")));
  }
  return specs;
}

std::vector<OptionSpec> generator_option_specs() {
  std::vector<OptionSpec> specs;
  for (const Shared& shared : shared_generator_options()) {
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
  for (const Shared& shared : shared_problem_options(uses)) {
    if (!arguments.given(shared.name)) {
      continue;
    }
    const OptionDeclaration* own = find_option(problem.options(), shared.option->key);
    if (own == nullptr) {
      throw UsageError(
          fmt::format("--{} is for {}, not for {}", shared.name, fmt::join(shared.owners, ", "), problem.name()));
    }
    take(arguments, *own, values);
  }
  return values;
}

std::string_view given_option_of_use(const Arguments& arguments, OptionUse use) {
  for (const Shared& shared : shared_problem_options({use})) {
    if (arguments.given(shared.name)) {
      return kept(shared.name);
    }
  }
  return "";
}

OptionValues given_generator_options(const Arguments& arguments, const GeneratorKind& kind) {
  OptionValues values;
  for (const Shared& shared : shared_generator_options()) {
    if (!arguments.given(shared.name)) {
      continue;
    }
    const OptionDeclaration* own = find_option(kind.options, shared.option->key);
    if (own == nullptr) {
      throw UsageError(fmt::format("generate: --{} does not apply to kind {} (only to: {})", shared.name, kind.name,
                                   fmt::join(shared.owners, " ")));
    }
    take(arguments, *own, values);
  }
  return values;
}

}  // namespace moco::cli
