// Insertion keeps the slots where they are and reorders an index, so only accepted solutions are copied.
#include "moco/engine/cpu/elite.h"

#include <algorithm>
#include <numeric>

#include "moco/model/parameters.h"
#include "moco/policy/solution_identity.h"

namespace moco::cpu {

Elite::Elite(Index stride, EliteRule rule, Identity identity)
    : stride_(static_cast<std::size_t>(stride)),
      rule_(rule),
      identity_(identity),
      costs_(kEliteSize),
      hashes_(kEliteSize),
      lengths_(kEliteSize),
      items_(kEliteSize * stride_),
      variables_(kEliteSize * stride_) {}

void Elite::clear() {
  order_.clear();
}

std::uint64_t Elite::hash_of(const SampleSet& set, Index sample) const {
  return solution_hash(set.items.data() + set.row(sample), set.variables.data() + set.row(sample),
                       set.lengths[static_cast<std::size_t>(sample)], identity_ == Identity::either_direction);
}

bool Elite::contains(double cost, std::uint64_t hash) const {
  return std::any_of(order_.begin(), order_.end(),
                     [&](std::size_t s) { return same_cost(costs_[s], cost) && hashes_[s] == hash; });
}

bool Elite::good_enough(double cost) const {
  if (order_.size() < kEliteSize) {
    return true;
  }
  const double worst = costs_[order_.back()];
  return cost < worst || (rule_ == EliteRule::newest && cost == worst);
}

bool Elite::takes(double cost, std::uint64_t hash) const {
  return good_enough(cost) && (rule_ == EliteRule::paper || !contains(cost, hash));
}

void Elite::insert(const SampleSet& set, Index samples) {
  const bool distinct = rule_ != EliteRule::paper;
  const bool newest = rule_ == EliteRule::newest;
  std::vector<Index> candidates(static_cast<std::size_t>(samples));
  std::iota(candidates.begin(), candidates.end(), 0);
  std::stable_sort(candidates.begin(), candidates.end(), [&](Index a, Index b) {
    return set.costs[static_cast<std::size_t>(a)] < set.costs[static_cast<std::size_t>(b)];
  });
  for (const Index sample : candidates) {
    const double cost = set.costs[static_cast<std::size_t>(sample)];
    if (!good_enough(cost)) {
      break;
    }
    const std::size_t source = set.row(sample);
    const Index length = set.lengths[static_cast<std::size_t>(sample)];
    const std::uint64_t hash = distinct ? hash_of(set, sample) : 0;
    if (distinct && contains(cost, hash)) {
      continue;
    }
    std::size_t free_slot = order_.size();
    if (order_.size() == kEliteSize) {
      free_slot = order_.back();
      order_.pop_back();
    }
    const auto place = std::partition_point(order_.begin(), order_.end(), [&](std::size_t s) {
      return costs_[s] < cost || (!newest && costs_[s] == cost);
    });
    order_.insert(place, free_slot);
    costs_[free_slot] = cost;
    hashes_[free_slot] = hash;
    lengths_[free_slot] = length;
    std::copy_n(set.items.begin() + static_cast<std::ptrdiff_t>(source), length,
                items_.begin() + static_cast<std::ptrdiff_t>(free_slot * stride_));
    std::copy_n(set.variables.begin() + static_cast<std::ptrdiff_t>(source), length,
                variables_.begin() + static_cast<std::ptrdiff_t>(free_slot * stride_));
  }
}

std::vector<double> Elite::costs() const {
  std::vector<double> costs;
  for (const std::size_t s : order_) {
    costs.push_back(costs_[s]);
  }
  return costs;
}

double Elite::mean_cost() const {
  double sum = 0.0;
  for (const std::size_t s : order_) {
    sum += costs_[s];
  }
  return order_.empty() ? 0.0 : sum / static_cast<double>(order_.size());
}

std::span<const Index> Elite::items(Index rank) const {
  const std::size_t s = slot(rank);
  return {items_.data() + s * stride_, static_cast<std::size_t>(lengths_[s])};
}

std::span<const Index> Elite::variables(Index rank) const {
  const std::size_t s = slot(rank);
  return {variables_.data() + s * stride_, static_cast<std::size_t>(lengths_[s])};
}

void Elite::membership(std::span<std::uint32_t> mask, std::span<const Index> reverse) const {
  std::fill(mask.begin(), mask.end(), 0u);
  for (std::size_t rank = 0; rank < order_.size(); ++rank) {
    const std::size_t s = order_[rank];
    for (std::size_t t = 0; t < static_cast<std::size_t>(lengths_[s]); ++t) {
      const Index variable = variables_[s * stride_ + t];
      if (variable < 0) {
        continue;
      }
      mask[static_cast<std::size_t>(variable)] |= 1u << rank;
      if (!reverse.empty() && reverse[static_cast<std::size_t>(variable)] >= 0) {
        mask[static_cast<std::size_t>(reverse[static_cast<std::size_t>(variable)])] |= 1u << rank;
      }
    }
  }
}

}  // namespace moco::cpu
