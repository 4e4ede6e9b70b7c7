// Names of TSPLIB's metrics and weight formats, and the expansion of triangles to matrices.
#include "moco/problems/tsp/tsplib.h"

#include <array>
#include <cstddef>
#include <utility>

namespace moco {

namespace {

constexpr std::array<std::pair<std::string_view, Metric>, 7> metrics{{{"EUC_2D", Metric::euc_2d},
                                                                      {"CEIL_2D", Metric::ceil_2d},
                                                                      {"MAN_2D", Metric::man_2d},
                                                                      {"MAX_2D", Metric::max_2d},
                                                                      {"GEO", Metric::geo},
                                                                      {"ATT", Metric::att},
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
