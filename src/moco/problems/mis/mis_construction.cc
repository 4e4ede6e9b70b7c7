// Sampling: n keys, ordered once by a radix sort, inserted greedily: O(n + touched edges) per set.
//
// Gradient: node j is a candidate in steps 0 … τ_j, when it is chosen or blocked. With w = e^θ, Z_t the mass of the
// candidates of step t and C_t = Σ_{s≤t} A_s/Z_s:  Σ_t A_t ∂log p(a_t)/∂θ_j = A_{τ_j}·[j chosen] − w_j·C_{τ_j}.
// Z_t is summed from the last step backwards (Z_t = Z_{t+1} + the mass that leaves at t), so nothing ever cancels.
#include "moco/problems/mis/mis_construction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "moco/core/numeric.h"
#include "moco/policy/gumbel.h"
#include "moco/problems/mis/node_promise.h"

namespace moco {

namespace {

constexpr double kSmallestExponent = -690.0;  // e^this is still a normal double

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

/// Maps a float to an integer that sorts the other way round: larger floats give smaller integers.
std::uint32_t descending(float key) {
  const std::uint32_t bits = bits_of(key);
  const std::uint32_t ascending = (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
  return ~ascending;
}

/// Stable LSD radix sort of `values` by their upper 32 bits.
void radix_sort(std::vector<std::uint64_t>& values, std::vector<std::uint64_t>& swap) {
  constexpr int kPasses = 4;
  std::array<std::array<std::uint32_t, 256>, kPasses> histogram{};
  for (const std::uint64_t value : values) {
    for (int pass = 0; pass < kPasses; ++pass) {
      ++histogram[at(pass)][(value >> (32 + 8 * pass)) & 255u];
    }
  }
  swap.resize(values.size());
  for (int pass = 0; pass < kPasses; ++pass) {
    std::array<std::uint32_t, 256>& offset = histogram[at(pass)];
    std::uint32_t sum = 0;
    for (std::uint32_t& entry : offset) {
      sum += std::exchange(entry, sum);
    }
    for (const std::uint64_t value : values) {
      swap[offset[(value >> (32 + 8 * pass)) & 255u]++] = value;
    }
    values.swap(swap);
  }
}

}  // namespace

void MisConstruction::clear(Index sample, SampleSet& out) const {
  out.lengths[at(sample)] = 0;
  out.costs[at(sample)] = 0.0;
  std::fill_n(out.left_at.data() + at(sample) * at(graph_.nodes), graph_.nodes, graph_.nodes);  // n: still a candidate
}

void MisConstruction::insert(Index node, Index sample, SampleSet& out) const {
  Index* left_at = out.left_at.data() + at(sample) * at(graph_.nodes);
  if (left_at[node] < graph_.nodes) {
    return;
  }
  const Index t = out.lengths[at(sample)]++;
  const std::size_t place = out.row(sample) + at(t);
  out.items[place] = node;
  out.variables[place] = node;
  if (out.causal) {
    out.step_cost[place] = -1.0;
  }
  out.costs[at(sample)] -= 1.0;
  left_at[node] = t;
  const auto begin = static_cast<std::size_t>(graph_.offsets[at(node)]);
  const auto end = static_cast<std::size_t>(graph_.offsets[at(node) + 1]);
  for (std::size_t e = begin; e < end; ++e) {
    Index& entry = left_at[graph_.targets[e]];
    entry = std::min(entry, t);
  }
}

void MisConstruction::weigh(Index sample, SampleSet& out) const {
  if (graph_.weights.empty()) {
    return;
  }
  double weight = 0.0;
  const std::size_t end = out.row(sample) + at(out.lengths[at(sample)]);
  for (std::size_t place = out.row(sample); place < end; ++place) {
    const double own = graph_.weights[at(out.items[place])];
    weight += own;
    if (out.causal) {
      out.step_cost[place] = -own / graph_.cost_scale;
    }
  }
  out.costs[at(sample)] = 0.0 - weight;
}

void MisConstruction::sample(const float* theta, const Draw& draw, SampleSet& out, SampleScratch& scratch) const {
  const std::size_t n = at(graph_.nodes);
  const std::size_t blocks = (n + 3) / 4;
  scratch.keys.resize(4 * blocks);
  fill_gumbel(draw.stream, draw.step, static_cast<std::uint32_t>(draw.sample), blocks, scratch.keys.data());
  scratch.order.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    scratch.order[i] = (std::uint64_t{descending(theta[i] + scratch.keys[i])} << 32) | i;
  }
  radix_sort(scratch.order, scratch.order_swap);
  clear(draw.sample, out);
  for (const std::uint64_t entry : scratch.order) {
    insert(static_cast<Index>(entry & 0xFFFFFFFFu), draw.sample, out);
  }
  weigh(draw.sample, out);
}

void MisConstruction::masses(const float* theta, double* mass) const {
  const std::size_t n = at(graph_.nodes);
  const float top = n > 0 ? *std::max_element(theta, theta + n) : 0.0f;
  for (std::size_t i = 0; i < n; ++i) {
    mass[i] = std::exp(std::max(static_cast<double>(theta[i]) - static_cast<double>(top), kSmallestExponent));
  }
}

void MisConstruction::prepare_gradient(const double* mass, Index sample, SampleSet& set) const {
  const Index size = set.lengths[at(sample)];
  double* prefix = set.prefix.data() + set.row(sample);
  const Index* left_at = set.left_at.data() + at(sample) * at(set.nodes);
  std::fill_n(prefix, size, 0.0);
  for (std::size_t i = 0; i < at(set.nodes); ++i) {
    prefix[left_at[i]] += mass[i];
  }
  double candidates = 0.0;
  for (Index t = size; t-- > 0;) {
    candidates += prefix[t];
    prefix[t] = set.advantage_at(sample, t) / candidates;
  }
  for (Index t = 1; t < size; ++t) {
    prefix[t] += prefix[t - 1];
  }
}

void MisConstruction::gradient(const double* mass, const SampleSet& set, Index begin, Index end, float* out) const {
  std::vector<double> sum(at(end - begin), 0.0);
  for (Index s = 0; s < set.samples; ++s) {
    const Index* items = set.items.data() + set.row(s);
    const Index* left_at = set.left_at.data() + at(s) * at(set.nodes);
    const double* prefix = set.prefix.data() + set.row(s);
    const double share = 1.0 / (static_cast<double>(set.lengths[at(s)]) * set.samples);
    for (Index j = begin; j < end; ++j) {
      const Index t = left_at[j];
      const double chosen = items[t] == j ? set.advantage_at(s, t) : 0.0;
      sum[at(j - begin)] += (chosen - mass[j] * prefix[t]) * share;
    }
  }
  for (Index j = begin; j < end; ++j) {
    out[j] = static_cast<float>(sum[at(j - begin)]);
  }
}

double MisConstruction::entropy(const float* theta) const {
  std::vector<double> mass(at(graph_.nodes));
  masses(theta, mass.data());
  double total = 0.0;
  for (const double m : mass) {
    total += m;
  }
  double sum = 0.0;
  for (const double m : mass) {
    const double p = m / total;
    sum -= p * std::log(p);
  }
  return sum;
}

float MisConstruction::heuristic(Index node) const {
  return node_heuristic(weight_feature(graph_, node), static_cast<long long>(neighbours_of(graph_, node).size()));
}

void MisConstruction::encode(const Solution& solution, Index, Index sample, SampleSet& out) const {
  clear(sample, out);
  for (const Index node : solution.items) {
    insert(node, sample, out);
  }
  for (Index node = 0; node < graph_.nodes; ++node) {
    insert(node, sample, out);
  }
  weigh(sample, out);
}

Solution MisConstruction::decode(const Index* items, Index length) const {
  Solution solution{{items, items + length}};
  std::sort(solution.items.begin(), solution.items.end());
  return solution;
}

}  // namespace moco
