#include "moco/core/printable.h"

#include <gtest/gtest.h>

namespace moco {
namespace {

TEST(Printable, KeepsTextOfAnyScript) {
  for (const char* text : {"", "berlin52", "a b\\c", "Zürich", "東京", "🗺"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, WritesControlCharactersOut) {
  EXPECT_EQ(printable("a\x1b[31mb\r\n\tc\x7f"), "a\\x1b[31mb\\x0d\\x0a\\x09c\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J")
      << "the eight-bit form of ESC [";
}

TEST(Printable, WritesBytesOutThatAreNoUtf8) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("Z\xfcrich"), "Z\\xfcrich");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "longer than necessary";
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf") << "longer than necessary";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above U+10FFFF";
  EXPECT_EQ(printable("x\xe6\x9d"), "x\\xe6\\x9d") << "cut off";
}

TEST(Printable, WritesInvisibleCharactersOut) {
  EXPECT_EQ(printable("a\u202Eb"), "a\\u202eb");
  EXPECT_EQ(printable("a\u2028b\u2066"), "a\\u2028b\\u2066");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(first_characters("Zürich", 2), "Zü");
  EXPECT_EQ(first_characters("東京", 1), "東");
  EXPECT_EQ(first_characters("ab", 5), "ab");
  EXPECT_EQ(first_characters("\xfcx", 1), "\xfc");
  EXPECT_EQ(first_characters("", 3), "");
}

}  // namespace
}  // namespace moco
