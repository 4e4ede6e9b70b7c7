// Local search on both engines: every kind of move, rule and limit, every metric and degenerate instance, working sets
// in shared and in global memory.
#include <algorithm>

#include "conformance/problem_cases.h"
#include "moco/error.h"
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

LoopOptions loop_of(const std::string& search, const std::string& rule = "first") {
  LoopOptions loop;
  loop.steps = 10;
  loop.samples = 9;
  loop.problem.set("neighbours", 8).set("move_rule", rule);
  loop.local_search.name = search;
  return loop;
}

class TspSearch : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(TspSearch, Agrees) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp"), loop_of(std::get<0>(GetParam()), std::get<1>(GetParam())));
  setup.add(uniform_tsp(60), 2).add(uniform_tsp(37, 1));
  run_side_by_side(setup.spec, 3);
}

INSTANTIATE_TEST_SUITE_P(All, TspSearch,
                         ::testing::Combine(::testing::Values("2opt", "oropt", "2opt+oropt", "oropt3", "2opt+oropt3"),
                                            ::testing::Values("first", "best")));

TEST(TourSearch, RefusesWhatRunsOnTheCpuOnly) {
  MOCO_NEEDS_DEVICE();
  EXPECT_THROW(make_cuda_engine({})->create(TestBatch(config_of("tsp"), loop_of("lk")).add(uniform_tsp(20)).spec),
               OptionError);
}

class Advantage : public ::testing::TestWithParam<std::tuple<std::string, GradientKind, std::string>> {};

TEST_P(Advantage, FromImprovedCostsAgrees) {
  MOCO_NEEDS_DEVICE();
  const bool tsp = std::get<0>(GetParam()) == "tsp";
  LoopOptions loop = loop_of(tsp ? "2opt" : "swap12");
  loop.gradient = std::get<1>(GetParam());
  loop.problem.set("dead_end", std::get<2>(GetParam()));
  loop.advantage = AdvantageKind::improved;
  TestBatch setup(config_of(std::get<0>(GetParam())), loop);
  setup.add(tsp ? uniform_tsp(40) : random_graph(80), 2);
  run_side_by_side(setup.spec, 3);
}

INSTANTIATE_TEST_SUITE_P(All, Advantage,
                         ::testing::Combine(::testing::Values("tsp", "mis"),
                                            ::testing::Values(GradientKind::total, GradientKind::causal),
                                            ::testing::Values("nearest", "penalty")));

TEST(SearchLimits, Agree) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop = loop_of("2opt+oropt");
  loop.local_search.move_limit = 7;
  loop.elite = EliteRule::distinct;
  TestBatch tsp(config_of("tsp"), loop);
  tsp.add(uniform_tsp(50), 2);
  run_side_by_side(tsp.spec, 3);

  loop = loop_of("swap12");
  loop.problem.set("plateau_steps", 30);
  loop.elite = EliteRule::distinct;
  TestBatch mis(config_of("mis"), loop);
  mis.add(random_graph(90), 2).add(random_graph(50, 0.05, 1));
  run_side_by_side(mis.spec, 3);
  mis.spec.loop.local_search.move_limit = 1;
  run_side_by_side(mis.spec, 2);
}

TEST(SearchShapes, WorkingSetsBeyondSharedMemoryAgree) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop = loop_of("2opt");
  loop.samples = 2;
  loop.problem.set("neighbours", 5);
  loop.local_search.move_limit = 40;
  ModelConfig config = config_of("tsp");
  config.rule = UpdateRule::adam;
  config.init = usual_init(config.rule, config.family);
  TestBatch tsp(config, loop);
  tsp.add(uniform_tsp(16001));
  run_side_by_side(tsp.spec, 1);
  loop.local_search = {.name = "swap12", .move_limit = 40};
  config = config_of("mis");
  config.rule = UpdateRule::adam;
  config.init = usual_init(config.rule, config.family);
  TestBatch mis(config, loop);
  mis.add(random_graph(11500, 0.0005));
  run_side_by_side(mis.spec, 1);
}

TEST(SearchShapes, EveryConformanceInstanceAgrees) {
  MOCO_NEEDS_DEVICE();
  for (const test::ProblemCase& instance : test::all_cases()) {
    SCOPED_TRACE(instance.name);
    const InstancePtr made = instance.make();
    if (!test::runs_on_device(*made)) {
      EXPECT_THROW(make_cuda_engine({})->create(TestBatch(config_of("tsp"), loop_of("")).add(made).spec), OptionError);
      continue;
    }
    ModelConfig config = config_of(std::string(made->problem().family()));
    config.rule = UpdateRule::adam;
    config.init = usual_init(config.rule, config.family);
    const auto kinds = made->problem().local_searches();
    const auto last = std::find_if(kinds.rbegin(), kinds.rend(), [](const auto& kind) { return !kind.cpu_only; });
    LoopOptions loop = loop_of(std::string(last->name));
    loop.samples = 4;
    loop.problem.set("plateau_steps", 10);
    TestBatch setup(config, loop);
    setup.add(made, 1);
    run_side_by_side(setup.spec, 2);
  }
}

}  // namespace
}  // namespace moco::parity
