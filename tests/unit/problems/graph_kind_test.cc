// Families of graphs, recognised on generated ones of several sizes and densities.
#include "moco/problems/graph_kind.h"

#include <gtest/gtest.h>

#include "moco/core/random.h"
#include "moco/generate.h"
#include "options.h"

namespace moco {
namespace {

using Edges = std::vector<Edge>;

std::string kind_of(Index nodes, const Edges& edges) {
  return std::string(recognised_kind(GraphInstance(mis(), "graph", nodes, edges)));
}

/// The kind of the first few graphs of a generator; "mixed" when they differ.
std::string kind_of(const GeneratorOptions& options) {
  std::string kind;
  for (std::uint64_t i = 0; i < 5; ++i) {
    const std::string found(recognised_kind(dynamic_cast<const GraphInstance&>(*generate(options, i))));
    kind = i == 0 || found == kind ? found : "mixed";
  }
  return kind;
}

/// A square grid of which some edges are missing.
Edges grid(Index width, double share) {
  RandomSequence random(stream_key(1, 0, 0), Purpose::generator);
  Edges edges;
  for (Index node = 0; node < width * width; ++node) {
    if (node % width + 1 < width && random.next_double() < share) {
      edges.push_back({node, node + 1});
    }
    if (node + width < width * width && random.next_double() < share) {
      edges.push_back({node, node + width});
    }
  }
  return edges;
}

TEST(RecognisedKind, GraphsOfFormulasOfAllSizes) {
  GeneratorOptions options = test_generator("sat");
  for (const Index variables : {20, 50, 100, 400}) {
    for (const double ratio : {2.0, 4.26, 8.0}) {
      const auto clauses = static_cast<Index>(ratio * variables);
      options.own.set("variables", variables).set("clauses", clauses).set("max_clauses", clauses);
      EXPECT_EQ(kind_of(options), "sat") << variables << " variables, " << clauses << " clauses";
    }
  }
}

TEST(RecognisedKind, RandomGraphsAreNeither) {
  GeneratorOptions options = test_generator("er");
  for (const Index nodes : {100, 200, 640, 1200, 3000}) {
    for (const double degree : {2.0, 4.0, 8.2, 30.0, 60.0}) {
      options.nodes = nodes;
      options.own.set("probability", degree / (nodes - 1.0));
      EXPECT_EQ(kind_of(options), "") << nodes << " nodes of degree " << degree;
    }
  }
}

TEST(RecognisedKind, GraphsWithHubsOrCliquesAreNeither) {
  GeneratorOptions options = test_generator("ba");
  for (const Index attachment : {1, 2, 4, 16}) {
    options.nodes = 1000;
    options.own.set("attachment", attachment);
    EXPECT_EQ(kind_of(options), "") << attachment;
  }
  options = test_generator("rb");
  EXPECT_EQ(kind_of(options), "");
  options.own.set("cliques", 300);
  options.own.set("clique_size", 3);
  EXPECT_EQ(kind_of(options), "");
}

TEST(RecognisedKind, GridsRoadsAndRings) {
  EXPECT_EQ(kind_of(900, grid(30, 1.0)), "road");
  EXPECT_EQ(kind_of(900, grid(30, 0.8)), "road");
  EXPECT_EQ(kind_of(900, grid(30, 0.6)), "road");
  EXPECT_EQ(kind_of(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}), "road");
}

TEST(RecognisedKind, DegenerateGraphs) {
  EXPECT_EQ(kind_of(1, {}), "");
  EXPECT_EQ(kind_of(500, {}), "") << "no edges";
  Edges star;
  Edges complete;
  for (Index leaf = 1; leaf < 300; ++leaf) {
    star.push_back({0, leaf});
    for (Index other = 0; other < leaf; ++other) {
      complete.push_back({other, leaf});
    }
  }
  EXPECT_EQ(kind_of(300, star), "");
  EXPECT_EQ(kind_of(300, complete), "");
}

}  // namespace
}  // namespace moco
