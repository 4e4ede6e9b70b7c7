// A solver for one call.
#pragma once

#include <span>
#include <vector>

#include "moco/solver.h"

namespace moco {

/// On the CPU unless told otherwise.
inline std::vector<SolveResult> solve_once(std::span<const InstancePtr> instances, const Model& model,
                                           const SolveOptions& options,
                                           const SolverOptions& where = {.engine = EngineKind::cpu}) {
  return Solver(model, where).solve(instances, options);
}

}  // namespace moco
