// Tensors that libraries hand to each other without a copy (DLPack), on the host and on CUDA devices.
#pragma once

#include <memory>
#include <span>

#include <pybind11/pybind11.h>

#include "moco/engine/array_view.h"

struct DLManagedTensor;

namespace moco::python {

namespace py = pybind11;

/// A capsule with the array, for others to take; `owner` keeps the memory. Whole numbers are unsigned.
py::capsule tensor_of(const ArrayView& array, bool whole, std::shared_ptr<const void> owner);

/// The tensor of a capsule that somebody else made: taken over, and let go of at the end.
class TakenTensor {
 public:
  explicit TakenTensor(const py::capsule& capsule);
  ~TakenTensor();
  TakenTensor(const TakenTensor&) = delete;
  TakenTensor& operator=(const TakenTensor&) = delete;

  /// Throws OptionError unless it holds float32 without gaps.
  std::span<const float> values() const;

 private:
  DLManagedTensor* tensor_;
};

}  // namespace moco::python
