// How costs and times look in texts.
#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "moco/problem.h"

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

/// "cost 7542", or of a set that is to be large "size 43", whose cost is minus that.
inline std::string format_objective(const Objective& objective, double cost) {
  return fmt::format("{} {}", objective.word, format_cost(objective.value(cost)));
}
inline std::string format_objective(const Instance& instance, double cost) {
  return format_objective(instance.problem().objective(instance), cost);
}

}  // namespace moco::cli
