// The commands of the program. Each takes its parsed arguments and returns the exit status.
#pragma once

#include <string>

#include "command_line.h"
#include "exit_status.h"

namespace moco::cli {

int run_solve(const Arguments& arguments);
int run_eval(const Arguments& arguments);
int run_models(const Arguments& arguments);
int run_generate(const Arguments& arguments);
int run_improve(const Arguments& arguments);
int run_check(const Arguments& arguments);
int run_convert(const Arguments& arguments);
int run_info(const Arguments& arguments);
int run_train(const Arguments& arguments);
int run_plot(const Arguments& arguments);
int run_help(const Arguments& arguments);

/// Prints the help of a command; the exit status.
int show_help(const CommandSpec& command);
/// Throws UsageError for a word that is no command, with the one that may have been meant.
[[noreturn]] void refuse_command(const std::string& word);

}  // namespace moco::cli
