// The readers of DIMACS, PACE, METIS and Matrix Market graphs.
#include "unit/formats/support.h"

namespace moco {
namespace {

using test::edges_of;
using test::parse_error;
using test::parse_graph;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

using Cases = std::vector<std::pair<std::string, std::string>>;

void expect_errors(const Cases& files, InstanceFormat format) {
  for (const auto& [content, message] : files) {
    EXPECT_EQ(parse_error(content, format), message) << content;
  }
}

TEST(DimacsReader, ReadsEdgesAndSkipsWhatIsNotNeeded) {
  for (const std::string_view type : {"edge", "col", "mis", "clq"}) {
    const GraphData graph =
        parse_graph(fmt::format("c a path\np {} 4 2\nx 1 5\ne 1 2\r\n\ne 3 2\n", type), InstanceFormat::dimacs);
    EXPECT_EQ(graph.nodes, 4);
    EXPECT_THAT(edges_of(graph), ElementsAre(Pair(0, 1), Pair(1, 2)));
  }
}

TEST(DimacsReader, UsesWeightsOfNodesAndEdges) {
  const auto weighted = [](std::string_view lines) {
    return parse_graph(fmt::format("p edge 3 2\n{}e 1 2\ne 2 3\n", lines), InstanceFormat::dimacs);
  };
  EXPECT_THAT(weighted("n 1 5\nn 3 0.5\n").node_weights, ElementsAre(5, 1, 0.5));
  EXPECT_THAT(weighted("v 2 7\n").node_weights, ElementsAre(1, 7, 1));
  EXPECT_THAT(weighted("d 2 2 0 9\nv 2 7\nv 1 1\nv 3 3\n").node_weights, IsEmpty()) << "these are places";
  EXPECT_THAT(weighted("n 1 1\n").node_weights, IsEmpty()) << "all 1";
  EXPECT_THAT(parse_graph("p sp 3 2\na 1 2 4\na 2 3 0.5\n", InstanceFormat::dimacs).edge_weights, ElementsAre(4, 0.5));
  EXPECT_THAT(parse_graph("p edge 3 2\ne 1 2\ne 2 3 2\n", InstanceFormat::dimacs).edge_weights, ElementsAre(1, 2));
}

TEST(DimacsReader, AcceptsHeadersThatCountAmiss) {
  std::vector<std::string> warnings;
  parse_graph("p edge 3 1\ne 1 2\ne 2 3\n", InstanceFormat::dimacs, &warnings);
  EXPECT_THAT(warnings, ElementsAre("in: line 1: 1 edges promised, 2 found; all are used"));
  warnings.clear();
  parse_graph("p edge 3 4\ne 1 2\ne 2 3\n", InstanceFormat::dimacs, &warnings);  // each edge counted twice
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(PaceReader, ReadsBareEdges) {
  for (const std::string_view type : {"td", "tw", "ds"}) {
    for (const InstanceFormat format : {InstanceFormat::pace, InstanceFormat::dimacs}) {
      const GraphData graph = parse_graph(fmt::format("c a path\np {} 4 2\n1 2\nc\n3 2\n", type), format);
      EXPECT_EQ(graph.nodes, 4);
      EXPECT_THAT(edges_of(graph), ElementsAre(Pair(0, 1), Pair(1, 2)));
    }
  }
  expect_errors({{"p td 3 1\n1 4\n", "in:2: 4 is not a node of 1 … 3"},
                 {"p td 3 1\n1\n", "in:2: node '' is not an integer"},
                 {"p td 3 2\n1 2\n3 x\n", "in:3: node 'x' is not an integer"},
                 {"p td 3 3\n1 2\n", "in:1: 3 edges promised, 1 found"},
                 {"1 2\np td 3 1\n", "in:1: unknown line type '1'"}},
                InstanceFormat::pace);
}

TEST(DimacsReader, NamesTheFirstFault) {
  expect_errors(
      {{"", "in: the file is empty"},
       {"c nothing\n", "in: the 'p edge NODES EDGES' line is missing"},
       {"e 1 2\n", "in:1: edge before the 'p' line"},
       {"p edge 3 1\np edge 3 1\n", "in:2: second 'p' line; the first is line 1"},
       {"p cnf 3 1\n", "in:1: problem type 'cnf' is not supported; edge, col, mis, clq, sp, td, tw and ds are"},
       {"p edge 3\n", "in:1: number of edges '' is not an integer"},
       {"p edge 0 0\n", "in:1: a graph has at least one node, not 0"},
       {"p edge 3 -1\n", "in:1: number of edges -1 is negative"},
       {"p edge 3 1\ne 1 4\n", "in:2: 4 is not a node of 1 … 3"},
       {"p edge 3 1\ne 0 1\n", "in:2: 0 is not a node of 1 … 3"},
       {"p edge 3 1\ne -1 1\n", "in:2: -1 is not a node of 1 … 3"},
       {"p edge 3 1\ne 1\n", "in:2: node '' is not an integer"},
       {"p edge 3 1\ne 1 2.5\n", "in:2: node '2.5' is not an integer"},
       {"p edge 3 3\ne 1 2\n", "in:1: 3 edges promised, 1 found"},
       {"p edge 3 1\nhello\n", "in:2: unknown line type 'hello'"},
       {"p edge 3 1\n1 2\n", "in:2: unknown line type '1'"},
       {"n 1 2\np edge 3 1\n", "in:1: node before the 'p' line"},
       {"p edge 3 1\nn 1\n", "in:2: expected 'n NODE WEIGHT', found '1'"},
       {"p edge 3 1\nn 4 1\n", "in:2: 4 is not a node of 1 … 3"},
       {"p edge 3 1\nn 1 -2\n", "in:2: node weight '-2' is not in 0 … 1000000000000000"},
       {"p edge 3 1\ne 1 2 heavy\n", "in:2: edge weight 'heavy' is not a number"},
       {"p edge 2000000000 0\n", "in:1: 2000000000 nodes are too many to be true for a file of 20 bytes"}},
      InstanceFormat::dimacs);
}

TEST(MetisReader, ReadsPlainGraphs) {
  const auto graph = parse_graph("% a comment\n5 3\n2 3\n1 3\n% inside\n2 1\n\n\n", InstanceFormat::metis);
  EXPECT_EQ(graph.nodes, 5);
  EXPECT_THAT(edges_of(graph), ElementsAre(Pair(0, 1), Pair(0, 2), Pair(1, 2)));
}

TEST(MetisReader, ReadsEveryKindOfWeight) {
  struct Case {
    std::string content;
    std::vector<double> nodes;
    std::vector<double> edges;
  };
  const std::vector<Case> files{
      {"3 2 0\n2\n1 3\n2\n", {}, {}},
      {"3 2 1\n2 7\n1 7 3 9\n2 9\n", {}, {7, 9}},
      {"3 2 10\n5 2\n4 1 3\n3 2\n", {5, 4, 3}, {}},
      {"3 2 011\n5 2 7\n4 1 7 3 9\n3 2 9\n", {5, 4, 3}, {7, 9}},
      {"3 2 11 2\n5 6 2 7\n4 6 1 7 3 9\n3 6 2 9\n", {5, 4, 3}, {7, 9}},
      {"3 2 111 2\n4 5 6 2 7\n4 4 6 1 7 3 9\n4 3 6 2 9\n", {5, 4, 3}, {7, 9}},
      {"3 2 110\n9 5 2\n9 4 1 3\n9 3 2\n", {5, 4, 3}, {}},
      {"3 2 100\n4 2\n4 1 3\n4 2\n", {}, {}},
  };
  for (const auto& [content, nodes, edges] : files) {
    const GraphData graph = parse_graph(content, InstanceFormat::metis);
    EXPECT_THAT(edges_of(graph), ElementsAre(Pair(0, 1), Pair(1, 2))) << content;
    EXPECT_EQ(graph.node_weights, nodes) << content;
    EXPECT_EQ(graph.edge_weights, edges) << content;
  }
  std::vector<std::string> warnings;
  EXPECT_THAT(parse_graph("2 1 11 2\n1 2 2 7\n3 4 1 8\n", InstanceFormat::metis, &warnings).edge_weights,
              ElementsAre(7));
  EXPECT_THAT(warnings, ElementsAre("in: of the 2 weights of each node the first is used",
                                    "in: 1 edge has different weights in the two directions; the first is used"));
}

TEST(MetisReader, NamesTheFirstFault) {
  expect_errors({{"", "in: the file is empty"},
                 {"% only a comment\n", "in: the header 'nodes edges' is missing"},
                 {"3\n", "in:1: expected a header 'nodes edges [fmt [ncon]]', found '3'"},
                 {"x 1\n", "in:1: number of nodes 'x' is not an integer"},
                 {"0 0\n", "in:1: number of nodes 0 is not in 1 … 2147483647"},
                 {"2 -1\n\n\n", "in:1: number of edges -1 is negative"},
                 {"2 1 2\n", "in:1: fmt '2' is not made of up to three digits 0 and 1"},
                 {"2 1 10 -1\n", "in:1: ncon -1 is not in 0 … 1000"},
                 {"3 1\n2\n1\n", "in:1: 3 nodes promised, 2 lines found"},
                 {"2000000000 1\n2\n1\n", "in:1: 2000000000 nodes promised, 2 lines found"},
                 {"2 1\n2\n1\n1\n", "in:4: more lines than the 2 nodes that the header promises"},
                 {"2 2\n2\n1\n", "in:1: 2 edges promised, 1 found"},
                 {"2 1\n3\n1\n", "in:2: neighbour 3 is not a node of 1 … 2"},
                 {"2 1\n0\n1\n", "in:2: neighbour 0 is not a node of 1 … 2"},
                 {"2 1\n-2\n1\n", "in:2: neighbour -2 is not a node of 1 … 2"},
                 {"2 1\nx\n1\n", "in:2: neighbour 'x' is not an integer"},
                 {"3 2\n2\n1\n1\n", "in:4: node 3 lists node 1, which does not list it"},
                 {"2 1 1\n2\n1 4\n", "in:2: neighbour 2 has no edge weight"},
                 {"2 1 10\n-4 2\n1 1\n", "in:2: weight '-4' is not in 0 … 1000000000000000"},
                 {"2 1 10\n\n1 1\n", "in:2: node 1: 1 weights expected, 0 found"}},
                InstanceFormat::metis);
}

TEST(MatrixMarketReader, ReadsSymmetricAndGeneralMatrices) {
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  const std::vector<std::string> files{
      banner + "pattern symmetric\n% remark\n3 3 2\n2 1\n3 2\n",
      banner + "real symmetric\n3 3 2\n2 1 0.5\n3 2 -1e3\n",
      banner + "integer general\n3 3 3\n1 2 4\n2 1 4\n2 3 1\n",
      banner + "complex hermitian\n3 3 2\n2 1 0 1\n3 2 1 0\n",
      "%%matrixmarket MATRIX Coordinate Pattern Symmetric\r\n3 3 2\r\n2 1\r\n3 2\r\n",
  };
  for (const std::string& content : files) {
    std::vector<std::string> warnings;
    EXPECT_THAT(edges_of(parse_graph(content, InstanceFormat::matrix_market, &warnings)),
                ElementsAre(Pair(0, 1), Pair(1, 2)))
        << content;
    EXPECT_THAT(warnings, IsEmpty()) << content;
  }
  EXPECT_THAT(parse_graph(files[1], InstanceFormat::matrix_market).edge_weights, ElementsAre(0.5, -1e3));
  EXPECT_THAT(parse_graph(files[2], InstanceFormat::matrix_market).edge_weights, ElementsAre(4, 1));
}

TEST(MatrixMarketReader, NamesTheFirstFault) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern symmetric\n";
  expect_errors(
      {{"", "in: the file is empty"},
       {"3 3 1\n", "in:1: expected '%%MatrixMarket matrix coordinate|array FIELD SYMMETRY'"},
       {"%%MatrixMarket matrix vector real general\n",
        "in:1: 'matrix' 'vector' is not supported; matrix coordinate and matrix array are"},
       {"%%MatrixMarket matrix coordinate text general\n",
        "in:1: field 'text' is not supported; pattern, integer, real and complex are"},
       {"%%MatrixMarket matrix coordinate real odd\n", "in:1: symmetry 'odd' is not known"},
       {banner, "in: the line 'rows columns entries' is missing"},
       {banner + "3 4 1\n", "in:2: a graph needs a square matrix, not 3×4"},
       {banner + "0 0 0\n", "in:2: 0 rows with 0 entries are no graph"},
       {banner + "3 3\n", "in:2: number of entries '' is not an integer"},
       {banner + "3 3 1\n4 1\n", "in:3: index 4 is not in 1 … 3"},
       {banner + "3 3 1\n0 1\n", "in:3: index 0 is not in 1 … 3"},
       {banner + "3 3 1\n2 1 5\n", "in:3: unexpected '5' after the entry"},
       {banner + "3 3 2\n2 1\n", "in:2: 2 entries promised, 1 found"},
       {banner + "3 3 1\n2 1\n3 1\n", "in:4: more than the 1 entries that line 2 promises"},
       {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n", "in:3: value '' is not a number"},
       {banner + "2000000000 2000000000 0\n", "in:2: 2000000000 nodes are too many to be true for a file of 75 bytes"}},
      InstanceFormat::matrix_market);
}

}  // namespace
}  // namespace moco
