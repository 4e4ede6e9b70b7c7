// Reader of TSPLIB 95 files: TSP with every planar, spatial and geographical metric and all explicit weight formats,
// and ATSP with a full matrix; edges that every tour must have.
//
// Nothing is allocated on the word of the header: rows and weights are collected as they come and counted afterwards.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "moco/formats/limits.h"
#include "moco/formats/readers.h"
#include "moco/formats/text.h"
#include "moco/formats/tsplib.h"

namespace moco {

namespace {

/// Rows of a coordinate section in file order.
struct CoordinateRows {
  std::int64_t section_line = 0;
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> lines;
  std::vector<Point> points;
  std::vector<double> heights;  ///< of spatial coordinates
};

/// An edge as the file has it.
struct FixedRow {
  std::int64_t line = 0;
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// The same in the order of the ids.
struct OrderedRows {
  std::vector<Point> points;
  std::vector<double> heights;
};

class TsplibParser {
 public:
  explicit TsplibParser(const ReaderInput& input) : input_(input), lines_(input.content), name_(input.name) {}

  std::vector<InstanceData> parse() {
    bool at_line = lines_.next();
    while (at_line) {
      const std::string_view line = trim(lines_.line());
      if (line.empty()) {
        at_line = lines_.next();
        continue;
      }
      const std::size_t colon = line.find(':');
      std::string_view before_colon = line.substr(0, colon);
      const std::string keyword = to_upper(next_token(before_colon));
      if (keyword == "EOF") {
        break;
      }
      if (keyword.ends_with("_SECTION")) {
        at_line = read_section(keyword);
      } else {
        if (colon == std::string_view::npos) {
          here().fail(fmt::format("expected 'KEYWORD : value' or a section, found {}", in_quotes(line)));
        }
        read_keyword(keyword, trim(line.substr(colon + 1)));
        at_line = lines_.next();
      }
    }
    return finish();
  }

 private:
  SourceLine here() const { return {input_.file, lines_.number()}; }
  [[noreturn]] void fail_file(std::string_view what) const { SourceLine{input_.file, 0}.fail(what); }

  void read_keyword(const std::string& keyword, std::string_view value) {
    std::string_view rest = value;
    const std::string word = to_upper(next_token(rest));
    if (keyword == "NAME") {
      if (!value.empty()) {
        name_ = value;
      }
    } else if (keyword == "TYPE") {
      if (word != "TSP" && word != "ATSP") {
        here().fail(fmt::format("TYPE {} is not supported; TSP and ATSP are", in_quotes(word)));
      }
      asymmetric_ = word == "ATSP";
    } else if (keyword == "DIMENSION") {
      const std::int64_t n = here().integer(trim(value), "DIMENSION");
      if (n < 1 || n > std::numeric_limits<Index>::max()) {
        here().fail(fmt::format("DIMENSION {} is not in 1 … {}", n, std::numeric_limits<Index>::max()));
      }
      dimension_ = n;
    } else if (keyword == "EDGE_WEIGHT_TYPE") {
      metric_ = tsplib_metric(word);
      if (!metric_) {
        here().fail(fmt::format("EDGE_WEIGHT_TYPE {} is not supported; {} are", in_quotes(word), tsplib_metric_names));
      }
    } else if (keyword == "EDGE_WEIGHT_FORMAT") {
      format_ = word;
      format_line_ = lines_.number();
    } else if (keyword == "NODE_COORD_TYPE") {
      if (word != "TWOD_COORDS" && word != "THREED_COORDS" && word != "NO_COORDS") {
        here().fail(fmt::format("NODE_COORD_TYPE {} is not supported; TWOD_COORDS, THREED_COORDS and NO_COORDS are",
                                in_quotes(word)));
      }
    } else if (keyword != "COMMENT" && keyword != "DISPLAY_DATA_TYPE") {
      input_.warn(fmt::format("line {}: unknown keyword {} ignored", lines_.number(), in_quotes(keyword)));
    }
  }

  /// Reads a section's body. Returns whether there is a line after it, which is then the current one.
  bool read_section(std::string_view section) {
    if (section == "TOUR_SECTION") {
      here().fail("this is a tour, not an instance");
    }
    if (section != "NODE_COORD_SECTION" && section != "DISPLAY_DATA_SECTION" && section != "EDGE_WEIGHT_SECTION" &&
        section != "FIXED_EDGES_SECTION") {
      here().fail(fmt::format("{} is not supported", in_quotes(section)));
    }
    if (!dimension_) {
      here().fail(fmt::format("{} comes before DIMENSION", section));
    }
    if (section == "EDGE_WEIGHT_SECTION") {
      return read_weights();
    }
    if (section == "FIXED_EDGES_SECTION") {
      return read_fixed_edges();
    }
    std::optional<CoordinateRows>& rows = section == "NODE_COORD_SECTION" ? coordinates_ : display_;
    if (rows) {
      here().fail(fmt::format("second {}", section));
    }
    rows.emplace().section_line = lines_.number();
    return read_coordinates(section, *rows);
  }

  bool read_coordinates(std::string_view section, CoordinateRows& rows) {
    const bool spatial = section == "NODE_COORD_SECTION" && metric_ && is_spatial(*metric_);
    while (lines_.next()) {
      const std::string_view line = trim(lines_.line());
      if (line.empty()) {
        continue;
      }
      if (starts_keyword(line)) {
        return true;
      }
      std::string_view rest = line;
      const std::string_view id_token = next_token(rest);
      const std::string_view x_token = next_token(rest);
      const std::string_view y_token = next_token(rest);
      const std::string_view z_token = spatial ? next_token(rest) : y_token;
      if (id_token == "-1" && x_token.empty()) {
        return lines_.next();
      }
      if (z_token.empty() || !trim(rest).empty()) {
        here().fail(fmt::format("expected 'id x y{}' in {}, found {}", spatial ? " z" : "", section, in_quotes(line)));
      }
      const std::int64_t id = node_id(id_token);
      if (static_cast<std::int64_t>(rows.ids.size()) == *dimension_) {
        here().fail(fmt::format("{} has more than the {} nodes that DIMENSION promises", section, *dimension_));
      }
      rows.ids.push_back(id);
      rows.lines.push_back(lines_.number());
      rows.points.push_back({coordinate(x_token, "x coordinate"), coordinate(y_token, "y coordinate")});
      if (spatial) {
        rows.heights.push_back(coordinate(z_token, "z coordinate"));
      }
    }
    return false;
  }

  bool read_weights() {
    if (layout_) {
      here().fail("second EDGE_WEIGHT_SECTION");
    }
    if (format_.empty()) {
      here().fail("EDGE_WEIGHT_SECTION comes before EDGE_WEIGHT_FORMAT");
    }
    layout_ = weight_layout(format_);
    if (!layout_) {
      SourceLine{input_.file, format_line_}.fail(
          fmt::format("EDGE_WEIGHT_FORMAT {} is not supported; {} are", in_quotes(format_), weight_format_names));
    }
    weights_line_ = lines_.number();
    const std::int64_t expected = layout_->count(*dimension_);
    while (lines_.next()) {
      if (starts_keyword(lines_.line())) {
        return true;
      }
      std::string_view rest = lines_.line();
      for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
        if (static_cast<std::int64_t>(weights_.size()) == expected) {
          if (token == "-1") {
            return lines_.next();
          }
          here().fail(fmt::format("EDGE_WEIGHT_SECTION has more than the {} numbers that {} of {} nodes needs",
                                  expected, format_, *dimension_));
        }
        weights_.push_back(coordinate(token, "weight"));
      }
    }
    return false;
  }

  /// Pairs of ids, and −1 after them.
  bool read_fixed_edges() {
    if (!fixed_.empty()) {
      here().fail("second FIXED_EDGES_SECTION");
    }
    while (lines_.next()) {
      const std::string_view line = trim(lines_.line());
      if (starts_keyword(line)) {
        return true;
      }
      std::string_view rest = line;
      const std::string_view from = next_token(rest);
      if (from.empty()) {
        continue;
      }
      if (from == "-1" && trim(rest).empty()) {
        return lines_.next();
      }
      const std::string_view to = next_token(rest);
      const std::string_view end = next_token(rest);
      if (to.empty() || (!end.empty() && end != "-1") || !trim(rest).empty()) {
        here().fail(fmt::format("expected 'id id' in FIXED_EDGES_SECTION, found {}", in_quotes(line)));
      }
      fixed_.push_back({lines_.number(), node_id(from), node_id(to)});
      if (!end.empty()) {
        return lines_.next();
      }
    }
    return false;
  }

  std::int64_t node_id(std::string_view token) const {
    const std::int64_t id = here().integer(token, "node id");
    if (id < 0 || id > *dimension_) {
      here().fail(fmt::format("node id {} is not in 1 … {}", id, *dimension_));
    }
    return id;
  }

  double coordinate(std::string_view token, std::string_view what) const {
    const double value = here().real(token, what);
    if (std::abs(value) > largest_coordinate) {
      here().fail(fmt::format("{} {} is out of range", what, in_quotes(token)));
    }
    return value;
  }

  /// Whether a line ends a section: EOF, another section, or "KEYWORD : value".
  static bool starts_keyword(std::string_view line) {
    std::string_view rest = line;
    const std::string word = to_upper(next_token(rest));
    return !word.empty() && word.front() >= 'A' && word.front() <= 'Z' &&
           (word == "EOF" || word.ends_with("_SECTION") || line.find(':') != std::string_view::npos);
  }

  /// The rows of a section in the order of their ids, which are 1 … n or all one less.
  OrderedRows in_order(const CoordinateRows& rows, std::string_view section) const {
    if (static_cast<std::int64_t>(rows.ids.size()) != *dimension_) {
      SourceLine{input_.file, rows.section_line}.fail(
          fmt::format("{} has {} of the {} nodes that DIMENSION promises", section, rows.ids.size(), *dimension_));
    }
    const auto zero = std::ranges::find(rows.ids, 0);
    const std::int64_t first = zero == rows.ids.end() ? 1 : 0;
    OrderedRows ordered{.points = std::vector<Point>(rows.points.size()),
                        .heights = std::vector<double>(rows.heights.size())};
    std::vector<std::int64_t> first_line(rows.points.size(), 0);
    for (std::size_t i = 0; i < rows.ids.size(); ++i) {
      const auto city = static_cast<std::size_t>(rows.ids[i] - first);
      if (city >= rows.points.size()) {  // both 0 and n
        SourceLine{input_.file, rows.lines[static_cast<std::size_t>(zero - rows.ids.begin())]}.fail(
            fmt::format("node id 0 is not in 1 … {}", *dimension_));
      }
      if (first_line[city] != 0) {
        SourceLine{input_.file, rows.lines[i]}.fail(
            fmt::format("node id {} appears again; it was on line {}", rows.ids[i], first_line[city]));
      }
      first_line[city] = rows.lines[i];
      ordered.points[city] = rows.points[i];
      if (!rows.heights.empty()) {
        ordered.heights[city] = rows.heights[i];
      }
    }
    return ordered;
  }

  /// The fixed edges by numbers from 0. Ids count from 0 where those of the cities do, or their own have a 0.
  std::vector<Edge> fixed_edges() const {
    const auto has_zero = [](const std::optional<CoordinateRows>& rows) {
      return rows && std::ranges::find(rows->ids, 0) != rows->ids.end();
    };
    const bool from_zero =
        has_zero(coordinates_) || has_zero(display_) ||
        std::ranges::any_of(fixed_, [](const FixedRow& row) { return row.from == 0 || row.to == 0; });
    const std::int64_t first = from_zero ? 0 : 1;
    std::vector<Edge> edges;
    for (const auto& [line, from, to] : fixed_) {
      const SourceLine at{input_.file, line};
      if (std::max(from, to) - first >= *dimension_) {
        at.fail(fmt::format("node id {} is not in {} … {}", std::max(from, to), first, *dimension_ - 1 + first));
      }
      if (from == to) {
        at.fail(fmt::format("the fixed edge {} {} has the same city at both ends", from, to));
      }
      edges.push_back({static_cast<Index>(from - first), static_cast<Index>(to - first)});
    }
    return edges;
  }

  std::vector<InstanceData> named(PointData data) const {
    data.fixed = fixed_edges();
    return {{.name = name_, .content = std::move(data), .labels = {}, .reference = {}}};
  }

  /// Distances of EUC_2D between places of the unit square are 0 or 1: somebody forgot to scale them.
  void warn_of_unit_square(const std::vector<Point>& points) const {
    const auto inside = [](double value) { return value >= 0.0 && value <= 1.0; };
    if (points.size() > 1 && *metric_ == Metric::euc_2d &&
        std::ranges::all_of(points, [&](const Point& point) { return inside(point.x) && inside(point.y); })) {
      input_.warn("all coordinates lie in the unit square, where EUC_2D rounds every distance to 0 or 1");
    }
  }

  std::vector<InstanceData> finish() const {
    if (!dimension_) {
      fail_file("DIMENSION is missing");
    }
    if (!metric_) {
      fail_file("EDGE_WEIGHT_TYPE is missing");
    }
    if (*metric_ == Metric::matrix) {
      return finish_matrix();
    }
    if (asymmetric_) {
      fail_file("TYPE ATSP needs EDGE_WEIGHT_TYPE EXPLICIT with a FULL_MATRIX");
    }
    if (!coordinates_) {
      fail_file("NODE_COORD_SECTION is missing");
    }
    OrderedRows rows = in_order(*coordinates_, "NODE_COORD_SECTION");
    if (is_spatial(*metric_) && rows.heights.empty()) {
      SourceLine{input_.file, coordinates_->section_line}.fail("EDGE_WEIGHT_TYPE comes after NODE_COORD_SECTION");
    }
    warn_of_unit_square(rows.points);
    return named({.metric = *metric_, .points = std::move(rows.points), .heights = std::move(rows.heights)});
  }

  std::vector<InstanceData> finish_matrix() const {
    if (!layout_) {
      fail_file("EDGE_WEIGHT_SECTION is missing");
    }
    if (asymmetric_ && layout_->shape != WeightLayout::Shape::full) {
      SourceLine{input_.file, format_line_}.fail(fmt::format("TYPE ATSP needs FULL_MATRIX, not {}", format_));
    }
    if (const std::int64_t expected = layout_->count(*dimension_);
        static_cast<std::int64_t>(weights_.size()) != expected) {
      SourceLine{input_.file, weights_line_}.fail(
          fmt::format("EDGE_WEIGHT_SECTION has {} of the {} numbers that {} of {} nodes needs", weights_.size(),
                      expected, format_, *dimension_));
    }
    std::vector<Point> display;
    if (display_) {
      display = in_order(*display_, "DISPLAY_DATA_SECTION").points;
    } else if (coordinates_) {
      display = in_order(*coordinates_, "NODE_COORD_SECTION").points;
    }
    std::vector<double> matrix = layout_->expand(weights_, *dimension_);
    if (!asymmetric_ && !is_symmetric(matrix, *dimension_)) {
      input_.warn("the matrix is not symmetric although TYPE is TSP; it is used as it is");
    }
    return named({.metric = Metric::matrix, .points = std::move(display), .matrix = std::move(matrix)});
  }

  const ReaderInput& input_;
  LineReader lines_;
  std::string name_;
  bool asymmetric_ = false;
  std::optional<std::int64_t> dimension_;
  std::optional<Metric> metric_;
  std::string format_;
  std::int64_t format_line_ = 0;
  std::int64_t weights_line_ = 0;
  std::optional<WeightLayout> layout_;
  std::optional<CoordinateRows> coordinates_;
  std::optional<CoordinateRows> display_;
  std::vector<double> weights_;
  std::vector<FixedRow> fixed_;
};

}  // namespace

std::vector<InstanceData> read_tsplib(const ReaderInput& input) {
  return TsplibParser(input).parse();
}

}  // namespace moco
