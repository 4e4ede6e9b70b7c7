// Local search on an independent set: (1,2)-swaps, which take one node out and put two in (Andrade, Resende, Werneck:
// "Fast local search for the maximum independent set problem", J. Heuristics 2012), until none is left; then, if asked
// for, plateau swaps of one node for another, each followed by (1,2)-swaps. When several of them in a row lead nowhere,
// a node takes the place of two, and the search goes on from the smaller set; the largest set seen counts. One
// definition for all engines.
//
// Where nodes have weights, a swap must make the set heavier, and there are (ω,1)-swaps too: a node enters for all its
// neighbours in the set when it weighs more than they do (Nogueira, Pinheiro, Subramanian: "A hybrid iterated local
// search heuristic for the maximum weight independent set problem", Optimization Letters 2018). Plateau swaps then put
// a node in whatever it weighs, and the swaps that follow decide whether it stays; the heaviest set seen counts.
//
// A node outside the set knows how many of its neighbours are inside (tightness) and the exclusive or of their numbers,
// which is the neighbour itself when it is the only one. A swap at x needs two non-adjacent neighbours of tightness 1.
#pragma once

#include "moco/core/work_queue.h"
#include "moco/problems/mis/set_workspace.h"

namespace moco {

template <typename Team, typename Offset, typename Weights = UnitWeights>
class SetSearch {
 public:
  MOCO_TEAM_CODE SetSearch(const Team& team, const SetGraph<Offset>& graph, const SetSearchLimits& limits,
                           const SetWorkspace& work, const Weights& weights = {})
      : team_(team),
        graph_(graph),
        limits_(limits),
        work_(work),
        weights_(weights),
        queue_(team, graph.nodes, work.queue, work.queued) {}

  /// Improves the set items[0 … count−1], after adding what is free; `stop` is asked before every node. Returns the
  /// number of swaps made.
  template <typename Stop>
  MOCO_TEAM_CODE int run(const int* items, int count, const Stop& stop) {
    for (int i = team_.lane(); i < graph_.nodes; i += Team::width) {
      work_.tightness[i] = 0;
      work_.inside[i] = 0;
      work_.chosen[i] = 0;
      weights_.clear(i);
    }
    team_.sync();
    for (int i = 0; i < count; ++i) {
      insert(items[i]);
    }
    insert_free(graph_.nodes, [](int i) { return i; });
    push_heavy(graph_.nodes, [](int i) { return i; });
    swap_all(stop);
    if (limits_.plateau_steps > 0) {
      explore(stop);
    }
    return made_;
  }

  /// Writes the set in ascending order; returns its size.
  MOCO_TEAM_CODE int write(int* items) const {
    return gather(
        graph_.nodes, [](int i) { return i; }, [&](int node) { return work_.chosen[node] != 0; }, items);
  }

  /// Size or weight of the set.
  MOCO_TEAM_CODE typename Weights::Total total() const { return total_; }

 private:
  static constexpr int kPatience = 4;  ///< plateau swaps in vain before a node takes the place of two

  /// Plateau swaps; ends with the best set seen.
  template <typename Stop>
  MOCO_TEAM_CODE void explore(const Stop& stop) {
    auto best = total_;
    int cursor = 0;  // goes round all nodes before one is taken again
    int in_vain = 0;
    keep();
    for (int step = 0; step < limits_.plateau_steps && !exhausted() && !stop(); ++step) {
      const bool lossy = in_vain >= kPatience && total_ == best;
      int node = next_of_tightness(lossy ? 2 : 1, cursor);
      if (node < 0) {
        node = next_of_tightness(lossy ? 1 : 2, cursor);
      }
      if (node < 0) {
        break;
      }
      cursor = wrapped(node + 1);
      replace_neighbours(node);
      swap_all(stop);
      const bool grew = total_ > best;
      in_vain = grew || lossy ? 0 : in_vain + 1;
      if (grew) {
        best = total_;
        keep();
      }
    }
    if (total_ < best) {
      copy_set(work_.kept, work_.chosen);
      total_ = best;
    }
  }

  /// The first node from `cursor` on, round all nodes, with so many neighbours in the set; −1: none.
  MOCO_TEAM_CODE int next_of_tightness(int tightness, int cursor) const {
    const TeamChoice found = choose(team_, graph_.nodes, true, [&](int i) {
      const int node = wrapped(cursor + i);
      return work_.tightness[node] == tightness && work_.chosen[node] == 0 ? 1.0f : 0.0f;
    });
    return found.number < 0 ? -1 : wrapped(cursor + found.number);
  }

  /// A node takes the place of its one or two neighbours in the set.
  MOCO_TEAM_CODE void replace_neighbours(int node) {
    const int* row = neighbours(node);
    const bool single = work_.tightness[node] == 1;
    const int one = single ? work_.inside[node] : row[choose(team_, degree(node), true, [&](int i) {
                                                        return work_.chosen[row[i]] != 0 ? 1.0f : 0.0f;
                                                      }).number];
    const int other = single ? -1 : work_.inside[node] ^ one;
    remove(one);
    if (!single) {
      remove(other);
    }
    insert(node);
    take_in(one);
    if (!single) {
      take_in(other);
    }
  }

  /// After `left` left the set: what became free enters, and nodes whose surroundings became looser are looked at
  /// again.
  MOCO_TEAM_CODE void take_in(int left) {
    const int* row = neighbours(left);
    insert_free(degree(left), [&](int i) { return row[i]; });
    look_around(left);
  }

  MOCO_TEAM_CODE void keep() { copy_set(work_.chosen, work_.kept); }
  MOCO_TEAM_CODE void copy_set(const unsigned char* from, unsigned char* to) {
    team_.sync();
    for (int i = team_.lane(); i < graph_.nodes; i += Team::width) {
      to[i] = from[i];
    }
    team_.sync();
  }

  MOCO_TEAM_CODE bool exhausted() const { return limits_.moves > 0 && made_ >= limits_.moves; }
  MOCO_TEAM_CODE int wrapped(int node) const { return node >= graph_.nodes ? node - graph_.nodes : node; }
  MOCO_TEAM_CODE bool is_free(int node) const { return work_.tightness[node] == 0 && work_.chosen[node] == 0; }
  MOCO_TEAM_CODE bool is_loose(int node) const { return work_.tightness[node] == 1 && work_.chosen[node] == 0; }
  /// Whether a node outside weighs more than its neighbours in the set.
  MOCO_TEAM_CODE bool is_heavy(int node) const { return work_.chosen[node] == 0 && weights_.outweighs(node); }
  MOCO_TEAM_CODE int degree(int node) const {
    return static_cast<int>(graph_.offsets[node + 1] - graph_.offsets[node]);
  }
  MOCO_TEAM_CODE const int* neighbours(int node) const { return graph_.targets + graph_.offsets[node]; }

  MOCO_TEAM_CODE bool adjacent(int node, int other) const {
    const int* row = neighbours(node);
    int low = 0;
    int high = degree(node);
    while (low < high) {
      const int middle = (low + high) / 2;
      if (row[middle] < other) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < degree(node) && row[low] == other;
  }

  /// Lists, in order, those of node_of(0), …, node_of(count−1) that are to be kept; returns how many.
  template <typename NodeOf, typename Keep>
  MOCO_TEAM_CODE int gather(int count, const NodeOf& node_of, const Keep& keep, int* list) const {
    int size = 0;
    for (int base = 0; base < count; base += Team::width) {
      const int i = base + team_.lane();
      const int node = i < count ? node_of(i) : 0;
      const bool kept = i < count && keep(node);
      int total = 0;
      const int rank = team_.rank(kept, total);
      if (kept) {
        list[size + rank] = node;
      }
      size += total;
    }
    team_.sync();
    return size;
  }

  /// Puts a node in or out and tells its neighbours.
  MOCO_TEAM_CODE void set(int node, bool in) {
    team_.sync();
    if (team_.lane() == 0) {
      work_.chosen[node] = in ? 1 : 0;
    }
    const int* row = neighbours(node);
    const int count = degree(node);
    for (int i = team_.lane(); i < count; i += Team::width) {
      work_.tightness[row[i]] += in ? 1 : -1;
      work_.inside[row[i]] ^= node;
      weights_.change(row[i], node, in);
    }
    team_.sync();
  }
  MOCO_TEAM_CODE void insert(int node) {
    set(node, true);
    total_ += weights_.of(node);
    queue_.push(node);
  }
  MOCO_TEAM_CODE void remove(int node) {
    set(node, false);
    total_ -= weights_.of(node);
  }

  /// Inserts what is free among node_of(0), …, node_of(count−1), in order.
  template <typename NodeOf>
  MOCO_TEAM_CODE void insert_free(int count, const NodeOf& node_of) {
    const int size = gather(
        count, node_of, [&](int node) { return is_free(node); }, work_.loose);
    for (int i = 0; i < size; ++i) {
      const int node = work_.loose[i];
      if (is_free(node)) {
        insert(node);
      }
    }
  }

  /// After `left` left the set: nodes in the set whose surroundings became looser are looked at again.
  MOCO_TEAM_CODE void look_around(int left) {
    const int* row = neighbours(left);
    const int size = gather(
        degree(left), [&](int i) { return row[i]; }, [&](int node) { return is_loose(node); }, work_.loose);
    for (int i = 0; i < size; ++i) {
      queue_.push(work_.inside[work_.loose[i]]);
    }
    push_heavy(degree(left), [&](int i) { return row[i]; });
    push_heavy(1, [&](int) { return left; });
  }

  /// Nodes among node_of(0), …, node_of(count−1) that weigh more than their neighbours in the set are looked at.
  template <typename NodeOf>
  MOCO_TEAM_CODE void push_heavy(int count, const NodeOf& node_of) {
    if constexpr (Weights::weighted) {
      const int size = gather(
          count, node_of, [&](int node) { return is_heavy(node); }, work_.loose);
      for (int i = 0; i < size; ++i) {
        queue_.push(work_.loose[i]);
      }
    }
  }

  /// A node enters for its neighbours in the set if it weighs more than they do.
  MOCO_TEAM_CODE bool enter(int node) {
    if constexpr (Weights::weighted) {
      if (is_heavy(node)) {
        const int* row = neighbours(node);
        const int size = gather(
            degree(node), [&](int i) { return row[i]; }, [&](int other) { return work_.chosen[other] != 0; },
            weights_.leaving);
        for (int i = 0; i < size; ++i) {
          remove(weights_.leaving[i]);
        }
        insert(node);
        for (int i = 0; i < size; ++i) {
          take_in(weights_.leaving[i]);
        }
        return true;
      }
    }
    return false;
  }

  /// Makes the first swap there is at a node, if there is one.
  MOCO_TEAM_CODE bool swap_at(int node) {
    const int* row = neighbours(node);
    const int size = gather(
        degree(node), [&](int i) { return row[i]; }, [&](int other) { return is_loose(other); }, work_.loose);
    for (int i = 0; i + 1 < size; ++i) {
      const int one = work_.loose[i];
      const int* rest = work_.loose + i + 1;
      const TeamChoice found = choose(team_, size - i - 1, true, [&](int j) {
        return !weights_.outweigh(one, rest[j], node) || adjacent(one, rest[j]) ? 0.0f : 1.0f;
      });
      if (found.number >= 0) {
        const int two = rest[found.number];
        remove(node);
        insert(one);
        insert(two);
        take_in(node);
        return true;
      }
    }
    return false;
  }

  template <typename Stop>
  MOCO_TEAM_CODE void swap_all(const Stop& stop) {
    while (!queue_.empty() && !exhausted() && !stop()) {
      const int node = queue_.pop();
      if (work_.chosen[node] != 0 ? swap_at(node) : enter(node)) {
        ++made_;
      }
    }
  }

  Team team_;
  SetGraph<Offset> graph_;
  SetSearchLimits limits_;
  SetWorkspace work_;
  Weights weights_;
  WorkQueue<Team> queue_;
  typename Weights::Total total_ = 0;  ///< size or weight of the set
  int made_ = 0;
};

}  // namespace moco
