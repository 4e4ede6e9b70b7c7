// Local search as the command line describes it.
#pragma once

#include "command_line.h"
#include "moco/local_search.h"

namespace moco::cli {

inline LocalSearchOptions local_search_arguments(const Arguments& arguments) {
  LocalSearchOptions options;
  options.name = arguments.text("local-search");
  options.rule = arguments.text("move-rule") == "best" ? MoveRule::best : MoveRule::first;
  options.move_limit = static_cast<int>(arguments.integer("move-limit"));
  options.plateau_steps = static_cast<int>(arguments.integer("plateau-steps"));
  return options;
}

}  // namespace moco::cli
