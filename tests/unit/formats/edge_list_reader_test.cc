// The reader of edge lists: which nodes there are, what they are called, weights, and complaints.
#include "unit/formats/support.h"

namespace moco {
namespace {

using test::edges_of;
using test::parse;
using test::parse_error;
using test::parse_graph;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr InstanceFormat edge_list = InstanceFormat::edge_list;

InstanceData only(std::string_view content) {
  return parse(content, edge_list).at(0);
}

TEST(EdgeListReader, HasExactlyTheNodesOfTheFile) {
  const InstanceData counted = only("0 2\n% remark\n2 1\n");
  EXPECT_EQ(std::get<GraphData>(counted.content).nodes, 3);
  EXPECT_THAT(counted.labels, IsEmpty());
  EXPECT_THAT(edges_of(std::get<GraphData>(counted.content)), ElementsAre(Pair(0, 2), Pair(1, 2)));

  const InstanceData from_one = only("1 2\n2 3\n");
  EXPECT_EQ(std::get<GraphData>(from_one.content).nodes, 3);
  EXPECT_THAT(from_one.labels, ElementsAre("1", "2", "3"));

  const InstanceData gaps = only("# Nodes: 9 Edges: 2\n# FromNodeId\tToNodeId\n700\t2000000000\n5\t700\n");
  EXPECT_THAT(gaps.labels, ElementsAre("5", "700", "2000000000"));
  EXPECT_THAT(edges_of(std::get<GraphData>(gaps.content)), ElementsAre(Pair(0, 1), Pair(1, 2)));
}

TEST(EdgeListReader, DeclaredNodesMayBeIsolated) {
  EXPECT_TRUE(parse_graph("# nodes 4\n", edge_list).edges.empty());
  const InstanceData some = only("# nodes 5\n1 2\n");
  EXPECT_EQ(std::get<GraphData>(some.content).nodes, 5);
  EXPECT_THAT(some.labels, IsEmpty());
}

TEST(EdgeListReader, KnowsAFirstLineThatCounts) {
  const auto read = [](std::string_view content) {
    ParsedData data = parse_data(content, "in", {.format = edge_list});
    return std::pair(std::move(data.instances.at(0)), data.taken);
  };
  const auto [from_zero, note] = read("5 3\n0 1\n1 2\n2 3\n");
  EXPECT_EQ(std::get<GraphData>(from_zero.content).nodes, 5);
  EXPECT_EQ(std::get<GraphData>(from_zero.content).edges.size(), 3u);
  EXPECT_THAT(from_zero.labels, IsEmpty());
  EXPECT_EQ(note,
            "line 1 is taken for the numbers of nodes and edges, since 3 edges follow; if 5 3 is an edge, put it on "
            "another line");
  const auto [from_one, other] = read("% star\n4 3\n1 2 7\n1 3 8\n1 4 9\n");
  EXPECT_THAT(from_one.labels, ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(std::get<GraphData>(from_one.content).edge_weights, ElementsAre(7, 8, 9));
  // No counts: too many edges follow, or nodes beyond the first number.
  EXPECT_EQ(std::get<GraphData>(read("3 1\n0 1\n1 2\n").first.content).edges.size(), 3u);
  EXPECT_EQ(std::get<GraphData>(read("2 1\n0 2\n").first.content).edges.size(), 2u);
}

TEST(EdgeListReader, AcceptsNamesSeparatorsAndHeaders) {
  for (const std::string_view content :
       {"alice bob\nbob carol\n", "alice,bob\nbob,carol\n", "source,target\nalice,bob\nbob,carol\n",
        "From;To\nalice;bob\nbob;carol\n", "u\tv\nalice\tbob\nbob\tcarol\n",
        "id,target,source,label\n1,bob,alice,x\n2,carol,bob,y\n", "\"alice\",\"bob\"\n\"bob\",\"carol\"\n"}) {
    const InstanceData data = only(content);
    EXPECT_THAT(std::get<GraphData>(data.content).edges, ::testing::SizeIs(2)) << content;
    EXPECT_THAT(data.labels, ::testing::UnorderedElementsAre("alice", "bob", "carol")) << content;
  }
  EXPECT_THAT(only("source,target\n10,20\n20,30\n").labels, ElementsAre("10", "20", "30"));
}

TEST(EdgeListReader, ReadsWeights) {
  EXPECT_THAT(parse_graph("0 1 0.5\n1 2 3\n", edge_list).edge_weights, ElementsAre(0.5, 3));
  EXPECT_THAT(parse_graph("source,target,weight\n0,1,0.5\n1,2,3\n", edge_list).edge_weights, ElementsAre(0.5, 3));
  EXPECT_THAT(parse_graph("0 1 {}\n1 2 {}\n", edge_list).edge_weights, IsEmpty());
  EXPECT_THAT(parse_graph("0 1 {'weight': 3}\n1 2 {}\n2 3 {'colour': 'red', 'weight': 0.25}\n", edge_list).edge_weights,
              ElementsAre(3, 1, 0.25));
}

TEST(EdgeListReader, EdgesWithoutAWeightAmongOthersWeighOne) {
  EXPECT_THAT(parse_graph("1 2\n3 2 {'weight': 3}\n6 4\n1 5\n", edge_list).edge_weights, ElementsAre(1, 3, 1, 1));
  EXPECT_THAT(parse_graph("1 2 {}\n3 2\n6 4 {'weight': 3}\n", edge_list).edge_weights, ElementsAre(1, 1, 3));
}

TEST(EdgeListReader, JoinsEdgesThatAreAllThereInBothDirections) {
  const GraphData joined = parse_graph("0 1\n1 0\n1 2\n2 1\n", edge_list);
  EXPECT_THAT(edges_of(joined), ElementsAre(Pair(0, 1), Pair(1, 2)));
  EXPECT_EQ(parse_graph("0 1\n1 0\n1 2\n", edge_list).edges.size(), 3u);
  std::vector<std::string> warnings;
  EXPECT_THAT(parse_graph("0 1 5\n1 0 6\n", edge_list, &warnings).edge_weights, ElementsAre(5));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("1 edge has different weights in the two directions")));
}

TEST(EdgeListReader, NamesTheFirstFault) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"", "in: the file is empty"},
      {"# nothing\n", "in: neither edges nor '# nodes N'"},
      {"source,target\n", "in: neither edges nor '# nodes N'"},
      {"1\n", "in:1: expected 'u v' or 'u v weight', found '1'"},
      {"1 2 3 4\n", "in:1: expected 'u v' or 'u v weight', found '1 2 3 4'"},
      {"{}\n", "in:1: expected 'u v' or 'u v weight', found '{}'"},
      {"0 1 1\n1 2\n", "in:2: expected 3 columns as before, found 2"},
      {"0 1\n1 2 5\n2 3 5\n", "in:2: expected 2 columns as before, found 3"},
      {"source,target,weight\n0,1\n", "in:2: expected 3 columns as before, found 2"},
      {"0 1\n0 x\n", "in:2: node 'x' is not an integer"},
      {"0.5 1\n", "in:1: node '0.5' is not an integer"},
      {"-1 0\n", "in:1: node -1 is negative"},
      {"a,b\n,c\n", "in:2: an end of the edge is missing"},
      {"0 1 heavy\n", "in:1: edge weight 'heavy' is not a number"},
      {"0 1 {'weight': 'x'}\n", "in:1: edge weight ''x'' is not a number"},
      {"0 1 {'weight'}\n", "in:1: 'weight' has no value"},
      {"0 99999999999999999999\n", "in:1: node '99999999999999999999' is out of range"},
      {"# nodes 2\n0 1\n1 2\n", "in:3: 2 is not a node of 0 … 1"},
      {"# nodes 0\n", "in:1: a graph has at least one node, not 0"},
      {"# nodes 2\na b\n", "in: nodes have names, so that '# nodes 2' has no meaning"},
      {"# nodes 2000000000\n", "in:1: 2000000000 nodes are too many to be true for a file of 19 bytes"},
      {"2000000000 1\n1 2\n", "in:1: 2000000000 nodes are too many to be true for a file of 17 bytes"},
  };
  for (const auto& [content, message] : files) {
    EXPECT_EQ(parse_error(content, edge_list), message) << content;
  }
}

}  // namespace
}  // namespace moco
