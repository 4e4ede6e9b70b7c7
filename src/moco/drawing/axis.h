// One axis of a chart: where values lie on the sheet, and the values worth a grid line.
#pragma once

#include <string>
#include <vector>

namespace moco::drawing {

struct Axis {
  std::string title;  ///< with the unit in brackets
  bool logarithmic = false;
};

/// A grid line; without a label it only divides.
struct Tick {
  double at = 0.0;  ///< on the sheet
  std::string label;
};

/// Maps the values of an axis onto from … to on the sheet (either may be the larger). A logarithmic axis has no place
/// for values of 0 and less: where there are any, they lie on `from`, a notch below the smallest other value.
class Scale {
 public:
  /// `values` has one at least. Throws OptionError when a logarithmic axis gets no value above 0.
  Scale(const Axis& axis, const std::vector<double>& values, double from, double to);

  double at(double value) const;
  /// Whether the value had to be drawn elsewhere than where it belongs.
  bool clipped(double value) const { return logarithmic_ && !(value > 0.0); }
  std::vector<Tick> ticks() const;

 private:
  std::vector<Tick> linear_ticks() const;
  std::vector<Tick> logarithmic_ticks() const;

  bool logarithmic_;
  bool clips_ = false;  ///< there are values of 0 and less on a logarithmic axis
  double low_ = 0.0;    ///< smallest and largest value that has its place
  double high_ = 1.0;
  double from_;  ///< where they lie
  double to_;
  double clipped_at_;
};

}  // namespace moco::drawing
