// Working copies of random tours and sets, symmetric or not, with weights or without, for tests of partial samples.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "moco/policy/partial_construction.h"
#include "moco/policy/solution_identity.h"
#include "moco/problem.h"
#include "moco/problems/tsp/tsp_graph.h"
#include "options.h"

namespace moco::test {

inline std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

inline RandomSequence random_numbers(std::uint64_t seed) {
  return {stream_key(seed, 0, 0), Purpose::generator};
}

enum class Kind { symmetric, asymmetric, set, weighted_set, fixed, fixed_asymmetric };

/// Cities at random places, every third of them twice; or random distances.
inline std::shared_ptr<TspInstance> random_cities(Index n, bool symmetric, std::uint64_t seed) {
  RandomSequence random = random_numbers(seed);
  if (!symmetric) {
    std::vector<double> matrix(at(n) * at(n));
    for (double& length : matrix) {
      length = 1.0 + random.next_below(50);
    }
    for (Index i = 0; i < n; ++i) {
      matrix[at(i) * at(n) + at(i)] = 0.0;
    }
    return std::make_shared<TspInstance>("arcs", n, matrix);
  }
  std::vector<Point> points;
  for (Index i = 0; i < n; ++i) {
    const Point place{random.next_double(), random.next_double()};
    points.push_back(i % 3 == 2 ? points.back() : place);
  }
  return std::make_shared<TspInstance>("cities", points, Metric::euclidean);
}

inline DecisionGraph random_tsp(Index n, Index k, bool symmetric, std::uint64_t seed) {
  return tsp_decision_graph(random_cities(n, symmetric, seed), k);
}

/// With single fixed edges and paths of them.
inline DecisionGraph random_fixed_tsp(Index n, Index k, bool symmetric, std::uint64_t seed) {
  const std::shared_ptr<TspInstance> cities = random_cities(n, symmetric, seed);
  RandomSequence random = random_numbers(seed + 500);
  std::vector<Edge> fixed;
  for (Index i = 0; i + 1 < n; ++i) {
    if (random.next_below(10) < seed % 10) {
      fixed.push_back({i, i + 1});
    }
  }
  cities->fix_edges(fixed);
  return tsp_decision_graph(cities, k);
}

inline DecisionGraph random_set_graph(Index n, double probability, bool weighted, std::uint64_t seed) {
  RandomSequence random = random_numbers(seed);
  std::vector<Edge> edges;
  for (Index i = 0; i < n; ++i) {
    for (Index j = i + 1; j < n; ++j) {
      if (random.next_double() < probability) {
        edges.push_back({i, j});
      }
    }
  }
  std::vector<double> weights;
  for (Index i = 0; weighted && i < n; ++i) {
    weights.push_back(random.next_below(5) == 0 ? 0.0 : 10.0 * random.next_double());
  }
  return decision_graph(std::make_shared<GraphInstance>(mis(), "graph", n, edges, weights));
}

inline DecisionGraph random_graph(Kind kind, Index n, std::uint64_t seed) {
  switch (kind) {
    case Kind::symmetric:
    case Kind::asymmetric:
      return random_tsp(n, 1 + static_cast<Index>(seed % 7), kind == Kind::symmetric, seed);
    case Kind::fixed:
    case Kind::fixed_asymmetric:
      return random_fixed_tsp(n, 1 + static_cast<Index>(seed % 7), kind == Kind::fixed, seed);
    default:
      return random_set_graph(n, 0.1 * static_cast<double>(seed % 6), kind == Kind::weighted_set, seed);
  }
}

inline std::vector<float> random_theta(Index count, double spread, std::uint64_t seed) {
  RandomSequence random = random_numbers(seed + 1000);
  std::vector<float> theta;
  for (Index i = 0; i < count; ++i) {
    theta.push_back(static_cast<float>(spread * (random.next_double() - 0.5)));
  }
  return theta;
}

/// A working copy at a random solution.
class Rebuilding {
 public:
  Rebuilding(DecisionGraph graph, Index most, double spread, std::uint64_t seed)
      : graph_(std::move(graph)),
        theta_(random_theta(graph_.variables, spread, seed)),
        policy_(graph_.instance->problem().construction(graph_, {})),
        partial_(graph_.instance->problem().partial_construction(graph_, most)) {
    SampleScratch scratch;
    set_.reshape(1, policy_->stride(), graph_.nodes, false);
    policy_->sample(theta_.data(), {stream_key(seed, 7, 0), 0, 0, 0}, set_, scratch);
    base_.assign(set_.items.begin(), set_.items.begin() + set_.lengths[0]);
    copy_ = copy();
  }

  std::unique_ptr<WorkingCopy> copy() const {
    auto copy = partial_->working_copy();
    copy->assign(base_);
    return copy;
  }
  PartialSample sample(Index number, ChoiceRecord& choices, std::uint32_t step = 0) {
    return copy_->sample(theta_.data(), {stream_key(3, 1, 0), step, number, 0}, choices);
  }
  /// The cost of items and their hash, recomputed.
  std::pair<double, std::uint64_t> recomputed(const std::vector<Index>& items) {
    policy_->encode({items}, 0, 0, set_);
    return {set_.costs[0], solution_hash(set_.items.data(), set_.variables.data(), set_.lengths[0], graph_.reversible)};
  }
  void expect_feasible(const std::vector<Index>& items) const {
    const CheckResult check = graph_.instance->check({items});
    EXPECT_TRUE(check.feasible) << check.violation;
  }

  DecisionGraph graph_;
  std::vector<float> theta_;
  std::unique_ptr<Construction> policy_;
  std::unique_ptr<PartialConstruction> partial_;
  std::vector<Index> base_;
  std::unique_ptr<WorkingCopy> copy_;

 private:
  SampleSet set_;
};

inline std::string name_of_kind(Kind kind) {
  const char* const names[] = {"Symmetric", "Asymmetric", "Set", "WeightedSet", "Fixed", "FixedAsymmetric"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace moco::test
