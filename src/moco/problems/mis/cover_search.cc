// Every change of a node goes over its edges once.
#include "moco/problems/mis/cover_search.h"

#include <algorithm>
#include <limits>

namespace moco {

namespace {

constexpr double kStepsPerEdge = 8.0;
constexpr double kMostMeanWeight = 0.5;  // per node
constexpr double kRemembered = 0.3;      // share of the weights

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

double edges_of(const DecisionGraph& graph) {
  return 0.5 * static_cast<double>(graph.targets.size());
}

}  // namespace

bool CoverSearch::suits(const DecisionGraph& graph, double steps) {
  const double edges = edges_of(graph);
  return edges > 0.0 && steps >= kStepsPerEdge * edges &&
         edges * graph.nodes < static_cast<double>(std::numeric_limits<std::int32_t>::max());
}

/// By times measured on random graphs of 750 to 10 000 nodes and degrees from 20 to 200.
double CoverSearch::step_in_kicks(const DecisionGraph& graph) {
  const double degree = 2.0 * edges_of(graph) / graph.nodes;
  return (0.2 + 0.0005 * graph.nodes + 0.005 * degree) / (0.4 + 0.016 * degree);
}

void CoverSearch::Bag::add(Index number) {
  place_[at(number)] = static_cast<Index>(numbers_.size());
  numbers_.push_back(number);
}

void CoverSearch::Bag::remove(Index number) {
  const Index last = numbers_.back();
  numbers_[at(place_[at(number)])] = last;
  place_[at(last)] = place_[at(number)];
  numbers_.pop_back();
}

CoverSearch::CoverSearch(const DecisionGraph& graph, const std::vector<Index>& set, StreamKey key)
    : graph_(graph),
      random_(key, Purpose::cover),
      edge_at_(graph.targets.size()),
      gain_(at(graph.nodes), 0),
      since_(at(graph.nodes), 0),
      in_cover_(at(graph.nodes), 0),
      may_enter_(at(graph.nodes), 1),
      cover_(at(graph.nodes)),
      uncovered_(graph.targets.size() / 2),
      best_(set) {
  std::vector<Offset> next(graph.offsets.begin(), graph.offsets.end() - 1);
  for (Index node = 0; node < graph.nodes; ++node) {
    for (const Index other : neighbours_of(graph, node)) {
      if (node < other) {
        const auto edge = static_cast<Index>(ends_.size());
        ends_.emplace_back(node, other);
        edge_at_[static_cast<std::size_t>(next[at(node)]++)] = edge;
        edge_at_[static_cast<std::size_t>(next[at(other)]++)] = edge;
      }
    }
  }
  weight_.assign(ends_.size(), 1);
  total_weight_ = static_cast<std::int64_t>(ends_.size());
  for (std::size_t edge = 0; edge < ends_.size(); ++edge) {
    uncovered_.add(static_cast<Index>(edge));
    ++gain_[at(ends_[edge].first)];
    ++gain_[at(ends_[edge].second)];
  }
  std::vector<char> in_set(at(graph.nodes), 0);
  for (const Index node : set) {
    in_set[at(node)] = 1;
  }
  for (Index node = 0; node < graph.nodes; ++node) {
    if (in_set[at(node)] == 0) {
      enter(node);
    }
  }
  shrink();
}

/// Takes nodes away until an edge is uncovered; one node is as small as a cover can be.
void CoverSearch::shrink() {
  while (uncovered_.numbers().empty()) {
    keep_best();
    if (cover_.numbers().size() <= 1) {
      return;
    }
    leave(cheapest());
  }
}

bool CoverSearch::step() {
  if (uncovered_.numbers().empty()) {
    return false;
  }
  ++steps_;
  const Index left = cheapest();
  leave(left);
  may_enter_[at(left)] = 0;
  since_[at(left)] = steps_;
  const auto drawn = random_.next_below(static_cast<std::uint32_t>(uncovered_.numbers().size()));
  const Index entered = endpoint_for(uncovered_.numbers()[drawn]);
  enter(entered);
  since_[at(entered)] = steps_;
  last_ = entered;
  gain_weight();
  shrink();
  return true;
}

template <typename Body>
void CoverSearch::for_edges(Index node, const Body& body) const {
  const auto end = static_cast<std::size_t>(graph_.offsets[at(node) + 1]);
  for (auto k = static_cast<std::size_t>(graph_.offsets[at(node)]); k < end; ++k) {
    body(at(graph_.targets[k]), edge_at_[k]);
  }
}

void CoverSearch::enter(Index node) {
  in_cover_[at(node)] = 1;
  gain_[at(node)] = -gain_[at(node)];
  cover_.add(node);
  for_edges(node, [&](std::size_t other, Index edge) {
    if (in_cover_[other] != 0) {
      gain_[other] += weight_[at(edge)];  // it is no longer alone on the edge
    } else {
      gain_[other] -= weight_[at(edge)];
      may_enter_[other] = 1;
      uncovered_.remove(edge);
    }
  });
}

void CoverSearch::leave(Index node) {
  in_cover_[at(node)] = 0;
  gain_[at(node)] = -gain_[at(node)];
  cover_.remove(node);
  for_edges(node, [&](std::size_t other, Index edge) {
    if (in_cover_[other] != 0) {
      gain_[other] -= weight_[at(edge)];
    } else {
      gain_[other] += weight_[at(edge)];
      may_enter_[other] = 1;
      uncovered_.add(edge);
    }
  });
}

/// The node that the cover can do without best, but not the last that entered, if there is another.
Index CoverSearch::cheapest() const {
  Index best = -1;
  for (const Index node : cover_.numbers()) {
    if (node == last_) {
      continue;
    }
    if (best < 0 || gain_[at(node)] > gain_[at(best)] ||
        (gain_[at(node)] == gain_[at(best)] && since_[at(node)] < since_[at(best)])) {
      best = node;
    }
  }
  return best < 0 ? last_ : best;
}

/// The one that may enter and covers more; one of them always may.
Index CoverSearch::endpoint_for(Index edge) const {
  const auto [one, two] = ends_[at(edge)];
  if (may_enter_[at(one)] == 0) {
    return two;
  }
  if (may_enter_[at(two)] == 0) {
    return one;
  }
  if (gain_[at(one)] != gain_[at(two)]) {
    return gain_[at(one)] > gain_[at(two)] ? one : two;
  }
  return since_[at(one)] < since_[at(two)] ? one : two;
}

void CoverSearch::gain_weight() {
  for (const Index edge : uncovered_.numbers()) {
    ++weight_[at(edge)];
    ++gain_[at(ends_[at(edge)].first)];
    ++gain_[at(ends_[at(edge)].second)];
  }
  total_weight_ += static_cast<std::int64_t>(uncovered_.numbers().size());
  if (static_cast<double>(total_weight_) > kMostMeanWeight * graph_.nodes * static_cast<double>(ends_.size())) {
    forget();
  }
}

void CoverSearch::forget() {
  total_weight_ = 0;
  std::ranges::fill(gain_, 0);
  for (std::size_t edge = 0; edge < ends_.size(); ++edge) {
    weight_[edge] = static_cast<std::int32_t>(kRemembered * weight_[edge]);
    total_weight_ += weight_[edge];
    const auto [one, two] = ends_[edge];
    const int covers = in_cover_[at(one)] + in_cover_[at(two)];
    if (covers == 0) {
      gain_[at(one)] += weight_[edge];
      gain_[at(two)] += weight_[edge];
    } else if (covers == 1) {
      gain_[at(in_cover_[at(one)] != 0 ? one : two)] -= weight_[edge];
    }
  }
}

void CoverSearch::keep_best() {
  const std::size_t size = at(graph_.nodes) - cover_.numbers().size();
  if (size <= best_.size()) {
    return;
  }
  best_.clear();
  for (Index node = 0; node < graph_.nodes; ++node) {
    if (in_cover_[at(node)] == 0) {
      best_.push_back(node);
    }
  }
}

}  // namespace moco
