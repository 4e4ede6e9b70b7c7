// MIS instances: what becomes of an edge list, and the checker.
#include <cmath>

#include "moco/core/csr.h"
#include "options.h"
#include "unit/problems/support.h"

namespace moco {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Csr, SortsRowsAndKeepsRepetitions) {
  const std::vector<Arc> arcs{{2, 1}, {0, 2}, {2, 0}, {0, 1}, {2, 1}};
  const Csr csr = build_csr(4, arcs);
  EXPECT_THAT(csr.offsets, ElementsAre(0, 2, 2, 5, 5));
  EXPECT_THAT(csr.targets, ElementsAre(1, 2, 0, 1, 1));
  EXPECT_THAT(csr.row(3), IsEmpty());
}

TEST(GraphInstance, DropsAndCountsLoopsAndRepetitions) {
  const std::vector<Edge> edges{{3, 1}, {0, 0}, {1, 3}, {1, 2}, {3, 1}, {2, 2}};
  const GraphInstance graph(mis(), "g", 5, edges);
  EXPECT_EQ(graph.edges(), 2);
  EXPECT_EQ(graph.dropped_self_loops(), 2);
  EXPECT_EQ(graph.dropped_duplicates(), 2);
  EXPECT_THAT(graph.neighbours(1), ElementsAre(2, 3));
  EXPECT_THAT(graph.neighbours(0), IsEmpty());
  EXPECT_THAT(graph.offsets(), ElementsAre(0, 0, 2, 3, 4, 4));
  EXPECT_THAT(graph.targets(), ElementsAre(2, 3, 1, 1));
}

TEST(GraphInstance, RejectsNodesOutside) {
  const std::vector<Edge> beyond{{0, 2}};
  const std::vector<Edge> negative{{-1, 0}};
  EXPECT_THROW(GraphInstance(mis(), "g", 2, beyond), OptionError);
  EXPECT_THROW(GraphInstance(mis(), "g", 2, negative), OptionError);
  EXPECT_THROW(GraphInstance(mis(), "g", 0, {}), OptionError);
}

TEST(GraphInstance, EmptyAndCompleteGraphs) {
  const GraphInstance empty(mis(), "empty", 3, {});
  EXPECT_EQ(empty.edges(), 0);
  EXPECT_EQ(empty.check({{0, 1, 2}}).cost, -3.0);
  std::vector<Edge> all;
  for (Index u = 0; u < 20; ++u) {
    for (Index v = 0; v < u; ++v) {
      all.push_back({u, v});
    }
  }
  const GraphInstance complete(mis(), "complete", 20, all);
  EXPECT_EQ(complete.edges(), 190);
  EXPECT_TRUE(complete.check({{7}}).feasible);
  EXPECT_FALSE(complete.check({{7, 9}}).feasible);
}

TEST(MisChecker, NamesTheFirstViolation) {
  const std::vector<Edge> path{{0, 1}, {1, 2}, {2, 3}};
  const GraphInstance graph(mis(), "path", 4, path);
  EXPECT_TRUE(graph.check({{}}).feasible);
  EXPECT_EQ(graph.check({{}}).cost, 0.0);
  EXPECT_FALSE(std::signbit(graph.check({{}}).cost));
  EXPECT_EQ(graph.check({{0, 2}}).cost, -2.0);
  EXPECT_EQ(graph.check({{3, 0}}).cost, -2.0);
  EXPECT_EQ(graph.check({{0, 4}}).violation, "position 1: 4 is not a node of 0 … 3");
  EXPECT_EQ(graph.check({{-1}}).violation, "position 0: -1 is not a node of 0 … 3");
  EXPECT_EQ(graph.check({{0, 2, 0}}).violation, "node 0 appears twice, at positions 0 and 2");
  EXPECT_EQ(graph.check({{0, 2, 3}}).violation, "nodes 2 and 3 are both chosen but adjacent");
}

}  // namespace
}  // namespace moco
