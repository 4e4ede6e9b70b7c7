// Addresses of many arrays in one allocation, those with the same beginning side by side. One pass counts bytes, a
// second one assigns addresses.
#pragma once

#include <array>
#include <cstddef>

namespace moco::cuda {

/// What an array takes, so that the next one begins well.
inline std::size_t aligned(std::size_t bytes) {
  constexpr std::size_t kAlignment = 256;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

struct Region {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
};

/// When an array has to be cleared: before anything runs, whenever a search begins, or not at all.
enum class Cleared { once, at_begin, never };

class Arena {
 public:
  /// Counts; all addresses are null.
  Arena() = default;
  /// Assigns addresses from `base` on to the same arrays as `counted` saw.
  Arena(std::byte* base, const Arena& counted) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      regions_[kind].data = base;
      base += counted.regions_[kind].bytes;
    }
  }

  /// The next `count` values; null when there are none.
  template <typename T>
  void place(T*& pointer, std::size_t count, Cleared cleared = Cleared::never) {
    pointer = reinterpret_cast<T*>(take(count * sizeof(T), cleared));
  }
  void place_bytes(void*& pointer, std::size_t bytes, Cleared cleared = Cleared::never) {
    pointer = take(bytes, cleared);
  }
  void place_bytes(const void*& pointer, std::size_t bytes, Cleared cleared = Cleared::never) {
    pointer = take(bytes, cleared);
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Region& region : regions_) {
      sum += region.bytes;
    }
    return sum;
  }
  /// All arrays that are cleared then.
  Region region(Cleared cleared) const { return regions_[static_cast<std::size_t>(cleared)]; }

 private:
  static constexpr std::size_t kKinds = 3;

  std::byte* take(std::size_t bytes, Cleared cleared) {
    Region& region = regions_[static_cast<std::size_t>(cleared)];
    std::byte* address = region.data != nullptr && bytes > 0 ? region.data + region.bytes : nullptr;
    region.bytes += aligned(bytes);
    return address;
  }

  std::array<Region, kKinds> regions_;
};

}  // namespace moco::cuda
