// The best set that an iterated search has seen, remembered as what has changed since: a search that finds better ones
// again and again, as with real weights, copies none of them.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "moco/problems/mis/set_state.h"

namespace moco {

class BestSet {
 public:
  /// The present set is the best one.
  void is_now() {
    known_ = false;
    changed_.clear();
  }

  /// Nodes entered the present set, or left it.
  void changed(const SetJournal& journal, std::span<const Index> present) {
    if (known_) {
      return;
    }
    for (const auto& [node, entered] : journal) {
      changed_.push_back(node);
    }
    if (changed_.size() > present.size()) {  // from here on a copy costs less than the changes
      make_known(present);
    }
  }

  /// Its nodes in ascending order.
  const std::vector<Index>& nodes(std::span<const Index> present) {
    if (!known_) {
      make_known(present);
    }
    return nodes_;
  }

 private:
  /// A node is in only one of the two sets if it changed an odd number of times.
  void make_known(std::span<const Index> present) {
    std::ranges::sort(changed_);
    std::vector<Index> odd;
    for (const Index node : changed_) {
      if (!odd.empty() && odd.back() == node) {
        odd.pop_back();
      } else {
        odd.push_back(node);
      }
    }
    std::vector<Index> sorted(present.begin(), present.end());
    std::ranges::sort(sorted);
    nodes_.clear();
    std::ranges::set_symmetric_difference(sorted, odd, std::back_inserter(nodes_));
    known_ = true;
  }

  bool known_ = false;          ///< `nodes_` are the best set's
  std::vector<Index> changed_;  ///< otherwise: nodes that entered or left since
  std::vector<Index> nodes_;
};

}  // namespace moco
