"""A search on a CUDA device: its arrays taken where they lie, and θ given there.

By unittest, so that scripts/gpu-check can run it where pytest is not installed. Left out where there is no device.
"""

from __future__ import annotations

import gc
import unittest

import numpy as np

import moco
from device_memory import PRETENDED, Taken, Tensor, device_memory


def problem() -> str:
    try:
        moco.Search(moco.generate("tsp", nodes=5)[0], device="cuda")
    except moco.Error as error:
        return str(error)
    return ""


WHY_NOT = problem()


@unittest.skipIf(WHY_NOT, WHY_NOT)
class OnADevice(unittest.TestCase):
    def setUp(self) -> None:
        instances = moco.generate("tsp", nodes=20, count=2, seed=1)
        self.batch = moco.SearchBatch(instances, model="tsp100", samples=8, steps=9, device="cuda")
        self.memory = device_memory()
        self.batch.sample()

    def check_views(self, taken: list[dict[str, Taken]]) -> None:
        for search, tensors in zip(self.batch, taken):
            copies = {"theta": search.theta, "gradient": search.gradient, "momenta": search.momenta}
            for name, copy in copies.items():
                np.testing.assert_array_equal(tensors[name].array(), copy, err_msg=name)

    def test_views_show_what_copies_show(self) -> None:
        taken = [{name: Taken(view.__dlpack__(), self.memory) for name, view in search.views().items()} for search in self.batch]
        for search, tensors in zip(self.batch, taken):
            variables = search.graph.variables
            for name, view in search.views().items():
                tensor = tensors[name]
                self.assertEqual((view.device, view.__dlpack_device__(), tensor.device), ("cuda:0", (2, 0), (2, 0)))
                self.assertEqual(tensor.shape, (6, variables) if name == "momenta" else (variables,))
                self.assertEqual(tensor.type, (1, 32, 1) if name == "membership" else (2, 32, 1))
                self.assertEqual(tensor.strides[-1], 1)
        self.assertNotEqual(taken[0]["theta"].address, taken[1]["theta"].address)
        self.check_views(taken)
        for _ in range(10):  # several steps wait for each other
            self.batch.update()
            self.batch.sample()
        for name, view in self.batch[0].views().items():
            self.assertEqual(Taken(view.__dlpack__(), self.memory).address, taken[0][name].address)
        self.check_views(taken)
        if not PRETENDED:
            self.assertTrue(taken[0]["gradient"].array().any())
            elite = self.batch[0].features().variables[:, 1:33]
            bits = taken[0]["membership"].array()[:, None] >> np.arange(32, dtype=np.uint32) & 1
            np.testing.assert_array_equal(bits, elite)
        self.batch.restart()
        self.batch[0].views()  # waits
        self.assertFalse(taken[0]["gradient"].array().any())

    def test_streams_are_those_of_the_protocol(self) -> None:
        view = self.batch[0].views()["gradient"]
        for stream in (None, -1, 1, 2, 4096):
            Taken(view.__dlpack__(stream=stream), self.memory).let_go()
        for stream in (0, -2):
            with self.assertRaisesRegex(ValueError, "no stream"):
                view.__dlpack__(stream=stream)
        with self.assertRaisesRegex(BufferError, "cuda:0"):
            view.__dlpack__(dl_device=(1, 0))
        with self.assertRaisesRegex(ValueError, "NumPy sees the host"):
            np.asarray(view)

    def test_a_tensor_keeps_the_search(self) -> None:
        tensor = Taken(self.batch[1].views()["theta"].__dlpack__(), self.memory)
        expected = self.batch[1].theta
        del self.batch
        gc.collect()
        other = moco.SearchBatch(moco.generate("tsp", nodes=20, count=2, seed=9), samples=8, device="cuda")
        np.testing.assert_array_equal(tensor.array(), expected)
        tensor.let_go()
        del other

    def test_theta_is_given_on_the_device(self) -> None:
        for search in self.batch:
            search_theta = np.linspace(-1, 1, search.graph.variables, dtype=np.float32)
            search_theta[3], search_theta[4] = np.inf, np.nan
            tensors = [Tensor(search_theta if one is search else one.theta, self.memory) for one in self.batch]
            self.batch.update(tensors)
            for tensor in tensors:
                self.assertEqual(tensor.deleted, 1)
                self.assertGreater(tensor.streams[0], 2, "a handle of ours")
            if not PRETENDED:
                search_theta[3], search_theta[4] = 1e9, 0
            np.testing.assert_array_equal(search.theta, search_theta)
        self.batch.update([one.views()["theta"] for one in self.batch])
        self.batch.sample()

    def test_the_same_theta_gives_the_same_samples(self) -> None:
        """Wherever it comes from."""
        found = []
        for make in (lambda theta: theta, lambda theta: Tensor(theta, self.memory)):
            self.batch.restart()
            self.batch.sample()
            self.batch.update([make(np.linspace(0, 1, one.graph.variables, dtype=np.float32)) for one in self.batch])
            self.batch.sample()
            found.append([one.costs for one in self.batch])
        np.testing.assert_array_equal(found[0], found[1])

    def test_another_model_goes_on(self) -> None:
        places = [view.__dlpack_device__() for one in self.batch for view in one.views().values()]
        before = Taken(self.batch[0].views()["gradient"].__dlpack__(), self.memory)
        host = moco.SearchBatch([one.instance for one in self.batch], model="tsp100", samples=8, steps=9, device="cpu")
        theta = [np.linspace(0, 2, one.graph.variables, dtype=np.float32) for one in self.batch]
        for batch in (self.batch, host):
            batch.restart()
            batch.update(theta)
            batch.sample()
            batch.update(moco.Model("adam"))
            batch.sample()
            batch.update(moco.Model("tsp200"))
            batch.sample()
        self.assertEqual(self.batch.model.name, "tsp200")
        if not PRETENDED:
            np.testing.assert_allclose(before.array(), self.batch[0].gradient)  # the same memory still
            for own, other in zip(self.batch, host):
                deviation = np.abs(own.theta - other.theta).mean() / np.abs(other.theta).mean()
                self.assertLess(deviation, 0.05, "networks in bf16 and in float32")
        self.assertEqual(places, [view.__dlpack_device__() for one in self.batch for view in one.views().values()])
        before.let_go()
        self.batch.restart()
        self.assertEqual(self.batch.model.name, "tsp100")

    def test_what_cannot_be_taken_is_told(self) -> None:
        variables = self.batch[0].graph.variables
        good = np.zeros(variables, np.float32)
        wrong = [
            (Tensor(np.zeros(variables), self.memory), "float32"),
            (Tensor(np.zeros(2 * variables, np.float32), self.memory, stride=2), "without gaps"),
            (Tensor(np.zeros(3, np.float32), self.memory), "3 values of θ"),
        ]
        for tensor, words in wrong:
            with self.assertRaisesRegex(ValueError, words):
                self.batch.update([tensor, good])
            self.assertEqual(tensor.deleted, 1)
        with self.assertRaisesRegex(ValueError, "device 1 and the search on CUDA device 0"):
            self.batch.update([Tensor(good, self.memory, device=1), good])
        with self.assertRaisesRegex(ValueError, "3 values of θ"):
            self.batch.update([np.zeros(3), good])


if __name__ == "__main__":
    unittest.main()
