// The arrays of a tour on the CPU. What a kick changes is written down, so that it can be taken back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "moco/problems/tsp/tour_arrays.h"

namespace moco {

class ArrayTour : public TourArrays<SerialTeam, Index> {
 public:
  /// Works on `order`, the cities in the order of the tour.
  explicit ArrayTour(std::vector<Index>& order) : ArrayTour(order, std::vector<Index>(2 * order.size())) {}
  ArrayTour(const ArrayTour&) = delete;
  ArrayTour& operator=(const ArrayTour&) = delete;
  ArrayTour(ArrayTour&&) = default;
  ArrayTour& operator=(ArrayTour&&) = default;
  ~ArrayTour() = default;

  void make(const EdgeExchange& exchange) { TourArrays::make(exchange, journal_); }

  /// Forgets the past: what is made from now on can be taken back.
  void begin_journal() {
    journal_.on = true;
    journal_.changes.clear();
    journal_.cities.clear();
  }
  void take_back() {
    std::vector<Run>& changes = journal_.changes;
    std::vector<Index>& cities = journal_.cities;
    for (; !changes.empty(); changes.pop_back()) {
      const Run& change = changes.back();
      if (change.length > 0) {
        reverse(change.begin, change.length);
        continue;
      }
      const std::size_t left = cities.size() - at(-change.length);
      place(change.begin, cities.data() + left, -change.length);
      cities.resize(left);
    }
  }
  /// The tour as it was when the journal began.
  std::vector<Index> before_journal() const {
    std::vector<Index> cities(order_, order_ + n_);
    std::size_t left = journal_.cities.size();
    for (auto change = journal_.changes.rbegin(); change != journal_.changes.rend(); ++change) {
      if (change->length > 0) {
        for (int i = change->begin, j = change->begin + change->length - 1; i < j; ++i, --j) {
          std::swap(cities[at(wrapped(i))], cities[at(wrapped(j))]);
        }
        continue;
      }
      left -= at(-change->length);
      for (int i = 0; i < -change->length; ++i) {
        cities[at(wrapped(change->begin + i))] = journal_.cities[left + at(i)];
      }
    }
    return cities;
  }

 private:
  /// Places in the array; a negative length counts overwritten cities, a positive one reversed ones.
  struct Run {
    int begin = 0;
    int length = 0;
  };

  struct Journal {
    bool on = false;
    std::vector<Run> changes;
    std::vector<Index> cities;  ///< overwritten ones

    void reversed(int begin, int length) {
      if (on) {
        changes.push_back({begin, length});
      }
    }
    void overwritten(const Index* order, int n, int begin, int length) {
      if (on) {
        const int before_end = std::min(length, n - begin);
        cities.insert(cities.end(), order + begin, order + begin + before_end);
        cities.insert(cities.end(), order, order + (length - before_end));
        changes.push_back({begin, -length});
      }
    }
  };

  /// Moving a vector moves no element, so the arrays stay where they are.
  ArrayTour(std::vector<Index>& order, std::vector<Index> room)
      : TourArrays(SerialTeam(), static_cast<int>(order.size()), order.data(), room.data(), room.data() + order.size()),
        room_(std::move(room)) {
    locate();
  }

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  std::vector<Index> room_;  ///< positions, and cities that are moved
  Journal journal_;
};

}  // namespace moco
