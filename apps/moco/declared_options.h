// Options that problems and generators declare, as options of commands and as their values.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "command_line.h"
#include "moco/problem.h"

namespace moco::cli {

/// Of a search by a model, whatever it begins with.
inline const std::vector<OptionUse> kSearchUses = {OptionUse::graph, OptionUse::construction, OptionUse::local_search};

/// The options of all problems with one of these uses, each name once, with the problems that have it.
std::vector<OptionSpec> problem_option_specs(const std::vector<OptionUse>& uses);
/// The options of all generators, likewise with their kinds.
std::vector<OptionSpec> generator_option_specs();
/// Names of all generators, each once.
std::vector<std::string_view> generator_names();

/// What the arguments say of the problem's options with these uses. Throws UsageError when one of another problem is
/// given.
OptionValues given_problem_options(const Arguments& arguments, const Problem& problem,
                                   const std::vector<OptionUse>& uses);
/// Whether an option with this use is given, of whatever problem; its name, or nothing.
std::string given_option_of_use(const Arguments& arguments, OptionUse use);

/// The options that a generator declares, as the arguments have them. Throws UsageError when one of another is given.
OptionValues given_generator_options(const Arguments& arguments, const GeneratorKind& kind);

}  // namespace moco::cli
