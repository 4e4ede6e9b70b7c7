// Samplers against exact probabilities, gradients against the step-wise definition and against full enumeration.
#include "moco/policy/construction.h"

#include <gtest/gtest.h>

#include "moco/problems/tsp/tsp_graph.h"
#include "options.h"
#include "reference_policy.h"

namespace moco {
namespace {

using test::Path;

struct Case {
  const char* name;
  DecisionGraph graph;
  std::vector<float> theta;
  std::vector<Path> paths;
};

std::vector<float> random_theta(Index count, double spread, std::uint64_t seed) {
  RandomSequence random(stream_key(seed, 0, 0), Purpose::generator);
  std::vector<float> theta;
  for (Index i = 0; i < count; ++i) {
    theta.push_back(static_cast<float>(spread * (random.next_double() - 0.5)));
  }
  return theta;
}

DecisionGraph small_tsp(Index n, Index k, const std::vector<Edge>& fixed = {}) {
  RandomSequence random(stream_key(9, 0, 0), Purpose::generator);
  std::vector<Point> points;
  for (Index i = 0; i < n; ++i) {
    points.push_back({3.0 * random.next_double(), 3.0 * random.next_double()});
  }
  const auto instance = std::make_shared<TspInstance>("tiny", points, Metric::euclidean);
  instance->fix_edges(fixed);
  return tsp_decision_graph(instance, k);
}

/// A triangle with a tail, a separate edge and an isolated node.
DecisionGraph small_mis(std::vector<double> weights = {}) {
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {4, 5}};
  return decision_graph(std::make_shared<GraphInstance>(mis(), "tiny", 7, edges, std::move(weights)));
}

Case make_case(int which) {
  Case c{"", {}, {}, {}};
  switch (which) {
    case 0:
      c.name = "complete tsp";
      c.graph = small_tsp(5, 4);
      break;
    case 1:
      c.name = "tsp with dead ends";
      c.graph = small_tsp(6, 3);
      break;
    case 2:
      c.name = "mis";
      c.graph = small_mis();
      break;
    case 3:
      c.name = "tsp with fixed edges";
      c.graph = small_tsp(7, 4, {{2, 4}, {4, 0}, {5, 6}});
      break;
    case 4:
      c.name = "tsp that starts at the end of a fixed path, with dead ends";
      c.graph = small_tsp(7, 3, {{1, 4}, {4, 0}});
      break;
    case 5:
      c.name = "tsp that starts inside a fixed path";
      c.graph = small_tsp(7, 4, {{1, 4}, {6, 1}});
      break;
    default:
      c.name = "mis with weights";
      c.graph = small_mis({2.5, 0.3, 7.0, 1.0, 0.0, 4.2, 3.7});
      break;
  }
  c.theta = random_theta(c.graph.variables, 3.0, 5);
  c.paths =
      c.graph.kind == VariableKind::edge ? test::all_tours(c.graph, c.theta, 1) : test::all_sets(c.graph, c.theta);
  return c;
}

SampleSet draw(const Case& c, Index samples, std::uint32_t step, bool causal, const OptionValues& options = {}) {
  SampleSet set;
  const auto construction = c.graph.instance->problem().construction(c.graph, options);
  set.reshape(samples, construction->stride(), c.graph.nodes, causal);
  SampleScratch scratch;
  for (Index s = 0; s < samples; ++s) {
    construction->sample(c.theta.data(), {stream_key(3, 1, 0), step, s, 1}, set, scratch);
  }
  return set;
}

std::vector<Index> items_of(const SampleSet& set, Index s) {
  const auto first = set.items.begin() + static_cast<std::ptrdiff_t>(set.row(s));
  return {first, first + set.lengths[static_cast<std::size_t>(s)]};
}

std::vector<double> engine_gradient(const Case& c, SampleSet& set) {
  const auto construction = c.graph.instance->problem().construction(c.graph, {});
  const auto count = static_cast<std::size_t>(c.graph.variables);
  std::vector<double> mass(count);
  std::vector<float> gradient(count);
  compute_advantages(set, c.graph.cost_scale, set.costs);
  construction->masses(c.theta.data(), mass.data());
  for (Index s = 0; s < set.samples; ++s) {
    construction->prepare_gradient(mass.data(), s, set);
  }
  construction->gradient(mass.data(), set, 0, c.graph.nodes, gradient.data());
  return {gradient.begin(), gradient.end()};
}

const Path& path_of(const Case& c, const std::vector<Index>& items) {
  for (const Path& path : c.paths) {
    if (path.items == items) {
      return path;
    }
  }
  throw std::logic_error("a sample that the reference cannot produce");
}

class ConstructionTest : public ::testing::TestWithParam<int> {
 protected:
  Case case_ = make_case(GetParam());
};

TEST_P(ConstructionTest, ReferenceProbabilitiesSumToOne) {
  double sum = 0.0;
  for (const Path& path : case_.paths) {
    sum += path.probability;
  }
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_GT(case_.paths.size(), 5u);
}

// χ² over all possible constructions, rare ones pooled. The stream is fixed, so this cannot fail by chance.
TEST_P(ConstructionTest, SamplesFollowExactProbabilities) {
  constexpr Index kSamples = 40000;
  const SampleSet set = draw(case_, kSamples, 0, false);
  std::map<std::vector<Index>, double> observed;
  for (Index s = 0; s < kSamples; ++s) {
    const std::vector<Index> items = items_of(set, s);
    path_of(case_, items);
    observed[items] += 1.0;
  }
  double chi_square = 0.0;
  double rare_expected = 0.0;
  double rare_observed = 0.0;
  int cells = 0;
  for (const Path& path : case_.paths) {
    const double expected = path.probability * kSamples;
    if (expected < 10.0) {
      rare_expected += expected;
      rare_observed += observed[path.items];
      continue;
    }
    const double difference = observed[path.items] - expected;
    chi_square += difference * difference / expected;
    ++cells;
  }
  if (rare_expected > 0.0) {
    chi_square += (rare_observed - rare_expected) * (rare_observed - rare_expected) / std::max(rare_expected, 1.0);
    ++cells;
  }
  const double freedom = cells - 1;
  // Wilson–Hilferty: the 99.9 % quantile of χ² with `freedom` degrees of freedom.
  const double t = 1.0 - 2.0 / (9.0 * freedom) + 3.09 * std::sqrt(2.0 / (9.0 * freedom));
  EXPECT_LT(chi_square, freedom * t * t * t) << case_.name << " with " << freedom << " degrees of freedom";
}

TEST_P(ConstructionTest, CostsMatchTheReference) {
  const SampleSet set = draw(case_, 200, 3, true);
  for (Index s = 0; s < set.samples; ++s) {
    const Path& path = path_of(case_, items_of(set, s));
    EXPECT_NEAR(set.costs[static_cast<std::size_t>(s)] / case_.graph.cost_scale, path.cost(), 1e-12);
    for (std::size_t t = 0; t < path.step_cost.size(); ++t) {
      EXPECT_NEAR(set.step_cost[set.row(s) + t], path.step_cost[t], 1e-12);
    }
  }
}

// The estimator written down literally: mean over samples and steps of advantage · ∇log p, whole-solution or
// reward-to-go.
std::vector<double> stepwise_gradient(const Case& c, const SampleSet& set, bool causal) {
  std::vector<double> gradient(static_cast<std::size_t>(c.graph.variables), 0.0);
  std::vector<const Path*> paths;
  std::size_t longest = 0;
  for (Index s = 0; s < set.samples; ++s) {
    paths.push_back(&path_of(c, items_of(set, s)));
    longest = std::max(longest, paths.back()->step_cost.size());
  }
  const auto to_go = [&](const Path& path, std::size_t t) {
    double sum = 0.0;
    for (std::size_t u = causal ? t : 0; u < path.step_cost.size(); ++u) {
      sum += path.step_cost[u];
    }
    return sum;
  };
  for (std::size_t t = 0; t < longest; ++t) {
    double baseline = 0.0;
    for (const Path* path : paths) {
      baseline += to_go(*path, t) / static_cast<double>(paths.size());
    }
    for (const Path* path : paths) {
      if (t >= path->score.size()) {
        continue;
      }
      const double weight = (to_go(*path, t) - baseline) / static_cast<double>(paths.size() * path->step_cost.size());
      for (std::size_t v = 0; v < gradient.size(); ++v) {
        gradient[v] += weight * path->score[t][v];
      }
    }
  }
  return gradient;
}

TEST_P(ConstructionTest, GradientMatchesStepwiseReference) {
  for (const bool causal : {false, true}) {
    for (const Index samples : {1, 2, 5, 32}) {
      SampleSet set = draw(case_, samples, 11, causal);
      const std::vector<double> actual = engine_gradient(case_, set);
      const std::vector<double> expected = stepwise_gradient(case_, set, causal);
      for (std::size_t v = 0; v < actual.size(); ++v) {
        EXPECT_NEAR(actual[v], expected[v], 1e-6) << case_.name << " variable " << v << " causal " << causal;
      }
    }
  }
}

// E[g] = (1 − 1/b)·Cov(f, mean over steps of ∇log p), exactly, by enumeration of all constructions.
TEST_P(ConstructionTest, ExpectedGradientMatchesEnumeration) {
  constexpr Index kSamples = 8;
  constexpr int kBatches = 6000;
  const std::size_t count = case_.theta.size();
  std::vector<double> expected(count, 0.0);
  double mean_cost = 0.0;
  std::vector<double> mean_score(count, 0.0);
  for (const Path& path : case_.paths) {
    mean_cost += path.probability * path.cost();
    for (const auto& score : path.score) {
      for (std::size_t v = 0; v < count; ++v) {
        const double share = path.probability * score[v] / static_cast<double>(path.step_cost.size());
        expected[v] += share * path.cost();
        mean_score[v] += share;
      }
    }
  }
  for (std::size_t v = 0; v < count; ++v) {
    expected[v] = (1.0 - 1.0 / kSamples) * (expected[v] - mean_cost * mean_score[v]);
  }
  std::vector<double> sum(count, 0.0);
  std::vector<double> squares(count, 0.0);
  for (int batch = 0; batch < kBatches; ++batch) {
    SampleSet set = draw(case_, kSamples, static_cast<std::uint32_t>(100 + batch), false);
    const std::vector<double> gradient = engine_gradient(case_, set);
    for (std::size_t v = 0; v < count; ++v) {
      sum[v] += gradient[v];
      squares[v] += gradient[v] * gradient[v];
    }
  }
  for (std::size_t v = 0; v < count; ++v) {
    const double mean = sum[v] / kBatches;
    const double deviation = std::sqrt(std::max(0.0, squares[v] / kBatches - mean * mean) / kBatches);
    EXPECT_NEAR(mean, expected[v], 4.5 * deviation + 1e-9) << case_.name << " variable " << v;
  }
}

// θ in clusters hundreds apart: the candidates left over at the end have masses that underflow in float next to the
// largest.
TEST_P(ConstructionTest, GradientStaysExactForExtremeTheta) {
  for (std::size_t v = 0; v < case_.theta.size(); ++v) {
    case_.theta[v] -= 200.0f * static_cast<float>(v % 4);
  }
  case_.paths = case_.graph.kind == VariableKind::edge ? test::all_tours(case_.graph, case_.theta, 1)
                                                       : test::all_sets(case_.graph, case_.theta);
  SampleSet set = draw(case_, 32, 2, false);
  set.costs[0] += 1.0;  // an advantage even if all samples are the same solution
  const std::vector<double> actual = engine_gradient(case_, set);
  std::vector<double> expected(actual.size(), 0.0);
  for (Index s = 0; s < set.samples; ++s) {
    const Path& path = path_of(case_, items_of(set, s));
    const double weight =
        set.advantage_at(s, 0) / static_cast<double>(set.samples) / static_cast<double>(path.step_cost.size());
    for (const auto& score : path.score) {
      for (std::size_t v = 0; v < expected.size(); ++v) {
        expected[v] += weight * score[v];
      }
    }
  }
  for (std::size_t v = 0; v < actual.size(); ++v) {
    EXPECT_NEAR(actual[v], expected[v], 1e-6) << case_.name << " variable " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, ConstructionTest, ::testing::Range(0, 7));

TEST(TspPenalty, EndsTheEpisodeAndStillCompletesTheTour) {
  Case c = make_case(1);
  const SampleSet penalised = draw(c, 500, 0, true, OptionValues().set("dead_end", "penalty"));
  const SampleSet plain = draw(c, 500, 0, true);
  int dead = 0;
  for (Index s = 0; s < penalised.samples; ++s) {
    const std::vector<Index> items = items_of(penalised, s);
    EXPECT_TRUE(c.graph.instance->check({items}).feasible);
    std::size_t t = 0;
    double cost = 0.0;
    while (t + 1 < items.size() && penalised.variables[penalised.row(s) + t] >= 0) {
      cost += c.graph.length[static_cast<std::size_t>(penalised.variables[penalised.row(s) + t])];
      ++t;
    }
    if (t + 1 == items.size()) {
      EXPECT_EQ(items, items_of(plain, s));
      EXPECT_EQ(penalised.costs[static_cast<std::size_t>(s)], plain.costs[static_cast<std::size_t>(s)]);
      continue;
    }
    ++dead;
    const double unvisited = static_cast<double>(items.size() - 1 - t);
    EXPECT_NEAR(penalised.costs[static_cast<std::size_t>(s)], cost + std::sqrt(2.0) * c.graph.cost_scale * unvisited,
                1e-9);
    for (; t < items.size(); ++t) {
      EXPECT_EQ(penalised.variables[penalised.row(s) + t], -1);
    }
  }
  EXPECT_GT(dead, 0);
  EXPECT_LT(dead, 500);
}

}  // namespace
}  // namespace moco
