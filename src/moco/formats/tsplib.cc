// Names of TSPLIB's metrics and weight formats, and the expansion of triangles to matrices.
#include "moco/formats/tsplib.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "moco/formats/text.h"

namespace moco {

namespace {

constexpr std::array<std::pair<std::string_view, Metric>, 9> metrics{{{"EUC_2D", Metric::euc_2d},
                                                                      {"CEIL_2D", Metric::ceil_2d},
                                                                      {"MAN_2D", Metric::man_2d},
                                                                      {"MAX_2D", Metric::max_2d},
                                                                      {"GEO", Metric::geo},
                                                                      {"ATT", Metric::att},
                                                                      {"EUC_3D", Metric::euc_3d},
                                                                      {"CEIL_3D", Metric::ceil_3d},
                                                                      {"EXPLICIT", Metric::matrix}}};

using Shape = WeightLayout::Shape;

constexpr std::array<std::pair<std::string_view, WeightLayout>, 9> layouts{{{"FULL_MATRIX", {Shape::full, true}},
                                                                            {"UPPER_ROW", {Shape::upper, false}},
                                                                            {"LOWER_ROW", {Shape::lower, false}},
                                                                            {"UPPER_DIAG_ROW", {Shape::upper, true}},
                                                                            {"LOWER_DIAG_ROW", {Shape::lower, true}},
                                                                            {"UPPER_COL", {Shape::lower, false}},
                                                                            {"LOWER_COL", {Shape::upper, false}},
                                                                            {"UPPER_DIAG_COL", {Shape::lower, true}},
                                                                            {"LOWER_DIAG_COL", {Shape::upper, true}}}};

}  // namespace

bool is_tsplib_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  std::string_view before_colon = line.substr(0, colon);
  const std::string word = to_upper(next_token(before_colon));
  if (word.ends_with("_SECTION")) {
    return true;
  }
  constexpr std::array<std::string_view, 5> keywords{"NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE"};
  return colon != std::string_view::npos && std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

std::optional<Metric> tsplib_metric(std::string_view type) {
  for (const auto& [name, metric] : metrics) {
    if (name == type) {
      return metric;
    }
  }
  return std::nullopt;
}

std::string_view tsplib_type(Metric metric) {
  for (const auto& [name, candidate] : metrics) {
    if (candidate == metric) {
      return name;
    }
  }
  return {};
}

std::optional<WeightLayout> weight_layout(std::string_view format) {
  for (const auto& [name, layout] : layouts) {
    if (name == format) {
      return layout;
    }
  }
  return std::nullopt;
}

std::int64_t WeightLayout::count(std::int64_t n) const {
  if (shape == Shape::full) {
    return n * n;
  }
  return diagonal ? n * (n + 1) / 2 : n * (n - 1) / 2;
}

std::vector<double> WeightLayout::expand(const std::vector<double>& weights, std::int64_t n) const {
  if (shape == Shape::full) {
    return weights;
  }
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> matrix(size * size, 0.0);
  auto weight = weights.begin();
  for (std::size_t row = 0; row < size; ++row) {
    const std::size_t begin = shape == Shape::lower ? 0 : row + (diagonal ? 0 : 1);
    const std::size_t end = shape == Shape::upper ? size : row + (diagonal ? 1 : 0);
    for (std::size_t column = begin; column < end; ++column) {
      matrix[row * size + column] = matrix[column * size + row] = *weight++;
    }
  }
  return matrix;
}

std::size_t cities_of(const PointData& data) {
  if (data.metric != Metric::matrix) {
    return data.points.size();
  }
  return static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(data.matrix.size()))));
}

bool is_symmetric(const std::vector<double>& matrix, std::int64_t n) {
  const auto size = static_cast<std::size_t>(n);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < row; ++column) {
      if (matrix[row * size + column] != matrix[column * size + row]) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace moco
