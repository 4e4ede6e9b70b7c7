// Texts of drawings become well-formed UTF-8 that XML allows, and XML's own characters are escaped.
#include "moco/drawing/text.h"

#include <gtest/gtest.h>

#include "moco/drawing/svg.h"

namespace moco::drawing {
namespace {

const std::string kReplacement = "\xEF\xBF\xBD";

TEST(ReadableText, KeepsWhatIsReadable) {
  for (const std::string text : {"", "berlin52", "θ · 5 – 7 ≤ 8", "Zürich", "日本", "\xF0\x9F\x97\xBA"}) {
    EXPECT_EQ(readable_text(text), text);
  }
}

TEST(ReadableText, ReplacesBytesOfNoCharacter) {
  EXPECT_EQ(readable_text("a\xFFz"), "a" + kReplacement + "z");
  EXPECT_EQ(readable_text("Z\xFCrich"), "Z" + kReplacement + "rich") << "Latin-1";
  EXPECT_EQ(readable_text("\xC3"), kReplacement) << "cut off";
  EXPECT_EQ(readable_text("\xE2\x82z"), kReplacement + kReplacement + "z") << "cut off";
  EXPECT_EQ(readable_text("\x80"), kReplacement) << "continuation without a beginning";
  EXPECT_EQ(readable_text("\xC0\xAF"), kReplacement + kReplacement) << "longer than need be";
  EXPECT_EQ(readable_text("\xE0\x80\xAF"), kReplacement + kReplacement + kReplacement) << "longer than need be";
  EXPECT_EQ(readable_text("\xED\xA0\x80"), kReplacement + kReplacement + kReplacement) << "half of a surrogate pair";
  EXPECT_EQ(readable_text("\xF4\x90\x80\x80").size(), 4 * kReplacement.size()) << "beyond U+10FFFF";
}

TEST(ReadableText, ReplacesCharactersThatXmlForbids) {
  EXPECT_EQ(readable_text(std::string("a\0b\x01\x1B[1m\tc\n", 11)), "a b  [1m c ");
  EXPECT_EQ(readable_text("\x7F\xC2\x85"), "  ");
  EXPECT_EQ(readable_text("\xEF\xBF\xBE\xEF\xBF\xBF"), kReplacement + kReplacement);
}

TEST(Svg, EveryTextIsCleanedAndEscaped) {
  Sheet sheet(10.0, 10.0, "a<b>&\"c\"\xFF");
  sheet.text({1.0, 2.0}, "x\x02&\xFE", {});
  const std::string svg = svg_document(sheet);
  EXPECT_NE(svg.find("<title>a&lt;b&gt;&amp;&quot;c&quot;" + kReplacement + "</title>"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">x &amp;" + kReplacement + "</text>"), std::string::npos) << svg;
}

}  // namespace
}  // namespace moco::drawing
