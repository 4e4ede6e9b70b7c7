// The construction policy written down literally, step-wise softmax over the feasible variables: what the samplers and
// gradients of the engine are compared with on tiny instances.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "moco/problems/decision_graph.h"

namespace moco::test {

/// One complete construction: the items chosen, its probability, cost, the cost of each step and ∇log p of each choice.
struct Path {
  std::vector<Index> items;
  double probability = 1.0;
  std::vector<double> step_cost;
  std::vector<std::vector<double>> score;  ///< per step: ∂ log p(a_t) / ∂θ, all N variables
  double cost() const {
    double sum = 0.0;
    for (const double c : step_cost) {
      sum += c;
    }
    return sum;
  }
};

/// Softmax over `candidates` as (probability per candidate).
inline std::vector<double> softmax(const std::vector<float>& theta, const std::vector<Index>& candidates) {
  double top = -INFINITY;
  for (const Index v : candidates) {
    top = std::max(top, static_cast<double>(theta[static_cast<std::size_t>(v)]));
  }
  std::vector<double> p;
  double sum = 0.0;
  for (const Index v : candidates) {
    p.push_back(std::exp(static_cast<double>(theta[static_cast<std::size_t>(v)]) - top));
    sum += p.back();
  }
  for (double& value : p) {
    value /= sum;
  }
  return p;
}

/// Candidates of the next choice given the items so far (empty: the construction is over or at a dead end).
using Candidates = std::function<std::vector<Index>(const std::vector<Index>& items)>;
/// Extends a path by a variable (−1 at a dead end): appends the item and the step's cost; false when the path is
/// complete.
using Extend = std::function<bool(Path& path, Index variable)>;

inline void enumerate(const std::vector<float>& theta, const Candidates& candidates, const Extend& extend, Path path,
                      std::vector<Path>& out) {
  const std::vector<Index> choices = candidates(path.items);
  if (choices.empty()) {
    path.score.emplace_back(theta.size(), 0.0);
    if (extend(path, -1)) {
      enumerate(theta, candidates, extend, path, out);
    } else {
      path.score.pop_back();
      out.push_back(path);
    }
    return;
  }
  const std::vector<double> p = softmax(theta, choices);
  for (std::size_t c = 0; c < choices.size(); ++c) {
    Path next = path;
    next.probability *= p[c];
    next.score.emplace_back(theta.size(), 0.0);
    for (std::size_t o = 0; o < choices.size(); ++o) {
      next.score.back()[static_cast<std::size_t>(choices[o])] = (o == c ? 1.0 : 0.0) - p[o];
    }
    extend(next, choices[c]);
    enumerate(theta, candidates, extend, next, out);
  }
}

/// All tours from `start`; the last choice's step cost includes the way home. Dead ends go to the nearest unvisited
/// city. Fixed edges are followed as soon as a tour comes to one, no city between two of them is entered otherwise, and
/// a tour that would begin there begins at the end of its path.
inline std::vector<Path> all_tours(const DecisionGraph& graph, const std::vector<float>& theta, Index start) {
  const auto& instance = dynamic_cast<const TspInstance&>(*graph.instance);
  const auto visited = [](const std::vector<Index>& items, Index city) {
    return std::find(items.begin(), items.end(), city) != items.end();
  };
  const auto fixed_at = [&](Index city) {
    std::vector<Index> others;
    for (std::size_t end = 2 * static_cast<std::size_t>(city); end < 2 * static_cast<std::size_t>(city) + 2; ++end) {
      if (end < instance.fixed_partners().size() && instance.fixed_partners()[end] >= 0) {
        others.push_back(instance.fixed_partners()[end]);
      }
    }
    return others;
  };
  const auto forced = [&](const std::vector<Index>& items) {
    for (const Index other : fixed_at(items.back())) {
      if (!visited(items, other)) {
        return other;
      }
    }
    return Index{-1};
  };
  const auto enterable = [&](const std::vector<Index>& items, Index city) {
    return !visited(items, city) && fixed_at(city).size() < 2;
  };
  const Candidates candidates = [&](const std::vector<Index>& items) {
    std::vector<Index> free;
    for (Index r = 0; r < graph.degree && forced(items) < 0; ++r) {
      const Index e = items.back() * graph.degree + r;
      if (enterable(items, graph.targets[static_cast<std::size_t>(e)])) {
        free.push_back(e);
      }
    }
    return free;
  };
  const Extend extend = [&](Path& path, Index variable) {
    const Index here = path.items.back();
    Index next = -1;
    if (variable >= 0) {
      next = graph.targets[static_cast<std::size_t>(variable)];
    } else {
      next = forced(path.items);
      for (Index city = 0; city < graph.nodes && forced(path.items) < 0; ++city) {
        if (enterable(path.items, city) &&
            (next < 0 || instance.distance(here, city) < instance.distance(here, next))) {
          next = city;
        }
      }
      if (next < 0) {
        return false;
      }
    }
    path.items.push_back(next);
    path.step_cost.push_back(instance.distance(here, next) / graph.cost_scale);
    if (static_cast<Index>(path.items.size()) == graph.nodes) {
      path.step_cost.back() += instance.distance(next, path.items.front()) / graph.cost_scale;
    }
    return true;
  };
  Path path;
  path.items = {start};
  while (fixed_at(path.items.back()).size() == 2) {  // to the end of the path, from the start's first fixed edge on
    const Index here = path.items.back();
    path.items.push_back(path.items.size() == 1 ? fixed_at(here).front() : forced(path.items));
  }
  path.items = {path.items.back()};
  std::vector<Path> out;
  enumerate(theta, candidates, extend, path, out);
  return out;
}

/// All insertion sequences of maximal independent sets.
inline std::vector<Path> all_sets(const DecisionGraph& graph, const std::vector<float>& theta) {
  const auto& instance = dynamic_cast<const GraphInstance&>(*graph.instance);
  const Candidates candidates = [&](const std::vector<Index>& items) {
    std::vector<Index> free;
    for (Index v = 0; v < graph.nodes; ++v) {
      bool blocked = false;
      for (const Index chosen : items) {
        const auto neighbours = instance.neighbours(chosen);
        blocked = blocked || chosen == v || std::find(neighbours.begin(), neighbours.end(), v) != neighbours.end();
      }
      if (!blocked) {
        free.push_back(v);
      }
    }
    return free;
  };
  const Extend extend = [&](Path& path, Index variable) {
    if (variable < 0) {
      return false;
    }
    path.items.push_back(variable);
    const bool weighted = !instance.weights().empty();
    path.step_cost.push_back(weighted ? -instance.weights()[static_cast<std::size_t>(variable)] / graph.cost_scale
                                      : -1.0);
    return true;
  };
  std::vector<Path> out;
  enumerate(theta, candidates, extend, Path(), out);
  return out;
}

}  // namespace moco::test
