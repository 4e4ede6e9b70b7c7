// The TSPLIB reader: good files of every type, and the place and wording of its complaints.
#include "unit/formats/support.h"

namespace moco {
namespace {

using test::parse;
using test::parse_error;
using test::parse_points;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr InstanceFormat tsplib = InstanceFormat::tsplib;

std::string planar(std::string_view type) {
  return fmt::format(
      "NAME : tiny\nTYPE : TSP\nCOMMENT : three cities: a triangle\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : {}\n"
      "NODE_COORD_SECTION\n1 0 0\n2 3 4\n3 0 8\nEOF\n",
      type);
}

std::string explicit_file(std::string_view format, int n, std::string_view numbers) {
  return fmt::format(
      "NAME: m\nTYPE: TSP\nDIMENSION: {}\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: {}\n"
      "EDGE_WEIGHT_SECTION\n{}\nEOF\n",
      n, format, numbers);
}

TEST(TsplibReader, ReadsEveryPlanarMetric) {
  const std::vector<std::pair<std::string, Metric>> types{{"EUC_2D", Metric::euc_2d}, {"CEIL_2D", Metric::ceil_2d},
                                                          {"MAN_2D", Metric::man_2d}, {"MAX_2D", Metric::max_2d},
                                                          {"GEO", Metric::geo},       {"ATT", Metric::att}};
  for (const auto& [type, metric] : types) {
    const InstanceData instance = parse(planar(type), tsplib).at(0);
    const auto& data = std::get<PointData>(instance.content);
    EXPECT_EQ(data.metric, metric) << type;
    EXPECT_EQ(instance.name, "tiny");
    EXPECT_THAT(data.points, ElementsAre(Point{0, 0}, Point{3, 4}, Point{0, 8}));
  }
}

TEST(TsplibReader, AcceptsIdsInAnyOrderAndExponents) {
  const auto instances = parse(
      "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n3 +3e0 -3.5\n1 1.0e+00 .5\n2 2 2\n-1\nEOF", tsplib);
  EXPECT_THAT(std::get<PointData>(instances.at(0).content).points,
              ElementsAre(Point{1, 0.5}, Point{2, 2}, Point{3, -3.5}));
  EXPECT_EQ(instances.at(0).name, "in");
}

TEST(TsplibReader, AcceptsCrlfByteOrderMarkAndMissingEof) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : planar("EUC_2D")) {
    text += c == '\n' ? "\r\n" : std::string(1, c);
  }
  EXPECT_EQ(parse_points(text, tsplib).points.size(), 3u);
  EXPECT_EQ(parse_points("DIMENSION:1\nEDGE_WEIGHT_TYPE:EUC_2D\nNODE_COORD_SECTION\n1 5 5", tsplib).points.size(), 1u);
}

TEST(TsplibReader, AcceptsRemarksAfterTheType) {
  EXPECT_EQ(parse_points("TYPE: TSP (by somebody)\nDIMENSION: 1\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n",
                         tsplib)
                .points.size(),
            1u);
}

TEST(TsplibReader, ExpandsEveryWeightFormat) {
  // The matrix 0 1 2 / 1 0 3 / 2 3 0 in every layout.
  const std::vector<std::pair<std::string, std::string>> layouts{{"FULL_MATRIX", "0 1 2 1 0 3 2 3 0"},
                                                                 {"UPPER_ROW", "1 2\n3"},
                                                                 {"LOWER_ROW", "1 2 3"},
                                                                 {"UPPER_DIAG_ROW", "0 1 2 0 3 0"},
                                                                 {"LOWER_DIAG_ROW", "0 1 0 2 3 0"},
                                                                 {"UPPER_COL", "1 2 3"},
                                                                 {"LOWER_COL", "1 2 3"},
                                                                 {"UPPER_DIAG_COL", "0 1 0 2 3 0"},
                                                                 {"LOWER_DIAG_COL", "0 1 2 0 3 0"}};
  for (const auto& [format, numbers] : layouts) {
    const PointData data = parse_points(explicit_file(format, 3, numbers), tsplib);
    EXPECT_THAT(data.matrix, ElementsAre(0, 1, 2, 1, 0, 3, 2, 3, 0)) << format;
  }
  // With four nodes rows and columns of a triangle differ.
  EXPECT_THAT(parse_points(explicit_file("UPPER_ROW", 4, "1 2 3 4 5 6"), tsplib).matrix,
              ElementsAre(0, 1, 2, 3, 1, 0, 4, 5, 2, 4, 0, 6, 3, 5, 6, 0));
  EXPECT_THAT(parse_points(explicit_file("UPPER_COL", 4, "1 2 3 4 5 6"), tsplib).matrix,
              ElementsAre(0, 1, 2, 4, 1, 0, 3, 5, 2, 3, 0, 6, 4, 5, 6, 0));
  EXPECT_EQ(parse_points(explicit_file("UPPER_ROW", 1, ""), tsplib).matrix.size(), 1u);
}

TEST(TsplibReader, ReadsDisplayDataAfterWeights) {
  const PointData data = parse_points(
      "DIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nDISPLAY_DATA_TYPE: TWOD_DISPLAY\n"
      "EDGE_WEIGHT_SECTION\n7\nDISPLAY_DATA_SECTION\n2 3 4\n1 1 2\nEOF\n",
      tsplib);
  EXPECT_THAT(data.matrix, ElementsAre(0, 7, 7, 0));
  EXPECT_THAT(data.points, ElementsAre(Point{1, 2}, Point{3, 4}));
}

TEST(TsplibReader, ReadsAsymmetricMatrices) {
  const PointData data = parse_points(
      "TYPE: ATSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
      "EDGE_WEIGHT_SECTION\n9999 1\n2 9999\nEOF\n",
      tsplib);
  EXPECT_THAT(data.matrix, ElementsAre(9999, 1, 2, 9999));
  std::vector<std::string> warnings;
  parse(explicit_file("FULL_MATRIX", 2, "0 1 2 0"), tsplib, &warnings);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("not symmetric")));
}

TEST(TsplibReader, AcceptsIdsFromZeroOn) {
  const std::string head = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n";
  EXPECT_THAT(parse_points(head + "2 5 6\n0 1 2\n1 3 4\n", tsplib).points,
              ElementsAre(Point{1, 2}, Point{3, 4}, Point{5, 6}));
  EXPECT_EQ(parse_error(head + "0 0 0\n1 0 0\n1 0 0\n", tsplib), "in:6: node id 1 appears again; it was on line 5");
}

TEST(TsplibReader, ReadsPlacesWithHeights) {
  const auto spatial = [](std::string_view type, std::string_view rows) {
    return fmt::format("DIMENSION: 2\nEDGE_WEIGHT_TYPE: {}\nNODE_COORD_TYPE: THREED_COORDS\nNODE_COORD_SECTION\n{}",
                       type, rows);
  };
  for (const auto& [type, metric] :
       {std::pair<std::string, Metric>{"EUC_3D", Metric::euc_3d}, {"CEIL_3D", Metric::ceil_3d}}) {
    const PointData data = parse_points(spatial(type, "2 1 2 3\n1 4 5 6.5\n"), tsplib);
    EXPECT_EQ(data.metric, metric);
    EXPECT_THAT(data.points, ElementsAre(Point{4, 5}, Point{1, 2}));
    EXPECT_THAT(data.heights, ElementsAre(6.5, 3));
  }
  EXPECT_EQ(parse_error(spatial("EUC_3D", "1 0 0\n2 0 0\n"), tsplib),
            "in:5: expected 'id x y z' in NODE_COORD_SECTION, found '1 0 0'");
  EXPECT_EQ(parse_error(spatial("EUC_3D", "1 0 0 up\n"), tsplib), "in:5: z coordinate 'up' is not a number");
  EXPECT_EQ(parse_error("DIMENSION: 1\nNODE_COORD_SECTION\n1 0 0\nEDGE_WEIGHT_TYPE: EUC_3D\n", tsplib),
            "in:2: EDGE_WEIGHT_TYPE comes after NODE_COORD_SECTION");
}

TEST(TsplibReader, WarnsWhereEveryDistanceWouldBeNoughtOrOne) {
  const auto warnings_of = [](std::string_view type, std::string_view rows) {
    std::vector<std::string> warnings;
    parse(fmt::format("DIMENSION: 2\nEDGE_WEIGHT_TYPE: {}\nNODE_COORD_SECTION\n{}", type, rows), tsplib, &warnings);
    return warnings;
  };
  EXPECT_THAT(warnings_of("EUC_2D", "1 0.25 1\n2 0 0.5\n"),
              ElementsAre("in: all coordinates lie in the unit square, where EUC_2D rounds every distance to 0 or 1"));
  EXPECT_THAT(warnings_of("EUC_2D", "1 0.25 1\n2 0 2\n"), ::testing::IsEmpty());
  EXPECT_THAT(warnings_of("CEIL_2D", "1 0.25 1\n2 0 0.5\n"), ::testing::IsEmpty());
}

TEST(TsplibReader, WarnsOfUnknownKeywords) {
  std::vector<std::string> warnings;
  parse("AUTHOR : me\n" + planar("EUC_2D"), tsplib, &warnings);
  EXPECT_THAT(warnings, ElementsAre("in: line 1: unknown keyword 'AUTHOR' ignored"));
}

TEST(TsplibReader, ReadsFixedEdges) {
  const std::string text = planar("EUC_2D");
  const std::string head = text.substr(0, text.size() - 4);  // without EOF
  const auto fixed = [](const std::string& content) { return parse_points(content, tsplib).fixed; };
  EXPECT_THAT(fixed(text), ElementsAre());
  EXPECT_THAT(fixed(head + "FIXED_EDGES_SECTION\n1 3\n2 1\n-1\nEOF\n"), ElementsAre(Edge{0, 2}, Edge{1, 0}));
  EXPECT_THAT(fixed(head + "FIXED_EDGES_SECTION\n 1 3 -1\n"), ElementsAre(Edge{0, 2}));
  EXPECT_THAT(fixed(head + "FIXED_EDGES_SECTION\n\n3 2"), ElementsAre(Edge{2, 1}));
  EXPECT_THAT(fixed("DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nFIXED_EDGES_SECTION\n1 2\n-1\nNODE_COORD_SECTION\n"
                    "0 0 0\n1 3 4\n2 0 8\n"),
              ElementsAre(Edge{1, 2}));  // ids from 0, as those of the cities
  EXPECT_THAT(fixed(explicit_file("UPPER_ROW", 3, "1 2\n3\nFIXED_EDGES_SECTION\n0 2\n-1")), ElementsAre(Edge{0, 2}));
}

struct BadFile {
  std::string content;
  std::string message;
};

TEST(TsplibReader, NamesTheFirstFault) {
  const std::string head = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n";
  const std::string three = head + "1 0 0\n2 1 1\n3 5 5\n";
  const std::vector<BadFile> files{
      {"", "in: the file is empty"},
      {"hello\n", "in:1: expected 'KEYWORD : value' or a section, found 'hello'"},
      {"TYPE: TOUR\n", "in:1: TYPE 'TOUR' is not supported; TSP and ATSP are"},
      {"TYPE: CVRP\n", "in:1: TYPE 'CVRP' is not supported; TSP and ATSP are"},
      {"EDGE_WEIGHT_TYPE: EUC_2D\n", "in: DIMENSION is missing"},
      {"DIMENSION: 3\n", "in: EDGE_WEIGHT_TYPE is missing"},
      {"DIMENSION: x\n", "in:1: DIMENSION 'x' is not an integer"},
      {"DIMENSION: 0\n", "in:1: DIMENSION 0 is not in 1 … 2147483647"},
      {"DIMENSION: -5\n", "in:1: DIMENSION -5 is not in 1 … 2147483647"},
      {"DIMENSION: 99999999999999999999\n", "in:1: DIMENSION '99999999999999999999' is out of range"},
      {"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\n", "in: NODE_COORD_SECTION is missing"},
      {"NODE_COORD_SECTION\n1 1 1\n", "in:1: NODE_COORD_SECTION comes before DIMENSION"},
      {"DIMENSION: 3\nEDGE_WEIGHT_TYPE: XRAY1\n",
       "in:2: EDGE_WEIGHT_TYPE 'XRAY1' is not supported; EUC_2D, CEIL_2D, MAN_2D, MAX_2D, GEO, ATT, EUC_3D, CEIL_3D "
       "and EXPLICIT are"},
      {head + "1 0 0\n2 1 1\n", "in:3: NODE_COORD_SECTION has 2 of the 3 nodes that DIMENSION promises"},
      {head + "1 0 0\n2 1 1\n3 1 1\n3 1 1\n",
       "in:7: NODE_COORD_SECTION has more than the 3 nodes that DIMENSION promises"},
      {head + "1 0 0\n2 1 1\n2 5 5\n", "in:6: node id 2 appears again; it was on line 5"},
      {head + "1 0 0\n2 1 1\n4 5 5\n", "in:6: node id 4 is not in 1 … 3"},
      {head + "0 0 0\n2 1 1\n3 1 1\n", "in:4: node id 0 is not in 1 … 3"},
      {head + "-7 0 0\n", "in:4: node id -7 is not in 1 … 3"},
      {head + "1 0\n", "in:4: expected 'id x y' in NODE_COORD_SECTION, found '1 0'"},
      {head + "1 0 0 0\n", "in:4: expected 'id x y' in NODE_COORD_SECTION, found '1 0 0 0'"},
      {head + "1 0 zero\n", "in:4: y coordinate 'zero' is not a number"},
      {head + "1 0 1,5\n", "in:4: y coordinate '1,5' is not a number"},
      {head + "1 nan 0\n", "in:4: x coordinate 'nan' is not finite"},
      {head + "1 -inf 0\n", "in:4: x coordinate '-inf' is not finite"},
      {head + "1 1e999 0\n", "in:4: x coordinate '1e999' is out of range"},
      {head + "1 1e200 0\n", "in:4: x coordinate '1e200' is out of range"},
      {"FIXED_EDGES_SECTION\n1 2\n-1\n", "in:1: FIXED_EDGES_SECTION comes before DIMENSION"},
      {three + "FIXED_EDGES_SECTION\n1\n", "in:8: expected 'id id' in FIXED_EDGES_SECTION, found '1'"},
      {three + "FIXED_EDGES_SECTION\n1 2 3\n", "in:8: expected 'id id' in FIXED_EDGES_SECTION, found '1 2 3'"},
      {three + "FIXED_EDGES_SECTION\n1 2 -1 3\n", "in:8: expected 'id id' in FIXED_EDGES_SECTION, found '1 2 -1 3'"},
      {three + "FIXED_EDGES_SECTION\n1 x\n", "in:8: node id 'x' is not an integer"},
      {three + "FIXED_EDGES_SECTION\n1 4\n", "in:8: node id 4 is not in 1 … 3"},
      {three + "FIXED_EDGES_SECTION\n1 2\n0 3\n", "in:9: node id 3 is not in 0 … 2"},
      {three + "FIXED_EDGES_SECTION\n1 2\n3 3\n", "in:9: the fixed edge 3 3 has the same city at both ends"},
      {three + "FIXED_EDGES_SECTION\n1 2\n-1\nFIXED_EDGES_SECTION\n", "in:10: second FIXED_EDGES_SECTION"},
      {"NAME: x\nTOUR_SECTION\n", "in:2: this is a tour, not an instance"},
      {explicit_file("UPPER_ROW", 3, "1 2"),
       "in:6: EDGE_WEIGHT_SECTION has 2 of the 3 numbers that UPPER_ROW of 3 nodes needs"},
      {explicit_file("UPPER_ROW", 3, "1 2\n3 4"),
       "in:8: EDGE_WEIGHT_SECTION has more than the 3 numbers that UPPER_ROW of 3 nodes needs"},
      {explicit_file("UPPER_ROW", 3, "1 2 x"), "in:7: weight 'x' is not a number"},
      {explicit_file("UPPER_ROW", 3, "1 2 nan"), "in:7: weight 'nan' is not finite"},
      {"DIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_SECTION\n1\n",
       "in:3: EDGE_WEIGHT_SECTION comes before EDGE_WEIGHT_FORMAT"},
      {"DIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\n", "in: EDGE_WEIGHT_SECTION is missing"},
      {"TYPE: ATSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1\n",
       "in:4: TYPE ATSP needs FULL_MATRIX, not UPPER_ROW"},
  };
  for (const BadFile& file : files) {
    EXPECT_EQ(parse_error(file.content, tsplib), file.message) << file.content;
  }
  EXPECT_THAT(parse_error(explicit_file("FUNCTION", 2, "1"), tsplib),
              HasSubstr("in:5: EDGE_WEIGHT_FORMAT 'FUNCTION' is not supported"));
}

TEST(TsplibReader, DoesNotAllocateOnAHostileDimension) {
  EXPECT_THAT(parse_error("DIMENSION: 2000000000\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n", tsplib),
              HasSubstr("has 1 of the 2000000000 nodes"));
  EXPECT_THAT(parse_error(explicit_file("FULL_MATRIX", 2000000000, "1 2 3"), tsplib),
              HasSubstr("has 3 of the 4000000000000000000 numbers"));
}

}  // namespace
}  // namespace moco
