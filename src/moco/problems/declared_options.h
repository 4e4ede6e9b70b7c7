// The options of all problems and of all generators, each key once with everybody who declares it.
#pragma once

#include <string_view>
#include <vector>

#include "moco/problem.h"

namespace moco {

struct SharedOption {
  const OptionDeclaration* option;       ///< the first declaration
  std::vector<std::string_view> owners;  ///< problems, or kinds of generators
};

std::vector<SharedOption> options_of_all_problems();
std::vector<SharedOption> options_of_all_generators();

}  // namespace moco
