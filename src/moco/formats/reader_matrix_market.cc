// Reader of Matrix Market files. A square coordinate matrix is the adjacency of a graph: every stored entry is an edge,
// whatever its value, which becomes its weight; a general matrix may give an edge in one direction or in both. A dense
// array holds distances or, where a graph is wanted, an adjacency of 0 and 1.
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/limits.h"
#include "moco/formats/readers.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

enum class Symmetry { general, symmetric, skew };

struct Banner {
  bool array = false;
  std::size_t values_per_entry = 0;
  Symmetry symmetry = Symmetry::general;
};

struct Dimensions {
  std::int64_t nodes = 0;
  std::int64_t entries = 0;
  std::int64_t line = 0;
};

Banner parse_banner(std::string_view line, const SourceLine& place) {
  std::vector<std::string> words;
  for (const std::string_view token : tokens_of(line)) {
    words.push_back(to_lower(token));
  }
  if (words.size() != 5 || words[0] != "%%matrixmarket") {
    place.fail("expected '%%MatrixMarket matrix coordinate|array FIELD SYMMETRY'");
  }
  if (words[1] != "matrix" || (words[2] != "coordinate" && words[2] != "array")) {
    place.fail(fmt::format("{} {} is not supported; matrix coordinate and matrix array are", in_quotes(words[1]),
                           in_quotes(words[2])));
  }
  Banner banner;
  banner.array = words[2] == "array";
  if (words[3] == "complex" && !banner.array) {
    banner.values_per_entry = 2;
  } else if (words[3] == "real" || words[3] == "integer") {
    banner.values_per_entry = 1;
  } else if (words[3] != "pattern" || banner.array) {
    place.fail(fmt::format("field {} is not supported; {} are", in_quotes(words[3]),
                           banner.array ? "integer and real" : "pattern, integer, real and complex"));
  }
  if (words[4] == "symmetric" || words[4] == "hermitian") {
    banner.symmetry = Symmetry::symmetric;
  } else if (words[4] == "skew-symmetric") {
    banner.symmetry = Symmetry::skew;
  } else if (words[4] != "general") {
    place.fail(fmt::format("symmetry {} is not known", in_quotes(words[4])));
  }
  return banner;
}

/// How many numbers an array of n rows stores.
std::int64_t array_entries(std::int64_t n, Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::symmetric:
      return n * (n + 1) / 2;
    case Symmetry::skew:
      return n * (n - 1) / 2;
    case Symmetry::general:
      break;
  }
  return n * n;
}

Dimensions parse_dimensions(std::string_view line, const Banner& banner, const SourceLine& place) {
  std::string_view rest = line;
  const std::int64_t rows = place.integer(next_token(rest), "number of rows");
  const std::int64_t columns = place.integer(next_token(rest), "number of columns");
  const std::int64_t entries = banner.array ? 0 : place.integer(next_token(rest), "number of entries");
  if (rows != columns) {
    place.fail(fmt::format("a graph needs a square matrix, not {}×{}", rows, columns));
  }
  if (rows < 1 || entries < 0) {
    place.fail(fmt::format("{} rows with {} entries are no graph", rows, entries));
  }
  if (rows > std::numeric_limits<Index>::max()) {
    place.fail(fmt::format("{} rows are too many", rows));
  }
  return {rows, banner.array ? array_entries(rows, banner.symmetry) : entries, place.line};
}

Index parse_node(std::string_view token, std::int64_t nodes, const SourceLine& place) {
  const std::int64_t node = place.integer(token, "index");
  if (node < 1 || node > nodes) {
    place.fail(fmt::format("index {} is not in 1 … {}", node, nodes));
  }
  return static_cast<Index>(node - 1);
}

double parse_value(std::string_view token, const SourceLine& place) {
  const double value = place.real(token, "value");
  if (std::abs(value) > largest_coordinate) {
    place.fail(fmt::format("value {} is out of range", in_quotes(token)));
  }
  return value;
}

class MatrixMarketParser {
 public:
  explicit MatrixMarketParser(const ReaderInput& input) : input_(input) {}

  std::vector<InstanceData> parse() {
    for (LineReader lines(input_.content); lines.next();) {
      read_line(trim(lines.line()), {input_.file, lines.number()});
    }
    if (!dimensions_) {
      throw InputError(input_.file, banner_ ? "the line 'rows columns entries' is missing" : "the file is empty");
    }
    if (found() != dimensions_->entries) {
      throw InputError(input_.file, dimensions_->line,
                       fmt::format("{} entries promised, {} found", dimensions_->entries, found()));
    }
    return banner_->array ? finish_array() : finish_coordinates();
  }

 private:
  std::int64_t found() const { return static_cast<std::int64_t>(banner_->array ? values_.size() : list_.edges.size()); }

  void read_line(std::string_view line, const SourceLine& place) {
    if (!banner_) {
      banner_ = parse_banner(line, place);
      return;
    }
    if (line.empty() || line.front() == '%') {
      return;
    }
    if (!dimensions_) {
      dimensions_ = parse_dimensions(line, *banner_, place);
      require_plausible_size(input_, place.line, dimensions_->nodes);
      return;
    }
    if (banner_->array) {
      read_array(line, place);
      return;
    }
    require_room(place);
    std::string_view rest = line;
    const Index row = parse_node(next_token(rest), dimensions_->nodes, place);
    const Index column = parse_node(next_token(rest), dimensions_->nodes, place);
    double value = 0.0;
    for (std::size_t i = 0; i < banner_->values_per_entry; ++i) {
      value = parse_value(next_token(rest), place);
    }
    if (!trim(rest).empty()) {
      place.fail(fmt::format("unexpected {} after the entry", in_quotes(trim(rest))));
    }
    list_.edges.push_back({row, column});
    if (banner_->values_per_entry == 1) {
      list_.weights.push_back(value);
    }
  }

  void require_room(const SourceLine& place) const {
    if (found() == dimensions_->entries) {
      place.fail(
          fmt::format("more than the {} entries that line {} promises", dimensions_->entries, dimensions_->line));
    }
  }

  void read_array(std::string_view rest, const SourceLine& place) {
    for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
      require_room(place);
      values_.push_back(parse_value(token, place));
    }
  }

  std::vector<InstanceData> finish_coordinates() {
    if (banner_->symmetry == Symmetry::general) {
      JoinedEdges joined = join_directions(list_);
      warn_of_conflicts(input_, joined.conflicts);
      list_ = std::move(joined.list);
    }
    return finish_graph(input_, static_cast<Index>(dimensions_->nodes), std::move(list_));
  }

  /// The columns one after the other; of a symmetric matrix their parts from the diagonal down.
  std::vector<InstanceData> finish_array() {
    const auto n = static_cast<std::size_t>(dimensions_->nodes);
    std::vector<double> matrix(n * n, 0.0);
    const Symmetry symmetry = banner_->symmetry;
    auto value = values_.begin();
    for (std::size_t column = 0; column < n; ++column) {
      const std::size_t begin = symmetry == Symmetry::general ? 0 : column + (symmetry == Symmetry::skew ? 1 : 0);
      for (std::size_t row = begin; row < n; ++row, ++value) {
        matrix[row * n + column] = *value;
        if (symmetry != Symmetry::general) {
          matrix[column * n + row] = symmetry == Symmetry::skew ? -*value : *value;
        }
      }
    }
    return finish_matrix(input_, static_cast<Index>(n), std::move(matrix));
  }

  const ReaderInput& input_;
  std::optional<Banner> banner_;
  std::optional<Dimensions> dimensions_;
  EdgeList list_;
  std::vector<double> values_;
};

}  // namespace

std::vector<InstanceData> read_matrix_market(const ReaderInput& input) {
  return MatrixMarketParser(input).parse();
}

}  // namespace moco
