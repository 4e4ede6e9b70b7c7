// The readers of Concorde text, NumPy arrays and delimited coordinates.
#include <bit>

#include "unit/formats/support.h"

namespace moco {
namespace {

using test::parse;
using test::parse_error;
using test::parse_points;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ConcordeReader, ReadsOneInstancePerLineWithItsTour) {
  const auto instances =
      parse("0 0 1 0 1 1 output 1 3 2 1\n\n0.5 0.25 1e-3 2 output 2 1\r\n7 8 9 10\n", InstanceFormat::concorde);
  ASSERT_EQ(instances.size(), 3u);
  EXPECT_EQ(instances[0].name, "in#0");
  EXPECT_EQ(instances[2].name, "in#2");
  EXPECT_THAT(instances[0].reference->items, ElementsAre(0, 2, 1));
  EXPECT_THAT(instances[1].reference->items, ElementsAre(1, 0));
  EXPECT_FALSE(instances[2].reference);
  const auto& second = std::get<PointData>(instances[1].content);
  EXPECT_THAT(second.points, ElementsAre(Point{0.5, 0.25}, Point{1e-3, 2}));
  EXPECT_EQ(second.metric, Metric::euclidean);
}

TEST(ConcordeReader, NamesASingleInstanceAfterItsFile) {
  EXPECT_EQ(parse_data("0 0 1 1 2 2\n", "folder/some.name.txt.gz").instances[0].name, "some.name");
}

TEST(ConcordeReader, NamesTheFirstFault) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"", "in: the file is empty"},
      {"\n\n", "in: the file is empty"},
      {"0 0 1\n", "in:1: odd number of coordinates: city 2 has an x and no y"},
      {"0 0 1 output 1\n", "in:1: odd number of coordinates: city 2 has an x and no y"},
      {"0 0\n0 x\n", "in:2: coordinate 'x' is not a number"},
      {"0 nan\n", "in:1: coordinate 'nan' is not finite"},
      {"0 1e151\n", "in:1: coordinate '1e151' is out of range"},
      {"output 1\n", "in:1: no coordinates before 'output'"},
      {"0 0 1 1 output\n", "in:1: tour has 0 cities, the instance 2"},
      {"0 0 1 1 output 1\n", "in:1: tour has 1 cities, the instance 2"},
      {"0 0 1 1 output 1 3 1\n", "in:1: tour entry 2: 3 is not a city of 1 … 2"},
      {"0 0 1 1 output 0 1 0\n", "in:1: tour entry 1: 0 is not a city of 1 … 2"},
      {"0 0 1 1 output 1 -2 1\n", "in:1: tour entry 2: -2 is not a city of 1 … 2"},
      {"0 0 1 1 output 1 1 1\n", "in:1: tour entry 2: city 1 appears a second time"},
      {"0 0 1 1 output 1 2 2\n", "in:1: tour ends in city 2 instead of returning to its first city 1"},
      {"0 0 1 1 output 1 2 1 2\n", "in:1: tour goes on with 2 after it has returned to its first city"},
      {"0 0 1 1 output 1 2.5\n", "in:1: tour entry '2.5' is not an integer"},
  };
  for (const auto& [content, message] : files) {
    EXPECT_EQ(parse_error(content, InstanceFormat::concorde), message) << content;
  }
}

/// A .npy file with this dictionary and these items, each `bytes` wide.
template <typename Number, typename Bits>
std::string npy(int version, std::string_view dictionary, const std::vector<Number>& items, bool big_endian = false) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    file += static_cast<char>(dictionary.size() >> (8 * i) & 0xFFu);
  }
  file += dictionary;
  for (const Number item : items) {
    const auto bits = std::bit_cast<Bits>(item);
    for (std::size_t i = 0; i < sizeof bits; ++i) {
      file += static_cast<char>(bits >> (8 * (big_endian ? sizeof bits - 1 - i : i)) & 0xFFu);
    }
  }
  return file;
}

std::string npy64(std::string_view dictionary, const std::vector<double>& items) {
  return npy<double, std::uint64_t>(1, dictionary, items);
}

TEST(NpyReader, ReadsBothPrecisionsOrdersAndVersions) {
  const std::vector<Point> wanted{{1, 2}, {3, 4}, {5, 6.5}};
  const std::vector<double> by_rows{1, 2, 3, 4, 5, 6.5};
  const std::vector<double> by_columns{1, 3, 5, 2, 4, 6.5};
  const std::vector<float> floats{1, 2, 3, 4, 5, 6.5};
  const std::string little = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n";
  const std::string fortran = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }\n";
  const std::string single = "{\"descr\": \"<f4\", 'shape': (3, 2), 'fortran_order': False}";
  const std::string big = "{'descr': '>f4', 'fortran_order': False, 'shape': (3, 2)}";
  for (int version = 1; version <= 3; ++version) {
    EXPECT_EQ(parse_points(npy<double, std::uint64_t>(version, little, by_rows), InstanceFormat::npy).points, wanted);
  }
  EXPECT_EQ(parse_points(npy64(fortran, by_columns), InstanceFormat::npy).points, wanted);
  EXPECT_EQ(parse_points(npy<float, std::uint32_t>(1, single, floats), InstanceFormat::npy).points, wanted);
  EXPECT_EQ(parse_points(npy<float, std::uint32_t>(1, big, floats, true), InstanceFormat::npy).points, wanted);
}

TEST(NpyReader, ReadsBatches) {
  const std::string rows = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1, 2), }";
  const std::string columns = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 1, 2), }";
  for (const auto& instances : {parse(npy64(rows, {1, 2, 3, 4}), InstanceFormat::npy),
                                parse(npy64(columns, {1, 3, 2, 4}), InstanceFormat::npy)}) {
    ASSERT_EQ(instances.size(), 2u);
    EXPECT_EQ(instances[1].name, "in#1");
    EXPECT_THAT(std::get<PointData>(instances[0].content).points, ElementsAre(Point{1, 2}));
    EXPECT_THAT(std::get<PointData>(instances[1].content).points, ElementsAre(Point{3, 4}));
  }
}

TEST(NpyReader, NamesTheFault) {
  const auto shaped = [](std::string_view shape) {
    return npy64(fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': {}, }}", shape), {1, 2, 3, 4});
  };
  const auto error = [](const std::string& content) { return parse_error(content, InstanceFormat::npy); };
  EXPECT_THAT(error("NUMPY"), HasSubstr("not a .npy file"));
  EXPECT_THAT(error("\x93NUMPY"), HasSubstr("not a .npy file"));
  EXPECT_EQ(error(std::string("\x93NUMPY\x01\x00\x50", 9)), "in: the file ends within the .npy header");
  EXPECT_EQ(error(std::string("\x93NUMPY\x09\x00\x50\x00", 10)), "in: .npy version 9 is not supported; 1, 2 and 3 are");
  EXPECT_EQ(error(shaped("(4, 1)")), "in: shape 4×1 is neither n×2 nor n×n, nor a batch of such");
  EXPECT_EQ(error(shaped("(4,)")), "in: shape 4 is neither n×2 nor n×n, nor a batch of such");
  EXPECT_EQ(error(shaped("(3, 2)")), "in: shape 3×2 does not fit the 32 bytes of data");
  EXPECT_EQ(error(shaped("(0, 2)")), "in: shape 0×2 has no cities");
  EXPECT_EQ(error(shaped("(0, 2, 2)")), "in: shape 0×2×2 has no cities");
  EXPECT_EQ(error(shaped("(4611686018427387904, 4, 2)")),
            "in: shape 4611686018427387904×4×2 does not fit the 32 bytes of data");
  EXPECT_THAT(error(shaped("(99999999999999999999, 2)")), HasSubstr("bad shape"));
  EXPECT_THAT(error(shaped("(-1, 2)")), HasSubstr("bad shape"));
  EXPECT_EQ(error(npy64("{'descr': '<c8', 'fortran_order': False, 'shape': (1, 2)}", {1, 2})),
            "in: items of type '<c8' are not supported; float16, 32 and 64, integers and bool are");
  EXPECT_THAT(error(npy64("{'descr': '<f8', 'shape': (1, 2)}", {1, 2})), HasSubstr("header lacks one of"));
  EXPECT_THAT(error(npy64("{'other': '<f8'}", {1, 2})), HasSubstr("unknown key 'other'"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error(npy64("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)}", {1, nan})),
            "in: instance 0, city 0: coordinate nan is not finite or out of range");
}

TEST(CsvReader, AcceptsTheUsualSeparatorsHeadersAndIds) {
  const std::vector<Point> wanted{{0.5, 1}, {-2, 3e2}};
  const std::vector<std::string> files{
      "0.5,1\n-2,3e2\n",          "x,y\n0.5,1\n-2,3e2\n",
      "0.5;1\r\n-2;3e2\r\n",      "0.5\t1\n-2\t3e2\n",
      "  0.5   1\n-2 3e2  \n\n",  "# made by hand\nid,x,y\n1, 0.5, 1\n2, -2, 3e2\n",
      "Paris;0.5;1\nRome;-2;3e2", "\xEF\xBB\xBFx,y\n0.5,1\n-2,3e2\n",
  };
  for (const std::string& content : files) {
    const PointData data = parse_points(content, InstanceFormat::csv);
    EXPECT_EQ(data.points, wanted) << content;
    EXPECT_EQ(data.metric, Metric::euclidean);
  }
}

TEST(CsvReader, NamesTheFirstFault) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"", "in: the file is empty"},
      {"x,y\n", "in: no coordinates"},
      {"1\n", "in:1: expected 2 columns (x, y) or 3 (id, x, y), found 1"},
      {"1,2,3,4\n", "in:1: expected 2 columns (x, y) or 3 (id, x, y), found 4"},
      {"1,2\n3\n", "in:2: expected 2 columns as on the first line, found 1"},
      {"1,2\n3,4,5\n", "in:2: expected 2 columns as on the first line, found 3"},
      {"x,y\nx,y\n", "in:2: x coordinate 'x' is not a number"},
      {"1,two\n", "in:1: y coordinate 'two' is not a number"},
      {"1,\n", "in:1: y coordinate '' is not a number"},
      {"1,nan\n", "in:1: y coordinate 'nan' is not finite"},
      {"1,2\n1e999,2\n", "in:2: x coordinate '1e999' is out of range"},
      {"0.25,0.5,0.75\n", "in:1: three columns are id, x, y, but '0.25' is not an id"},
  };
  for (const auto& [content, message] : files) {
    EXPECT_EQ(parse_error(content, InstanceFormat::csv), message) << content;
  }
}

}  // namespace
}  // namespace moco
