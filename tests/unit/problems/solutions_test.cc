// Solution files: round trips in every format, detection, and the place and wording of complaints.
#include "moco/core/files.h"
#include "moco/core/random.h"
#include "moco/generate.h"
#include "options.h"
#include "unit/problems/support.h"

namespace moco {
namespace {

using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

InstancePtr cities(Index n, std::string name = "cities") {
  return std::make_shared<TspInstance>(std::move(name), std::vector<Point>(static_cast<std::size_t>(n)),
                                       Metric::euclidean);
}

InstancePtr nodes(Index n, std::string name = "nodes") {
  return std::make_shared<GraphInstance>(mis(), std::move(name), n, std::span<const Edge>());
}

std::vector<Solution> parse(std::string_view content, const std::vector<InstancePtr>& instances,
                            SolutionFormat format = SolutionFormat::automatic, std::string_view name = "s") {
  return parse_solutions(content, name, instances, format);
}

std::string input_error(std::string_view content, const std::vector<InstancePtr>& instances, SolutionFormat format) {
  try {
    parse(content, instances, format);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A random permutation, or a random subset in ascending order.
Solution random_solution(const Instance& instance, std::uint64_t seed) {
  RandomSequence random(stream_key(seed, 0, 0), Purpose::sample);
  Solution solution;
  for (Index i = 0; i < instance.size(); ++i) {
    if (instance.problem().name() == "tsp") {
      solution.items.push_back(i);
      std::swap(solution.items.back(), solution.items[random.next_below(static_cast<std::uint32_t>(i) + 1)]);
    } else if (random.next_below(3) == 0) {
      solution.items.push_back(i);
    }
  }
  return solution;
}

TEST(SolutionFiles, GoRoundInEveryFormat) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto n = static_cast<Index>(3 + seed * seed);
    for (const InstancePtr& instance : {cities(n), nodes(n)}) {
      const bool tsp = instance->problem().name() == "tsp";
      const std::vector<SolvedInstance> solved{{instance, random_solution(*instance, seed)}};
      for (const std::string_view extension :
           {"nodes", "txt", "json", "jsonl", "csv", tsp ? "tour" : "kamis", "json.gz"}) {
        const auto file = folder / fmt::format("s.{}", extension);
        write_solutions(file, solved);
        const auto back = read_solutions(file, {&instance, 1});
        EXPECT_THAT(back, ElementsAre(solved[0].solution)) << file;
      }
    }
  }
}

TEST(SolutionFiles, AreNotWrittenUnderNamesThatDoNotTellTheFormat) {
  const TemporaryFolder folder;
  const std::vector<SolvedInstance> solved{{cities(3), {{2, 0, 1}}}};
  EXPECT_THROW(write_solutions(folder / "s.what", solved), OptionError);
  EXPECT_FALSE(std::filesystem::exists(folder / "s.what"));
  write_solutions(folder / "S.TOUR", solved);
  EXPECT_EQ(read_file(folder / "S.TOUR"), format_solutions(solved, SolutionFormat::tour));
}

TEST(SolutionFiles, HoldSeveralSolutions) {
  const std::vector<InstancePtr> instances{cities(4, "a,b"), nodes(5, "say \"hi\""), nodes(3, "none"),
                                           cities(1, "ü"),   nodes(2, "two\nlines"), cities(2, "no UTF-8: \xff")};
  std::vector<SolvedInstance> solved;
  std::vector<Solution> solutions;
  for (const InstancePtr& instance : instances) {
    solutions.push_back(instance->name() == "none" ? Solution{} : random_solution(*instance, 5));
    solved.push_back({instance, solutions.back()});
  }
  for (const SolutionFormat format : {SolutionFormat::json, SolutionFormat::csv}) {
    EXPECT_EQ(parse(format_solutions(solved, format), instances, format), solutions);
    EXPECT_EQ(parse(format_solutions(solved, format), instances), solutions);
  }
  EXPECT_EQ(format_solutions(solved, SolutionFormat::automatic), format_solutions(solved, SolutionFormat::json));
}

TEST(SolutionFiles, LookAsDocumented) {
  const std::vector<SolvedInstance> tour{{cities(3), {{2, 0, 1}}}};
  const std::vector<SolvedInstance> set{{nodes(4), {{1, 3}}}};
  EXPECT_EQ(format_solutions(tour, SolutionFormat::tour),
            "NAME : cities\nTYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n3\n1\n2\n-1\nEOF\n");
  EXPECT_EQ(format_solutions(tour, SolutionFormat::node_list), "2\n0\n1\n");
  EXPECT_EQ(format_solutions(set, SolutionFormat::kamis), "0\n1\n0\n1\n");
  EXPECT_EQ(format_solutions(set, SolutionFormat::json),
            "{\"instance\":\"nodes\",\"problem\":\"mis\",\"cost\":-2.0,\"solution\":[1,3]}\n");
  EXPECT_EQ(format_solutions(set, SolutionFormat::csv), "instance,position,item\nnodes,0,1\nnodes,1,3\n");
  const std::vector<SolvedInstance> wrong{{cities(3), {{2, 2, 1}}}};
  EXPECT_THAT(format_solutions(wrong, SolutionFormat::json), HasSubstr("\"cost\":null"));
}

TEST(SolutionFiles, AreRecognisedByContent) {
  EXPECT_THAT(parse("TYPE : TOUR\nTOUR_SECTION\n2 1\n3\n-1\n", {cities(3)})[0].items, ElementsAre(1, 0, 2));
  EXPECT_THAT(parse("{\"solution\":[0,1,2]}", {cities(3)})[0].items, ElementsAre(0, 1, 2));
  EXPECT_THAT(parse("instance,position,item\ncities,0,0\n", {cities(1)})[0].items, ElementsAre(0));
  EXPECT_THAT(parse("0\n1\n1\n", {nodes(3)})[0].items, ElementsAre(1, 2));
  EXPECT_THAT(parse("0\n1\n", {nodes(3)})[0].items, ElementsAre(0, 1));
  EXPECT_THAT(parse("0\n1\n2\n", {cities(3)})[0].items, ElementsAre(0, 1, 2));
  EXPECT_THAT(parse("", {nodes(3)})[0].items, IsEmpty());
  EXPECT_THAT(parse(gzip("# chosen\n2\r\n0\r\n"), {nodes(3)})[0].items, ElementsAre(0, 2));  // sorted
}

TEST(SolutionFiles, LeaveFeasibilityToTheChecker) {
  EXPECT_THAT(parse("7\n7\n-3\n", {cities(3)})[0].items, ElementsAre(7, 7, -3));
}

TEST(SolutionFiles, NameTheFirstFault) {
  const std::vector<InstancePtr> tsp{cities(3)};
  const std::vector<InstancePtr> mis{nodes(3)};
  const std::vector<InstancePtr> two{nodes(3, "a"), nodes(3, "b")};
  const auto tour = SolutionFormat::tour;
  EXPECT_EQ(input_error("", tsp, tour), "s: TOUR_SECTION is missing");
  EXPECT_EQ(input_error("hello", tsp, tour), "s:1: expected 'KEYWORD : value' or TOUR_SECTION, found 'hello'");
  EXPECT_EQ(input_error("TYPE : TSP\n", tsp, tour), "s:1: TYPE 'TSP' is not TOUR");
  EXPECT_EQ(input_error("DIMENSION : 4\n", tsp, tour), "s:1: DIMENSION 4 does not fit the 3 cities of 'cities'");
  EXPECT_EQ(input_error("TOUR_SECTION\n1\nx\n", tsp, tour), "s:3: city 'x' is not an integer");
  EXPECT_EQ(input_error("TOUR_SECTION\n0\n", tsp, tour), "s:2: city 0 of a tour counted from 1");
  EXPECT_EQ(input_error("TOUR_SECTION\n-2147483648\n", tsp, tour), "s:2: city -2147483648 of a tour counted from 1");
  EXPECT_EQ(input_error("1\n2 3\n", mis, SolutionFormat::node_list), "s:2: node '2 3' is not an integer");
  EXPECT_EQ(input_error("99999999999\n", mis, SolutionFormat::node_list), "s:1: node 99999999999 is out of range");
  EXPECT_EQ(input_error("0\n2\n", mis, SolutionFormat::kamis), "s:2: expected 0 or 1, found '2'");
  EXPECT_EQ(input_error("0\n1\n", mis, SolutionFormat::kamis), "s: 2 lines for the 3 nodes of 'nodes'");
  EXPECT_EQ(input_error("0\n1\n1\n0\n", mis, SolutionFormat::kamis), "s:4: more lines than the 3 nodes of 'nodes'");
  const auto json = SolutionFormat::json;
  EXPECT_EQ(input_error("[1]\n", mis, json), "s:1: not a JSON object");
  EXPECT_EQ(input_error("{\"solution\":[1\n", mis, json), "s:1: not a JSON object");
  EXPECT_EQ(input_error("{\"solution\":1}\n", mis, json), "s:1: the record has no array \"solution\"");
  EXPECT_EQ(input_error("{\"solution\":[0,1.5]}\n", mis, json), "s:1: item 1 of \"solution\" is not a node number");
  EXPECT_EQ(input_error("{\"solution\":[3000000000]}\n", mis, json),
            "s:1: item 0 of \"solution\" is not a node number");
  EXPECT_EQ(input_error("{\"solution\":[18446744073709551615]}\n", mis, json),
            "s:1: item 0 of \"solution\" is not a node number");
  EXPECT_EQ(input_error("{\"solution\":[]}\n", two, json), "s: 1 solutions for 2 instances");
  EXPECT_EQ(input_error("{\"solution\":[]}\n{\"solution\":[]}\n", mis, json),
            "s:2: more solutions than the 1 instance given");
  EXPECT_EQ(input_error("{\"instance\":\"b\",\"solution\":[]}\n", two, json),
            "s:1: a solution of instance 'b' where one of 'a' is expected");
  const auto csv = SolutionFormat::csv;
  EXPECT_EQ(input_error("a,0,1\nb,0\n", two, csv), "s:2: item '' is not an integer");
  EXPECT_EQ(input_error("a,0,1,5\n", two, csv), "s:1: expected three fields: instance, position, item");
  EXPECT_EQ(input_error("a,0,1\na,2,2\n", two, csv), "s:2: position 2 of instance 'a' does not follow the row before");
  EXPECT_EQ(input_error("a,1,1\n", two, csv), "s:1: position 1 of instance 'a' does not follow the row before");
  EXPECT_EQ(input_error("a,0,1\nb,1,1\n", two, csv), "s:2: position 1 of instance 'b' does not follow the row before");
  EXPECT_EQ(input_error("b,0,1\n", two, csv), "s:1: a solution of instance 'b' where one of 'a' is expected");
  EXPECT_EQ(input_error("a,0,1\n", two, csv), "s: 1 solutions for 2 instances");
  EXPECT_EQ(input_error("\"a,0,1\n", two, csv), "s:1: a quoted field does not end");
}

TEST(SolutionFiles, RefuseWhatAFormatCannotHold) {
  const std::vector<SolvedInstance> sets{{nodes(2), {{0}}}, {nodes(2), {{1}}}};
  const std::vector<SolvedInstance> tour{{cities(2), {{0, 1}}}};
  EXPECT_THROW(format_solutions({}, SolutionFormat::json), OptionError);
  EXPECT_THROW(format_solutions(sets, SolutionFormat::kamis), OptionError);
  EXPECT_THROW(format_solutions({sets.data(), 1}, SolutionFormat::tour), OptionError);
  EXPECT_THROW(format_solutions(tour, SolutionFormat::kamis), OptionError);
  EXPECT_THROW(parse("0\n", {cities(1), cities(1)}, SolutionFormat::node_list), OptionError);
  EXPECT_THROW(parse("0\n", {}), OptionError);
  const std::vector<SolvedInstance> outside{{nodes(2), {{5}}}};
  EXPECT_THROW(format_solutions(outside, SolutionFormat::kamis), OptionError);
}

}  // namespace
}  // namespace moco
