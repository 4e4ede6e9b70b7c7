// Pictures of solutions and metrics: formats by name, names of any bytes, and what lies where.
#include <algorithm>
#include <cmath>
#include <regex>

#include "run_moco.h"

namespace moco::cli_test {
namespace {

const std::string kPngBeginning = "\x89PNG\r\n\x1A\n";

struct Circle {
  double x = 0.0;
  double y = 0.0;
  double radius = 0.0;
};

std::vector<Circle> circles_of(const std::string& svg) {
  static const std::regex pattern("<circle cx=\"([^\"]*)\" cy=\"([^\"]*)\" r=\"([^\"]*)\"");
  std::vector<Circle> circles;
  for (std::sregex_iterator match(svg.begin(), svg.end(), pattern); match != std::sregex_iterator(); ++match) {
    circles.push_back({std::stod((*match)[1]), std::stod((*match)[2]), std::stod((*match)[3])});
  }
  return circles;
}

double distance(const Circle& a, const Circle& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

/// Whether the text is UTF-8 without the characters that XML 1.0 forbids; decoded by the rules of RFC 3629 as a regular
/// expression of bytes, apart from the program's own decoder.
bool is_xml_text(const std::string& text) {
  static const std::regex pattern(
      "(?:[\\t\\n\\r\\x20-\\x7E]|[\\xC2-\\xDF][\\x80-\\xBF]|\\xE0[\\xA0-\\xBF][\\x80-\\xBF]|"
      "[\\xE1-\\xEC\\xEE][\\x80-\\xBF][\\x80-\\xBF]|\\xED[\\x80-\\x9F][\\x80-\\xBF]|"
      "\\xEF[\\x80-\\xBE][\\x80-\\xBF]|\\xEF\\xBF[\\x80-\\xBD]|\\xF0[\\x90-\\xBF][\\x80-\\xBF][\\x80-\\xBF]|"
      "[\\xF1-\\xF3][\\x80-\\xBF][\\x80-\\xBF][\\x80-\\xBF]|\\xF4[\\x80-\\x8F][\\x80-\\xBF][\\x80-\\xBF])*");
  for (const std::string& line : lines_of(text)) {
    if (!std::regex_match(line, pattern)) {
      return false;
    }
  }
  return true;
}

class Pictures : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("one.txt", "0 0 1 0 1 1 0 1 0.5 0.7\n");
    write("metrics.jsonl",
          "{\"step\":1,\"seconds\":0.5,\"validation\":8.0,\"gap\":0.1}\n"
          "{\"step\":10,\"seconds\":5,\"validation\":7.0,\"gap\":0.001}\n"
          "{\"step\":100,\"seconds\":50,\"validation\":6.9,\"gap\":-0.001}\n");
  }

  /// The places of the cities or nodes of a solved instance, in their order for cities.
  std::vector<Circle> drawn(const std::string& file) const {
    expect_success({"solve", file, "-K", "3", "-q", "--plot", "p.svg"});
    return circles_of(read("p.svg"));
  }
};

TEST_F(Pictures, TheNameChoosesTheFormat) {
  for (const char* name : {"p.svg", "P.SVG"}) {
    expect_success({"solve", "one.txt", "-K", "3", "-q", "--plot", name});
    EXPECT_EQ(read(name).substr(0, 5), "<?xml") << name;
  }
#if defined(MOCO_HAVE_CAIRO)
  for (const char* name : {"p.png", "P.Png"}) {
    expect_success({"solve", "one.txt", "-K", "3", "-q", "--plot", name});
    EXPECT_EQ(read(name).substr(0, 8), kPngBeginning) << name;
  }
  expect_success({"plot", "metrics.jsonl", "-o", "curve.png"});
  EXPECT_EQ(read("curve.png").substr(0, 8), kPngBeginning);
#else
  const std::string refusal = "moco: cannot write 'p.png': this build draws no PNG; a name ending in .svg gives SVG";
  expect_error({"solve", "one.txt", "-K", "1000000000", "--plot", "p.png"}, 2, refusal);
  expect_error({"plot", "metrics.jsonl", "-o", "p.png"}, 2, refusal);
#endif
}

TEST_F(Pictures, OtherNamesAreRefusedBeforeTheSearch) {
  for (const std::string name : {"p.pdf", "p", "svg", "p.svg.txt"}) {
    const std::string refusal = "moco: cannot write '" + name + "': pictures are .svg or .png";
    expect_error({"solve", "one.txt", "-K", "1000000000", "--plot", name}, 2, refusal);
    expect_error({"plot", "missing.jsonl", "-o", name}, 2, refusal);
    EXPECT_FALSE(fs::exists(work() / name));
  }
}

TEST_F(Pictures, StandardOutputGetsSvg) {
  EXPECT_EQ(expect_success({"solve", "one.txt", "-K", "3", "-q", "--plot", "-"}).substr(0, 5), "<?xml");
  EXPECT_EQ(expect_success({"solve", "one.txt", "-K", "3", "-q", "--plot", "/dev/stderr"}).find("<?xml"),
            std::string::npos);
  EXPECT_EQ(expect_success({"plot", "metrics.jsonl"}).substr(0, 5), "<?xml");
}

TEST_F(Pictures, NamesOfAnyBytesGiveXml) {
  write("x.tsp",
        "NAME : Z\xFCrich \x01\x1B[31m\xEF\xBF\xBF\xC3\xA9 & <sons>\nTYPE : TSP\nDIMENSION : 3\n"
        "EDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n3 0 8\nEOF\n");
  expect_success({"solve", "x.tsp", "-K", "3", "-q", "--plot", "p.svg"});
  const std::string svg = read("p.svg");
  EXPECT_TRUE(is_xml_text(svg)) << svg;
  const std::string name = "Z\xEF\xBF\xBDrich   [31m\xEF\xBF\xBD\xC3\xA9 &amp; &lt;sons&gt;";
  EXPECT_NE(svg.find("<title>" + name + ": cost 18</title>"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">" + name + "</text>"), std::string::npos) << svg;
}

TEST_F(Pictures, MapsHaveNorthUpAndTrueProportions) {
  // Two degrees each way around 60° north, where a degree of longitude is half as long as one of latitude.
  write("map.tsp",
        "NAME : map\nTYPE : TSP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : GEO\nNODE_COORD_SECTION\n"
        "1 59.00 -3.00\n2 61.00 -3.00\n3 61.00 -1.00\n4 59.00 -1.00\nEOF\n");
  const auto cities = drawn("map.tsp");
  ASSERT_GE(cities.size(), 4u);
  EXPECT_LT(cities[1].y, cities[0].y) << "north is up";
  EXPECT_GT(cities[2].x, cities[1].x) << "east is right";
  EXPECT_NEAR((cities[2].x - cities[1].x) / (cities[0].y - cities[1].y), 0.5, 0.01);
}

TEST_F(Pictures, CitiesWithoutCoordinatesArePlacedByTheirDistances) {
  // The corners and the centre of a rectangle of 3000 by 4000.
  write("matrix.tsp",
        "NAME : matrix\nTYPE : TSP\nDIMENSION : 5\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : UPPER_ROW\n"
        "EDGE_WEIGHT_SECTION\n3000 5000 4000 2500\n4000 5000 2500\n3000 2500\n2500\nEOF\n");
  const auto cities = drawn("matrix.tsp");
  ASSERT_GE(cities.size(), 5u);
  const double unit = distance(cities[0], cities[1]) / 3000.0;
  EXPECT_NEAR(distance(cities[0], cities[2]), 5000.0 * unit, 0.1);
  EXPECT_NEAR(distance(cities[0], cities[3]), 4000.0 * unit, 0.1);
  EXPECT_NEAR(distance(cities[2], cities[4]), 2500.0 * unit, 0.1);
}

TEST_F(Pictures, GraphsAreLaidOutByTheirStructure) {
  // Two cliques of eight joined by a long path: nodes of a clique are near each other, those of both far apart.
  std::string edges = "# nodes 36\n";
  for (const int first : {0, 28}) {
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < i; ++j) {
        edges += std::to_string(first + i) + " " + std::to_string(first + j) + "\n";
      }
    }
  }
  for (int i = 7; i < 28; ++i) {
    edges += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  }
  write("two.edges", edges);
  auto nodes = drawn("two.edges");
  ASSERT_EQ(nodes.size(), 36u);
  const auto [left, right] =
      std::minmax_element(nodes.begin(), nodes.end(), [](auto& a, auto& b) { return a.x < b.x; });
  EXPECT_GT(right->x - left->x, 800.0) << "as wide as the sheet";
  const double middle = (left->x + right->x) / 2.0;
  const auto far =
      std::count_if(nodes.begin(), nodes.end(), [&](auto& node) { return std::abs(node.x - middle) > 200; });
  EXPECT_GE(far, 20) << "the cliques and parts of the path";
}

TEST_F(Pictures, ChartsHaveTitlesAndLogarithmicAxes) {
  const std::string linear = expect_success({"plot", "metrics.jsonl", "--x", "seconds"});
  EXPECT_NE(linear.find(">time [s]</text>"), std::string::npos);
  EXPECT_NE(linear.find(">validation: mean best cost</text>"), std::string::npos);
  EXPECT_NE(linear.find(">20</text>"), std::string::npos);
  const std::string logarithmic = expect_success({"plot", "metrics.jsonl", "--y", "gap", "--log-x", "--log-y"});
  for (const char* label : {">1</text>", ">10</text>", ">100</text>", ">0.001</text>", ">0.01</text>", ">0.1</text>",
                            ">≤ 0</text>", ">outer steps</text>"}) {
    EXPECT_NE(logarithmic.find(label), std::string::npos) << label;
  }
  write("flat.jsonl", "{\"step\":1,\"gap\":0.0}\n{\"step\":2,\"gap\":-0.1}\n");
  expect_error({"plot", "flat.jsonl", "--y", "gap", "--log-y"}, 2,
               "moco: no value of 'validation: mean gap to the references [1 = 100 %]' is above 0, as a logarithmic "
               "axis needs");
}

}  // namespace
}  // namespace moco::cli_test
