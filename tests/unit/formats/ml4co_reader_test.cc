// The reader of ML4CO-Kit text.
#include "unit/formats/support.h"

namespace moco {
namespace {

using test::edges_of;
using test::parse;
using test::parse_error;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr InstanceFormat ml4co = InstanceFormat::ml4co;

TEST(Ml4coReader, ReadsOneGraphALine) {
  const auto instances =
      parse("0 1 1 0 1 2 2 1 weights 0.5 2 1 4 label 1 0 1 1\n\n0 1 1 0 label 0 1 0\r\n2 0\nlabel 1\n", ml4co);
  ASSERT_EQ(instances.size(), 4u);
  EXPECT_EQ(instances[1].name, "in#1");
  const auto& first = std::get<GraphData>(instances[0].content);
  EXPECT_EQ(first.nodes, 4);
  EXPECT_THAT(edges_of(first), ElementsAre(Pair(0, 1), Pair(1, 2)));
  EXPECT_THAT(first.node_weights, ElementsAre(0.5, 2, 1, 4));
  EXPECT_THAT(instances[0].reference->items, ElementsAre(0, 2, 3));
  EXPECT_EQ(std::get<GraphData>(instances[1].content).nodes, 3);
  EXPECT_THAT(std::get<GraphData>(instances[1].content).node_weights, IsEmpty());
  EXPECT_EQ(std::get<GraphData>(instances[2].content).nodes, 3);
  EXPECT_FALSE(instances[2].reference);
  EXPECT_EQ(std::get<GraphData>(instances[3].content).nodes, 1);
}

TEST(Ml4coReader, IsKnownByItsWords) {
  for (const std::string_view content : {"0 1 1 0 label 1 0\n", "0 1 1 0 weights 1 2\n", "label 1 0\n"}) {
    const ParsedData data = parse_data(content, "graphs.txt");
    EXPECT_EQ(data.format, ml4co) << content;
    EXPECT_EQ(data.taken, "");
  }
}

TEST(Ml4coReader, NamesTheFirstFault) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"", "in: the file is empty"},
      {"0 1 2 label 0 0 0\n", "in:1: odd number of edge ends: node 2 has no partner"},
      {"0 x\n", "in:1: node 'x' is not an integer"},
      {"0 -1\n", "in:1: -1 is not a node of 0 … 2147483646"},
      {"0 1 label 0\n", "in:1: 1 labels for a graph of at least 2 nodes"},
      {"0 1 label 0 2\n", "in:1: label '2' is neither 0 nor 1"},
      {"0 1 weights 1 -1\n", "in:1: node weight '-1' is not in 0 … 1000000000000000"},
      {"0 1 weights 1 1 label 1\n", "in:1: 2 weights and 1 labels"},
      {"label\n", "in:1: 0 labels for a graph of at least 1 node"},
      {"0 1\n0 2000000000\n", "in:2: 2000000001 nodes are too many to be true for a file of 17 bytes"},
      {"0 1 label 0 1 weights 1 1\n", "in:1: label 'weights' is neither 0 nor 1"},
  };
  for (const auto& [content, message] : files) {
    EXPECT_EQ(parse_error(content, ml4co), message) << content;
  }
}

}  // namespace
}  // namespace moco
