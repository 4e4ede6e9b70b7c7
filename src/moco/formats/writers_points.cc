// Writers of points and distances. Numbers are written with as many digits as it takes to read the same number back.
#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/tsplib.h"
#include "moco/formats/writers.h"

namespace moco {

namespace {

/// Only TSPLIB can say which edges a tour must have.
void require_no_fixed_edges(const InstanceData& instance, std::string_view format) {
  if (!points_in(instance).fixed.empty()) {
    throw OptionError(fmt::format("instance '{}' has fixed edges, which {} cannot express; write it as tsplib",
                                  instance.name, format));
  }
}

/// Formats of bare coordinates would silently change any other metric into the unrounded Euclidean one.
void require_plain_coordinates(const InstanceData& instance, std::string_view format) {
  require_no_fixed_edges(instance, format);
  if (const Metric metric = points_in(instance).metric; metric != Metric::euclidean) {
    throw OptionError(fmt::format("instance '{}' has metric {}, which {} cannot express; write it as tsplib",
                                  instance.name, tsplib_type(metric), format));
  }
}

void append_points(std::string& text, std::span<const Point> points, std::span<const double> heights) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    text += fmt::format("{} {} {}", i + 1, points[i].x, points[i].y);
    text += heights.empty() ? "\n" : fmt::format(" {}\n", heights[i]);
  }
}

void append_rows(std::string& text, const PointData& data, char separator) {
  const std::size_t n = cities_of(data);
  for (std::size_t i = 0; i < data.matrix.size(); ++i) {
    text += fmt::format("{}{}", data.matrix[i], (i + 1) % n == 0 ? '\n' : separator);
  }
}

void append_number(std::string& data, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (int shift = 0; shift < 64; shift += 8) {
    data += static_cast<char>(bits >> shift & 0xFFu);
  }
}

void require_matrix(const InstanceData& instance, std::string_view format) {
  require_no_fixed_edges(instance, format);
  if (points_in(instance).metric != Metric::matrix) {
    throw OptionError(
        fmt::format("instance '{}' has coordinates, and {} holds distances; write it as concorde, npy, "
                    "csv or tsplib",
                    instance.name, format));
  }
}

}  // namespace

std::string format_tsplib(const InstanceData& instance) {
  const PointData& data = points_in(instance);
  const std::string_view type = tsplib_type(data.metric);
  if (type.empty()) {
    throw OptionError(
        fmt::format("instance '{}' has unrounded Euclidean distances, which TSPLIB cannot express; write it as "
                    "concorde, npy or csv",
                    instance.name));
  }
  const bool matrix = data.metric == Metric::matrix;
  const auto n = static_cast<std::int64_t>(cities_of(data));
  const bool asymmetric = matrix && !is_symmetric(data.matrix, n);
  std::string text = fmt::format("NAME : {}\nTYPE : {}\nDIMENSION : {}\nEDGE_WEIGHT_TYPE : {}\n",
                                 one_line(instance.name), asymmetric ? "ATSP" : "TSP", n, type);
  if (matrix) {
    text += "EDGE_WEIGHT_FORMAT : FULL_MATRIX\n";
    text += data.points.empty() ? "" : "DISPLAY_DATA_TYPE : TWOD_DISPLAY\n";
    text += "EDGE_WEIGHT_SECTION\n";
    append_rows(text, data, ' ');
    if (!data.points.empty()) {
      text += "DISPLAY_DATA_SECTION\n";
      append_points(text, data.points, {});
    }
  } else {
    text += "NODE_COORD_SECTION\n";
    append_points(text, data.points, data.heights);
  }
  if (!data.fixed.empty()) {
    text += "FIXED_EDGES_SECTION\n";
    for (const auto& [u, v] : data.fixed) {
      text += fmt::format("{} {}\n", u + 1, v + 1);
    }
    text += "-1\n";
  }
  text += "EOF\n";
  return text;
}

std::string format_concorde(DataSpan instances) {
  std::string text;
  for (const InstanceData* instance : instances) {
    require_plain_coordinates(*instance, "concorde");
    std::string_view blank;
    for (const auto& [x, y] : points_in(*instance).points) {
      text += fmt::format("{}{} {}", blank, x, y);
      blank = " ";
    }
    if (const auto& tour = instance->reference) {
      text += " output";
      for (const Index city : tour->items) {
        text += fmt::format(" {}", city + 1);
      }
      text += fmt::format(" {}", tour->items.front() + 1);
    }
    text += '\n';
  }
  return text;
}

std::string format_npy(DataSpan instances) {
  const std::size_t n = cities_of(points_in(*instances.front()));
  const bool matrix = points_in(*instances.front()).metric == Metric::matrix && n > 2;
  std::string data;
  for (const InstanceData* instance : instances) {
    const PointData& points = points_in(*instance);
    if (!matrix) {
      require_plain_coordinates(*instance, "npy");
    }
    if (cities_of(points) != n) {
      throw OptionError(fmt::format("npy holds instances of one size; '{}' has {} cities and '{}' {}",
                                    instances.front()->name, n, instance->name, cities_of(points)));
    }
    if (matrix) {
      require_matrix(*instance, "an array that begins with a matrix");
    }
    for (const double value : points.matrix) {
      append_number(data, value);
    }
    if (!matrix) {
      for (const auto& [x, y] : points.points) {
        append_number(data, x);
        append_number(data, y);
      }
    }
  }
  const std::string batch = instances.size() == 1 ? "" : fmt::format("{}, ", instances.size());
  std::string dictionary =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}{}, {}), }}", batch, n, matrix ? n : 2);
  // NumPy aligns the data to 64 bytes; the fixed part before the dictionary has 10.
  dictionary.append(63 - (10 + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dictionary.size() & 0xFFu);
  file += static_cast<char>(dictionary.size() >> 8);
  return file + dictionary + data;
}

std::string format_csv(const InstanceData& instance) {
  if (kind_of(instance) == DataKind::graph) {
    return format_edge_csv(instance);
  }
  const PointData& data = points_in(instance);
  if (data.metric == Metric::matrix && cities_of(data) > 2) {
    require_no_fixed_edges(instance, "csv");
    std::string text;
    append_rows(text, data, ',');
    return text;
  }
  require_plain_coordinates(instance, "csv");
  const std::vector<std::string>& labels = instance.labels;
  std::string text = labels.empty() ? "x,y\n" : "id,x,y\n";
  for (std::size_t i = 0; i < data.points.size(); ++i) {
    if (!labels.empty()) {
      require_csv_field(instance, labels[i]);
      text += labels[i] + ',';
    }
    text += fmt::format("{},{}\n", data.points[i].x, data.points[i].y);
  }
  return text;
}

std::string format_matrix(const InstanceData& instance) {
  require_matrix(instance, "matrix");
  std::string text;
  append_rows(text, points_in(instance), ' ');
  return text;
}

std::string format_market_array(const InstanceData& instance) {
  require_matrix(instance, "matrix-market");
  const PointData& data = points_in(instance);
  const std::size_t n = cities_of(data);
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", n, n);
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = 0; row < n; ++row) {
      text += fmt::format("{}\n", data.matrix[row * n + column]);
    }
  }
  return text;
}

}  // namespace moco
