// The neighbourhoods of the local searches by their definition, scanned without any cleverness: what is left to gain.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "moco/problems/decision_graph.h"
#include "moco/problems/tsp/fixed_edges.h"

namespace moco::test {

/// Scans moves on a tour that begin by replacing an edge {a, p} by a shorter one from a to a candidate neighbour c.
class TourScan {
 public:
  TourScan(const DecisionGraph& graph, const std::vector<Index>& tour)
      : graph_(graph), instance_(dynamic_cast<const TspInstance&>(*graph.instance)), tour_(tour) {}

  /// Largest gain of any 2-opt move, relative to the lengths it changes.
  double two_opt() const {
    double best = 0.0;
    const std::size_t n = tour_.size();
    for (std::size_t i = 0; graph_.symmetric && i + 1 < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {  // reverse positions i … j
        if (j - i + 2 > n) {
          continue;
        }
        const Index before = tour_[(i + n - 1) % n];
        const Index after = tour_[(j + 1) % n];
        if (before == tour_[j] || after == tour_[i]) {
          continue;
        }
        if (starts(before, tour_[i], tour_[j]) || starts(tour_[i], before, after) || starts(tour_[j], after, before) ||
            starts(after, tour_[j], tour_[i])) {
          best = std::max(best, gain({{before, tour_[i]}, {tour_[j], after}}, {{before, tour_[j]}, {tour_[i], after}}));
        }
      }
    }
    return best;
  }

  /// Same for moving a segment of 1 … `longest` cities elsewhere. `ends_near`: the segment's other end must become a
  /// candidate neighbour's neighbour too, at a length that leaves a gain.
  double segment_moves(std::size_t longest, bool ends_near) const {
    double best = 0.0;
    const std::size_t n = tour_.size();
    for (std::size_t length = 1; length <= longest && length + 3 <= n; ++length) {
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<Index> rest;
        for (std::size_t s = length; s < n; ++s) {
          rest.push_back(tour_[(i + s) % n]);
        }
        const Index first = tour_[i];
        const Index last = tour_[(i + length - 1) % n];
        const Index before = rest.back();
        const Index after = rest.front();
        for (std::size_t gap = 0; gap + 1 < rest.size(); ++gap) {  // between rest[gap] and the next
          for (const bool turned : {false, true}) {
            if (turned && !graph_.symmetric) {
              continue;
            }
            const Index left = rest[gap];
            const Index right = rest[gap + 1];
            const Index by_left = turned ? last : first;
            const Index by_right = turned ? first : last;
            const Index old_left = turned ? after : before;
            const Index old_right = turned ? before : after;
            if (allowed({by_left, old_left, left, right, by_right, old_right}, true, ends_near) ||
                allowed({by_right, old_right, right, left, by_left, old_left}, false, ends_near)) {
              best = std::max(best, gain({{before, first}, {last, after}, {left, right}},
                                         {{before, after}, {left, by_left}, {by_right, right}}));
            }
          }
        }
      }
    }
    return best;
  }

 private:
  struct Arc {
    Index from;
    Index to;
  };

  double distance(Index from, Index to) const { return instance_.distance(from, to); }

  bool near(Index city, Index other) const {
    const auto row = graph_.targets.begin() + static_cast<std::ptrdiff_t>(city) * graph_.degree;
    return std::find(row, row + graph_.degree, other) != row + graph_.degree;
  }
  /// The edge a–p may be replaced by a–c (symmetric instances).
  bool starts(Index a, Index p, Index c) const { return near(a, c) && distance(a, c) < distance(a, p); }
  /// Roles of cities in a segment move: a, at one end of the segment, leaves p and joins c; e, at the other end, leaves
  /// q and joins c's neighbour d.
  struct Roles {
    Index a, p, c, d, e, q;
  };
  /// Whether the edge to c is shorter than the one to p, and with `ends_near` that to e than what is gained before it.
  /// `arriving`: the direction of the tour goes from c to a.
  bool allowed(const Roles& r, bool arriving, bool ends_near) const {
    const auto length = [&](Index x, Index y) { return arriving ? distance(x, y) : distance(y, x); };
    const double gained = length(r.p, r.a) - length(r.c, r.a);
    return near(r.a, r.c) && gained > 0.0 &&
           (!ends_near || (near(r.d, r.e) && r.q != r.d && length(r.e, r.d) < gained + length(r.c, r.d)));
  }

  double gain(const std::vector<Arc>& removed, const std::vector<Arc>& added) const {
    double gain = 0.0;
    double magnitude = 0.0;
    for (const Arc& arc : removed) {
      if (FixedEdges(instance_.fixed_partners()).has(arc.from, arc.to)) {
        return 0.0;
      }
      gain += distance(arc.from, arc.to);
      magnitude += std::abs(distance(arc.from, arc.to));
    }
    for (const Arc& arc : added) {
      gain -= distance(arc.from, arc.to);
      magnitude += std::abs(distance(arc.from, arc.to));
    }
    return magnitude > 0.0 ? gain / magnitude : 0.0;
  }

  const DecisionGraph& graph_;
  const TspInstance& instance_;
  const std::vector<Index>& tour_;
};

/// Whether an independent set could grow by a swap: one node gives way to two others that are more or weigh more, or,
/// where nodes have weights, some nodes to one that weighs more. Gains that rounding of the weights hides do not count.
inline bool has_swap(const DecisionGraph& graph, const std::vector<Index>& set) {
  const auto given = dynamic_cast<const GraphInstance&>(*graph.instance).weights();
  const bool weighted = !given.empty();
  const auto weight = [&](Index node) { return weighted ? given[static_cast<std::size_t>(node)] : 1.0; };
  std::vector<int> tightness(static_cast<std::size_t>(graph.nodes), 0);
  std::vector<double> inside(static_cast<std::size_t>(graph.nodes), 0.0);
  std::vector<bool> chosen(static_cast<std::size_t>(graph.nodes), false);
  double total = 0.0;
  for (const Index node : set) {
    chosen[static_cast<std::size_t>(node)] = true;
    for (const Index other : neighbours_of(graph, node)) {
      ++tightness[static_cast<std::size_t>(other)];
      inside[static_cast<std::size_t>(other)] += weight(node);
    }
  }
  for (Index node = 0; node < graph.nodes; ++node) {
    total += weight(node);
  }
  const double hidden = std::max(1e-12 * total, 1e-300);
  for (Index node = 0; weighted && node < graph.nodes; ++node) {
    if (!chosen[static_cast<std::size_t>(node)] && weight(node) > inside[static_cast<std::size_t>(node)] + hidden) {
      return true;
    }
  }
  for (const Index node : set) {
    for (const Index one : neighbours_of(graph, node)) {
      for (const Index two : neighbours_of(graph, node)) {
        const auto row = neighbours_of(graph, one);
        if (one < two && tightness[static_cast<std::size_t>(one)] == 1 &&
            tightness[static_cast<std::size_t>(two)] == 1 && weight(one) + weight(two) > weight(node) + hidden &&
            std::find(row.begin(), row.end(), two) == row.end()) {
          return true;
        }
      }
    }
  }
  return false;
}

}  // namespace moco::test
