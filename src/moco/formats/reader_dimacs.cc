// Reader of graphs with a "p" line: DIMACS' "p edge n m" with lines "e u v", and PACE's "p td n m" with lines "u v".
// Nodes count from 1. Files of the clique challenge are read as the graphs they are, without taking the complement.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/limits.h"
#include "moco/formats/readers.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

constexpr std::array<std::string_view, 6> lettered_types{"edge", "edges", "col", "mis", "clq", "sp"};
constexpr std::array<std::string_view, 3> bare_types{"td", "tw", "ds"};

struct Header {
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  std::int64_t line = 0;
  bool bare = false;  ///< edges have no letter before them
};

Header parse_header(std::string_view rest, const SourceLine& place) {
  const std::string_view type = next_token(rest);
  Header header;
  header.bare = std::ranges::find(bare_types, type) != bare_types.end();
  if (!header.bare && std::ranges::find(lettered_types, type) == lettered_types.end()) {
    place.fail(
        fmt::format("problem type {} is not supported; edge, col, mis, clq, sp, td, tw and ds are", in_quotes(type)));
  }
  header.nodes = place.integer(next_token(rest), "number of nodes");
  header.edges = place.integer(next_token(rest), "number of edges");
  header.line = place.line;
  if (header.nodes < 1) {
    place.fail(fmt::format("a graph has at least one node, not {}", header.nodes));
  }
  if (header.edges < 0) {
    place.fail(fmt::format("number of edges {} is negative", header.edges));
  }
  return header;
}

class DimacsParser {
 public:
  explicit DimacsParser(const ReaderInput& input) : input_(input) {}

  std::vector<InstanceData> parse() {
    for (LineReader lines(input_.content); lines.next();) {
      read_line(lines.line(), {input_.file, lines.number()});
    }
    if (!header_) {
      throw InputError(input_.file, "the 'p edge NODES EDGES' line is missing");
    }
    // Some published files count every edge twice in their header.
    const auto found = static_cast<std::int64_t>(list_.edges.size());
    if (found < header_->edges && found != header_->edges - found) {
      throw InputError(input_.file, header_->line, fmt::format("{} edges promised, {} found", header_->edges, found));
    }
    if (found > header_->edges) {
      input_.warn(
          fmt::format("line {}: {} edges promised, {} found; all are used", header_->line, header_->edges, found));
    }
    return finish_graph(input_, static_cast<Index>(header_->nodes), std::move(list_), std::move(node_weights_));
  }

 private:
  void read_line(std::string_view rest, const SourceLine& place) {
    const std::string_view line = rest;
    const std::string_view kind = next_token(rest);
    if (kind.empty() || kind.front() == 'c') {
      return;
    }
    if (kind == "p") {
      if (header_) {
        place.fail(fmt::format("second 'p' line; the first is line {}", header_->line));
      }
      header_ = parse_header(rest, place);
      require_plausible_size(input_, place.line, header_->nodes);
    } else if (kind == "e" || kind == "a") {
      read_edge(rest, place);
    } else if (kind == "n" || kind == "v") {
      read_node(kind, rest, place);
    } else if (kind == "d" || kind == "x") {
      embedded_ = embedded_ || kind == "d";
    } else if (header_ && header_->bare && parse_integer(kind)) {
      read_edge(line, place);
    } else {
      place.fail(fmt::format("unknown line type {}", in_quotes(kind)));
    }
  }

  /// "u v", and maybe a weight.
  void read_edge(std::string_view rest, const SourceLine& place) {
    if (!header_) {
      place.fail("edge before the 'p' line");
    }
    const Index u = node(next_token(rest), place);
    const Index v = node(next_token(rest), place);
    if (const std::string_view weight = next_token(rest); !weight.empty()) {
      const double value = place.real(weight, "edge weight");
      list_.weights.resize(list_.edges.size(), 1.0);
      list_.weights.push_back(value);
    } else if (!list_.weights.empty()) {
      list_.weights.push_back(1.0);
    }
    list_.edges.push_back({u, v});
  }

  /// "ID WEIGHT". In files with a line "d" the lines "v" are places, which do not matter here.
  void read_node(std::string_view kind, std::string_view rest, const SourceLine& place) {
    const std::vector<std::string_view> fields = tokens_of(rest);
    if (kind == "v" && (embedded_ || fields.size() != 2)) {
      return;
    }
    if (!header_) {
      place.fail("node before the 'p' line");
    }
    if (fields.size() != 2) {
      place.fail(fmt::format("expected '{} NODE WEIGHT', found {}", kind, in_quotes(trim(rest))));
    }
    const Index number = node(fields[0], place);
    const double weight = place.real(fields[1], "node weight");
    if (weight < 0.0 || weight > largest_node_weight) {
      place.fail(fmt::format("node weight {} is not in 0 … {}", in_quotes(fields[1]), largest_node_weight));
    }
    node_weights_.resize(static_cast<std::size_t>(header_->nodes), 1.0);
    node_weights_[static_cast<std::size_t>(number)] = weight;
  }

  Index node(std::string_view token, const SourceLine& place) const {
    const std::int64_t number = place.integer(token, "node");
    if (number < 1 || number > header_->nodes) {
      place.fail(fmt::format("{} is not a node of 1 … {}", number, header_->nodes));
    }
    return static_cast<Index>(number - 1);
  }

  const ReaderInput& input_;
  std::optional<Header> header_;
  EdgeList list_;
  std::vector<double> node_weights_;
  bool embedded_ = false;
};

}  // namespace

std::vector<InstanceData> read_dimacs(const ReaderInput& input) {
  return DimacsParser(input).parse();
}

}  // namespace moco
