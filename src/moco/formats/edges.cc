// Sorting and joining of edges.
#include "moco/formats/edges.h"

#include <algorithm>
#include <tuple>

namespace moco {

namespace {

struct Entry {
  Index low = 0;
  Index high = 0;
  bool down = false;  ///< given from the higher end to the lower one
  std::size_t at = 0;

  bool joins(const Entry& other) const { return low == other.low && high == other.high; }
};

std::vector<Entry> sorted_entries(std::span<const Edge> edges) {
  std::vector<Entry> entries;
  entries.reserve(edges.size());
  for (const auto& [u, v] : edges) {
    entries.push_back({std::min(u, v), std::max(u, v), u > v, entries.size()});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.low, a.high, a.down, a.at) < std::tie(b.low, b.high, b.down, b.at);
  });
  return entries;
}

}  // namespace

JoinedEdges join_directions(const EdgeList& list) {
  JoinedEdges joined;
  const std::vector<Entry> entries = sorted_entries(list.edges);
  const auto append = [&](const Entry& entry) {
    joined.list.edges.push_back({entry.low, entry.high});
    if (!list.weights.empty()) {
      joined.list.weights.push_back(list.weights[entry.at]);
    }
  };
  for (auto begin = entries.begin(); begin != entries.end();) {
    const auto end = std::find_if(begin, entries.end(), [&](const Entry& entry) { return !entry.joins(*begin); });
    const auto middle = std::find_if(begin, end, [](const Entry& entry) { return entry.down; });
    const bool loop = begin->low == begin->high;
    if (!loop && !joined.one_way && (middle == begin || middle == end)) {
      joined.one_way = list.edges[begin->at];
    }
    if (middle - begin >= end - middle) {
      std::for_each(begin, middle, append);
    } else {
      std::for_each(middle, end, append);
    }
    if (!loop && !list.weights.empty() && middle != begin && middle != end &&
        list.weights[begin->at] != list.weights[middle->at]) {
      ++joined.conflicts;
    }
    begin = end;
  }
  return joined;
}

EdgeList simple_edges(const GraphData& graph) {
  EdgeList simple;
  std::vector<Entry> entries = sorted_entries(graph.edges);
  std::erase_if(entries, [](const Entry& entry) { return entry.low == entry.high; });
  for (auto begin = entries.begin(); begin != entries.end();) {
    const auto end = std::find_if(begin, entries.end(), [&](const Entry& entry) { return !entry.joins(*begin); });
    const auto first = std::min_element(begin, end, [](const Entry& a, const Entry& b) { return a.at < b.at; });
    simple.edges.push_back({begin->low, begin->high});
    if (!graph.edge_weights.empty()) {
      simple.weights.push_back(graph.edge_weights[first->at]);
    }
    begin = end;
  }
  return simple;
}

}  // namespace moco
