// The choices of partial samples: what is open to them, how they are distributed, and their gradient against the
// step-wise definition.
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "moco/problems/tsp/rebuilt_tour.h"
#include "rebuilding.h"
#include "reference_policy.h"

namespace moco {
namespace {

using test::at;
using test::Kind;
using test::random_graph;
using test::random_set_graph;
using test::random_tsp;
using test::Rebuilding;

class PartialChoicesTest : public ::testing::TestWithParam<Kind> {
 protected:
  static bool tours() { return GetParam() == Kind::symmetric || GetParam() == Kind::asymmetric; }
};

/// What is open to the choice after some others, from what was open to the first.
std::vector<Index> open_after(const DecisionGraph& graph, const std::vector<Index>& first,
                              const std::vector<Index>& chosen) {
  if (chosen.empty()) {
    return first;
  }
  std::vector<Index> open;
  if (graph.kind == VariableKind::edge) {
    std::set<Index> seen{first.front() / graph.degree};
    for (const Index variable : chosen) {
      seen.insert(graph.targets[at(variable)]);
    }
    const Index row = graph.targets[at(chosen.back())] * graph.degree;
    for (Index variable = row; variable < row + graph.degree; ++variable) {
      if (!seen.contains(graph.targets[at(variable)])) {
        open.push_back(variable);
      }
    }
    return open;
  }
  for (const Index node : first) {
    const bool closed = std::ranges::any_of(chosen, [&](Index other) {
      const auto row = neighbours_of(graph, other);
      return other == node || std::ranges::find(row, node) != row.end();
    });
    if (!closed) {
      open.push_back(node);
    }
  }
  return open;
}

std::vector<Index> open_to(const ChoiceRecord& choices, const ChosenVariable& choice) {
  std::vector<Index> open(choices.open.begin() + static_cast<std::ptrdiff_t>(choice.first),
                          choices.open.begin() + static_cast<std::ptrdiff_t>(choice.end));
  std::ranges::sort(open);
  return open;
}

TEST_P(PartialChoicesTest, WhatIsOpenFollowsFromWhatWasChosen) {
  for (std::uint64_t seed = 40; seed < 60; ++seed) {
    const Index most = 1 + static_cast<Index>(seed % 20);
    Rebuilding search(random_graph(GetParam(), 30, seed), most, 4.0, seed);
    for (Index number = 0; number < 30; ++number) {
      ChoiceRecord choices;
      const double before = search.copy_->cost();
      const PartialSample sample = search.sample(number, choices);
      search.copy_->take_back();
      EXPECT_LE(choices.made.size(), at(tours() ? most : search.graph_.nodes));
      std::vector<Index> chosen;
      double cost = 0.0;
      for (const ChosenVariable& choice : choices.made) {
        const std::vector<Index> open = open_to(choices, choice);
        EXPECT_EQ(open, open_after(search.graph_, open_to(choices, choices.made.front()), chosen));
        EXPECT_TRUE(std::ranges::binary_search(open, choice.variable));
        chosen.push_back(choice.variable);
        cost += choice.cost;
      }
      if (tours()) {
        EXPECT_NEAR(sample.chosen, before + cost, 1e-9 * before);
      } else {
        for (const ChosenVariable& choice : choices.made) {
          const auto& weights = search.graph_.weights;
          EXPECT_EQ(choice.cost, weights.empty() ? -1.0 : -weights[at(choice.variable)]);
        }
      }
    }
  }
}

/// Probabilities of all ways to choose up to `most` times.
void enumerate(const Rebuilding& search, const std::vector<Index>& first, std::size_t most, std::vector<Index>& chosen,
               double probability, std::map<std::vector<Index>, double>& out) {
  const std::vector<Index> open =
      chosen.size() < most ? open_after(search.graph_, first, chosen) : std::vector<Index>();
  if (open.empty()) {
    out[chosen] += probability;
    return;
  }
  const std::vector<double> p = test::softmax(search.theta_, open);
  for (std::size_t i = 0; i < open.size(); ++i) {
    chosen.push_back(open[i]);
    enumerate(search, first, most, chosen, probability * p[i], out);
    chosen.pop_back();
  }
}

// χ² over all ways to choose, given what is open to the first choice; rare ones pooled. The stream is fixed, so this
// cannot fail by chance.
TEST_P(PartialChoicesTest, ChoicesFollowExactProbabilities) {
  constexpr Index kSamples = 60'000;
  constexpr Index kMost = 3;
  DecisionGraph graph = tours() ? random_tsp(6, 4, GetParam() == Kind::symmetric, 5)
                                : random_set_graph(8, 0.3, GetParam() == Kind::weighted_set, 4);
  Rebuilding search(std::move(graph), kMost, 3.0, 5);
  std::map<std::vector<Index>, std::map<std::vector<Index>, double>> observed;
  for (Index number = 0; number < kSamples; ++number) {
    ChoiceRecord choices;
    search.sample(number, choices);
    search.copy_->take_back();
    if (!choices.made.empty()) {
      std::vector<Index> chosen;
      for (const ChosenVariable& choice : choices.made) {
        chosen.push_back(choice.variable);
      }
      observed[open_to(choices, choices.made.front())][chosen] += 1.0;
    }
  }
  EXPECT_GE(observed.size(), 3u);
  double chi_square = 0.0;
  double freedom = 0.0;
  for (const auto& [first, counts] : observed) {
    double total = 0.0;
    for (const auto& [chosen, count] : counts) {
      total += count;
    }
    std::map<std::vector<Index>, double> expected;
    std::vector<Index> none;
    enumerate(search, first, tours() ? at(kMost) : first.size(), none, 1.0, expected);
    double rare_expected = 0.0;
    double rare_observed = 0.0;
    int cells = 0;
    for (const auto& [chosen, probability] : expected) {
      const auto found = counts.find(chosen);
      const double count = found == counts.end() ? 0.0 : found->second;
      if (probability * total < 10.0) {
        rare_expected += probability * total;
        rare_observed += count;
        continue;
      }
      chi_square += (count - probability * total) * (count - probability * total) / (probability * total);
      ++cells;
    }
    for (const auto& [chosen, count] : counts) {
      EXPECT_TRUE(expected.contains(chosen)) << "choices that the reference cannot make";
    }
    if (rare_expected > 0.0) {
      chi_square += (rare_observed - rare_expected) * (rare_observed - rare_expected) / std::max(rare_expected, 1.0);
      ++cells;
    }
    freedom += cells - 1;
  }
  ASSERT_GT(freedom, 5.0);
  const double t = 1.0 - 2.0 / (9.0 * freedom) + 3.09 * std::sqrt(2.0 / (9.0 * freedom));
  EXPECT_LT(chi_square, freedom * t * t * t) << freedom << " degrees of freedom";
}

/// In place of a local search: finds nothing.
struct NoMoves {
  template <typename... Anything>
  explicit NoMoves(const Anything&...) {}
  static EdgeExchange find(Index) { return {}; }
};

// Without a local search the tour goes where the walk went, and all its fixed edges are there.
TEST(RebuiltTour, GoesWhereItsWalksWent) {
  for (const Kind kind : {Kind::symmetric, Kind::asymmetric, Kind::fixed, Kind::fixed_asymmetric}) {
    for (std::uint64_t seed = 40; seed < 80; ++seed) {
      const Rebuilding search(random_graph(kind, 5 + static_cast<Index>(seed % 30), seed), 30, 4.0, seed);
      const auto& cities = dynamic_cast<const TspInstance&>(*search.graph_.instance);
      const auto distance = [&](Index from, Index to) { return cities.distance(from, to); };
      RebuiltTour<NoMoves, decltype(distance)> tour(search.graph_, distance, distance,
                                                    FixedEdges(cities.fixed_partners()), 0.0,
                                                    1 + static_cast<Index>(seed % 30));
      tour.assign(search.base_);
      for (Index number = 0; number < 20; ++number) {
        ChoiceRecord choices;
        const PartialSample sample = tour.sample(search.theta_.data(), {stream_key(3, 1, 0), 0, number, 0}, choices);
        const std::vector<Index> items = tour.items();
        const CheckResult check = cities.check({items});
        ASSERT_TRUE(check.feasible) << check.violation;
        EXPECT_NEAR(sample.chosen, check.cost, 1e-9 * check.cost);
        std::vector<Index> place(items.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
          place[at(items[i])] = static_cast<Index>(i);
        }
        const auto follows = [&](Index from, Index to) {
          return (place[at(to)] - place[at(from)] + search.graph_.nodes) % search.graph_.nodes == 1;
        };
        for (const ChosenVariable& choice : choices.made) {
          const Index from = choice.variable / search.graph_.degree;
          const Index to = search.graph_.targets[at(choice.variable)];
          EXPECT_TRUE(follows(from, to) || (cities.symmetric() && follows(to, from))) << from << " to " << to;
        }
        if (number % 2 == 0) {
          tour.take_back();
        }
      }
    }
  }
}

// Every city and node is as likely as any other to be where a sample begins.
TEST_P(PartialChoicesTest, BeginsEverywhere) {
  constexpr Index kNodes = 12;
  DecisionGraph graph =
      tours() ? random_tsp(kNodes, 4, GetParam() == Kind::symmetric, 5) : random_set_graph(kNodes, 0.0, false, 5);
  Rebuilding search(std::move(graph), 1, 1.0, 5);
  std::vector<int> begun(at(kNodes), 0);
  for (Index number = 0; number < 12'000; ++number) {
    ChoiceRecord choices;
    search.sample(number, choices);
    search.copy_->take_back();
    ASSERT_EQ(choices.made.size(), 1u);
    const Index variable = choices.made.front().variable;
    ++begun[at(tours() ? variable / search.graph_.degree : variable)];
  }
  for (const int count : begun) {
    EXPECT_NEAR(count, 1000, 4.5 * std::sqrt(1000.0 * 11 / 12));
  }
}

/// The mean over samples and their choices of advantage · log p, written down literally.
double surrogate(const std::vector<ChoiceRecord>& all, const SampleSet& advantages, const std::vector<double>& theta) {
  double mean = 0.0;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const std::vector<ChosenVariable>& made = all[s].made;
    for (std::size_t t = 0; t < made.size(); ++t) {
      double top = -INFINITY;
      for (std::size_t e = made[t].first; e < made[t].end; ++e) {
        top = std::max(top, theta[at(all[s].open[e])]);
      }
      double mass = 0.0;
      for (std::size_t e = made[t].first; e < made[t].end; ++e) {
        mass += std::exp(theta[at(all[s].open[e])] - top);
      }
      const double log_probability = theta[at(made[t].variable)] - top - std::log(mass);
      mean += advantages.advantage_at(static_cast<Index>(s), static_cast<Index>(t)) * log_probability /
              static_cast<double>(made.size() * all.size());
    }
  }
  return mean;
}

TEST_P(PartialChoicesTest, GradientIsThatOfTheChoicesLogarithms) {
  for (std::uint64_t seed = 41; seed < 49; ++seed) {
    for (const double spread : {4.0, 60.0}) {
      Rebuilding search(random_graph(GetParam(), 12, seed), 6, spread, seed);
      for (const bool causal : {false, true}) {
        for (const std::size_t samples : {std::size_t{1}, std::size_t{2}, std::size_t{15}}) {
          std::vector<ChoiceRecord> choices(samples);
          std::vector<PartialSample> drawn;
          for (std::size_t s = 0; s < samples; ++s) {
            drawn.push_back(search.sample(static_cast<Index>(s), choices[s]));
            search.copy_->take_back();
          }
          SampleSet set;
          set_costs(choices, drawn, search.graph_.cost_scale, causal, set);
          compute_advantages(set, search.graph_.cost_scale, set.costs);
          std::vector<double> sum(search.theta_.size());
          std::vector<float> gradient(search.theta_.size());
          partial_gradient(choices, set, search.theta_.data(), sum, gradient);
          const std::vector<double> theta(search.theta_.begin(), search.theta_.end());
          for (std::size_t v = 0; v < theta.size(); ++v) {
            constexpr double kStep = 1e-4;
            std::vector<double> above = theta;
            std::vector<double> below = theta;
            above[v] += kStep;
            below[v] -= kStep;
            const double slope = (surrogate(choices, set, above) - surrogate(choices, set, below)) / (2.0 * kStep);
            EXPECT_NEAR(gradient[v], slope, 1e-6 * std::max(1.0, std::abs(slope))) << "variable " << v;
          }
        }
      }
    }
  }
}

// θ in clusters hundreds apart: what is left at the end has masses that underflow next to the largest.
TEST_P(PartialChoicesTest, GradientStaysFiniteForExtremeTheta) {
  Rebuilding search(random_graph(GetParam(), 14, 44), 10, 4.0, 44);
  for (std::size_t v = 0; v < search.theta_.size(); ++v) {
    search.theta_[v] -= 300.0f * static_cast<float>(v % 4);
  }
  std::vector<ChoiceRecord> choices(20);
  std::vector<PartialSample> drawn;
  for (std::size_t s = 0; s < choices.size(); ++s) {
    drawn.push_back(search.sample(static_cast<Index>(s), choices[s]));
    search.copy_->take_back();
  }
  drawn[0].chosen += 1.0;  // an advantage even if all samples are the same solution
  SampleSet set;
  set_costs(choices, drawn, search.graph_.cost_scale, false, set);
  compute_advantages(set, search.graph_.cost_scale, set.costs);
  std::vector<double> sum(search.theta_.size());
  std::vector<float> gradient(search.theta_.size());
  partial_gradient(choices, set, search.theta_.data(), sum, gradient);
  EXPECT_TRUE(std::ranges::all_of(gradient, [](float value) { return std::isfinite(value); }));
  EXPECT_NEAR(std::accumulate(sum.begin(), sum.end(), 0.0), 0.0, 1e-12) << "probabilities sum to 1";
}

INSTANTIATE_TEST_SUITE_P(Problems, PartialChoicesTest,
                         ::testing::Values(Kind::symmetric, Kind::asymmetric, Kind::set, Kind::weighted_set),
                         [](const auto& kind) { return test::name_of_kind(kind.param); });

}  // namespace
}  // namespace moco
