// Matrices as text, CSV, NumPy and Matrix Market arrays: distances, or the adjacency of a graph.
#include <bit>
#include <cstdint>

#include "unit/formats/support.h"

namespace moco {
namespace {

using test::edges_of;
using test::input_error;
using test::parse;
using test::parse_error;
using test::parse_points;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr std::string_view path_adjacency = "0 1 0\n1 0 1\n0 1 0\n";

GraphData as_graph(std::string_view content, std::string_view name) {
  return std::get<GraphData>(parse_data(content, name, {.wanted = DataKind::graph}).instances.at(0).content);
}

TEST(MatrixReader, ReadsDistances) {
  for (const std::string_view content :
       {"0 1.5 2\n1.5 0 3\n2 3 0\n", "# remark\n0,1.5,2\n1.5,0,3\n2,3,0\n", "0\t1.5\t2\r\n1.5\t0\t3\r\n2\t3\t0\r\n"}) {
    const PointData data = parse_points(content, InstanceFormat::matrix);
    EXPECT_EQ(data.metric, Metric::matrix);
    EXPECT_THAT(data.matrix, ElementsAre(0, 1.5, 2, 1.5, 0, 3, 2, 3, 0)) << content;
  }
  EXPECT_THAT(parse_points("7\n", InstanceFormat::matrix).matrix, ElementsAre(7));
}

TEST(MatrixReader, TakesNamesForLabels) {
  for (const std::string_view content :
       {"a,b,c\n0,1,2\n1,0,3\n2,3,0\n", ",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n", "a,0,1,2\nb,1,0,3\nc,2,3,0\n"}) {
    const auto instances = parse(content, InstanceFormat::matrix);
    EXPECT_THAT(instances.at(0).labels, ElementsAre("a", "b", "c")) << content;
    EXPECT_THAT(std::get<PointData>(instances.at(0).content).matrix, ElementsAre(0, 1, 2, 1, 0, 3, 2, 3, 0));
  }
  EXPECT_THAT(parse(",0,1,2\n0,0,1,2\n1,1,0,3\n2,2,3,0\n", InstanceFormat::matrix).at(0).labels, IsEmpty());
  EXPECT_THAT(parse("a,a,c\n0,1,2\n1,0,3\n2,3,0\n", InstanceFormat::matrix).at(0).labels, IsEmpty()) << "not unique";
}

TEST(MatrixReader, ReadsAnAdjacencyWhereAGraphIsWanted) {
  EXPECT_THAT(edges_of(as_graph(path_adjacency, "a.matrix")), ElementsAre(Pair(0, 1), Pair(1, 2)));
  EXPECT_THAT(edges_of(as_graph(path_adjacency, "a.txt")), ElementsAre(Pair(0, 1), Pair(1, 2)));
  EXPECT_THAT(edges_of(as_graph("0,1,0\n1,0,1\n0,1,0\n", "a.csv")), ElementsAre(Pair(0, 1), Pair(1, 2)));
  EXPECT_EQ(input_error([] { as_graph("0 2 0\n2 0 1\n0 1 0\n", "a.matrix"); }),
            "a.matrix: row 1, column 2: 2 is neither 0 nor 1, which the entries of an adjacency matrix are");
  EXPECT_EQ(input_error([] { as_graph("0 1 0\n0 0 1\n0 1 0\n", "a.matrix"); }),
            "a.matrix: row 1, column 2: 1 differs from the entry on the other side of the diagonal; the graph is not "
            "undirected");
  EXPECT_THAT(parse_error(path_adjacency, InstanceFormat::matrix), HasSubstr("--problem says which"));
}

TEST(MatrixReader, NamesTheFirstFault) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"", "in: the file is empty"},
      {"# nothing\n", "in: no numbers"},
      {"0 1\n", "in: 1 rows of 2 columns are no square matrix"},
      {"0 1\n1 0\n2 2\n", "in:3: more rows than the 2 of a square matrix"},
      {"0 1\n1\n", "in:2: expected 2 numbers as in the first row, found 1"},
      {"0 1\n1 x\n", "in:2: entry 'x' is not a number"},
      {"0 inf\n1 0\n", "in:1: entry 'inf' is not finite"},
      {"0 1e151\n1 0\n", "in:1: entry '1e151' is out of range"},
      {"a b c\n0 1\n", "in:2: 3 names above 2 columns"},
  };
  for (const auto& [content, message] : files) {
    EXPECT_EQ(parse_error(content, InstanceFormat::matrix), message) << content;
  }
}

/// A .npy file of version 1 in little-endian order.
template <typename Number>
std::string npy(std::string_view type, std::string_view shape, const std::vector<Number>& items) {
  const std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}\n", type, shape);
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dictionary.size() & 0xFFu);
  file += '\0';
  file += dictionary;
  for (const Number item : items) {
    for (const auto byte : std::bit_cast<std::array<char, sizeof item>>(item)) {
      file += byte;
    }
  }
  return file;
}

TEST(NpyReader, ReadsMatricesAndBatchesOfThem) {
  const PointData one = parse_points(npy<double>("<f8", "(3, 3)", {0, 1, 2, 1, 0, 3, 2, 3, 0}), InstanceFormat::npy);
  EXPECT_EQ(one.metric, Metric::matrix);
  EXPECT_THAT(one.matrix, ElementsAre(0, 1, 2, 1, 0, 3, 2, 3, 0));
  std::vector<double> two{0, 1, 2, 1, 0, 3, 2, 3, 0, 0, 7, 8, 7, 0, 9, 8, 9, 0};
  const auto batch = parse(npy<double>("<f8", "(2, 3, 3)", two), InstanceFormat::npy);
  ASSERT_EQ(batch.size(), 2u);
  EXPECT_THAT(std::get<PointData>(batch[1].content).matrix, ElementsAre(0, 7, 8, 7, 0, 9, 8, 9, 0));
}

TEST(NpyReader, ReadsEveryType) {
  const std::vector<Point> wanted{{1, 2}, {3, 100}, {0, 5}};
  const auto read = [](const std::string& content) { return parse_points(content, InstanceFormat::npy).points; };
  EXPECT_EQ(read(npy<std::int8_t>("|i1", "(3, 2)", {1, 2, 3, 100, 0, 5})), wanted);
  EXPECT_EQ(read(npy<std::uint8_t>("|u1", "(3, 2)", {1, 2, 3, 100, 0, 5})), wanted);
  EXPECT_EQ(read(npy<std::int16_t>("<i2", "(3, 2)", {1, 2, 3, 100, 0, 5})), wanted);
  EXPECT_EQ(read(npy<std::uint16_t>("<u2", "(3, 2)", {1, 2, 3, 100, 0, 5})), wanted);
  EXPECT_EQ(read(npy<std::int32_t>("<i4", "(3, 2)", {1, 2, 3, 100, 0, 5})), wanted);
  EXPECT_EQ(read(npy<std::uint32_t>("<u4", "(3, 2)", {1, 2, 3, 100, 0, 5})), wanted);
  EXPECT_EQ(read(npy<std::int64_t>("<i8", "(3, 2)", {1, 2, 3, 100, 0, 5})), wanted);
  EXPECT_EQ(read(npy<std::uint64_t>("<u8", "(3, 2)", {1, 2, 3, 100, 0, 5})), wanted);
  EXPECT_EQ(read(npy<std::uint16_t>("<f2", "(3, 2)", {0x3C00, 0x4000, 0x4200, 0x5640, 0x0000, 0x4500})), wanted);
  EXPECT_THAT(read(npy<std::int16_t>("<i2", "(1, 2)", {-1, -30000})), ElementsAre(Point{-1, -30000}));
  EXPECT_THAT(read(npy<std::uint16_t>("<f2", "(1, 2)", {0xBC00, 0x0001})), ElementsAre(Point{-1, 0x1p-24}));
  EXPECT_THAT(parse_error(npy<std::uint16_t>("<f2", "(1, 2)", {0x7C00, 0}), InstanceFormat::npy),
              HasSubstr("coordinate inf is not finite"));
}

TEST(NpyReader, ReadsEdgesWhereAGraphIsWanted) {
  const std::string edges = npy<std::int64_t>("<i8", "(2, 2)", {10, 20, 20, 40});
  const ParsedData data = parse_data(edges, "e.npy", {.wanted = DataKind::graph});
  EXPECT_THAT(data.instances.at(0).labels, ElementsAre("10", "20", "40"));
  EXPECT_THAT(edges_of(as_graph(npy<std::int8_t>("|i1", "(3, 3)", {0, 1, 0, 1, 0, 1, 0, 1, 0}), "a.npy")),
              ElementsAre(Pair(0, 1), Pair(1, 2)));
  EXPECT_THAT(input_error([] {
                as_graph(npy<double>("<f8", "(1, 2)", {0.5, 1}), "e.npy");
              }),
              HasSubstr("an array of edges holds whole numbers"));
  EXPECT_THAT(parse_error(npy<std::int64_t>("<i8", "(3, 2)", {0, 1, 1, 2, 2, 3}), InstanceFormat::npy),
              HasSubstr("may be edges or coordinates; --problem says which"));
}

TEST(MatrixMarketReader, ReadsArrays) {
  const std::string banner = "%%MatrixMarket matrix array real ";
  const auto matrix = [](const std::string& content) {
    return parse_points(content, InstanceFormat::matrix_market).matrix;
  };
  EXPECT_THAT(matrix(banner + "general\n% by columns\n2 2\n0\n5\n7\n0\n"), ElementsAre(0, 7, 5, 0));
  EXPECT_THAT(matrix(banner + "symmetric\n3 3\n0\n1\n2\n0\n3\n0\n"), ElementsAre(0, 1, 2, 1, 0, 3, 2, 3, 0));
  EXPECT_THAT(matrix(banner + "skew-symmetric\n2 2\n4\n"), ElementsAre(0, -4, 4, 0));
  EXPECT_EQ(parse_error(banner + "general\n2 3\n", InstanceFormat::matrix_market),
            "in:2: a graph needs a square matrix, not 2×3");
  EXPECT_EQ(parse_error(banner + "general\n2 2\n0\n1\n", InstanceFormat::matrix_market),
            "in:2: 4 entries promised, 2 found");
  EXPECT_EQ(parse_error("%%MatrixMarket matrix array pattern general\n", InstanceFormat::matrix_market),
            "in:1: field 'pattern' is not supported; integer and real are");
  EXPECT_THAT(edges_of(as_graph(banner + "symmetric\n3 3\n0\n1\n0\n0\n1\n0\n", "a.mtx")),
              ElementsAre(Pair(0, 1), Pair(1, 2)));
}

}  // namespace
}  // namespace moco
