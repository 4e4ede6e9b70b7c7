// Nodes in JSON: by their labels where they have some, as numbers where all of these are numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "moco/core/json_integer.h"
#include "moco/formats/labels.h"
#include "moco/formats/text.h"

namespace moco {

/// A list of nodes, for any flavour of the library's json.
template <typename Json>
Json json_of_nodes(const std::vector<Index>& nodes, const NodeLabels& labels) {
  if (labels.empty()) {
    return nodes;
  }
  Json list = Json::array();
  for (const Index node : nodes) {
    const std::string text = labels.text(node);
    const auto number = labels.are_numbers() ? parse_integer(text) : std::nullopt;
    list.push_back(number ? Json(*number) : Json(text));
  }
  return list;
}

/// The node that an item of such a list means; nothing when it means none.
template <typename Json>
std::optional<Index> node_of_json(const Json& item, const NodeLabels& labels) {
  if (labels.empty()) {
    return holds_integer<Index>(item) ? std::optional(item.template get<Index>()) : std::nullopt;
  }
  if (item.is_string()) {
    return labels.node(item.template get<std::string>());
  }
  return item.is_number_integer() ? labels.node(item.dump()) : std::nullopt;
}

}  // namespace moco
