// Partial samples on both engines: every kind of gradient, advantage and elite, first steps with a local search, warm
// starts beside trajectories without one, every metric, degenerate instances, working copies in shared and in global
// memory, and steps that run without the host.
#include <algorithm>

#include "conformance/problem_cases.h"
#include "moco/error.h"
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

LoopOptions loop_of(int rebuild, int samples = 21) {
  LoopOptions loop;
  loop.steps = 10;
  loop.samples = samples;
  loop.rebuild = rebuild;
  loop.problem.set("neighbours", 8);
  return loop;
}

ModelConfig adam_config() {
  return adam_model("tsp").config;
}

class Changes : public ::testing::TestWithParam<std::tuple<GradientKind, AdvantageKind, EliteRule>> {};

TEST_P(Changes, Agree) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop = loop_of(9);
  loop.gradient = std::get<0>(GetParam());
  loop.advantage = std::get<1>(GetParam());
  loop.elite = std::get<2>(GetParam());
  TestBatch setup(config_of("tsp"), loop);
  setup.add(uniform_tsp(60), 2).add(uniform_tsp(37, 1));
  perturb_weights(setup);
  run_side_by_side(setup.spec, 6);
}

INSTANTIATE_TEST_SUITE_P(All, Changes,
                         ::testing::Combine(::testing::Values(GradientKind::total, GradientKind::causal),
                                            ::testing::Values(AdvantageKind::sampled, AdvantageKind::improved),
                                            ::testing::Values(EliteRule::paper, EliteRule::distinct,
                                                              EliteRule::newest)));

TEST(PartialSamples, FollowImprovedWholeOnes) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop = loop_of(12, 40);
  loop.local_search.name = "2opt";
  for (const AdvantageKind advantage : {AdvantageKind::sampled, AdvantageKind::improved}) {
    loop.advantage = advantage;
    TestBatch setup(adam_config(), loop);
    setup.add(uniform_tsp(120), 2);
    run_side_by_side(setup.spec, 8);
  }
}

TEST(PartialSamples, BeginWithWarmStartsWhereThereAreSome) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(adam_config(), loop_of(6));
  setup.add(uniform_tsp(50), 3);
  Solution given;
  for (Index city = 0; city < 50; ++city) {
    given.items.push_back(49 - city);
  }
  setup.spec.trajectories[1].warm_start = &given;
  run_side_by_side(setup.spec, 5);
}

TEST(PartialSamples, OfAnyShapeAgree) {
  MOCO_NEEDS_DEVICE();
  for (const auto& [nodes, rebuild, neighbours] : {std::tuple{1, 3, 8},
                                                   {2, 3, 8},
                                                   {4, 3, 8},
                                                   {5, 4, 8},
                                                   {6, 50, 3},
                                                   {33, 1000, 32},
                                                   {90, 20, 70},
                                                   {300, 40, 20}}) {
    SCOPED_TRACE(nodes);
    LoopOptions loop = loop_of(rebuild, 33);
    loop.problem.set("neighbours", neighbours);
    TestBatch setup(adam_config(), loop);
    setup.add(uniform_tsp(nodes), 1);
    run_side_by_side(setup.spec, 4);
  }
}

TEST(PartialSamples, OfEveryConformanceInstanceAgree) {
  MOCO_NEEDS_DEVICE();
  for (const test::ProblemCase& instance : test::all_cases()) {
    SCOPED_TRACE(instance.name);
    const InstancePtr made = instance.make();
    if (made->problem().family() != "tsp" || !test::runs_on_device(*made)) {
      continue;
    }
    TestBatch setup(adam_config(), loop_of(5, 7));
    setup.add(made, 1);
    if (!setup.graphs.front().symmetric) {
      EXPECT_THROW(make_cuda_engine({})->create(setup.spec), OptionError);
      continue;
    }
    run_side_by_side(setup.spec, 3);
  }
}

TEST(PartialSamples, BeyondSharedMemoryAgree) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop = loop_of(10, 3);
  loop.problem.set("neighbours", 6);
  TestBatch setup(adam_config(), loop);
  setup.add(uniform_tsp(20500));
  run_side_by_side(setup.spec, 3);
}

TEST(PartialSamples, AreTheSameInStepsThatRunTogether) {
  MOCO_NEEDS_DEVICE();
  LoopOptions loop = loop_of(10, 16);
  loop.steps = 90;
  TestBatch setup(config_of("tsp"), loop);
  setup.add(uniform_tsp(60), 3);
  perturb_weights(setup);
  const auto engine = make_cuda_engine({});
  const auto apart = engine->create_cuda(setup.spec);
  const auto together = engine->create_cuda(setup.spec);
  for (int search = 0; search < 2; ++search) {
    apart->begin();
    apart->sample();
    together->begin();
    together->sample();
    for (int step = 1; step < loop.steps; ++step) {
      apart->update();
      apart->sample();
      apart->wait();
    }
    together->advance(loop.steps - 1);
    for (std::size_t t = 0; t < setup.spec.trajectories.size(); ++t) {
      EXPECT_EQ(apart->elite(t), together->elite(t));
      EXPECT_EQ(apart->theta(t), together->theta(t));
    }
  }
}

TEST(PartialSamples, OfSetsAreRefused) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(adam_model("mis").config, loop_of(5));
  setup.add(random_graph(20));
  EXPECT_THROW(make_cuda_engine({})->create(setup.spec), OptionError);
}

}  // namespace
}  // namespace moco::parity
