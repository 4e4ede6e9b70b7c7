// Sampling: one Gumbel key per candidate edge, O(n·k) per tour. Gradient: every city is left exactly once per tour, so
// each row of θ gets one softmax gradient per sample, over the neighbours that were still unvisited then.
#include "moco/problems/tsp/tsp_construction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "moco/policy/gumbel.h"
#include "moco/problems/tsp/city_grid.h"
#include "moco/problems/tsp/fixed_edges.h"
#include "moco/problems/tsp/fixed_paths.h"

namespace moco {

namespace {

constexpr double kPenalty = 1.4142135623730951;  // per unvisited city, in the unit square
constexpr double kSmallestExponent = -690.0;     // e^this is still a normal double

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

TspConstruction::TspConstruction(const DecisionGraph& graph, DeadEnd dead_end)
    : graph_(graph),
      instance_(dynamic_cast<const TspInstance&>(*graph.instance)),
      fixed_(instance_.fixed_partners()),
      dead_end_(dead_end) {}

void TspConstruction::sample(const float* theta, const Draw& draw, SampleSet& out, SampleScratch& scratch) const {
  const Index n = graph_.nodes;
  const std::size_t k = at(graph_.degree);
  const std::size_t key_stride = (k + 3) / 4 * 4;  // rows begin with a fresh Philox block
  scratch.keys.resize(at(n) * key_stride);
  fill_gumbel(draw.stream, draw.step, static_cast<std::uint32_t>(draw.sample), at(n) * key_stride / 4,
              scratch.keys.data());

  Index* items = out.items.data() + out.row(draw.sample);
  Index* variables = out.variables.data() + out.row(draw.sample);
  double* step_cost = out.causal ? out.step_cost.data() + out.row(draw.sample) : nullptr;
  Index* visited_at = out.left_at.data() + at(draw.sample) * at(n);
  std::fill_n(visited_at, n, n);  // n: not yet
  for (Index i = 0; !fixed_.empty() && i < n; ++i) {
    visited_at[i] = is_inside_fixed_path(fixed_, i) ? -1 : n;  // entered along a fixed edge only
  }
  Index told = 0;  // cities that `unvisited` knows to be visited; it begins with the first dead end

  double cost = 0.0;
  Index here = fixed_path_end(fixed_, draw.start);
  bool dead = false;  // penalty rule: the episode is over, the rest of the tour only completes it
  for (Index t = 0; t + 1 < n; ++t) {
    items[t] = here;
    visited_at[here] = t;
    Index chosen = -1;
    const Index forced = fixed_.empty() ? -1 : next_on_fixed_path(fixed_, t > 0 ? items[t - 1] : -1, here);
    if (!dead && forced < 0) {
      const float* row = theta + at(here) * k;
      const float* noise = scratch.keys.data() + at(here) * key_stride;
      float best = 0.0f;
      for (std::size_t r = 0; r < k; ++r) {
        if (visited_at[graph_.targets[at(here) * k + r]] < n) {
          continue;
        }
        const float key = row[r] + noise[r];
        if (chosen < 0 || key > best) {
          best = key;
          chosen = static_cast<Index>(r);
        }
      }
    }
    double length = 0.0;
    Index next = 0;
    if (forced >= 0) {
      variables[t] = dead ? -1 : edge_between(graph_, here, forced);
      next = forced;
      length = dead ? 0.0 : instance_.distance(here, next);
    } else if (chosen >= 0) {
      variables[t] = here * graph_.degree + chosen;
      next = graph_.targets[at(variables[t])];
      length = graph_.length[at(variables[t])];
    } else {
      auto& unvisited = scratch.own<CitiesLeft>();
      if (told == 0) {
        unvisited.reset(*graph_.cells);
      }
      for (; told <= t; ++told) {
        unvisited.take(items[told]);
      }
      variables[t] = -1;
      next = unvisited.nearest(here);
      length = instance_.distance(here, next);
      if (dead_end_ == DeadEnd::penalty) {
        length = dead ? 0.0 : kPenalty * graph_.cost_scale * (n - 1 - t);
        dead = true;
      }
    }
    if (step_cost != nullptr) {
      step_cost[t] = length / graph_.cost_scale;
    }
    cost += length;
    here = next;
  }
  items[n - 1] = here;
  visited_at[here] = n - 1;
  variables[n - 1] = dead ? -1 : edge_between(graph_, here, items[0]);
  const double closing = dead || n == 1 ? 0.0 : instance_.distance(here, items[0]);
  if (step_cost != nullptr) {
    step_cost[n - 1] = 0.0;
    step_cost[std::max(n - 2, 0)] += closing / graph_.cost_scale;  // the last choice answers for the way home
  }
  out.costs[at(draw.sample)] = cost + closing;
  out.lengths[at(draw.sample)] = n;
}

void TspConstruction::masses(const float* theta, double* mass) const {
  const std::size_t k = at(graph_.degree);
  for (std::size_t first = 0; first < at(graph_.variables); first += k) {
    const float top = *std::max_element(theta + first, theta + first + k);
    for (std::size_t e = first; e < first + k; ++e) {
      mass[e] = std::exp(std::max(static_cast<double>(theta[e]) - static_cast<double>(top), kSmallestExponent));
    }
  }
  for (std::size_t e = 0; !fixed_.empty() && e < at(graph_.variables); ++e) {
    mass[e] = is_inside_fixed_path(fixed_, graph_.targets[e]) ? 0.0 : mass[e];  // never chosen
  }
}

void TspConstruction::gradient(const double* mass, const SampleSet& set, Index begin, Index end, float* out) const {
  const Index n = graph_.nodes;
  const std::size_t k = at(graph_.degree);
  const double share = 1.0 / (static_cast<double>(std::max(n - 1, 1)) * set.samples);
  std::vector<double> row(k);
  for (Index i = begin; i < end; ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    const Index* targets = graph_.targets.data() + at(i) * k;
    const double* weight = mass + at(i) * k;
    for (Index s = 0; s < set.samples; ++s) {
      const Index* visited_at = set.left_at.data() + at(s) * at(n);
      const Index t = visited_at[i];
      const Index variable = set.variables[set.row(s) + at(t)];
      if (t + 1 == n || variable < 0 || FixedEdges(fixed_).has(i, targets[at(variable) - at(i) * k])) {
        continue;  // the way home, the moves out of a dead end and those along fixed edges are no choices
      }
      double total = 0.0;
      for (std::size_t r = 0; r < k; ++r) {
        total += visited_at[targets[r]] > t ? weight[r] : 0.0;
      }
      const double advantage = set.advantage_at(s, t);
      const double scaled = advantage / total;
      for (std::size_t r = 0; r < k; ++r) {
        row[r] -= visited_at[targets[r]] > t ? weight[r] * scaled : 0.0;
      }
      row[at(variable) - at(i) * k] += advantage;
    }
    for (std::size_t r = 0; r < k; ++r) {
      out[at(i) * k + r] = static_cast<float>(row[r] * share);
    }
  }
}

double TspConstruction::entropy(const float* theta) const {
  const std::size_t k = at(graph_.degree);
  if (k == 0) {
    return 0.0;
  }
  std::vector<double> mass(at(graph_.variables));
  masses(theta, mass.data());
  double sum = 0.0;
  for (std::size_t first = 0; first < mass.size(); first += k) {
    const double total = std::accumulate(mass.begin() + static_cast<std::ptrdiff_t>(first),
                                         mass.begin() + static_cast<std::ptrdiff_t>(first + k), 0.0);
    for (std::size_t e = first; e < first + k; ++e) {
      const double p = mass[e] / total;
      sum -= mass[e] > 0.0 ? p * std::log(p) : 0.0;
    }
  }
  return sum / graph_.nodes;
}

void TspConstruction::encode(const Solution& tour, Index start, Index sample, SampleSet& out) const {
  Index* items = out.items.data() + out.row(sample);
  Index* variables = out.variables.data() + out.row(sample);
  const auto first = std::find(tour.items.begin(), tour.items.end(), start);
  std::rotate_copy(tour.items.begin(), first, tour.items.end(), items);
  double cost = 0.0;
  for (std::size_t t = 0; t < at(graph_.nodes); ++t) {
    const Index from = items[t];
    const Index to = items[t + 1 == at(graph_.nodes) ? 0 : t + 1];
    variables[t] = edge_between(graph_, from, to);
    cost += graph_.nodes > 1 ? instance_.distance(from, to) : 0.0;
  }
  out.costs[at(sample)] = cost;
  out.lengths[at(sample)] = graph_.nodes;
}

Solution TspConstruction::decode(const Index* items, Index length) const {
  return {{items, items + length}};
}

}  // namespace moco
