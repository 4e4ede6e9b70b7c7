// TSPLIB's vocabulary: names of metrics and the layouts of explicit weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "moco/data.h"

namespace moco {

/// Whether a line begins a TSPLIB file: a section, or one of the usual keywords with a colon.
bool is_tsplib_line(std::string_view line);

/// Metric of an EDGE_WEIGHT_TYPE in capitals; nothing for one that is not supported.
std::optional<Metric> tsplib_metric(std::string_view type);
/// EDGE_WEIGHT_TYPE of a metric; empty for Metric::euclidean, which TSPLIB does not have.
std::string_view tsplib_type(Metric metric);
inline constexpr std::string_view tsplib_metric_names =
    "EUC_2D, CEIL_2D, MAN_2D, MAX_2D, GEO, ATT, EUC_3D, CEIL_3D and EXPLICIT";

/// How a list of weights fills a matrix.
struct WeightLayout {
  /// The triangles by rows; a triangle by columns is the other one by rows, since the matrix is symmetric.
  enum class Shape { full, upper, lower };

  Shape shape = Shape::full;
  bool diagonal = true;

  /// How many weights n nodes need.
  std::int64_t count(std::int64_t n) const;
  /// The n×n matrix; `weights` must hold count(n) numbers.
  std::vector<double> expand(const std::vector<double>& weights, std::int64_t n) const;
};

/// Layout of an EDGE_WEIGHT_FORMAT in capitals; nothing for one that is not supported.
std::optional<WeightLayout> weight_layout(std::string_view format);
inline constexpr std::string_view weight_format_names =
    "FULL_MATRIX and UPPER_ROW, LOWER_ROW, UPPER_DIAG_ROW, LOWER_DIAG_ROW and the same with COL";

/// The number of places, or of rows of the matrix.
std::size_t cities_of(const PointData& data);

/// Whether a row-major n×n matrix equals its transpose.
bool is_symmetric(const std::vector<double>& matrix, std::int64_t n);

}  // namespace moco
