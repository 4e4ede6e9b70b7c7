// Arrays and tables that are copied to the device together. A first pass counts bytes, a second one adds the same
// arrays behind an address and has them copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "moco/engine/cuda/kit/arena.h"
#include "moco/engine/cuda/kit/device.h"

namespace moco::cuda {

class ConstantData {
 public:
  /// Counts; all addresses are null.
  ConstantData() = default;
  explicit ConstantData(std::byte* base) : base_(base) {}

  /// Where the array will be on the device; null when it is empty. It must stay where it is until copy().
  template <typename T>
  const T* add(std::span<const T> values) {
    const std::size_t offset = bytes_;
    bytes_ += aligned(values.size_bytes());
    if (base_ == nullptr || values.empty()) {
      return nullptr;
    }
    pieces_.push_back({values.data(), values.size_bytes(), offset});
    return reinterpret_cast<const T*>(base_ + offset);
  }
  template <typename T>
  const T* add(const std::vector<T>& values) {
    return add(std::span<const T>(values));
  }
  /// Likewise, as integers; a copy is kept here.
  const int* add_narrowed(std::span<const std::int64_t> values) {
    if (base_ == nullptr) {
      bytes_ += aligned(values.size() * sizeof(int));
      return nullptr;
    }
    return add(narrowed_.emplace_back(values.begin(), values.end()));
  }

  std::size_t bytes() const { return bytes_; }
  void copy(DeviceContext& context) const { context.upload(base_, bytes_, pieces_); }

 private:
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<HostPiece> pieces_;
  std::deque<std::vector<int>> narrowed_;
};

}  // namespace moco::cuda
