// Which families of problems have kernels.
#pragma once

#include <string_view>

namespace moco::cuda {

enum class DeviceFamily { tours, sets };

/// Throws OptionError for a family without kernels.
DeviceFamily device_family(std::string_view family);

}  // namespace moco::cuda
