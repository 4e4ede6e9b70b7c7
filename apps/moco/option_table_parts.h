// Pieces that the option tables of the commands share, and the tables themselves.
#pragma once

#include <string_view>
#include <vector>

#include "option_table.h"

namespace moco::cli {

/// Words of choices that several commands offer.
const std::vector<std::string_view>& problem_choices();
const std::vector<std::string_view>& instance_format_choices();
const std::vector<std::string_view>& solution_format_choices();

/// Options that several commands have.
OptionSpec problem_option(std::string_view group = "");
OptionSpec instance_format_option(std::string_view name, std::string_view help);
OptionSpec json_option(std::string_view help);
OptionSpec neighbours_option(std::string_view group = "");
/// Rule and limits of a local search.
OptionSpec move_rule_option();
OptionSpec move_limit_option();
OptionSpec plateau_steps_option();

CommandSpec solve_command();
CommandSpec generate_command();
CommandSpec improve_command();
CommandSpec check_command();
CommandSpec convert_command();
CommandSpec info_command();
CommandSpec train_command();
CommandSpec plot_command();

}  // namespace moco::cli
