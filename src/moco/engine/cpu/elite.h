// The L = 32 best solutions of a trajectory, best first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moco/model.h"
#include "moco/policy/construction.h"

namespace moco::cpu {

/// What makes a solution itself: the variables it sets, or the edges it passes in either direction.
enum class Identity { variables, either_direction };

class Elite {
 public:
  /// Unless the rule is the paper's, a solution that is the same (policy/solution_identity.h) as one in the elite is
  /// not taken again.
  Elite(Index stride, EliteRule rule, Identity identity);

  void clear();
  /// Takes the samples that are among the best 32 of old and new. Ties go to the older solution, then to the lower
  /// sample; by the rule `newest` the other way round.
  void insert(const SampleSet& set, Index samples);

  /// Whether a solution of this cost and hash (policy/solution_identity.h) would be taken.
  bool takes(double cost, std::uint64_t hash) const;

  Index size() const { return static_cast<Index>(order_.size()); }
  double cost(Index rank) const { return costs_[slot(rank)]; }
  std::vector<double> costs() const;
  double mean_cost() const;  ///< 0 for an empty elite
  std::span<const Index> items(Index rank) const;
  std::span<const Index> variables(Index rank) const;  ///< −1 for none
  /// Sets bit l of mask[v] when variable v, or the one of which it is the reverse, is part of the l-th best solution;
  /// all other bits become 0. `reverse` may be empty.
  void membership(std::span<std::uint32_t> mask, std::span<const Index> reverse) const;

 private:
  std::size_t slot(Index rank) const { return order_[static_cast<std::size_t>(rank)]; }
  std::uint64_t hash_of(const SampleSet& set, Index sample) const;
  bool good_enough(double cost) const;
  bool contains(double cost, std::uint64_t hash) const;

  std::size_t stride_;
  EliteRule rule_;
  Identity identity_;
  std::vector<std::size_t> order_;     ///< slots, best first
  std::vector<double> costs_;          ///< [slots]
  std::vector<std::uint64_t> hashes_;  ///< [slots]; not by the paper's rule
  std::vector<Index> lengths_;         ///< [slots]
  std::vector<Index> items_;           ///< [slots × stride]
  std::vector<Index> variables_;       ///< [slots × stride]
};

}  // namespace moco::cpu
