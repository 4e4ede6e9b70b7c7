// What is done by default, and how defaults follow from what was asked for.
#include "moco/search/effort.h"

#include <gtest/gtest.h>

#include "moco/generate.h"
#include "moco/problem.h"
#include "moco/problems/tsp/tsp_options.h"
#include "options.h"

namespace moco {
namespace {

/// The options for a generated instance whose local search is `local_search`.
SolveOptions effort_of(const EffortRequest& request, const std::string& kind = "uniform",
                       const std::string& local_search = "2opt") {
  GeneratorOptions generator = test_generator(kind);
  generator.nodes = 30;
  SolveOptions options;
  options.loop.local_search.name = local_search;
  set_effort(options, request, *generate(generator));
  return options;
}

TEST(Effort, IsKicksAloneByDefault) {
  for (const char* kind : {"uniform", "er"}) {
    const SolveOptions options = effort_of({}, kind, kind == std::string("er") ? "swap12" : "2opt");
    EXPECT_EQ(options.loop.steps, 0);
    EXPECT_TRUE(options.greedy_start);
    EXPECT_EQ(options.kicks, kKicksBySize);
    EXPECT_FALSE(options.fill_time);
  }
}

TEST(Effort, FillsATimeLimit) {
  EXPECT_EQ(effort_of({.timed = true}).kicks, kKicksUntilTimeLimit);
  EXPECT_EQ(effort_of({.steps = 9, .timed = true}).kicks, kKicksBySize) << "steps were asked for";
  const SolveOptions plain = effort_of({.plain = true, .timed = true}, "uniform", "");
  EXPECT_TRUE(plain.fill_time) << "without kicks the search begins again";
  EXPECT_EQ(plain.kicks, 0);
}

TEST(Effort, StepsFillTheirShareOfATimeLimitUnlessTheirNumberIsGiven) {
  const SolveOptions both = effort_of({.timed = true, .wants_steps = true});
  EXPECT_TRUE(both.fill_time);
  EXPECT_EQ(both.kicks, kKicksUntilTimeLimit);
  EXPECT_EQ(both.loop.steps, 200);
  EXPECT_TRUE(effort_of({.kicks = 0, .timed = true, .wants_steps = true}).fill_time);
  EXPECT_FALSE(effort_of({.steps = 9, .timed = true}).fill_time);
  EXPECT_FALSE(effort_of({.kicks = 5, .timed = true, .wants_steps = true}).fill_time) << "kicks come after them";
  EXPECT_FALSE(effort_of({.timed = true}).fill_time) << "there are none";
}

TEST(Effort, TakesStepsWhereSomethingNeedsThem) {
  EXPECT_EQ(effort_of({.wants_steps = true}).loop.steps, 20);
  EXPECT_EQ(effort_of({.steps = 7, .wants_steps = true}).loop.steps, 7);
  const SolveOptions plain = effort_of({.plain = true}, "uniform", "");
  EXPECT_EQ(plain.loop.steps, 200);
  EXPECT_FALSE(plain.greedy_start);
  EXPECT_FALSE(effort_of({.kicks = 5, .plain = true, .timed = true}, "uniform", "").fill_time);
}

TEST(Effort, KeepsTheOptionsThatWereGiven) {
  EffortRequest request;
  request.own.set("neighbours", 13.0);
  const SolveOptions options = effort_of(request);
  const auto declared = find_problem("tsp").options();
  EXPECT_EQ(options.loop.problem.integer(*find_option(declared, "neighbours")), 13);
}

/// The candidates of kicks alone on a generated instance, or on one without a plane.
TspOptions candidates_of(const OptionValues& given, bool plane = true) {
  SolveOptions options;
  options.loop.local_search.name = "2opt";
  const InstancePtr matrix = std::make_shared<TspInstance>("matrix", 3, std::vector<double>{0, 1, 2, 1, 0, 3, 2, 3, 0});
  set_effort(options, {.own = given}, plane ? *generate(test_generator("uniform", 30)) : *matrix);
  return tsp_options(options.loop.problem);
}

TEST(Effort, KicksSeeCandidatesOnAllSidesWhereThereAreSides) {
  EXPECT_EQ(candidates_of({}).candidates, CandidateRule::quadrant);
  EXPECT_EQ(candidates_of({}).neighbours, 6);
  EXPECT_EQ(candidates_of({}, false).candidates, CandidateRule::nearest);
  EXPECT_EQ(candidates_of({}, false).neighbours, 10);
  EXPECT_EQ(candidates_of(OptionValues().set("candidates", "nearest")).neighbours, 10);
  EXPECT_EQ(candidates_of(OptionValues().set("neighbours", 12)).candidates, CandidateRule::nearest);
  const TspOptions both = candidates_of(OptionValues().set("neighbours", 12).set("candidates", "quadrant"));
  EXPECT_EQ(both.neighbours, 12);
  EXPECT_EQ(both.candidates, CandidateRule::quadrant);
  EXPECT_EQ(tsp_options({}).candidates, CandidateRule::nearest) << "what models were trained with";
}

TEST(Effort, BeginsWithAStartThatIsAskedFor) {
  EffortRequest request{.plain = true};
  EXPECT_FALSE(effort_of(request, "uniform", "").greedy_start);
  request.own.set("start", "farthest-insertion");
  const SolveOptions plain = effort_of(request, "uniform", "");
  EXPECT_TRUE(plain.greedy_start);
  EXPECT_FALSE(plain.improve_start) << "no local search is wanted";
  EXPECT_TRUE(effort_of({.own = request.own}).improve_start);
}

}  // namespace
}  // namespace moco
