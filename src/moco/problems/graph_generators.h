// The generators of graphs, for all problems on graphs.
#pragma once

#include <span>

#include "moco/generate.h"

namespace moco {

std::span<const GeneratorKind> graph_generators();

}  // namespace moco
