// How much memory this process may still use.
#pragma once

#include <cstdint>

namespace moco {

/// Bytes available for new allocations: the system's estimate, cut to the control group's and the process's limits.
std::uint64_t available_memory();

}  // namespace moco
