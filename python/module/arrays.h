// NumPy arrays that share memory with C++ in either direction.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>

#include "moco/types.h"

namespace moco::python {

namespace py = pybind11;

/// What the typed layer hands over: it brings other layouts and types into this one first.
template <typename Value>
using Array = py::array_t<Value, py::array::c_style>;

/// The values of an array, as long as it lives.
template <typename Value>
std::span<const Value> values_of(const Array<Value>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

/// A Python object as the owner of memory; let go of with the interpreter's lock held, wherever that happens, and not
/// at all once there is no interpreter.
inline std::shared_ptr<const void> owner_of(const py::object& object) {
  return {object.ptr(), [kept = object.inc_ref().ptr()](const void*) {
            if (Py_IsInitialized() != 0) {
              const py::gil_scoped_acquire lock;
              Py_DECREF(kept);
            }
          }};
}

/// An array that takes over a vector.
template <typename Value>
py::array_t<Value> array_of(std::vector<Value> values, std::vector<py::ssize_t> shape = {}) {
  if (shape.empty()) {
    shape = {static_cast<py::ssize_t>(values.size())};
  }
  auto* kept = new std::vector<Value>(std::move(values));
  const py::capsule owner(kept, [](void* pointer) { delete static_cast<std::vector<Value>*>(pointer); });
  return py::array_t<Value>(std::move(shape), kept->data(), owner);
}

/// A read-only array on memory that `owner` keeps.
template <typename Value>
py::array_t<Value> view_of(const Value* values, std::vector<py::ssize_t> shape, const py::handle& owner) {
  py::array_t<Value> view(std::move(shape), values, owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

inline Solution solution_of(const Array<Index>& items) {
  return {{items.data(), items.data() + items.size()}};
}

}  // namespace moco::python
