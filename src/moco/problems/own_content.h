// What problems make instances of.
#pragma once

#include <variant>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/problem.h"

namespace moco {

/// The points or the graph that a problem makes an instance of. Throws OptionError when the data is of the other kind.
template <typename Content>
Content& own_content(InstanceData& data, const Problem& problem) {
  auto* content = std::get_if<Content>(&data.content);
  if (content == nullptr) {
    throw OptionError(fmt::format("'{}' is no instance of {}", data.name, problem.name()));
  }
  return *content;
}

}  // namespace moco
