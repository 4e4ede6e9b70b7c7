"""Memory of a CUDA device and tensors in it (DLPack) by ctypes alone: through the driver, or, of the device that is only
pretended (tests/launches), as the host's memory that it is."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    pass


Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(DLManagedTensor))
DLManagedTensor._fields_ = [("tensor", DLTensor), ("manager", ctypes.c_void_p), ("deleter", Deleter)]

_api = ctypes.pythonapi
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

OFFERED, TAKEN = b"dltensor", b"used_dltensor"  # kept: capsules point to them


class _Driver:
    """Copies by libcuda, which is there wherever a device can be used."""

    def __init__(self) -> None:
        self._cuda = ctypes.CDLL("libcuda.so.1")
        self._call("cuInit", 0)
        context = ctypes.c_void_p()
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self._call("cuCtxSetCurrent", context)

    def _call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._cuda, name)(*arguments)
        assert status == 0, f"{name}: {status}"

    def read(self, address: int, array: np.ndarray) -> None:
        self._call("cuMemcpyDtoH_v2", array.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(address), ctypes.c_size_t(array.nbytes))

    def put(self, array: np.ndarray) -> int:
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(array.nbytes))
        self._call("cuMemcpyHtoD_v2", address, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))
        return address.value

    def free(self, address: int) -> None:
        self._call("cuMemFree_v2", ctypes.c_uint64(address))


class _Pretended:
    def __init__(self) -> None:
        self._kept: dict[int, np.ndarray] = {}

    def read(self, address: int, array: np.ndarray) -> None:
        ctypes.memmove(array.ctypes.data, address, array.nbytes)

    def put(self, array: np.ndarray) -> int:
        copy = array.copy()
        self._kept[copy.ctypes.data] = copy
        return copy.ctypes.data

    def free(self, address: int) -> None:
        self._kept.pop(address)[...] = -7  # whoever still reads it will see


PRETENDED = os.environ.get("MOCO_PRETENDED_DEVICE") == "1"


def device_memory() -> _Driver | _Pretended:
    return _Pretended() if PRETENDED else _Driver()


class Taken:
    """What a consumer makes of a capsule."""

    def __init__(self, capsule: Any, memory: _Driver | _Pretended) -> None:
        address = _api.PyCapsule_GetPointer(capsule, OFFERED)
        _api.PyCapsule_SetName(capsule, TAKEN)
        self._managed = ctypes.cast(address, ctypes.POINTER(DLManagedTensor))
        self._memory = memory
        tensor = self._managed.contents.tensor
        self.address = tensor.data + tensor.byte_offset
        self.device = (tensor.device_type, tensor.device_id)
        self.type = (tensor.code, tensor.bits, tensor.lanes)
        self.shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
        self.strides = tuple(tensor.strides[i] for i in range(tensor.ndim))

    def array(self) -> np.ndarray:
        """Its values as they are now."""
        dtype = {(2, 32, 1): np.float32, (1, 32, 1): np.uint32}[self.type]
        rows = self.shape[0] if len(self.shape) == 2 else 1
        array = np.empty((rows, self.shape[-1]), dtype)
        for row in range(rows):
            first = self.address + 4 * row * (self.strides[0] if len(self.shape) == 2 else 0)
            self._memory.read(first, array[row])
        return array.reshape(self.shape)

    def let_go(self) -> None:
        self._managed.contents.deleter(self._managed)


class Tensor:
    """A producer: an array on the device, of any place and stride that the test wants to name."""

    def __init__(self, array: np.ndarray, memory: _Driver | _Pretended, *, device: int = 0, stride: int = 1) -> None:
        self._memory = memory
        self._place = (2, device)
        self._address = memory.put(array)
        self.streams: list[int] = []
        self.deleted = 0
        code = {"f": 2, "i": 0, "u": 1}[array.dtype.kind]
        self._shape = (ctypes.c_int64 * 1)(array.size // stride)
        self._strides = (ctypes.c_int64 * 1)(stride)
        self._deleter = Deleter(self._delete)
        tensor = DLTensor(self._address, 2, device, 1, code, 8 * array.itemsize, 1, self._shape, self._strides, 0)
        self._managed = DLManagedTensor(tensor, None, self._deleter)

    def _delete(self, _: Any) -> None:
        self.deleted += 1
        self._memory.free(self._address)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._place

    def __dlpack__(self, stream: int | None = None) -> Any:
        self.streams.append(stream)  # type: ignore[arg-type]
        return _api.PyCapsule_New(ctypes.addressof(self._managed), OFFERED, None)
