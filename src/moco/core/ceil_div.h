// Division of whole numbers, rounded up: how many pieces of one size hold all.
#pragma once

namespace moco {

template <typename Integer>
constexpr Integer ceil_div(Integer count, Integer size) {
  return (count + size - 1) / size;
}

}  // namespace moco
