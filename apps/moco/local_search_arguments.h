// Local search as the command line describes it.
#pragma once

#include "command_line.h"
#include "moco/local_search.h"
#include "moco/problem.h"

namespace moco::cli {

/// The name that the library knows: empty for "none".
inline std::string local_search_name(const Arguments& arguments, const Instance& instance) {
  const std::string name = arguments.text("local-search");
  return name == "auto" ? std::string(instance.problem().default_local_search(instance)) : name == "none" ? "" : name;
}

inline LocalSearchOptions local_search_arguments(const Arguments& arguments, const Instance& instance) {
  LocalSearchOptions options;
  options.name = local_search_name(arguments, instance);
  options.move_limit = static_cast<int>(arguments.integer("move-limit"));
  return options;
}

}  // namespace moco::cli
