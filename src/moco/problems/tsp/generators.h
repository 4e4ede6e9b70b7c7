// The generators of points.
#pragma once

#include <span>

#include "moco/generate.h"

namespace moco {

std::span<const GeneratorKind> point_generators();

}  // namespace moco
