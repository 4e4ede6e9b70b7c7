// Writers of the TSP formats. Numbers are written with as many digits as it takes to read the same number back.
#include "moco/problems/writers.h"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problems/tsp/tsplib.h"

namespace moco {

namespace {

/// Formats of bare coordinates would silently change any other metric into the unrounded Euclidean one.
void require_plain_coordinates(const TspInstance& instance, std::string_view format) {
  if (instance.metric() != Metric::euclidean) {
    throw OptionError(fmt::format("instance '{}' has metric {}, which {} cannot express; write it as tsplib",
                                  instance.name(), tsplib_type(instance.metric()), format));
  }
}

void append_points(std::string& text, std::span<const Point> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    text += fmt::format("{} {} {}\n", i + 1, points[i].x, points[i].y);
  }
}

}  // namespace

std::string format_tsplib(const TspInstance& instance) {
  const std::string_view type = tsplib_type(instance.metric());
  if (type.empty()) {
    throw OptionError(
        fmt::format("instance '{}' has unrounded Euclidean distances, which TSPLIB cannot express; write it as "
                    "concorde, npy or csv",
                    instance.name()));
  }
  const bool matrix = instance.metric() == Metric::matrix;
  const std::vector<double> entries(instance.matrix().begin(), instance.matrix().end());
  const bool asymmetric = matrix && !is_symmetric(entries, instance.size());
  std::string text = fmt::format("NAME : {}\nTYPE : {}\nDIMENSION : {}\nEDGE_WEIGHT_TYPE : {}\n",
                                 one_line(instance.name()), asymmetric ? "ATSP" : "TSP", instance.size(), type);
  if (matrix) {
    const auto n = static_cast<std::size_t>(instance.size());
    text += "EDGE_WEIGHT_FORMAT : FULL_MATRIX\n";
    text += instance.points().empty() ? "" : "DISPLAY_DATA_TYPE : TWOD_DISPLAY\n";
    text += "EDGE_WEIGHT_SECTION\n";
    for (std::size_t i = 0; i < entries.size(); ++i) {
      text += fmt::format("{}{}", entries[i], (i + 1) % n == 0 ? '\n' : ' ');
    }
    if (!instance.points().empty()) {
      text += "DISPLAY_DATA_SECTION\n";
      append_points(text, instance.points());
    }
  } else {
    text += "NODE_COORD_SECTION\n";
    append_points(text, instance.points());
  }
  text += "EOF\n";
  return text;
}

std::string format_concorde(std::span<const TspInstance* const> instances) {
  std::string text;
  for (const TspInstance* instance : instances) {
    require_plain_coordinates(*instance, "concorde");
    std::string_view blank;
    for (const auto& [x, y] : instance->points()) {
      text += fmt::format("{}{} {}", blank, x, y);
      blank = " ";
    }
    if (const auto& tour = instance->reference()) {
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

std::string format_npy(std::span<const TspInstance* const> instances) {
  const Index n = instances.front()->size();
  std::string data;
  for (const TspInstance* instance : instances) {
    require_plain_coordinates(*instance, "npy");
    if (instance->size() != n) {
      throw OptionError(fmt::format("npy holds instances of one size; '{}' has {} cities and '{}' {}",
                                    instances.front()->name(), n, instance->name(), instance->size()));
    }
    for (const auto& [x, y] : instance->points()) {
      for (const double value : {x, y}) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        for (int shift = 0; shift < 64; shift += 8) {
          data += static_cast<char>(bits >> shift & 0xFFu);
        }
      }
    }
  }
  const std::string shape =
      instances.size() == 1 ? fmt::format("({}, 2)", n) : fmt::format("({}, {}, 2)", instances.size(), n);
  std::string dictionary = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': {}, }}", shape);
  // NumPy aligns the data to 64 bytes; the fixed part before the dictionary has 10.
  dictionary.append(63 - (10 + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dictionary.size() & 0xFFu);
  file += static_cast<char>(dictionary.size() >> 8);
  return file + dictionary + data;
}

std::string format_csv(const TspInstance& instance) {
  require_plain_coordinates(instance, "csv");
  std::string text = "x,y\n";
  for (const auto& [x, y] : instance.points()) {
    text += fmt::format("{},{}\n", x, y);
  }
  return text;
}

}  // namespace moco
