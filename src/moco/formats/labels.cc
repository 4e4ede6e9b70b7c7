// Labels and their numbers.
#include "moco/formats/labels.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "moco/formats/text.h"

namespace moco {

std::vector<std::string> usable_labels(std::vector<std::string> names) {
  bool numbered = true;
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    numbered = numbered && names[i] == fmt::format("{}", i);
    if (names[i].empty() || !seen.insert(names[i]).second) {
      return {};
    }
  }
  if (numbered) {
    names.clear();
  }
  return names;
}

NodeLabels::NodeLabels(std::span<const std::string> labels) : labels_(labels) {
  number_of_.reserve(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    number_of_.emplace(labels[i], static_cast<Index>(i));
    const auto number = parse_integer(labels[i]);
    numbers_ = numbers_ && number && fmt::format("{}", *number) == labels[i];
  }
}

std::string NodeLabels::text(Index node) const {
  const bool known = node >= 0 && static_cast<std::size_t>(node) < labels_.size();
  return known ? labels_[static_cast<std::size_t>(node)] : fmt::format("{}", node);
}

std::optional<Index> NodeLabels::node(std::string_view label) const {
  const auto known = number_of_.find(label);
  return known == number_of_.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace moco
