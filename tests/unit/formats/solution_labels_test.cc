// Solutions of instances whose nodes have labels.
#include "moco/formats/labels.h"
#include "moco/formats/solution_formats.h"
#include "unit/formats/support.h"

namespace moco {
namespace {

using test::input_error;
using ::testing::ElementsAre;

const std::vector<std::string> numbers{"7", "40", "-3"};
const std::vector<std::string> words{"a", "b,c", "say \"hi\""};
const std::vector<std::string> mixed{"007", "8", "9"};

SolutionTarget target(const std::vector<std::string>& labels) {
  return {.name = "g", .size = 3, .shape = SolutionShape::subset, .labels = labels};
}

std::string written(const std::vector<std::string>& labels, SolutionFormat format, const Solution& solution) {
  const SolutionRecord record{.target = target(labels), .solution = &solution, .problem = "p", .cost = -2.0};
  return format_solution_data({&record, 1}, format);
}

std::vector<Solution> parsed(std::string_view content, const std::vector<std::string>& labels, SolutionFormat format) {
  const SolutionTarget one = target(labels);
  return parse_solution_data(content, "s", {&one, 1}, format);
}

TEST(SolutionLabels, AreWrittenWhereAFormatNamesNodes) {
  const Solution solution{{1, 2}};
  EXPECT_EQ(written(numbers, SolutionFormat::json, solution),
            "{\"instance\":\"g\",\"problem\":\"p\",\"cost\":-2.0,\"solution\":[40,-3]}\n");
  EXPECT_EQ(written(words, SolutionFormat::json, solution),
            "{\"instance\":\"g\",\"problem\":\"p\",\"cost\":-2.0,\"solution\":[\"b,c\",\"say \\\"hi\\\"\"]}\n");
  EXPECT_EQ(written(mixed, SolutionFormat::json, {{0}}),
            "{\"instance\":\"g\",\"problem\":\"p\",\"cost\":-2.0,\"solution\":[\"007\"]}\n")
      << "as a number it would be another label";
  EXPECT_EQ(written(numbers, SolutionFormat::node_list, solution), "40\n-3\n");
  EXPECT_EQ(written(words, SolutionFormat::csv, solution),
            "instance,position,item\ng,0,\"b,c\"\ng,1,\"say \"\"hi\"\"\"\n");
  EXPECT_EQ(written(words, SolutionFormat::kamis, solution), "0\n1\n1\n") << "by position";
}

TEST(SolutionLabels, ComeBack) {
  const Solution solution{{0, 2}};
  for (const auto& labels : {numbers, words, mixed}) {
    for (const SolutionFormat format :
         {SolutionFormat::json, SolutionFormat::node_list, SolutionFormat::csv, SolutionFormat::kamis}) {
      EXPECT_THAT(parsed(written(labels, format, solution), labels, format), ElementsAre(solution))
          << to_string(format);
    }
  }
  EXPECT_THAT(parsed("{\"solution\":[\"7\",40]}", numbers, SolutionFormat::json), ElementsAre(Solution{{0, 1}}));
}

TEST(SolutionLabels, UnknownOnesAreRefused) {
  const auto error = [](std::string_view content, SolutionFormat format) {
    return input_error([&] { parsed(content, numbers, format); });
  };
  EXPECT_EQ(error("7\n0\n", SolutionFormat::node_list), "s:2: '0' is not a node of 'g'");
  EXPECT_EQ(error("{\"solution\":[7,0]}", SolutionFormat::json),
            "s:1: item 1 of \"solution\" is not a node of the instance");
  EXPECT_EQ(error("{\"solution\":[7.0]}", SolutionFormat::json),
            "s:1: item 0 of \"solution\" is not a node of the instance");
  EXPECT_EQ(error("g,0,x\n", SolutionFormat::csv), "s:1: item 'x' is not a node of the instance");
}

TEST(SolutionLabels, FormatsSuitShapes) {
  const Solution tour{{0, 1, 2}};
  SolutionRecord record{.target = target({}), .solution = &tour, .problem = "p", .cost = {}};
  EXPECT_THROW(format_solution_data({&record, 1}, SolutionFormat::tour), OptionError);
  record.target.shape = SolutionShape::order;
  EXPECT_THROW(format_solution_data({&record, 1}, SolutionFormat::kamis), OptionError);
  EXPECT_THAT(format_solution_data({&record, 1}, SolutionFormat::json), ::testing::HasSubstr("\"cost\":null"));
}

TEST(UsableLabels, AreUniqueAndNotJustNumbers) {
  EXPECT_THAT(usable_labels({"a", "b"}), ElementsAre("a", "b"));
  EXPECT_THAT(usable_labels({"1", "2"}), ElementsAre("1", "2"));
  EXPECT_TRUE(usable_labels({"0", "1"}).empty());
  EXPECT_TRUE(usable_labels({"a", "a"}).empty());
  EXPECT_TRUE(usable_labels({"a", ""}).empty());
}

}  // namespace
}  // namespace moco
