"""Arrays of a search where they lie: for NumPy, PyTorch, JAX and CuPy, without a copy (DLPack)."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._errors import ArgumentError, ArgumentTypeError
from ._inputs import plain_array

NAMES = ("theta", "gradient", "momenta", "membership")

_HOST = -1
# Of the enumeration DLDeviceType.
_CPU = 1
_CUDA = 2
_ON_THE_HOST = (_CPU, 3)  #: ordinary and page-locked memory
_ON_A_DEVICE = (_CUDA, 13)  #: of its own and managed


class ArrayView:
    """An array of a search where its engine has it: in the host's memory, or on a CUDA device.

    ``numpy.from_dlpack(view)``, ``torch.from_dlpack(view)`` and what JAX and CuPy have of that name give an array of theirs
    on the same memory, and on the host ``numpy.asarray(view)`` does as well. Such an array keeps the search alive. It shows
    the search as it is: :meth:`Search.sample`, :meth:`Search.update` and :meth:`Search.restart` change what is in it. It is
    to be read; :meth:`Search.update` takes the next θ.

    On a device the search goes on by itself after a call has returned. To take the view again is what waits for it: arrays
    taken earlier are up to date by then. Whoever reads them with kernels of their own hands the θ made of them to
    ``update``, or waits for those kernels, before the next step.

    >>> import moco, numpy as np
    >>> search = moco.Search(moco.generate("tsp", nodes=30, seed=1)[0], samples=8, steps=5)
    >>> search.sample()
    >>> gradient = np.from_dlpack(search.views()["gradient"])
    >>> search.update(search.theta - 20 * gradient)
    >>> search.sample()
    >>> np.array_equal(gradient, search.gradient)
    True
    """

    __slots__ = ("_batch", "_number", "_place", "name", "shape")

    name: str  #: "theta", "gradient", "momenta" or "membership"
    shape: tuple[int, ...]  #: (variables,), of the momenta (6, variables)

    def __init__(self, batch: _core.SearchBatch, number: int, name: str) -> None:
        self._batch = batch
        self._number = number
        self.name = name
        self.shape, device, _ = batch.place(name, number)
        self._place = (_CPU, 0) if device == _HOST else (_CUDA, device)

    @property
    def dtype(self) -> np.dtype[Any]:
        """float32; of the membership uint32, whose bit l says that the variable is part of the l-th best solution."""
        return np.dtype(np.uint32 if self.name == "membership" else np.float32)

    @property
    def device(self) -> str:
        """"cpu" or "cuda:0"."""
        return "cpu" if self._place[0] == _CPU else f"cuda:{self._place[1]}"

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._place

    def __dlpack__(
        self, *, stream: int | None = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        """A tensor of the protocol, of the version before 1.0.

        :param stream: of the consumer's. All of them may read what is there now: it is waited for on the host.
        """
        if self._place[0] == _CPU and stream is not None:
            raise ArgumentError(f"stream is None for arrays on the host, not {stream!r}")
        if stream is not None and (stream == 0 or stream < -1):
            raise ArgumentError(f"{stream} is no stream of CUDA's: -1, 1, 2 or a handle")
        if dl_device is not None and tuple(dl_device) != self._place:
            raise BufferError(f"{self.name} lies on {self.device} and is not copied elsewhere")
        if copy:
            raise BufferError("a view is no copy: copy what you make of it")
        return self._batch.tensor(self.name, self._number)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self._batch.host_view(self.name, self._number)
        return np.array(array, dtype=dtype) if copy else array.astype(dtype or array.dtype, copy=False)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"ArrayView({self.name!r}, shape={self.shape}, {self.dtype}, {self.device!r})"


def set_theta(batch: _core.SearchBatch, number: int, theta: Any) -> None:
    """Sets θ to an array of anybody's, which is not copied to the host where it lies on the search's device."""
    kind, device = theta.__dlpack_device__() if hasattr(theta, "__dlpack_device__") else (_CPU, 0)
    if kind in _ON_A_DEVICE:
        _, own, stream = batch.place("theta", number)
        if own != device:
            there = "on the host" if own == _HOST else f"on CUDA device {own}"
            raise ArgumentError(f"θ lies on CUDA device {device} and the search {there}: move it there")
        batch.set_theta_from_device(number, theta.__dlpack__(stream=stream))
        return
    if kind not in _ON_THE_HOST:
        raise ArgumentTypeError(f"θ lies on a device of kind {kind}: move it to the host")
    speaks_only_dlpack = hasattr(theta, "__dlpack__") and not hasattr(theta, "__array__")
    values = plain_array(np.from_dlpack(theta) if speaks_only_dlpack else theta, "θ")
    if values.dtype.kind not in "fiub":
        raise ArgumentTypeError(f"θ: numbers are needed, not {values.dtype}")
    array = np.ascontiguousarray(values, dtype=np.float32).ravel()
    if np.isnan(array).any():
        raise ArgumentError(f"θ[{int(np.flatnonzero(np.isnan(array))[0])}] is not a number")
    batch.set_theta(number, array)
