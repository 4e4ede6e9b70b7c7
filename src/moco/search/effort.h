// What an instance gets by default, so that a good answer takes seconds.
#pragma once

#include <cstdint>
#include <string>

#include "moco/instance.h"

namespace moco {

struct Effort {
  std::int64_t kicks = 0;
  int neighbours = 0;  ///< candidate neighbours per city for kicks alone (TSP)
};

/// The local search that suits an instance.
std::string default_local_search(const Instance& instance);
Effort default_effort(const Instance& instance);

}  // namespace moco
