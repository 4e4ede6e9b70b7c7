// MIS generators: Erdős–Rényi, Barabási–Albert, the RB model, and graphs of random 3-SAT formulas.
#include "moco/problems/generators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

namespace moco {

namespace {

std::uint32_t below(Index bound) {
  return static_cast<std::uint32_t>(bound);
}

/// Weights for the nodes of a graph that has been drawn.
std::vector<double> draw_weights(const GeneratorOptions& options, const GraphInstance& graph, RandomSequence& random) {
  std::vector<double> weights;
  for (Index node = 0; node < graph.size(); ++node) {
    weights.push_back(options.weights == "uniform"   ? 1.0 - random.next_double()
                      : options.weights == "integer" ? 1.0 + random.next_below(below(options.max_weight))
                                                     : 1.0 + static_cast<double>(graph.neighbours(node).size()));
  }
  return weights;
}

InstancePtr make_graph(std::string name, Index nodes, const std::vector<Edge>& edges, const GeneratorOptions& options,
                       RandomSequence& random) {
  auto graph = std::make_shared<GraphInstance>(name, nodes, edges);
  if (options.weights == "none") {
    return graph;
  }
  return std::make_shared<GraphInstance>(std::move(name), nodes, edges, draw_weights(options, *graph, random));
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

}  // namespace

ExpectedSize expected_er(const GeneratorOptions& options) {
  const double nodes = std::max(options.nodes, options.max_nodes);
  return {.nodes = nodes, .edges = options.probability * nodes * (nodes - 1.0) / 2.0};
}

InstancePtr generate_er(const GeneratorOptions& options, std::string name, RandomSequence& random) {
  require_option(options.nodes >= 1, "the number of nodes must be at least 1");
  require_option(options.probability >= 0.0 && options.probability <= 1.0, "the edge probability must lie in 0 … 1");
  require_memory(options, 1, false);
  const Index n = draw_between(options.nodes, options.max_nodes, random);
  std::vector<Edge> edges;
  if (options.probability > 0.0) {
    // Walk over the pairs (u, v) with v < u, row by row, from one edge to the next.
    const GeometricSkip skip(options.probability);
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
  return make_graph(std::move(name), n, edges, options, random);
}

ExpectedSize expected_ba(const GeneratorOptions& options) {
  const double nodes = std::max(options.nodes, options.max_nodes);
  const double edges = nodes * options.attachment;
  // The ends to pick from are a list as long as all edges, which may have grown to twice its length.
  return {.nodes = nodes, .edges = edges, .other_bytes = 16.0 * edges};
}

InstancePtr generate_ba(const GeneratorOptions& options, std::string name, RandomSequence& random) {
  require_option(options.attachment >= 1, "the number of edges per new node must be at least 1");
  require_option(options.nodes > options.attachment, "there must be more nodes than edges per new node");
  // Ends of edges are drawn by a number of 32 bits.
  require_option(2 * std::int64_t{options.attachment} * std::max(options.nodes, options.max_nodes) <=
                     std::numeric_limits<std::uint32_t>::max(),
                 "a Barabási–Albert graph has at most 2147483647 edges");
  require_memory(options, 1, false);
  const Index n = draw_between(options.nodes, options.max_nodes, random);
  std::vector<Edge> edges;
  std::vector<Index> ends;  // every node as often as it has edges
  const auto connect = [&](Index u, Index v) {
    edges.push_back({u, v});
    ends.push_back(u);
    ends.push_back(v);
  };
  // The seed graph is a star; then each node picks distinct earlier ones in proportion to their degrees.
  for (Index leaf = 1; leaf <= options.attachment; ++leaf) {
    connect(0, leaf);
  }
  std::vector<Index> picked;
  for (Index node = options.attachment + 1; node < n; ++node) {
    picked.clear();
    while (static_cast<Index>(picked.size()) < options.attachment) {
      const Index candidate = ends[random.next_below(static_cast<std::uint32_t>(ends.size()))];
      if (std::find(picked.begin(), picked.end(), candidate) == picked.end()) {
        picked.push_back(candidate);
      }
    }
    for (const Index other : picked) {
      connect(other, node);
    }
  }
  return make_graph(std::move(name), n, edges, options, random);
}

namespace {

/// Constraints of an RB model, before rounding.
double constraints_of(const GeneratorOptions& options) {
  return options.density * options.cliques * std::log(static_cast<double>(std::max<Index>(options.cliques, 1)));
}

}  // namespace

ExpectedSize expected_rb(const GeneratorOptions& options) {
  const double size = options.clique_size;
  const double in_cliques = options.cliques * size * (size - 1.0) / 2.0;
  const double between = constraints_of(options) * options.tightness * size * size;
  // The pairs of two cliques are listed to draw from.
  return {.nodes = options.cliques * size, .edges = in_cliques + between, .other_bytes = 4.0 * size * size};
}

InstancePtr generate_rb(const GeneratorOptions& options, std::string name, RandomSequence& random) {
  const Index cliques = options.cliques;
  const Index size = options.clique_size;
  require_option(cliques >= 2, "the RB model needs at least 2 cliques");
  require_option(size >= 1 && size <= 30'000, "the clique size must lie in 1 … 30000");
  require_option(std::int64_t{cliques} * size <= std::numeric_limits<Index>::max(), "the RB graph is too large");
  require_option(options.tightness >= 0.0 && options.tightness <= 1.0, "the tightness must lie in 0 … 1");
  require_option(options.density >= 0.0 && options.density <= 1e6, "the density must lie in 0 … 1000000");
  require_memory(options, 1, false);
  std::vector<Edge> edges;
  for (Index clique = 0; clique < cliques; ++clique) {
    for (Index u = 0; u < size; ++u) {
      for (Index v = u + 1; v < size; ++v) {
        edges.push_back({clique * size + u, clique * size + v});
      }
    }
  }
  const std::uint32_t pairs = below(size) * below(size);
  const auto conflicts = static_cast<std::uint32_t>(std::llround(options.tightness * pairs));
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
  return make_graph(std::move(name), cliques * size, edges, options, random);
}

ExpectedSize expected_sat(const GeneratorOptions& options) {
  const double clauses = std::max(options.clauses, options.max_clauses);
  // A variable occurs 3·clauses/variables times; half of the pairs of two clauses' literals on it contradict each
  // other.
  const double occurrences = 3.0 * clauses / std::max<Index>(options.variables, 1);
  const double conflicts = options.variables * occurrences * occurrences / 4.0;
  return {.nodes = 3.0 * clauses, .edges = 3.0 * clauses + conflicts, .other_bytes = 48.0 * options.variables};
}

InstancePtr generate_sat(const GeneratorOptions& options, std::string name, RandomSequence& random) {
  require_option(options.variables >= 3, "3-SAT needs at least 3 variables");
  require_option(options.clauses >= 1, "the number of clauses must be at least 1");
  require_option(std::max(options.clauses, options.max_clauses) <= std::numeric_limits<Index>::max() / 3,
                 "there are too many clauses");
  require_memory(options, 1, false);
  const Index clauses = draw_between(options.clauses, options.max_clauses, random);
  struct Occurrences {
    std::vector<Index> positive;
    std::vector<Index> negative;
  };
  std::vector<Occurrences> occurrences(static_cast<std::size_t>(options.variables));
  std::vector<Edge> edges;
  for (Index clause = 0; clause < clauses; ++clause) {
    const Index first = 3 * clause;
    edges.insert(edges.end(), {{first, first + 1}, {first, first + 2}, {first + 1, first + 2}});
    std::array<std::uint32_t, 3> chosen{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto end = chosen.begin() + static_cast<std::ptrdiff_t>(i);
      do {
        chosen[i] = random.next_below(below(options.variables));
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
  return make_graph(std::move(name), 3 * clauses, edges, options, random);
}

}  // namespace moco
