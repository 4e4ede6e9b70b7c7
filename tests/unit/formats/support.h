// Helpers for the tests of readers and writers.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "moco/error.h"
#include "moco/formats/formats.h"

namespace moco::test {

inline std::vector<InstanceData> parse(std::string_view content, InstanceFormat format,
                                       std::vector<std::string>* warnings = nullptr) {
  return parse_data(content, "in", {.format = format}, warnings).instances;
}

/// The message of the InputError that a call throws; a test failure when it throws none.
template <typename Call>
std::string input_error(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return {};
}

inline std::string parse_error(std::string_view content, InstanceFormat format) {
  SCOPED_TRACE(std::string(content.substr(0, 200)));
  return input_error([&] { parse(content, format); });
}

/// The content of the only instance of a file.
inline PointData parse_points(std::string_view content, InstanceFormat format) {
  return std::get<PointData>(parse(content, format).at(0).content);
}
inline GraphData parse_graph(std::string_view content, InstanceFormat format,
                             std::vector<std::string>* warnings = nullptr) {
  return std::get<GraphData>(parse(content, format, warnings).at(0).content);
}

/// The edges (u, v) with u ≤ v in ascending order.
inline std::vector<std::pair<Index, Index>> edges_of(const GraphData& graph) {
  std::vector<std::pair<Index, Index>> edges;
  for (const auto& [u, v] : graph.edges) {
    edges.emplace_back(std::min(u, v), std::max(u, v));
  }
  std::ranges::sort(edges);
  return edges;
}

}  // namespace moco::test
