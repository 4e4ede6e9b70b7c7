// Ranges, places and grid lines of an axis.
#include "moco/drawing/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "moco/error.h"

namespace moco::drawing {

namespace {

constexpr double kNotch = 0.07;  ///< share of the axis between the values of 0 and less and the others
constexpr int kMostDecades = 8;  ///< labelled ones

/// Distance of grid lines: 1, 2 or 5 times a power of ten, about six in the range.
double grid_step(double low, double high) {
  const double rough = (high - low) / 6.0;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double share = rough / power;
  return power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
}

}  // namespace

Scale::Scale(const Axis& axis, const std::vector<double>& values, double from, double to)
    : logarithmic_(axis.logarithmic), from_(from), to_(to), clipped_at_(from) {
  low_ = std::numeric_limits<double>::infinity();
  high_ = -low_;
  for (const double value : values) {
    if (clipped(value)) {
      clips_ = true;
    } else {
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
    }
  }
  if (low_ > high_) {
    throw OptionError(fmt::format("no value of '{}' is above 0, as a logarithmic axis needs", axis.title));
  }
  if (clips_) {
    from_ += kNotch * (to_ - from_);
  }
  if (high_ - low_ <= 1e-12 * std::max(logarithmic_ ? high_ : 1.0, std::abs(high_))) {
    low_ = logarithmic_ ? low_ / 2.0 : low_ - 0.5;
    high_ = logarithmic_ ? high_ * 2.0 : high_ + 0.5;
  }
}

double Scale::at(double value) const {
  if (clipped(value)) {
    return clipped_at_;
  }
  const double share = logarithmic_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return from_ + share * (to_ - from_);
}

std::vector<Tick> Scale::ticks() const {
  std::vector<Tick> ticks = logarithmic_ ? logarithmic_ticks() : linear_ticks();
  if (clips_) {
    ticks.push_back({clipped_at_, "≤ 0"});
  }
  return ticks;
}

std::vector<Tick> Scale::linear_ticks() const {
  std::vector<Tick> ticks;
  const double step = grid_step(low_, high_);
  constexpr double kSlack = 1e-9;  // ends that are ticks themselves
  for (double i = std::ceil(low_ / step - kSlack); i <= high_ / step + kSlack; i += 1.0) {
    ticks.push_back({at(i * step), fmt::format("{:.6g}", i * step + 0.0)});
  }
  return ticks;
}

std::vector<Tick> Scale::logarithmic_ticks() const {
  const int first = static_cast<int>(std::floor(std::log10(low_)));
  const int last = static_cast<int>(std::floor(std::log10(high_)));
  const int decades = last - first + 1;
  const int stride = (decades + kMostDecades - 1) / kMostDecades;
  std::vector<Tick> ticks;
  int labels = 0;
  for (int decade = first; decade <= last; ++decade) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * std::pow(10.0, decade);
      if (value < low_ * (1.0 - 1e-12) || value > high_ * (1.0 + 1e-12)) {
        continue;
      }
      const bool labelled =
          (digit == 1 && (decade - first) % stride == 0) || (decades <= 3 && (digit == 2 || digit == 5));
      if (labelled || stride == 1) {
        ticks.push_back({at(value), labelled ? fmt::format("{:.6g}", value) : ""});
        labels += labelled ? 1 : 0;
      }
    }
  }
  return labels >= 2 ? ticks : linear_ticks();  // within less than a decade round numbers may be further apart
}

}  // namespace moco::drawing
