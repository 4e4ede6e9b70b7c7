// `moco improve` and the local search options of `moco solve`.
#include <gmock/gmock.h>

#include "run_moco.h"

namespace moco::cli_test {
namespace {

using ::testing::HasSubstr;

class Improve : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    ASSERT_EQ(run({"generate", "tsp", "-n", "60", "-o", "a.txt"}).status, 0);
    ASSERT_EQ(run({"generate", "mis", "-n", "80", "-o", "g.graph"}).status, 0);
    const Words plain = {"-K", "1", "-b", "1", "--model", "adam", "--local-search", "none"};
    for (const Words& files : {Words{"a.txt", "-o", "a.tour"}, Words{"g.graph", "-o", "g.txt"}}) {
      Words words = {"solve"};
      words.insert(words.end(), files.begin(), files.end());
      words.insert(words.end(), plain.begin(), plain.end());
      ASSERT_EQ(run(words).status, 0);
    }
  }

  /// Cost that `moco check` finds.
  double checked(const std::string& instance, const std::string& solution) const {
    const Outcome outcome = run({"check", instance, solution, "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.out;
    return json_lines(outcome.out).at(0).at("cost");
  }
};

TEST_F(Improve, WritesABetterSolutionThatTheCheckerConfirms) {
  struct Case {
    std::string instance, given, search, output;
  };
  for (const Case& c :
       {Case{"a.txt", "a.tour", "2opt", "b.tour"}, Case{"a.txt", "a.tour", "oropt", "b.txt"},
        Case{"a.txt", "a.tour", "2opt+oropt", "b.json"}, Case{"a.txt", "a.tour", "oropt3", "b.csv"},
        Case{"a.txt", "a.tour", "2opt+oropt3", "b.jsonl"}, Case{"g.graph", "g.txt", "swap12", "h.txt"}}) {
    const Outcome outcome = run({"improve", c.instance, "--solution", c.given, "--local-search", c.search, "-o",
                                 c.output, "--json", "result.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr(" -> "));
    const Json object = json_lines(read("result.json")).at(0);
    EXPECT_EQ(object.at("local_search"), c.search);
    EXPECT_DOUBLE_EQ(object.at("cost_before").get<double>(), checked(c.instance, c.given));
    EXPECT_DOUBLE_EQ(object.at("cost").get<double>(), checked(c.instance, c.output));
    EXPECT_LT(object.at("cost").get<double>(), object.at("cost_before").get<double>());
    EXPECT_GT(object.at("moves").get<int>(), 0);
  }
}

TEST_F(Improve, LimitsAndRulesArrive) {
  const auto result = [&](const Words& more) {
    Words words = {"improve", "a.txt", "--solution", "a.tour", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return json_lines(run(words).out).at(0);
  };
  EXPECT_EQ(result({}).at("local_search"), "2opt+oropt");
  EXPECT_EQ(result({"--move-limit", "2"}).at("moves"), 2);
  EXPECT_LT(result({"--move-limit", "2", "--move-rule", "best"}).at("cost").get<double>(),
            result({"--move-limit", "2"}).at("cost").get<double>());
  EXPECT_NE(result({"-k", "2"}).at("solution"), result({}).at("solution"));
  const Outcome plateau = run({"improve", "g.graph", "--solution", "g.txt", "--plateau-steps", "500", "--json"});
  const Outcome swaps = run({"improve", "g.graph", "--solution", "g.txt", "--json"});
  EXPECT_LE(json_lines(plateau.out).at(0).at("cost").get<double>(),
            json_lines(swaps.out).at(0).at("cost").get<double>());
}

TEST_F(Improve, RefusesWhatItCannotDo) {
  write("bad.txt", "0\n1\n");
  Outcome outcome = run({"improve", "a.txt", "--solution", "bad.txt"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("infeasible: tour has 2 cities, the instance 60"));
  EXPECT_EQ(lines_of(outcome.err).size(), 1u);
  const auto refused = [&](const Words& words, const std::string& message) {
    const Outcome no = run(words);
    EXPECT_EQ(no.status, 2);
    EXPECT_EQ(no.err, "moco: " + message + "\n");
  };
  const std::string choices = "2opt, oropt, 2opt+oropt, oropt3, 2opt+oropt3, lk";
  refused({"improve", "a.txt"}, "improve: --solution FILE says what to improve");
  refused({"improve", "a.txt", "--solution", "a.tour", "--local-search", "3opt"},
          "local search '3opt' is not one of those for tsp: " + choices);
  refused({"improve", "a.txt", "--solution", "a.tour", "-o", "a.tour"},
          "cannot write 'a.tour': it is an input of this command");
  refused({"solve", "a.txt", "-K", "1", "--local-search", "swap12"},
          "local search 'swap12' is not one of those for tsp: " + choices);
  refused({"solve", "g.graph", "-K", "1", "--polish", "2opt"},
          "local search '2opt' is not one of those for mis: swap12");
  refused({"solve", "a.txt", "-K", "1", "--polish", "2opt", "--plateau-steps", "3"},
          "--plateau-steps is for mis, vertex-cover, clique, not for tsp");
  refused({"solve", "a.txt", "--local-search", "none", "--move-limit", "3"},
          "--move-limit needs --local-search or --polish");
  refused({"solve", "a.txt", "--local-search", "none", "--polish", "2opt", "--advantage", "improved"},
          "--advantage needs --local-search or --rebuild");
  refused({"solve", "g.graph", "-k", "5"}, "--neighbours is for tsp, not for mis");
  refused({"solve", "a.txt", "--kicks", "some"}, "--kicks is auto or a number of at least 0, not 'some'");
}

TEST_F(Improve, SolveUsesIt) {
  const auto solve = [&](const Words& more, const std::string& steps = "3") {
    Words words = {"solve", "a.txt", "-K", steps, "--model", "adam", "--kicks", "0", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return json_lines(run(words).out).at(0);
  };
  const Json plain = solve({"--local-search", "none"});
  EXPECT_FALSE(plain.contains("local_search"));
  const Json hybrid = solve({"--local-search", "2opt+oropt"});
  EXPECT_EQ(hybrid.at("local_search"), "2opt+oropt");
  EXPECT_LT(hybrid.at("cost").get<double>(), plain.at("cost").get<double>());
  EXPECT_NE(solve({"--local-search", "2opt", "--advantage", "improved"}, "30").at("solution"),
            solve({"--local-search", "2opt"}, "30").at("solution"));
  const Json partial = solve({"--local-search", "none", "--rebuild", "10", "--advantage", "improved"});
  EXPECT_EQ(partial.at("rebuild"), 10);
  EXPECT_FALSE(plain.contains("rebuild"));
  EXPECT_LT(partial.at("cost").get<double>(), plain.at("cost").get<double>());
  const Json polished = solve({"--local-search", "none", "--polish", "2opt"});
  EXPECT_EQ(polished.at("polish"), "2opt");
  EXPECT_EQ(polished.at("unpolished_cost"), plain.at("cost"));
  EXPECT_LT(polished.at("cost").get<double>(), plain.at("cost").get<double>());
}

}  // namespace
}  // namespace moco::cli_test
