// Arrays of a search where its engine has them, for whoever looks at them without a copy.
#pragma once

#include <cstddef>
#include <cstdint>

namespace moco {

/// What a search has of every variable.
enum class SearchArray { theta, gradient, momenta, membership };

inline constexpr int kHostMemory = -1;

struct ArrayView {
  const void* data = nullptr;  ///< float; of the membership std::uint32_t, bit l: part of the l-th best
  std::size_t rows = 1;        ///< of the momenta kMomenta
  std::size_t columns = 0;     ///< variables
  std::size_t row_stride = 0;  ///< values from one row to the next
  int device = kHostMemory;    ///< or the number of a CUDA device
  std::uintptr_t stream = 0;   ///< of that device: the steps of the search run on it
};

}  // namespace moco
