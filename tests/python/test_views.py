"""Arrays of a search without a copy: the same memory, which follows the search and outlives its name."""

from __future__ import annotations

import gc
import sys
from typing import Any

import numpy as np
import pytest

import moco


@pytest.fixture
def search() -> moco.Search:
    search = moco.Search(moco.generate("tsp", nodes=30, seed=1)[0], model="tsp100", samples=8, steps=9, device="cpu")
    search.sample()
    return search


class OnlyDLPack:
    """An array that knows no other protocol."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __dlpack__(self, stream: Any = None) -> Any:
        return self._array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()


class Elsewhere:
    """An array that says it lies on some device."""

    def __init__(self, kind: int) -> None:
        self._place = (kind, 1)

    def __dlpack__(self, stream: Any = None) -> Any:
        raise AssertionError("nobody may ask")

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._place


def test_what_they_are(search: moco.Search) -> None:
    views = search.views()
    variables = search.graph.variables
    assert {name: view.shape for name, view in views.items()} == {
        "theta": (variables,), "gradient": (variables,), "momenta": (6, variables), "membership": (variables,)
    }  # fmt: skip
    for view in views.values():
        array = np.from_dlpack(view)
        assert (array.shape, array.dtype, view.device) == (view.shape, view.dtype, "cpu")
        assert view.__dlpack_device__() == (1, 0) and len(view) == view.shape[0]
        assert not array.flags.writeable and not np.asarray(view).flags.writeable
    assert repr(views["momenta"]) == f"ArrayView('momenta', shape=(6, {variables}), float32, 'cpu')"


def test_they_are_the_same_memory_whoever_asks(search: moco.Search) -> None:
    for name, view in search.views().items():
        by_protocol, by_numpy = np.from_dlpack(view), np.asarray(view)
        again = np.from_dlpack(search.views()[name])
        assert np.shares_memory(by_protocol, by_numpy) and np.shares_memory(by_protocol, again)
    assert not np.shares_memory(np.asarray(search.views()["theta"]), search.theta)
    assert not np.shares_memory(np.array(search.views()["theta"]), np.asarray(search.views()["theta"]))
    assert np.asarray(search.views()["theta"], dtype=np.float64).dtype == np.float64


def test_they_follow_the_search(search: moco.Search) -> None:
    arrays = {name: np.from_dlpack(view) for name, view in search.views().items()}

    def current() -> None:
        assert np.array_equal(arrays["theta"], search.theta)
        assert np.array_equal(arrays["gradient"], search.gradient)
        assert np.array_equal(arrays["momenta"], search.momenta)
        elite = search.features().variables[:, 1:33]
        assert np.array_equal((arrays["membership"][:, None] >> np.arange(32, dtype=np.uint32)) & 1, elite)

    current()
    for rule in (None, np.zeros(search.graph.variables), moco.Model("adam"), None):
        search.update(rule)
        search.sample()
        current()
    search.restart()
    assert not arrays["gradient"].any() and not arrays["membership"].any() and not arrays["momenta"].any()
    search.sample()
    current()


def test_they_outlive_the_search(search: moco.Search) -> None:
    theta, gradient = np.from_dlpack(search.views()["theta"]), np.asarray(search.views()["gradient"])
    view = search.views()["momenta"]
    expected = theta.copy(), gradient.copy(), search.momenta
    del search
    gc.collect()
    junk = [np.full(600, 7.0, dtype=np.float32) for _ in range(1000)]
    assert np.array_equal(theta, expected[0]) and np.array_equal(gradient, expected[1])
    assert np.array_equal(np.from_dlpack(view), expected[2]) and len(junk) == 1000


def test_tensors_that_nobody_takes_are_let_go_of() -> None:
    search = moco.Search(moco.generate("mis", nodes=20, seed=1)[0], samples=4)
    before = sys.getrefcount(search._core)
    for _ in range(100):
        search.views()["theta"].__dlpack__()
        np.from_dlpack(search.views()["theta"])
    after = sys.getrefcount(search._core)
    assert after == before


def test_of_a_batch() -> None:
    batch = moco.SearchBatch(moco.generate("tsp", nodes=20, count=2), restarts=2, samples=4, device="cpu")
    batch.sample()
    arrays = [np.from_dlpack(one.views()["gradient"]) for one in batch]
    assert all(np.array_equal(array, one.gradient) for array, one in zip(arrays, batch))
    assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])


def test_theta_is_whatever_speaks_the_protocol(search: moco.Search) -> None:
    variables = search.graph.variables
    theta = np.linspace(-1, 1, variables)
    for given in (theta, OnlyDLPack(theta), theta.astype(np.float32), OnlyDLPack(theta.astype(np.float32)), theta.tolist()):
        search.update(np.zeros(variables))
        search.update(given)
        assert np.array_equal(search.theta, theta.astype(np.float32))
    search.update(search.views()["theta"])
    assert np.array_equal(search.theta, theta.astype(np.float32))


def test_misuse_is_told(search: moco.Search) -> None:
    view = search.views()["theta"]
    with pytest.raises(ValueError, match="stream is None"):
        view.__dlpack__(stream=1)
    with pytest.raises(BufferError, match="lies on cpu"):
        view.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="no copy"):
        view.__dlpack__(copy=True)
    assert view.__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=False)
    with pytest.raises(ValueError, match="CUDA device 1 and the search on the host"):
        search.update(Elsewhere(2))
    with pytest.raises(TypeError, match="device of kind 8"):
        search.update(Elsewhere(8))
    with pytest.raises(ValueError, match="values of θ"):
        search.update(OnlyDLPack(np.zeros(3)))


def test_with_pytorch(search: moco.Search) -> None:
    torch = pytest.importorskip("torch")
    gradient = torch.from_dlpack(search.views()["gradient"])
    theta = torch.from_dlpack(search.views()["theta"])
    assert gradient.data_ptr() == np.asarray(search.views()["gradient"]).ctypes.data
    expected = search.theta - 20 * search.gradient
    search.update(theta - 20 * gradient)
    assert np.allclose(theta.numpy(), expected, rtol=1e-6)
    search.sample()
    assert np.array_equal(gradient.numpy(), search.gradient)
    momenta = torch.from_dlpack(search.views()["momenta"])
    del search
    assert momenta.shape[0] == 6 and torch.isfinite(momenta).all()
