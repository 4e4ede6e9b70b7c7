// Reader of Matrix Market files: a square coordinate matrix as the adjacency of a graph. Every stored entry is an edge,
// whatever its value; a general matrix may give an edge in one direction or in both.
#include <optional>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problems/readers.h"
#include "moco/problems/text.h"

namespace moco {

namespace {

struct Banner {
  std::size_t values_per_entry = 0;
  bool general = false;
};

struct Dimensions {
  std::int64_t nodes = 0;
  std::int64_t entries = 0;
  std::int64_t line = 0;
};

Banner parse_banner(std::string_view line, const Place& place) {
  std::vector<std::string> words;
  for (const std::string_view token : tokens_of(line)) {
    words.push_back(to_lower(token));
  }
  if (words.size() != 5 || words[0] != "%%matrixmarket") {
    place.fail("expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
  }
  if (words[1] != "matrix" || words[2] != "coordinate") {
    place.fail(fmt::format("{} {} is not supported; matrix coordinate is", in_quotes(words[1]), in_quotes(words[2])));
  }
  Banner banner;
  if (words[3] == "complex") {
    banner.values_per_entry = 2;
  } else if (words[3] == "real" || words[3] == "integer") {
    banner.values_per_entry = 1;
  } else if (words[3] != "pattern") {
    place.fail(fmt::format("field {} is not supported; pattern, integer, real and complex are", in_quotes(words[3])));
  }
  banner.general = words[4] == "general";
  if (!banner.general && words[4] != "symmetric" && words[4] != "skew-symmetric" && words[4] != "hermitian") {
    place.fail(fmt::format("symmetry {} is not known", in_quotes(words[4])));
  }
  return banner;
}

Dimensions parse_dimensions(std::string_view line, const Place& place) {
  std::string_view rest = line;
  const std::int64_t rows = place.integer(next_token(rest), "number of rows");
  const std::int64_t columns = place.integer(next_token(rest), "number of columns");
  const std::int64_t entries = place.integer(next_token(rest), "number of entries");
  if (rows != columns) {
    place.fail(fmt::format("a graph needs a square matrix, not {}×{}", rows, columns));
  }
  if (rows < 1 || entries < 0) {
    place.fail(fmt::format("{} rows with {} entries are no graph", rows, entries));
  }
  return {rows, entries, place.line};
}

Index parse_node(std::string_view token, std::int64_t nodes, const Place& place) {
  const std::int64_t node = place.integer(token, "index");
  if (node < 1 || node > nodes) {
    place.fail(fmt::format("index {} is not in 1 … {}", node, nodes));
  }
  return static_cast<Index>(node - 1);
}

}  // namespace

std::vector<InstancePtr> read_matrix_market(const ReaderInput& input) {
  std::optional<Banner> banner;
  std::optional<Dimensions> dimensions;
  std::vector<Edge> edges;
  for (LineReader lines(input.content); lines.next();) {
    const Place place{input.file, lines.number()};
    const std::string_view line = trim(lines.line());
    if (!banner) {
      banner = parse_banner(line, place);
      continue;
    }
    if (line.empty() || line.front() == '%') {
      continue;
    }
    if (!dimensions) {
      dimensions = parse_dimensions(line, place);
      require_plausible_size(input, lines.number(), dimensions->nodes);
      continue;
    }
    if (static_cast<std::int64_t>(edges.size()) == dimensions->entries) {
      place.fail(fmt::format("more than the {} entries that line {} promises", dimensions->entries, dimensions->line));
    }
    std::string_view rest = line;
    const Index row = parse_node(next_token(rest), dimensions->nodes, place);
    const Index column = parse_node(next_token(rest), dimensions->nodes, place);
    for (std::size_t i = 0; i < banner->values_per_entry; ++i) {
      place.real(next_token(rest), "value");
    }
    if (!trim(rest).empty()) {
      place.fail(fmt::format("unexpected {} after the entry", in_quotes(trim(rest))));
    }
    edges.push_back({row, column});
  }
  if (!dimensions) {
    throw InputError(input.file, banner ? "the line 'rows columns entries' is missing" : "the file is empty");
  }
  if (static_cast<std::int64_t>(edges.size()) != dimensions->entries) {
    throw InputError(input.file, dimensions->line,
                     fmt::format("{} entries promised, {} found", dimensions->entries, edges.size()));
  }
  const auto nodes = static_cast<Index>(dimensions->nodes);
  return finish_graph(input, nodes, banner->general ? merge_directions(nodes, edges) : edges);
}

}  // namespace moco
