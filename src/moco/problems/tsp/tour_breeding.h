// A population of tours under edge assembly: each takes over from another one what makes it shorter, until a generation
// brings nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "moco/problems/tsp/edge_assembly.h"
#include "moco/problems/tsp/tour_pool.h"

namespace moco {

template <typename Distance>
class TourBreeding {
 public:
  TourBreeding(int n, const Distance& distance, const TourNeighbours& neighbours, FixedEdges fixed, double least_gain,
               const PoolEntry& entry)
      : assembly_(n, distance, neighbours, fixed, least_gain), pool_(entry.pool()), search_(entry.number()) {}

  std::size_t size() const { return tours_.size(); }
  void clear() {
    tours_.clear();
    lengths_.clear();
  }
  void add(const std::vector<Index>& order, double length) {
    TourLinks& links = tours_.emplace_back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      links[static_cast<std::size_t>(order[i])] = {order[i == 0 ? order.size() - 1 : i - 1],
                                                   order[i + 1 == order.size() ? 0 : i + 1]};
    }
    lengths_.push_back(length);
    if (length < lengths_[best_] || tours_.size() == 1) {
      best_ = tours_.size() - 1;
    }
  }
  double best_length() const { return lengths_[best_]; }
  std::vector<Index> best() const {
    const TourLinks& links = tours_[best_];
    std::vector<Index> order(links.size());
    Index before = links[0][0];
    Index city = 0;
    for (Index& place : order) {
      place = city;
      const auto& [one, other] = links[static_cast<std::size_t>(city)];
      const Index next = one == before ? other : one;
      before = city;
      city = next;
    }
    return order;
  }

  /// Generations until two have brought nothing, or `go_on`, asked after every exchange tried, says no.
  template <typename GoOn>
  void breed(RandomSequence& random, const GoOn& go_on) {
    if (pool_ != nullptr) {
      pool_->reset(search_, tours_.size());
      for (std::size_t i = 0; i < tours_.size(); ++i) {
        pool_->show(search_, i, tours_[i]);
      }
    }
    std::vector<std::size_t> turn(tours_.size());
    std::iota(turn.begin(), turn.end(), std::size_t{0});
    bool going = true;
    for (int idle = 0; idle < kIdleGenerations && going;) {
      for (std::size_t i = turn.size(); i > 1; --i) {
        std::swap(turn[i - 1], turn[random.next_below(static_cast<std::uint32_t>(i))]);
      }
      ++idle;
      for (std::size_t i = 0; i < turn.size() && going; ++i) {
        const double gain = improve(turn[i], turn[i + 1 == turn.size() ? 0 : i + 1], random, [&] {
          going = go_on();
          return going;
        });
        idle = gain > 0.0 ? 0 : idle;
      }
    }
  }

 private:
  static constexpr int kIdleGenerations = 2;

  template <typename Tried>
  double improve(std::size_t a, std::size_t b, RandomSequence& random, const Tried& tried) {
    const auto foreign = pool_ != nullptr ? pool_->foreign(search_, tours_.size(), random) : nullptr;
    const double gain = assembly_.improve(tours_[a], foreign != nullptr ? *foreign : tours_[b], random, tried);
    if (gain > 0.0) {
      lengths_[a] -= gain;
      if (lengths_[a] < lengths_[best_]) {
        best_ = a;
      }
      if (pool_ != nullptr) {
        pool_->show(search_, a, tours_[a]);
      }
    }
    return gain;
  }

  EdgeAssembly<Distance> assembly_;
  TourPool* pool_;
  int search_;
  std::vector<TourLinks> tours_;
  std::vector<double> lengths_;
  std::size_t best_ = 0;
};

}  // namespace moco
