// Addresses of many arrays in one allocation. With a null base only the sizes are counted.
#pragma once

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

class Arena {
 public:
  explicit Arena(std::byte* base) : base_(base) {}

  /// The next `count` values; null when there are none.
  template <typename T>
  void place(T*& pointer, std::size_t count) {
    pointer = reinterpret_cast<T*>(take(count * sizeof(T)));
  }
  void place_bytes(void*& pointer, std::size_t bytes) { pointer = take(bytes); }
  void place_bytes(const void*& pointer, std::size_t bytes) { pointer = take(bytes); }

  std::size_t bytes() const { return bytes_; }
  /// Everything that has been placed since there were `first` bytes.
  Region since(std::size_t first) const { return {base_ != nullptr ? base_ + first : nullptr, bytes_ - first}; }

 private:
  std::byte* take(std::size_t bytes) {
    std::byte* address = base_ != nullptr && bytes > 0 ? base_ + bytes_ : nullptr;
    bytes_ += aligned(bytes);
    return address;
  }

  std::byte* base_;
  std::size_t bytes_ = 0;
};

}  // namespace moco::cuda
