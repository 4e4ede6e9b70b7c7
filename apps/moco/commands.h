// The commands of the program. Each takes its parsed arguments and returns the exit status.
#pragma once

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

}  // namespace moco::cli
