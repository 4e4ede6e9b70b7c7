// Declared options: what values are refused and in which words, defaults, texts, and merging.
#include "moco/options.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "moco/error.h"

namespace moco {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<OptionDeclaration>& declared() {
  static const std::vector<OptionDeclaration> all = {
      {.key = "width", .fallback = 20.0, .help = "a whole number", .low = 1, .high = 10'000},
      {.key = "share", .kind = OptionKind::real, .fallback = 0.25, .help = "a share", .low = 0, .high = 1},
      {.key = "least", .fallback = 3.0, .help = "bounded on one side", .low = 2},
      {.key = "any_number", .kind = OptionKind::real, .fallback = -1.5, .help = "not bounded"},
      {.key = "dead_end",
       .kind = OptionKind::choice,
       .fallback = "nearest",
       .help = "a word",
       .choices = {"nearest", "penalty"}},
  };
  return all;
}

const OptionDeclaration& option(std::string_view key) {
  return *find_option(declared(), key);
}

/// What is said about the value of an option; empty when it is accepted.
std::string refusal(std::string_view key, const OptionValues::Value& value) {
  try {
    validate(option(key), value);
  } catch (const OptionError& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const OptionValues& values) {
  try {
    validate(values, declared(), "the owner");
  } catch (const OptionError& error) {
    return error.what();
  }
  return "";
}

TEST(OptionDeclaration, IsFoundByItsKey) {
  EXPECT_EQ(option("share").help, "a share");
  EXPECT_EQ(find_option(declared(), "dead-end"), nullptr) << "keys are as in files";
  EXPECT_EQ(find_option(declared(), ""), nullptr);
  EXPECT_EQ(find_option({}, "share"), nullptr);
}

TEST(OptionDeclaration, IsTypedWithHyphensAndHasADefaultInWords) {
  EXPECT_EQ(option("dead_end").command_line_name(), "dead-end");
  EXPECT_EQ(option("any_number").command_line_name(), "any-number");
  EXPECT_EQ(option("width").command_line_name(), "width");
  EXPECT_EQ(option("width").fallback_text(), "20");
  EXPECT_EQ(option("share").fallback_text(), "0.25");
  EXPECT_EQ(option("any_number").fallback_text(), "-1.5");
  EXPECT_EQ(option("dead_end").fallback_text(), "nearest");
}

TEST(OptionValidation, AcceptsWhatLiesInTheRangeEndsIncluded) {
  for (const double number : {1.0, 20.0, 10'000.0}) {
    EXPECT_EQ(refusal("width", number), "");
  }
  for (const double number : {0.0, 1e-300, 0.5, 1.0}) {
    EXPECT_EQ(refusal("share", number), "");
  }
  EXPECT_EQ(refusal("least", 1e15), "");
  EXPECT_EQ(refusal("any_number", -1e300), "");
  EXPECT_EQ(refusal("dead_end", "penalty"), "");
}

TEST(OptionValidation, RefusesNumbersOutsideInTheWordsOfTheRange) {
  EXPECT_EQ(refusal("width", 0.0), "width 0 is not a whole number from 1 to 10000");
  EXPECT_EQ(refusal("width", 10'001.0), "width 10001 is not a whole number from 1 to 10000");
  EXPECT_EQ(refusal("share", -0.5), "share -0.5 is not a number from 0 to 1");
  EXPECT_EQ(refusal("share", 1.5), "share 1.5 is not a number from 0 to 1");
  EXPECT_EQ(refusal("least", 1.0), "least 1 is not a whole number of at least 2");
}

TEST(OptionValidation, RefusesWhatIsNotWholeOrNotFinite) {
  EXPECT_EQ(refusal("width", 2.5), "width 2.5 is not a whole number from 1 to 10000");
  EXPECT_EQ(refusal("least", 2.5), "least 2.5 is not a whole number of at least 2");
  for (const std::string_view key : {"width", "share", "least", "any_number"}) {
    for (const double number : {std::nan(""), kInfinity, -kInfinity}) {
      EXPECT_NE(refusal(key, number), "") << key << " " << number;
    }
  }
  EXPECT_EQ(refusal("any_number", kInfinity), "any_number inf is not a number");
}

TEST(OptionValidation, RefusesWordsForNumbersAndNumbersForWords) {
  EXPECT_EQ(refusal("width", "wide"), "width 'wide' is not a whole number from 1 to 10000");
  EXPECT_EQ(refusal("any_number", "1"), "any_number '1' is not a number");
  EXPECT_EQ(refusal("dead_end", 1.0), "dead_end 1 is not one of nearest, penalty");
}

TEST(OptionValidation, RefusesWordsThatAreNoChoice) {
  EXPECT_EQ(refusal("dead_end", "far"), "dead_end 'far' is not one of nearest, penalty");
  EXPECT_EQ(refusal("dead_end", ""), "dead_end '' is not one of nearest, penalty");
  EXPECT_EQ(refusal("dead_end", "Penalty"), "dead_end 'Penalty' is not one of nearest, penalty");
}

TEST(OptionValidation, RefusesKeysThatNobodyDeclares) {
  EXPECT_EQ(refusal(OptionValues()), "");
  EXPECT_EQ(refusal(OptionValues().set("width", 5).set("dead_end", "penalty")), "");
  EXPECT_EQ(refusal(OptionValues().set("wdith", 5)), "the owner has no option wdith");
  EXPECT_EQ(refusal(OptionValues().set("dead-end", "penalty")), "the owner has no option dead-end");
  EXPECT_EQ(refusal(OptionValues().set("width", 0)), "width 0 is not a whole number from 1 to 10000");
}

TEST(OptionRange, InWords) {
  EXPECT_EQ(range_in_words(1.0, 10.0), "from 1 to 10");
  EXPECT_EQ(range_in_words(-0.5, 1e9), "from -0.5 to 1000000000");
  EXPECT_EQ(range_in_words(2.0, kInfinity), "of at least 2");
  EXPECT_EQ(range_in_words(-kInfinity, kInfinity), "");
}

TEST(OptionValues, WhatIsNotThereHasItsDefault) {
  OptionValues values;
  EXPECT_FALSE(values.has("width"));
  EXPECT_EQ(values.number(option("width")), 20.0);
  EXPECT_EQ(values.integer(option("width")), 20);
  EXPECT_EQ(values.number(option("share")), 0.25);
  EXPECT_EQ(values.word(option("dead_end")), "nearest");
  values.set("width", 7).set("share", 0.5).set("dead_end", "penalty");
  EXPECT_TRUE(values.has("width"));
  EXPECT_EQ(values.integer(option("width")), 7);
  EXPECT_EQ(values.number(option("share")), 0.5);
  EXPECT_EQ(values.word(option("dead_end")), "penalty");
  EXPECT_EQ(values.number(option("least")), 3.0) << "others keep theirs";
  values.erase("width");
  values.erase("never set");
  EXPECT_FALSE(values.has("width"));
  EXPECT_EQ(values.integer(option("width")), 20);
}

TEST(OptionValues, TheLastValueCounts) {
  OptionValues values;
  values.set("width", 7).set("width", 9);
  EXPECT_EQ(values.integer(option("width")), 9);
  EXPECT_EQ(values.all().size(), 1u);
  values.set("width", "wide");
  EXPECT_EQ(std::get<std::string>(values.all().at("width")), "wide") << "of another type too";
}

TEST(OptionValues, TextIsAsItWouldBeTyped) {
  OptionValues values;
  EXPECT_EQ(values.text(option("width")), "20");
  EXPECT_EQ(values.text(option("dead_end")), "nearest");
  values.set("width", 9000).set("share", 0.1).set("dead_end", "penalty");
  EXPECT_EQ(values.text(option("width")), "9000");
  EXPECT_EQ(values.text(option("share")), "0.1");
  EXPECT_EQ(values.text(option("any_number")), "-1.5");
  EXPECT_EQ(values.text(option("dead_end")), "penalty");
  values.set("any_number", 0.1 + 0.2);
  EXPECT_EQ(std::stod(values.text(option("any_number"))), 0.1 + 0.2) << "no digit is lost";
}

TEST(OptionValues, LargeWholeNumbersAreTypedAsSuch) {
  for (const double number : {100'000.0, 1'000'000.0, 100'000'000.0, 1'000'000'000.0}) {
    const std::string text = OptionValues().set("least", number).text(option("least"));
    EXPECT_EQ(text, std::to_string(static_cast<long long>(number)));
  }
}

TEST(OptionValues, MergeTakesOverEveryValueOfTheOthers) {
  OptionValues values = OptionValues().set("width", 7).set("dead_end", "penalty");
  const OptionValues others = OptionValues().set("width", 9).set("share", 0.5);
  values.merge(others);
  EXPECT_EQ(values, OptionValues().set("share", 0.5).set("dead_end", "penalty").set("width", 9));
  EXPECT_EQ(others, OptionValues().set("width", 9).set("share", 0.5)) << "the others stay as they are";
  values.merge({});
  EXPECT_EQ(values.all().size(), 3u);
  EXPECT_EQ(OptionValues().merge(others), others);
}

TEST(OptionValues, AreEqualWhereTheSameWasSet) {
  EXPECT_EQ(OptionValues(), OptionValues());
  EXPECT_EQ(OptionValues().set("a", 1).set("b", "x"), OptionValues().set("b", "x").set("a", 1));
  EXPECT_NE(OptionValues().set("a", 1), OptionValues().set("a", 2));
  EXPECT_NE(OptionValues().set("a", 1), OptionValues().set("a", "1"));
  EXPECT_NE(OptionValues().set("width", 20), OptionValues()) << "a default that was set is a value";
}

}  // namespace
}  // namespace moco
