// Complements and scaled coordinates.
#include "unit/formats/support.h"

namespace moco {
namespace {

using test::edges_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(Complement, HasTheOtherEdges) {
  const GraphData path{
      .nodes = 4, .edges = {{1, 0}, {1, 2}, {2, 2}, {0, 1}}, .node_weights = {1, 2, 3, 4}, .edge_weights = {}};
  const GraphData other = complement(path);
  EXPECT_THAT(edges_of(other), ElementsAre(Pair(0, 2), Pair(0, 3), Pair(1, 3), Pair(2, 3)));
  EXPECT_THAT(other.node_weights, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(edges_of(complement(other)), ElementsAre(Pair(0, 1), Pair(1, 2)));
  EXPECT_THAT(complement(GraphData{.nodes = 1, .edges = {}, .node_weights = {}, .edge_weights = {}}).edges, IsEmpty());
}

TEST(Complement, IsTakenWhenAskedFor) {
  const ParsedData data = parse_data("a b\nb c\n", "g.edges", {.complement = true});
  EXPECT_THAT(edges_of(std::get<GraphData>(data.instances.at(0).content)), ElementsAre(Pair(0, 2)));
  EXPECT_THAT(data.instances.at(0).labels, ElementsAre("a", "b", "c"));
  EXPECT_EQ(test::input_error([] { parse_data("0 0 1 1 output 1 2 1\n", "t.txt", {.complement = true}); }),
            "t.txt: only graphs have a complement");
}

TEST(Complement, IsRefusedWhereItDoesNotFit) {
  try {
    complement(GraphData{.nodes = 2'000'000'000, .edges = {}, .node_weights = {}, .edge_weights = {}});
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("the complement of 2000000000 nodes and 0 edges has 1999999999000000000 edges"));
  }
}

TEST(Scaled, GivesWholeCoordinates) {
  const InstanceData unit{
      .name = "u",
      .content =
          PointData{.metric = Metric::euclidean, .points = {{0.1234, 0.5}, {1, -0.25}}, .matrix = {}, .heights = {}},
      .labels = {"a", "b"},
      .reference = Solution{{1, 0}}};
  const InstanceData large = scaled(unit, 1000);
  EXPECT_EQ(std::get<PointData>(large.content).metric, Metric::euc_2d);
  EXPECT_THAT(std::get<PointData>(large.content).points, ElementsAre(Point{123, 500}, Point{1000, -250}));
  EXPECT_EQ(large.name, "u");
  EXPECT_EQ(large.labels, unit.labels);
  EXPECT_EQ(large.reference, unit.reference);
  for (const double factor : {0.0, -1.0, 1e300, std::nan("")}) {
    EXPECT_THROW(scaled(unit, factor), OptionError) << factor;
  }
  InstanceData globe = unit;
  std::get<PointData>(globe.content).metric = Metric::geo;
  EXPECT_THROW(scaled(globe, 10), OptionError);
  EXPECT_THROW(scaled({.name = "g", .content = GraphData{}, .labels = {}, .reference = {}}, 10), OptionError);
}

}  // namespace
}  // namespace moco
