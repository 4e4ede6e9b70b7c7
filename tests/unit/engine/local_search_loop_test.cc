// Local search inside a step of the CPU engine: what is reported and kept is improved, what the gradient sees is not,
// unless asked for.
#include <numeric>

#include <gtest/gtest.h>

#include "moco/engine/cpu/cpu_engine.h"
#include "moco/generate.h"
#include "moco/policy/construction.h"
#include "moco/search/algorithm.h"
#include "options.h"

namespace moco {
namespace {

class LocalSearchLoop : public ::testing::TestWithParam<std::tuple<std::string, GradientKind>> {
 protected:
  LocalSearchLoop() : problem_(std::get<0>(GetParam())) {
    GeneratorOptions generator = test_generator(problem_ == "tsp" ? "uniform" : "er");
    generator.nodes = 60;
    graph_ = decision_graph(generate(generator), test_neighbours(8));
    model_ = adam_model(problem_);
  }

  BatchSpec spec(const std::string& search, AdvantageKind advantage) const {
    BatchSpec spec;
    spec.config = model_.config;
    spec.loop.samples = 12;
    spec.loop.gradient = std::get<1>(GetParam());
    spec.loop.local_search.name = search;
    spec.loop.advantage = advantage;
    spec.keep_samples = true;
    spec.graphs = {&graph_};
    spec.weights = {{model_.weights, 0.0f, {}}};
    spec.trajectories = {{0, 0, stream_key(1, 0, 0), 3, nullptr}};
    return spec;
  }

  /// State after the first step, which has the same θ whatever the local search.
  TrajectorySnapshot first_step(const std::string& search, AdvantageKind advantage, int threads = 1) const {
    const auto engine = make_cpu_engine(threads);
    const auto batch = engine->create(spec(search, advantage));
    batch->begin();
    batch->sample();
    TrajectorySnapshot snapshot = batch->snapshot(0);
    EXPECT_EQ(batch->status()[0].best_cost, snapshot.elite_costs.front());
    EXPECT_NEAR(batch->status()[0].mean_cost,
                std::accumulate(snapshot.sample_costs.begin(), snapshot.sample_costs.end(), 0.0) / 12, 1e-9);
    return snapshot;
  }

  std::string search() const { return problem_ == "tsp" ? "2opt+oropt" : "swap12"; }

  std::string problem_;
  DecisionGraph graph_;
  Model model_;
};

TEST_P(LocalSearchLoop, ImprovesWhatIsKeptAndLeavesTheGradientAlone) {
  const TrajectorySnapshot plain = first_step("", AdvantageKind::sampled);
  const TrajectorySnapshot improved = first_step(search(), AdvantageKind::sampled);
  int better = 0;
  for (std::size_t s = 0; s < plain.sample_costs.size(); ++s) {
    EXPECT_LE(improved.sample_costs[s], plain.sample_costs[s]);
    better += improved.sample_costs[s] < plain.sample_costs[s] ? 1 : 0;
    if (problem_ == "tsp") {
      EXPECT_EQ(improved.samples[s].front(), 3) << "tours keep the run's start city";
    }
  }
  EXPECT_GT(better, 6);
  EXPECT_LT(improved.elite_costs.front(), plain.elite_costs.front());
  EXPECT_NE(improved.membership, plain.membership);
  EXPECT_EQ(improved.gradient, plain.gradient);
}

// The pool's variables are those of the improved solutions: bit 0 marks the best one's edges or nodes.
TEST_P(LocalSearchLoop, MembershipIsThatOfTheImprovedSolutions) {
  const TrajectorySnapshot now = first_step(search(), AdvantageKind::sampled);
  const auto best = static_cast<std::size_t>(std::min_element(now.sample_costs.begin(), now.sample_costs.end()) -
                                             now.sample_costs.begin());
  const std::vector<Index>& items = now.samples[best];
  std::vector<std::uint32_t> expected(now.membership.size(), 0u);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (problem_ == "mis") {
      expected[static_cast<std::size_t>(items[i])] = 1;
      continue;
    }
    for (Index r = 0; r < graph_.degree; ++r) {
      const auto edge = static_cast<std::size_t>(items[i] * graph_.degree + r);
      expected[edge] |= graph_.targets[edge] == items[(i + 1) % items.size()] ? 1u : 0u;
    }
  }
  for (std::size_t v = 0; v < expected.size(); ++v) {
    ASSERT_EQ(now.membership[v] & 1u, expected[v]) << v;
  }
}

TEST_P(LocalSearchLoop, TheGradientCanSeeImprovedCosts) {
  EXPECT_NE(first_step(search(), AdvantageKind::improved).gradient, first_step("", AdvantageKind::sampled).gradient);
  EXPECT_EQ(first_step("", AdvantageKind::improved).gradient, first_step("", AdvantageKind::sampled).gradient)
      << "without a local search there is nothing improved";
}

TEST_P(LocalSearchLoop, ThreadsDoNotMatter) {
  const TrajectorySnapshot one = first_step(search(), AdvantageKind::improved, 1);
  const TrajectorySnapshot two = first_step(search(), AdvantageKind::improved, 2);
  EXPECT_EQ(one.samples, two.samples);
  EXPECT_EQ(one.gradient, two.gradient);
  EXPECT_EQ(one.membership, two.membership);
}

INSTANTIATE_TEST_SUITE_P(All, LocalSearchLoop,
                         ::testing::Combine(::testing::Values("tsp", "mis"),
                                            ::testing::Values(GradientKind::total, GradientKind::causal)));

// By hand: two samples of costs 5 and 7 that become 4 and 3.
TEST(Advantages, TakeTheCostsGiven) {
  SampleSet set;
  set.reshape(2, 3, 3, false);
  set.costs = {5.0, 7.0};
  compute_advantages(set, 2.0, std::vector<double>{4.0, 3.0});
  EXPECT_EQ(set.advantage, (std::vector<double>{0.25, -0.25}));

  set.reshape(2, 3, 3, true);
  set.lengths = {3, 2};
  set.costs = {6.0, 4.0};
  set.step_cost = {1.0, 1.0, 1.0, 1.0, 1.0, 99.0};  // the second sample has two steps
  compute_advantages(set, 2.0, std::vector<double>{6.0, 4.0});
  EXPECT_EQ(set.advantage, (std::vector<double>{0.5, 0.5, 0.5, -0.5, -0.5, -0.5}));
  compute_advantages(set, 2.0, std::vector<double>{4.0, 4.0});  // one less to go for the first, at every step
  EXPECT_EQ(set.advantage, (std::vector<double>{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}));
}

}  // namespace
}  // namespace moco
