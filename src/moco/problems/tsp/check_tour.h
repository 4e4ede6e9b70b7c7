// The independent checker of tours.
#pragma once

#include "moco/instance.h"

namespace moco {

/// Every city once; the cost is summed in the instance's own metric.
CheckResult check_tour(const TspInstance& instance, const Solution& tour);

}  // namespace moco
