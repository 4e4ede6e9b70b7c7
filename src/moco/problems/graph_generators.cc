// Erdős–Rényi and Barabási–Albert graphs, the RB model, and graphs of random 3-SAT formulas, with or without weights.
#include "moco/problems/graph_generators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "moco/core/csr.h"
#include "moco/problems/generators.h"

namespace moco {

namespace {

constexpr double kMostNodes = 100'000'000;

OptionDeclaration count(std::string_view key, double fallback, double low, std::string_view help) {
  return {.key = key, .fallback = fallback, .help = help, .low = low, .high = kMostNodes};
}

OptionDeclaration real(std::string_view key, double fallback, double high, std::string_view help) {
  return {.key = key, .kind = OptionKind::real, .fallback = fallback, .help = help, .low = 0, .high = high};
}

const OptionDeclaration kProbability = real("probability", 0.15, 1, "probability of each edge");
const OptionDeclaration kAttachment = count("attachment", 4, 1, "edges per new node");
const OptionDeclaration kCliques = count("cliques", 30, 1, "number of disjoint cliques");
const OptionDeclaration kCliqueSize = count("clique_size", 10, 1, "nodes per clique");
const OptionDeclaration kTightness = real("tightness", 0.25, 1, "share of conflicting pairs per constraint");
const OptionDeclaration kDensity = real("density", 0.8, 1000, "constraints per clique · ln(cliques)");
const OptionDeclaration kVariables = count("variables", 100, 3, "variables of the formula");
const OptionDeclaration kClauses = count("clauses", 403, 1, "clauses of the formula");
const OptionDeclaration kMaxClauses = count(
    "max_clauses", 449, 0, "if above clauses: their number is uniform between the two; 0 where clauses alone is given");
const OptionDeclaration kWeights = {.key = "weights",
                                    .kind = OptionKind::choice,
                                    .fallback = "none",
                                    .help =
                                        "weights of the nodes: none, real numbers in (0, 1], whole numbers from 1 "
                                        "to max_weight, or the number of neighbours plus 1",
                                    .choices = {"none", "uniform", "integer", "degree"}};
const OptionDeclaration kMaxWeight = {.key = "max_weight",
                                      .fallback = 100.0,
                                      .help = "largest weight of weights = integer",
                                      .low = 1,
                                      .high = 1'000'000'000};

std::uint32_t below(Index bound) {
  return static_cast<std::uint32_t>(bound);
}

std::vector<double> draw_weights(const GeneratorOptions& options, const GraphData& graph, RandomSequence& random) {
  const std::string_view kind = options.own.word(kWeights);
  const auto nodes = static_cast<std::size_t>(graph.nodes);
  if (kind == "none") {
    return {};
  }
  std::vector<double> weights(nodes, 1.0);
  if (kind == "degree") {
    std::vector<Arc> arcs;
    for (const Edge& edge : graph.edges) {
      arcs.push_back({edge.u, edge.v});
      arcs.push_back({edge.v, edge.u});
    }
    const Csr rows = build_csr(graph.nodes, arcs);
    for (Index node = 0; node < graph.nodes; ++node) {
      Index before = -1;  // rows ascend, and drawn edges may repeat
      for (const Index other : rows.row(node)) {
        weights[static_cast<std::size_t>(node)] += std::exchange(before, other) != other ? 1.0 : 0.0;
      }
    }
    return weights;
  }
  const auto most = static_cast<std::uint32_t>(options.own.integer(kMaxWeight));
  for (double& weight : weights) {
    weight = kind == "integer" ? 1.0 + random.next_below(most) : 1.0 - random.next_double();
  }
  return weights;
}

/// Weights are drawn last, so that a graph is the same with and without them.
InstanceData make_graph(const GeneratorOptions& options, Index nodes, std::vector<Edge> edges, RandomSequence& random) {
  GraphData graph{.nodes = nodes, .edges = std::move(edges)};
  graph.node_weights = draw_weights(options, graph, random);
  return {.content = std::move(graph)};
}

/// Draws how many failures come before the first success of probability p. Only multiplies and
/// compares: it finds the largest s with (1−p)^s > u by descending over powers of two.
class GeometricSkip {
 public:
  explicit GeometricSkip(double probability) {
    powers_[0] = 1.0 - probability;
    for (std::size_t i = 1; i < powers_.size(); ++i) {
      powers_[i] = powers_[i - 1] * powers_[i - 1];
    }
  }

  std::int64_t draw(RandomSequence& random) const {
    const double u = random.next_double();
    double product = 1.0;
    std::int64_t skip = 0;
    for (std::size_t i = powers_.size(); i-- > 0;) {
      if (product * powers_[i] > u) {
        product *= powers_[i];
        skip += std::int64_t{1} << i;
      }
    }
    return skip;
  }

 private:
  std::array<double, 62> powers_{};  // (1−p)^(2^i); 2^62 exceeds the number of pairs of any graph
};

/// `count` distinct numbers of 0 … bound−1 in the order they were drawn.
std::vector<std::uint32_t> draw_distinct(std::uint32_t bound, std::uint32_t count, RandomSequence& random) {
  std::vector<std::uint32_t> numbers(bound);
  for (std::uint32_t i = 0; i < bound; ++i) {
    numbers[i] = i;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    std::swap(numbers[i], numbers[i + random.next_below(bound - i)]);
  }
  numbers.resize(count);
  return numbers;
}

ExpectedSize expected_er(const GeneratorOptions& options) {
  require_option(options.nodes >= 1, "the number of nodes must be at least 1");
  const double nodes = std::max(options.nodes, options.max_nodes);
  return {.nodes = nodes, .edges = options.own.number(kProbability) * nodes * (nodes - 1.0) / 2.0};
}

InstanceData generate_er(const GeneratorOptions& options, RandomSequence& random) {
  const double probability = options.own.number(kProbability);
  const Index n = draw_between(options.nodes, options.max_nodes, random);
  std::vector<Edge> edges;
  if (probability > 0.0) {
    // Walk over the pairs (u, v) with v < u, row by row, from one edge to the next.
    const GeometricSkip skip(probability);
    std::int64_t u = 1;
    std::int64_t v = -1;
    while (u < n) {
      v += 1 + skip.draw(random);
      while (u < n && v >= u) {
        v -= u;
        ++u;
      }
      if (u < n) {
        edges.push_back({static_cast<Index>(v), static_cast<Index>(u)});
      }
    }
  }
  return make_graph(options, n, std::move(edges), random);
}

ExpectedSize expected_ba(const GeneratorOptions& options) {
  const Index attachment = options.own.integer(kAttachment);
  require_option(options.nodes > attachment, "there must be more nodes than edges per new node");
  // Ends of edges are drawn by a number of 32 bits.
  require_option(2 * std::int64_t{attachment} * std::max(options.nodes, options.max_nodes) <=
                     std::numeric_limits<std::uint32_t>::max(),
                 "a Barabási–Albert graph has at most 2147483647 edges");
  const double nodes = std::max(options.nodes, options.max_nodes);
  const double edges = nodes * attachment;
  // The ends to pick from are a list as long as all edges, which may have grown to twice its length.
  return {.nodes = nodes, .edges = edges, .other_bytes = 16.0 * edges};
}

InstanceData generate_ba(const GeneratorOptions& options, RandomSequence& random) {
  const Index attachment = options.own.integer(kAttachment);
  const Index n = draw_between(options.nodes, options.max_nodes, random);
  std::vector<Edge> edges;
  std::vector<Index> ends;  // every node as often as it has edges
  const auto connect = [&](Index u, Index v) {
    edges.push_back({u, v});
    ends.push_back(u);
    ends.push_back(v);
  };
  // The seed graph is a star; then each node picks distinct earlier ones in proportion to their degrees.
  for (Index leaf = 1; leaf <= attachment; ++leaf) {
    connect(0, leaf);
  }
  std::vector<Index> picked;
  for (Index node = attachment + 1; node < n; ++node) {
    picked.clear();
    while (static_cast<Index>(picked.size()) < attachment) {
      const Index candidate = ends[random.next_below(static_cast<std::uint32_t>(ends.size()))];
      if (std::find(picked.begin(), picked.end(), candidate) == picked.end()) {
        picked.push_back(candidate);
      }
    }
    for (const Index other : picked) {
      connect(other, node);
    }
  }
  return make_graph(options, n, std::move(edges), random);
}

/// Constraints of an RB model, before rounding.
double constraints_of(const GeneratorOptions& options) {
  const double cliques = options.own.number(kCliques);
  return options.own.number(kDensity) * cliques * std::log(std::max(cliques, 1.0));
}

ExpectedSize expected_rb(const GeneratorOptions& options) {
  const double cliques = options.own.number(kCliques);
  const double size = options.own.number(kCliqueSize);
  require_option(cliques >= 2, "the RB model needs at least 2 cliques");
  require_option(size >= 1 && size <= 30'000, "the clique size must lie in 1 … 30000");
  require_option(cliques * size <= std::numeric_limits<Index>::max(), "the RB graph is too large");
  const double in_cliques = cliques * size * (size - 1.0) / 2.0;
  const double between = constraints_of(options) * options.own.number(kTightness) * size * size;
  // The pairs of two cliques are listed to draw from.
  return {.nodes = cliques * size, .edges = in_cliques + between, .other_bytes = 4.0 * size * size};
}

InstanceData generate_rb(const GeneratorOptions& options, RandomSequence& random) {
  const Index cliques = options.own.integer(kCliques);
  const Index size = options.own.integer(kCliqueSize);
  std::vector<Edge> edges;
  for (Index clique = 0; clique < cliques; ++clique) {
    for (Index u = 0; u < size; ++u) {
      for (Index v = u + 1; v < size; ++v) {
        edges.push_back({clique * size + u, clique * size + v});
      }
    }
  }
  const std::uint32_t pairs = below(size) * below(size);
  const auto conflicts = static_cast<std::uint32_t>(std::llround(options.own.number(kTightness) * pairs));
  const auto constraints = std::llround(constraints_of(options));
  for (long long constraint = 0; constraint < constraints; ++constraint) {
    const auto first = static_cast<Index>(random.next_below(below(cliques)));
    auto second = static_cast<Index>(random.next_below(below(cliques - 1)));
    second += second >= first ? 1 : 0;
    for (const std::uint32_t pair : draw_distinct(pairs, conflicts, random)) {
      edges.push_back({first * size + static_cast<Index>(pair / below(size)),
                       second * size + static_cast<Index>(pair % below(size))});
    }
  }
  return make_graph(options, cliques * size, std::move(edges), random);
}

/// Who gives a number of clauses and nothing else means just that number.
Index most_clauses(const GeneratorOptions& options) {
  const bool alone = options.own.has(kClauses.key) && !options.own.has(kMaxClauses.key);
  return alone ? 0 : options.own.integer(kMaxClauses);
}

ExpectedSize expected_sat(const GeneratorOptions& options) {
  const double clauses = std::max(options.own.integer(kClauses), most_clauses(options));
  const double variables = options.own.number(kVariables);
  // A variable occurs 3·clauses/variables times; half of the pairs of two clauses' literals on it contradict each
  // other.
  const double occurrences = 3.0 * clauses / variables;
  const double conflicts = variables * occurrences * occurrences / 4.0;
  return {.nodes = 3.0 * clauses, .edges = 3.0 * clauses + conflicts, .other_bytes = 48.0 * variables};
}

InstanceData generate_sat(const GeneratorOptions& options, RandomSequence& random) {
  const Index variables = options.own.integer(kVariables);
  const Index clauses = draw_between(options.own.integer(kClauses), most_clauses(options), random);
  struct Occurrences {
    std::vector<Index> positive;
    std::vector<Index> negative;
  };
  std::vector<Occurrences> occurrences(static_cast<std::size_t>(variables));
  std::vector<Edge> edges;
  for (Index clause = 0; clause < clauses; ++clause) {
    const Index first = 3 * clause;
    edges.insert(edges.end(), {{first, first + 1}, {first, first + 2}, {first + 1, first + 2}});
    std::array<std::uint32_t, 3> chosen{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto end = chosen.begin() + static_cast<std::ptrdiff_t>(i);
      do {
        chosen[i] = random.next_below(below(variables));
      } while (std::find(chosen.begin(), end, chosen[i]) != end);
      Occurrences& variable = occurrences[chosen[i]];
      const bool negated = random.next_below(2) == 1;
      (negated ? variable.negative : variable.positive).push_back(first + static_cast<Index>(i));
    }
  }
  for (const Occurrences& variable : occurrences) {
    for (const Index u : variable.positive) {
      for (const Index v : variable.negative) {
        edges.push_back({u, v});
      }
    }
  }
  return make_graph(options, 3 * clauses, std::move(edges), random);
}

}  // namespace

std::span<const GeneratorKind> graph_generators() {
  static const std::vector<GeneratorKind> kinds = {
      {"er", "Erdős–Rényi", true, {kProbability, kWeights, kMaxWeight}, generate_er, expected_er},
      {"ba", "Barabási–Albert", true, {kAttachment, kWeights, kMaxWeight}, generate_ba, expected_ba},
      {"rb",
       "RB model",
       false,
       {kCliques, kCliqueSize, kTightness, kDensity, kWeights, kMaxWeight},
       generate_rb,
       expected_rb},
      {"sat",
       "graph of a random 3-SAT formula",
       false,
       {kVariables, kClauses, kMaxClauses, kWeights, kMaxWeight},
       generate_sat,
       expected_sat}};
  return kinds;
}

}  // namespace moco
