// The only place where a family's name decides about kernels.
#include "moco/engine/cuda/plan/device_family.h"

#include <fmt/format.h>

#include "moco/error.h"

namespace moco::cuda {

DeviceFamily device_family(std::string_view family) {
  if (family == "tsp") {
    return DeviceFamily::tours;
  }
  if (family == "mis") {
    return DeviceFamily::sets;
  }
  throw OptionError(fmt::format("there are no device kernels for {}; use the CPU engine", family));
}

}  // namespace moco::cuda
