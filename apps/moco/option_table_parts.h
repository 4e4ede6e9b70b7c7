// Pieces that the option tables of the commands share, and the tables themselves.
#pragma once

#include <string_view>
#include <vector>

#include "option_table.h"

namespace moco::cli {

/// Words of choices that several commands offer.
const std::vector<std::string_view>& instance_format_choices();
const std::vector<std::string_view>& solution_format_choices();

/// Options that several commands have.
OptionSpec problem_option(std::string_view group = "");
OptionSpec instance_format_option(std::string_view name, std::string_view help);
OptionSpec complement_option();
OptionSpec scale_option();
OptionSpec json_option(std::string_view help);
/// Moves per solution of a local search.
OptionSpec move_limit_option();
/// Names of the local searches, by problem: "2opt, oropt for tsp; swap12 for mis, clique".
std::string_view local_search_names_text();

/// Options of the commands that search: K, b and M, as numbers or as lists; the other variants of the loop; the seed;
/// local search; the model; the machine.
std::vector<OptionSpec> setting_options(OptionType type, std::string_view value);
std::vector<OptionSpec> search_variant_options();
OptionSpec search_seed_option();
/// `fallback` is the local search of a command that is not told one.
std::vector<OptionSpec> local_search_options(std::string_view fallback);
std::vector<OptionSpec> model_options();
std::vector<OptionSpec> machine_options();
OptionSpec threads_option(std::string_view help);

/// Puts `more` behind `options`.
void append(std::vector<OptionSpec>& options, std::vector<OptionSpec> more);

CommandSpec solve_command();
CommandSpec eval_command();
CommandSpec models_command();
CommandSpec generate_command();
CommandSpec improve_command();
CommandSpec check_command();
CommandSpec convert_command();
CommandSpec info_command();
CommandSpec train_command();
CommandSpec plot_command();
CommandSpec help_command();

}  // namespace moco::cli
