// Axes and charts: where values lie, which grid lines there are, what becomes of values a logarithm does not have.
#include "moco/drawing/line_chart.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "moco/drawing/svg.h"
#include "moco/error.h"

namespace moco::drawing {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> labels_of(const Scale& scale) {
  std::vector<std::string> labels;
  for (const Tick& tick : scale.ticks()) {
    if (!tick.label.empty()) {
      labels.push_back(tick.label);
    }
  }
  return labels;
}

TEST(Scale, LinearTicksAreRound) {
  const Scale scale({"x"}, {0.0, 100.0}, 0.0, 50.0);
  EXPECT_THAT(labels_of(scale), ElementsAre("0", "20", "40", "60", "80", "100"));
  EXPECT_DOUBLE_EQ(scale.at(0.0), 0.0);
  EXPECT_DOUBLE_EQ(scale.at(100.0), 50.0);
}

TEST(Scale, LinearTicksPassThroughZero) {
  EXPECT_THAT(labels_of(Scale({"x"}, {-0.3, 0.3}, 0.0, 1.0)),
              ElementsAre("-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"));
}

TEST(Scale, LogarithmicTicksAreDecades) {
  const Scale scale({"y", true}, {0.001, 100.0}, 10.0, 0.0);
  EXPECT_THAT(labels_of(scale), ElementsAre("0.001", "0.01", "0.1", "1", "10", "100"));
  EXPECT_NEAR(scale.at(0.001), 10.0, 1e-9);
  EXPECT_NEAR(scale.at(0.1), 6.0, 1e-9);
  EXPECT_NEAR(scale.at(100.0), 0.0, 1e-9);
  EXPECT_EQ(scale.ticks().size(), 5u * 9u + 1u) << "with the lines between";
}

TEST(Scale, FewDecadesHaveLabelsBetween) {
  EXPECT_THAT(labels_of(Scale({"y", true}, {0.4, 30.0}, 0.0, 1.0)), ElementsAre("0.5", "1", "2", "5", "10", "20"));
}

TEST(Scale, ManyDecadesAreThinnedOut) {
  EXPECT_THAT(labels_of(Scale({"y", true}, {1e-10, 1e5}, 0.0, 1.0)),
              ElementsAre("1e-10", "1e-08", "1e-06", "0.0001", "0.01", "1", "100", "10000"));
}

TEST(Scale, WithinADecadeLogarithmicTicksAreRoundNumbers) {
  EXPECT_THAT(labels_of(Scale({"y", true}, {7.7, 8.7}, 0.0, 1.0)), ElementsAre("7.8", "8", "8.2", "8.4", "8.6"));
}

TEST(Scale, ValuesOfZeroAndLessLieBelowAllOthers) {
  const Scale scale({"y", true}, {-1.0, 0.0, 0.01, 1.0}, 100.0, 0.0);
  EXPECT_TRUE(scale.clipped(-1.0));
  EXPECT_TRUE(scale.clipped(0.0));
  EXPECT_FALSE(scale.clipped(0.01));
  EXPECT_DOUBLE_EQ(scale.at(0.0), 100.0);
  EXPECT_DOUBLE_EQ(scale.at(-1.0), 100.0);
  EXPECT_LT(scale.at(0.01), 99.0);
  EXPECT_EQ(scale.ticks().back().label, "≤ 0");
  EXPECT_DOUBLE_EQ(scale.ticks().back().at, 100.0);
}

TEST(Scale, ALogarithmicAxisNeedsAValueAboveZero) {
  EXPECT_THROW(Scale({"gap", true}, {0.0, -1.0}, 0.0, 1.0), OptionError);
}

TEST(Scale, OneValueIsInTheMiddle) {
  EXPECT_DOUBLE_EQ(Scale({"x"}, {3.0}, 0.0, 1.0).at(3.0), 0.5);
  EXPECT_DOUBLE_EQ(Scale({"x", true}, {3.0}, 0.0, 1.0).at(3.0), 0.5);
}

TEST(LineChart, HasTitlesLegendAndRingsForClippedPoints) {
  const std::vector<Curve> curves = {{"a", {{1.0, 10.0}, {2.0, 0.1}, {3.0, 0.0}}}, {"b", {{1.0, 5.0}, {3.0, 1.0}}}};
  const Sheet sheet = line_chart(curves, {"time [s]"}, {"gap [%]", true});
  const std::string svg = svg_document(sheet);
  for (const char* part : {">time [s]</text>", ">gap [%]</text>", ">a: last 0</text>", ">b: last 1</text>",
                           ">≤ 0</text>", "<title>gap [%] over time [s]</title>"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
  int rings = 0;
  for (const Shape& shape : sheet.shapes()) {
    const auto* circle = std::get_if<CircleShape>(&shape);
    rings += circle != nullptr && circle->outline ? 1 : 0;
  }
  EXPECT_EQ(rings, 1);
}

}  // namespace
}  // namespace moco::drawing
