// How costs and times look in texts.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace moco::cli {

/// Whether a cost is a whole number that a double holds exactly.
inline bool is_whole(double value) {
  constexpr double kLargestExact = 9007199254740992.0;
  return std::isfinite(value) && value == std::trunc(value) && std::abs(value) <= kLargestExact;
}

/// "7542" for whole numbers, six decimals otherwise.
inline std::string format_cost(double cost) {
  return is_whole(cost) ? fmt::format("{:.0f}", cost + 0.0) : fmt::format("{:.6f}", cost);
}

/// "cost 7542", or for a maximum independent set "size 43": its cost is minus the size.
inline std::string format_objective(std::string_view problem, double cost) {
  return problem == "mis" ? "size " + format_cost(cost == 0.0 ? 0.0 : -cost) : "cost " + format_cost(cost);
}

}  // namespace moco::cli
