// Without the header of the protocol (libdlpack-dev) nothing is handed over, and that is said.
#include "dlpack.h"

#include "moco/error.h"

#if defined(MOCO_HAVE_DLPACK)

#include <array>
#include <utility>

#include <dlpack/dlpack.h>
#include <fmt/format.h>

namespace moco::python {

namespace {

constexpr const char* kOffered = "dltensor";
constexpr const char* kTaken = "used_dltensor";

/// A tensor with what it points to.
struct OwnedTensor {
  DLManagedTensor tensor{};
  std::array<std::int64_t, 2> shape{};
  std::array<std::int64_t, 2> strides{};
  std::shared_ptr<const void> owner;
};

void let_go(DLManagedTensor* tensor) {
  delete static_cast<OwnedTensor*>(tensor->manager_ctx);
}

/// Called by Python for a capsule that goes; whoever took the tensor has given it another name.
void drop_offer(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kOffered) != 0) {
    let_go(static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kOffered)));
  }
}

/// Strides matter only where there is more than one value to step to.
bool without_gaps(const DLTensor& tensor) {
  std::int64_t step = 1;
  for (int i = tensor.ndim; i-- > 0;) {
    if (tensor.strides != nullptr && tensor.shape[i] != 1 && tensor.strides[i] != step) {
      return false;
    }
    step *= tensor.shape[i];
  }
  return true;
}

}  // namespace

py::capsule tensor_of(const ArrayView& array, bool whole, std::shared_ptr<const void> owner) {
  auto owned = std::make_unique<OwnedTensor>();
  owned->owner = std::move(owner);
  const bool flat = array.rows == 1;
  owned->shape = {static_cast<std::int64_t>(array.rows), static_cast<std::int64_t>(array.columns)};
  owned->strides = {static_cast<std::int64_t>(array.row_stride), 1};
  DLTensor& tensor = owned->tensor.dl_tensor;
  tensor.data = const_cast<void*>(array.data);  // the protocol has no word for memory that is only to be read
  tensor.device = array.device == kHostMemory ? DLDevice{kDLCPU, 0} : DLDevice{kDLCUDA, array.device};
  tensor.ndim = flat ? 1 : 2;
  tensor.dtype = {static_cast<std::uint8_t>(whole ? kDLUInt : kDLFloat), 32, 1};
  tensor.shape = owned->shape.data() + (flat ? 1 : 0);
  tensor.strides = owned->strides.data() + (flat ? 1 : 0);
  owned->tensor.manager_ctx = owned.get();
  owned->tensor.deleter = &let_go;
  py::capsule capsule(&owned->tensor, kOffered, &drop_offer);
  static_cast<void>(owned.release());  // the capsule's from here on
  return capsule;
}

TakenTensor::TakenTensor(const py::capsule& capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), kOffered) == 0) {
    throw OptionError("θ is no tensor, or one that somebody else has taken already");
  }
  tensor_ = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kOffered));
  PyCapsule_SetName(capsule.ptr(), kTaken);
}

TakenTensor::~TakenTensor() {
  if (tensor_->deleter != nullptr) {
    tensor_->deleter(tensor_);
  }
}

std::span<const float> TakenTensor::values() const {
  const DLTensor& tensor = tensor_->dl_tensor;
  if (tensor.dtype.code != kDLFloat || tensor.dtype.bits != 32 || tensor.dtype.lanes != 1) {
    throw OptionError(fmt::format("θ on a device is float32; this tensor is of type {} with {} bits",
                                  static_cast<int>(tensor.dtype.code), static_cast<int>(tensor.dtype.bits)));
  }
  if (!without_gaps(tensor)) {
    throw OptionError("θ on a device lies without gaps: give theta.contiguous()");
  }
  std::size_t count = 1;
  for (int i = 0; i < tensor.ndim; ++i) {
    count *= static_cast<std::size_t>(tensor.shape[i]);
  }
  const auto* bytes = static_cast<const std::byte*>(tensor.data) + tensor.byte_offset;
  return {reinterpret_cast<const float*>(bytes), count};
}

}  // namespace moco::python

#else

namespace moco::python {

namespace {

[[noreturn]] void refuse() {
  throw Error("this build of moco hands no tensors over: install libdlpack-dev and build it again");
}

}  // namespace

py::capsule tensor_of(const ArrayView&, bool, std::shared_ptr<const void>) {
  refuse();
}

TakenTensor::TakenTensor(const py::capsule&) : tensor_(nullptr) {
  refuse();
}

TakenTensor::~TakenTensor() = default;

std::span<const float> TakenTensor::values() const {
  return {};
}

}  // namespace moco::python

#endif
