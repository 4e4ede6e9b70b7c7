// TSPLIB's geographical coordinates: degrees and minutes packed into one decimal number.
#pragma once

#include <cmath>

namespace moco {

/// Radius of TSPLIB's globe in kilometres.
inline constexpr double geo_radius = 6378.388;

/// "DDD.MM" in radians, with TSPLIB's own value of π.
inline double geo_radians(double packed) {
  constexpr double tsplib_pi = 3.141592;
  const double degrees = std::trunc(packed);
  const double minutes = packed - degrees;
  return tsplib_pi * (degrees + 5.0 * minutes / 3.0) / 180.0;
}

}  // namespace moco
