// Rules that remember good solutions in pheromones τ, one per variable: θ = α·ln τ + β·θ⁰ (docs/method.md).
#pragma once

#include <memory>

#include "moco/engine/cpu/update_rule.h"

namespace moco::cpu {

/// Of rule ant-system or max-min.
std::unique_ptr<CpuUpdateRule> make_pheromone_rule(const ModelConfig& config);

}  // namespace moco::cpu
