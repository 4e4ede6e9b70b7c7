// What files are taken for by name and content, what is said about it, and where the answer is a question.
#include "moco/core/random.h"
#include "moco/formats/detect.h"
#include "unit/formats/support.h"

namespace moco {
namespace {

using test::input_error;
using ::testing::HasSubstr;

/// "FORMAT SIZE×COUNT" of what a file is taken for.
std::string taken_for(std::string_view content, std::string_view name, std::optional<DataKind> wanted = {}) {
  const ParsedData data = parse_data(content, name, {.wanted = wanted});
  const InstanceData& first = data.instances.front();
  const auto* graph = std::get_if<GraphData>(&first.content);
  const auto* points = std::get_if<PointData>(&first.content);
  const std::size_t size = graph != nullptr ? static_cast<std::size_t>(graph->nodes) : points->points.size();
  return fmt::format("{} {}×{}", to_string(data.format), size, data.instances.size());
}

std::string note_of(std::string_view content, std::string_view name, std::optional<DataKind> wanted = {}) {
  return parse_data(content, name, {.wanted = wanted}).taken;
}

std::string question(std::string_view content, std::string_view name, std::optional<DataKind> wanted = {}) {
  SCOPED_TRACE(std::string(content));
  return input_error([&] { parse_data(content, name, {.wanted = wanted}); });
}

/// Rows of whole numbers below `bound`.
std::string whole_coordinates(std::size_t rows, std::uint32_t bound, char separator) {
  RandomSequence random(stream_key(7, 0, 0), Purpose::sample);
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) {
    text += fmt::format("{}{}{}\n", random.next_below(bound), separator, random.next_below(bound));
  }
  return text;
}

/// A symmetric matrix with zeros on its diagonal.
std::string distance_matrix(int n, std::string_view separator, int diagonal = 0) {
  std::string text;
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      const int entry = row == column ? diagonal : 10 + 3 * std::min(row, column) + 7 * std::max(row, column);
      text += fmt::format("{}{}", column == 0 ? "" : separator, entry);
    }
    text += '\n';
  }
  return text;
}

TEST(FormatDetection, KnowsFormatsByTheirBeginning) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"0 0 1 1 output 1 2 1\n", "concorde 2×1"},
      {"c graph\np edge 3 1\ne 1 2\n", "dimacs 3×1"},
      {"c graph\np td 3 1\n1 2\n", "pace 3×1"},
      {"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "matrix-market 2×1"},
      {"NAME : x\nDIMENSION : 1\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n", "tsplib 1×1"},
      {"0 1 1 0 label 1 0\n0 1 1 0 label 1 0\n", "ml4co 2×2"},
      {"0 1 {}\n1 2 {'weight': 4}\n", "edge-list 3×1"},
      {"# nodes 7\n", "edge-list 7×1"},
      {"x,y\n1,2\n", "csv 1×1"},
      {"source,target\n1,2\n", "edge-list 2×1"},
  };
  for (const auto& [content, wanted] : files) {
    for (const std::string_view name : {"file", "file.txt", "file.csv", "FILE.TXT.gz"}) {
      EXPECT_EQ(taken_for(content, name), wanted) << content << name;
    }
    EXPECT_EQ(note_of(content, "file.txt"), "") << content;
  }
  EXPECT_EQ(taken_for("p edge 3 1\ne 1 2\n", "wrong.graph"), "dimacs 3×1");
  EXPECT_THAT(note_of("p edge 3 1\ne 1 2\n", "wrong.graph"), HasSubstr("--format metis reads what the name says"));
  EXPECT_EQ(note_of("p sp 3 1\na 1 2 5\n", "road.gr"), "");
  EXPECT_THAT(question("p edge 3\n", "file.txt"), HasSubstr("file.txt:1: number of edges"));
}

TEST(FormatDetection, MatricesAreNoInstancesALine) {
  for (const int n : {3, 4, 5, 12}) {
    for (const std::string_view separator : {" ", ",", "\t", ";"}) {
      for (const std::string_view name : {"d.txt", "d.csv", "d"}) {
        EXPECT_EQ(taken_for(distance_matrix(n, separator), name), "matrix 0×1") << n << separator << name;
      }
    }
  }
  EXPECT_EQ(note_of(distance_matrix(4, " "), "d.txt"),
            "read as distances between 4 cities; --format concorde reads the coordinates of one instance a line");
  EXPECT_EQ(note_of(distance_matrix(5, " "), "d.txt"), "");
  EXPECT_EQ(taken_for(distance_matrix(4, " ", 9999), "d.txt"), "matrix 0×1") << "a constant on the diagonal";
  EXPECT_EQ(taken_for("0 1 2 3\n9 0 8 7\n1 2 0 3\n4 5 6 0\n", "d.txt"), "matrix 0×1") << "not symmetric";
  EXPECT_THAT(question("9 1 2 3\n4 9 8 7\n1 2 9 3\n4 5 6 9\n", "d.txt"),
              HasSubstr("d.txt: as many rows as columns may be a matrix or several instances"));
  EXPECT_THAT(question("0 1 2\n3 0 4\n5 6 0\n", "d.txt"), HasSubstr("--format matrix reads distances, --format csv"));
  EXPECT_EQ(taken_for("0 1 2\n3 0 4\n5 6 0\n", "d.txt", DataKind::points), "csv 3×1");
  EXPECT_EQ(taken_for(",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n", "d.csv"), "matrix 0×1");
}

TEST(FormatDetection, InstancesALineStayThat) {
  EXPECT_EQ(taken_for("0 0 1 1 2 2\n0 0 1 1 2 3\n", "t.txt"), "concorde 3×2");
  EXPECT_EQ(taken_for("0.5 0.5 1 1\n", "t.txt"), "concorde 2×1");
  const std::string square = "0.1 0.9 0.3 0.4\n0.5 0.6 0.7 0.8\n0.9 0.1 0.2 0.3\n0.4 0.5 0.6 0.7\n";
  EXPECT_EQ(taken_for(square, "t.txt"), "concorde 2×4");
  EXPECT_EQ(note_of(square, "t.txt"), "read as 4 instances, one a line; --format matrix reads distances");
  EXPECT_THAT(question("1 2 3 4 5\n", "t.txt"), HasSubstr("neither name nor content tell the format"));
}

TEST(FormatDetection, WholeCoordinatesAreNoGraph) {
  const std::string cities = whole_coordinates(52, 1741, ' ');
  EXPECT_EQ(taken_for(cities, "berlin.txt"), "csv 52×1");
  EXPECT_EQ(note_of(cities, "berlin.txt"), "read as coordinates of 52 cities; --format edge-list reads edges");
  EXPECT_EQ(note_of(cities, "berlin.txt", DataKind::points), "");
  EXPECT_EQ(taken_for(whole_coordinates(52, 1741, ','), "berlin.csv"), "csv 52×1");
  EXPECT_EQ(note_of(whole_coordinates(52, 1741, ','), "berlin.csv"), "");
  // On a small grid the numbers could be nodes.
  const std::string grid = whole_coordinates(200, 20, ' ');
  EXPECT_EQ(question(grid, "grid.txt"),
            "grid.txt: two columns of whole numbers may be edges or coordinates: --format edge-list reads edges, "
            "--format csv reads coordinates");
  EXPECT_EQ(taken_for(grid, "grid.txt", DataKind::points), "csv 200×1");
  EXPECT_EQ(taken_for(grid, "grid.csv"), "csv 200×1");
  std::string square;
  for (int i = 0; i < 81; ++i) {
    square += fmt::format("{} {}\n", i / 9, i % 9);
  }
  EXPECT_THAT(question(square, "grid.txt"), HasSubstr("may be edges or coordinates")) << "every place of a square";
  EXPECT_EQ(taken_for("0.5 0.5\n0.25 1\n", "c.txt"), "csv 2×1");
  EXPECT_EQ(taken_for("-5 3\n2 8\n", "c.txt"), "csv 2×1");
  EXPECT_EQ(taken_for("1 0.5 0.5\n2 0.25 1\n", "c.txt"), "csv 2×1");
  EXPECT_EQ(taken_for("1 565 575\n2 25 185\n3 345 750\n", "c.txt"), "csv 3×1");
  EXPECT_EQ(taken_for("Paris 1 2\nRome 3 4\n", "c.txt"), "csv 2×1");
}

TEST(FormatDetection, EdgeListsAreNoCities) {
  EXPECT_EQ(taken_for("0 1\n1 2\n", "e.txt"), "edge-list 3×1");
  EXPECT_EQ(note_of("0 1\n1 2\n", "e.txt"), "read as an edge list of 3 nodes; --format csv reads coordinates");
  EXPECT_EQ(note_of("0 1\n1 2\n", "e.edges"), "");
  EXPECT_EQ(taken_for("0 1\n1 2\n", "e.txt", DataKind::points), "csv 2×1");
  EXPECT_EQ(note_of("0 1\n1 2\n", "e.txt", DataKind::graph), "");
  EXPECT_EQ(taken_for("# Nodes: 5 Edges: 3\n7 90\n90 7\n90 400\n400 90\n", "e.txt"), "edge-list 3×1") << "both ways";
  EXPECT_EQ(taken_for("# FromNodeId\tToNodeId\n700\t9\n700\t80\n9\t80\n", "e.txt"), "edge-list 3×1");
  EXPECT_EQ(taken_for("6 4\n1 2\n2 3\n3 5\n5 6\n", "e.txt"), "edge-list 6×1") << "counts first";
  EXPECT_EQ(taken_for("0 1 5\n0 2 7\n1 2 9\n", "e.txt"), "edge-list 3×1") << "ids would not repeat";
  EXPECT_EQ(taken_for("from,to,weight\n10,20,5\n20,30,7\n", "e.csv"), "edge-list 3×1");
  EXPECT_THAT(question("1,2\n2,3\n3,4\n", "e.csv"), HasSubstr("may be edges or coordinates"));
  EXPECT_EQ(taken_for("1,2\n2,3\n3,4\n", "e.csv", DataKind::graph), "edge-list 4×1");
  EXPECT_EQ(taken_for("alice,bob\nbob,carol\n", "e.csv", DataKind::graph), "edge-list 3×1");
  EXPECT_THAT(question("1 2 5\n2 3 7\n3 4 9\n", "e.txt"), HasSubstr("edges with weights or cities with ids"));
  EXPECT_EQ(taken_for("1 2 5\n2 3 7\n3 4 9\n", "e.txt", DataKind::graph), "edge-list 4×1");
  EXPECT_THAT(question("some words\n", "e.txt", DataKind::graph), HasSubstr("neither name nor content"));
}

TEST(FormatDetection, KnowsMetisUnderAnyName) {
  const std::string star = "4 3\n2 3 4\n1\n1\n1\n";
  for (const std::string_view name : {"g.txt", "g", "g.mis", "g.edges", "g.graph"}) {
    EXPECT_EQ(taken_for(star, name), "metis 4×1") << name;
  }
  EXPECT_EQ(taken_for("3 2 10\n5 2\n5 1 3\n5 2\n", "g.txt"), "metis 3×1");
  EXPECT_THAT(question("4 4\n2 4\n1 3\n2 4\n1 3\n", "ring.txt"), HasSubstr("may be a METIS graph or an edge list"));
  EXPECT_EQ(taken_for("4 4\n2 4\n1 3\n2 4\n1 3\n", "ring.graph"), "metis 4×1");
}

TEST(FormatDetection, RefusesTheWrongKind) {
  EXPECT_EQ(question("p edge 3 1\ne 1 2\n", "a.col", DataKind::points),
            "a.col: format dimacs holds graphs, but points or distances were asked for");
  EXPECT_EQ(question("0 0 1 1 output 1 2 1\n", "a.txt", DataKind::graph),
            "a.txt: format concorde holds points or distances, but a graph was asked for");
  EXPECT_THAT(question("what is this?\nx\n", "a.txt"), HasSubstr("neither name nor content"));
  EXPECT_THAT(question("0 1\n1 x\n", "c"), HasSubstr("c:2: "));
}

TEST(FormatDetection, SaysWhetherAFileClaimsToBeAnInstance) {
  EXPECT_TRUE(claims_to_be_instance("oops\n", "b.graph"));
  EXPECT_TRUE(claims_to_be_instance("0 1\n1 x\n", "c"));
  EXPECT_TRUE(claims_to_be_instance("p edge\n", "c"));
  EXPECT_FALSE(claims_to_be_instance("two words\n", "notes.txt"));
  EXPECT_FALSE(claims_to_be_instance("2\n3\n", "sizes.txt"));
  EXPECT_FALSE(claims_to_be_instance("NAME : a\nTYPE : TOUR\n", "a.tour"));
  EXPECT_FALSE(claims_to_be_instance("# nothing\n", "c"));
}

}  // namespace
}  // namespace moco
