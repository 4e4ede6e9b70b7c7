// What all constructions share: storage of samples, and advantages.
#include "moco/policy/construction.h"

#include <algorithm>
#include <numeric>

namespace moco {

namespace {

std::size_t product(Index a, Index b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

}  // namespace

void SampleSet::reshape(Index sample_count, Index item_stride, Index node_count, bool reward_to_go) {
  samples = sample_count;
  stride = item_stride;
  nodes = node_count;
  causal = reward_to_go;
  const std::size_t cells = product(sample_count, item_stride);
  items.resize(cells);
  variables.resize(cells);
  lengths.resize(static_cast<std::size_t>(sample_count));
  left_at.resize(product(sample_count, node_count));
  costs.resize(static_cast<std::size_t>(sample_count));
  step_cost.resize(reward_to_go ? cells : 0);
  advantage.resize(reward_to_go ? cells : static_cast<std::size_t>(sample_count));
  prefix.resize(cells);
}

void SampleSet::copy_solution(const SampleSet& from, Index sample) {
  const auto s = static_cast<std::size_t>(sample);
  const auto first = static_cast<std::ptrdiff_t>(row(sample));
  lengths[s] = from.lengths[s];
  costs[s] = from.costs[s];
  std::copy_n(from.items.begin() + first, lengths[s], items.begin() + first);
  std::copy_n(from.variables.begin() + first, lengths[s], variables.begin() + first);
}

void sample_and_improve(const Construction& construction, const LocalSearch& search, const float* theta,
                        const Draw& draw, SampleSet& out, SampleSet& improved, SampleScratch& scratch,
                        const Halt* halt) {
  construction.sample(theta, draw, out, scratch);
  const auto s = static_cast<std::size_t>(draw.sample);
  const auto first = out.items.begin() + static_cast<std::ptrdiff_t>(out.row(draw.sample));
  scratch.improved.items.assign(first, first + out.lengths[s]);
  constexpr int kMovesPerLook = 64;
  int moves = 0;
  search.improve(scratch.improved.items, scratch.local_search,
                 [&] { return halt != nullptr && ++moves % kMovesPerLook == 0 && halt->due(); });
  construction.encode(scratch.improved, draw.start, draw.sample, improved);
  if (!(improved.costs[s] < out.costs[s])) {
    improved.copy_solution(out, draw.sample);
  }
}

void compute_advantages(SampleSet& set, double cost_scale, std::span<const double> costs) {
  if (!set.causal) {
    const double mean = std::accumulate(costs.begin(), costs.end(), 0.0) / set.samples;
    for (std::size_t s = 0; s < costs.size(); ++s) {
      set.advantage[s] = (costs[s] - mean) / cost_scale;
    }
    return;
  }
  for (Index s = 0; s < set.samples; ++s) {
    double to_go = (costs[static_cast<std::size_t>(s)] - set.costs[static_cast<std::size_t>(s)]) / cost_scale;
    for (Index t = set.stride; t-- > 0;) {
      const std::size_t at = set.row(s) + static_cast<std::size_t>(t);
      const bool chosen = t < set.lengths[static_cast<std::size_t>(s)];
      to_go += chosen ? set.step_cost[at] : 0.0;
      set.advantage[at] = chosen ? to_go : 0.0;
    }
  }
  for (std::size_t t = 0; t < static_cast<std::size_t>(set.stride); ++t) {
    double mean = 0.0;
    for (Index s = 0; s < set.samples; ++s) {
      mean += set.advantage[set.row(s) + t];
    }
    mean /= set.samples;
    for (Index s = 0; s < set.samples; ++s) {
      set.advantage[set.row(s) + t] -= mean;
    }
  }
}

}  // namespace moco
