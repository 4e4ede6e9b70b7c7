// What files call their nodes and cities.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "moco/types.h"

namespace moco {

/// The names as labels; none when they are not unique, or empty, or only the numbers 0 … n−1 in their order.
std::vector<std::string> usable_labels(std::vector<std::string> names);

/// The way from numbers of nodes to their labels and back. Without labels nodes are called by their numbers.
class NodeLabels {
 public:
  /// The labels must outlive this.
  explicit NodeLabels(std::span<const std::string> labels);

  /// Whether every label is a whole number, so that JSON need not quote it.
  bool are_numbers() const { return numbers_; }
  bool empty() const { return labels_.empty(); }
  /// What a node is called; numbers outside 0 … n−1 are called by themselves.
  std::string text(Index node) const;
  /// The node of a label, if there is one. Only where there are labels.
  std::optional<Index> node(std::string_view label) const;

 private:
  std::span<const std::string> labels_;
  std::unordered_map<std::string_view, Index> number_of_;
  bool numbers_ = true;
};

}  // namespace moco
