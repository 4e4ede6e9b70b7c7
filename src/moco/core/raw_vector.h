// A vector whose resize() leaves new elements as they are: large arrays are then first touched by the threads that fill
// them, and a page of memory is gone through once.
#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace moco {

template <typename T>
class DefaultInitialised : public std::allocator<T> {
 public:
  template <typename U>
  struct rebind {
    using other = DefaultInitialised<U>;
  };
  template <typename U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
};

template <typename T>
using RawVector = std::vector<T, DefaultInitialised<T>>;

}  // namespace moco
