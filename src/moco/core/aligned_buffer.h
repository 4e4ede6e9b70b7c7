// A buffer of plain values on cache-line boundaries that grows on demand and does not keep its contents when it grows.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace moco {

template <typename T>
class AlignedBuffer {
 public:
  /// Room for at least `count` values, uninitialised unless it was there before.
  T* reserve(std::size_t count) {
    if (count > capacity_) {
      const std::size_t bytes = (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
      data_.reset(static_cast<T*>(std::aligned_alloc(kAlignment, bytes)));
      if (data_ == nullptr) {
        capacity_ = 0;
        throw std::bad_alloc();
      }
      capacity_ = count;
    }
    return data_.get();
  }

  T* data() { return data_.get(); }

 private:
  static constexpr std::size_t kAlignment = 64;
  struct Free {
    void operator()(T* pointer) const { std::free(pointer); }
  };

  std::unique_ptr<T, Free> data_;
  std::size_t capacity_ = 0;
};

}  // namespace moco
