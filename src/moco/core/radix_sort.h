// Sorting of numbered keys in linear time, digit by digit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "moco/core/halt.h"
#include "moco/types.h"

namespace moco {

struct NumberedKey {
  std::uint32_t key = 0;
  Index number = 0;
};

/// By key; what has the same key stays in order. `halt` may be null and is looked at every few milliseconds.
inline void radix_sort(std::vector<NumberedKey>& items, const Halt* halt = nullptr) {
  constexpr unsigned kBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kBits;
  HaltWatch watch(halt);
  std::vector<NumberedKey> sorted(items.size());
  for (unsigned shift = 0; shift < 32; shift += kBits) {
    const auto digit = [shift](const NumberedKey& item) { return (item.key >> shift) % kDigits; };
    std::array<std::size_t, kDigits> next{};
    for (const NumberedKey& item : items) {
      watch.look();
      ++next[digit(item)];
    }
    std::size_t before = 0;
    for (std::size_t& count : next) {
      before += std::exchange(count, before);
    }
    for (const NumberedKey& item : items) {
      watch.look();
      sorted[next[digit(item)]++] = item;
    }
    items.swap(sorted);
  }
}

}  // namespace moco
