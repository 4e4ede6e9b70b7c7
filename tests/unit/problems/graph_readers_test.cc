// The readers of DIMACS, METIS, edge-list and Matrix Market graphs.
#include "unit/problems/support.h"

namespace moco {
namespace {

using test::edges_of;
using test::parse_error;
using test::parse_mis;
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
    const auto graph =
        parse_mis(fmt::format("c a path\np {} 4 2\nn 1 5\ne 1 2\r\n\ne 3 2\n", type), InstanceFormat::dimacs);
    EXPECT_EQ(graph->size(), 4);
    EXPECT_THAT(edges_of(*graph), ElementsAre(Pair(0, 1), Pair(1, 2)));
  }
}

TEST(DimacsReader, RepairsWithWarnings) {
  std::vector<std::string> warnings;
  const auto graph = parse_mis("p edge 3 4\ne 1 2\ne 2 1\ne 3 3\ne 1 2\n", InstanceFormat::dimacs, &warnings);
  EXPECT_THAT(edges_of(*graph), ElementsAre(Pair(0, 1)));
  EXPECT_THAT(warnings, ElementsAre("in: dropped 1 self-loop", "in: dropped 2 repeated edges"));
  warnings.clear();
  parse_mis("p edge 3 1\ne 1 2\ne 2 3\n", InstanceFormat::dimacs, &warnings);
  EXPECT_THAT(warnings, ElementsAre("in: line 1: 1 edges promised, 2 found; all are used"));
  warnings.clear();
  parse_mis("p edge 3 4\ne 1 2\ne 2 3\n", InstanceFormat::dimacs, &warnings);  // each edge counted twice
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(DimacsReader, NamesTheFirstFault) {
  expect_errors({{"", "in: the file is empty"},
                 {"c nothing\n", "in: the 'p edge NODES EDGES' line is missing"},
                 {"e 1 2\n", "in:1: edge before the 'p' line"},
                 {"p edge 3 1\np edge 3 1\n", "in:2: second 'p' line; the first is line 1"},
                 {"p cnf 3 1\n", "in:1: problem type 'cnf' is not supported; edge, col, mis and clq are"},
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
                 {"p edge 2000000000 0\n", "in:1: 2000000000 nodes are too many to be true for a file of 20 bytes"}},
                InstanceFormat::dimacs);
}

TEST(MetisReader, ReadsPlainGraphs) {
  const auto graph = parse_mis("% a comment\n5 3\n2 3\n1 3\n% inside\n2 1\n\n\n", InstanceFormat::metis);
  EXPECT_EQ(graph->size(), 5);
  EXPECT_THAT(edges_of(*graph), ElementsAre(Pair(0, 1), Pair(0, 2), Pair(1, 2)));
}

TEST(MetisReader, SkipsEveryKindOfWeight) {
  const std::vector<std::string> files{
      "3 2 0\n2\n1 3\n2\n",
      "3 2 1\n2 7\n1 7 3 9\n2 9\n",
      "3 2 10\n5 2\n5 1 3\n5 2\n",
      "3 2 011\n5 2 7\n5 1 7 3 9\n5 2 9\n",
      "3 2 11 2\n5 6 2 7\n5 6 1 7 3 9\n5 6 2 9\n",
      "3 2 111 2\n4 5 6 2 7\n4 5 6 1 7 3 9\n4 5 6 2 9\n",
      "3 2 100\n4 2\n4 1 3\n4 2\n",
  };
  for (const std::string& content : files) {
    EXPECT_THAT(edges_of(*parse_mis(content, InstanceFormat::metis)), ElementsAre(Pair(0, 1), Pair(1, 2))) << content;
  }
}

TEST(MetisReader, RepairsWithWarnings) {
  std::vector<std::string> warnings;
  const auto graph = parse_mis("2 2\n2 2 1\n1 1\n", InstanceFormat::metis, &warnings);
  EXPECT_EQ(graph->edges(), 1);
  EXPECT_THAT(warnings, ElementsAre("in: dropped 1 self-loop", "in: dropped 1 repeated edge"));
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
                 {"2 1 10\n\n1 1\n", "in:2: node 1: 1 weights expected, 0 found"}},
                InstanceFormat::metis);
}

TEST(EdgeListReader, CountsNodesFromHeaderOrEdges) {
  const auto counted = parse_mis("0 2\n% remark\n2 1\n", InstanceFormat::edge_list);
  EXPECT_EQ(counted->size(), 3);
  EXPECT_THAT(edges_of(*counted), ElementsAre(Pair(0, 2), Pair(1, 2)));
  EXPECT_EQ(parse_mis("# Nodes: 9 Edges: 1\n0\t2\n", InstanceFormat::edge_list)->size(), 9);
  EXPECT_EQ(parse_mis("# nodes 4\n", InstanceFormat::edge_list)->edges(), 0);
}

TEST(EdgeListReader, NamesTheFirstFault) {
  expect_errors({{"", "in: the file is empty"},
                 {"# nothing\n", "in: neither edges nor '# nodes N'"},
                 {"1\n", "in:1: expected 'u v', found '1'"},
                 {"1 2 3\n", "in:1: expected 'u v', found '1 2 3'"},
                 {"0 1\n0 x\n", "in:2: node 'x' is not an integer"},
                 {"-1 0\n", "in:1: -1 is not a node of 0 … 2147483646"},
                 {"0 99999999999999999999\n", "in:1: node '99999999999999999999' is out of range"},
                 {"# nodes 2\n0 1\n1 2\n", "in:3: 2 is not a node of 0 … 1"},
                 {"# nodes 0\n", "in:1: a graph has at least one node, not 0"},
                 {"0 2000000000\n", "in:1: 2000000001 nodes are too many to be true for a file of 13 bytes"},
                 {"# nodes 2000000000\n", "in:1: 2000000000 nodes are too many to be true for a file of 19 bytes"}},
                InstanceFormat::edge_list);
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
    EXPECT_THAT(edges_of(*parse_mis(content, InstanceFormat::matrix_market, &warnings)),
                ElementsAre(Pair(0, 1), Pair(1, 2)))
        << content;
    EXPECT_THAT(warnings, IsEmpty()) << content;
  }
  std::vector<std::string> warnings;
  parse_mis(banner + "pattern general\n2 2 4\n1 1\n1 2\n1 2\n2 1\n", InstanceFormat::matrix_market, &warnings);
  EXPECT_THAT(warnings, ElementsAre("in: dropped 1 self-loop", "in: dropped 1 repeated edge"));
}

TEST(MatrixMarketReader, NamesTheFirstFault) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern symmetric\n";
  expect_errors(
      {{"", "in: the file is empty"},
       {"3 3 1\n", "in:1: expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"},
       {"%%MatrixMarket matrix array real general\n", "in:1: 'matrix' 'array' is not supported; matrix coordinate is"},
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
