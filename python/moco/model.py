"""Models: the update rule of the search with its weights."""

from __future__ import annotations

import os
from typing import Any, Mapping

import numpy as np

from . import _core
from ._errors import ArgumentTypeError

__all__ = ["Model", "models"]


def model_argument(model: Any) -> Any:
    """What the library takes for a model that a caller names."""
    if isinstance(model, Model):
        return model._core
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model)
    raise ArgumentTypeError(f"a model is a name, a checkpoint file or a moco.Model, not {type(model).__name__}")


class Model:
    """A model. Its weights are read-only views; a changed copy is made by :meth:`with_weights`.

    >>> import moco
    >>> model = moco.Model("tsp100")
    >>> model.family, model.config["hidden"]
    ('tsp', 32)
    >>> model.weights["update.edge_decoder.w"].shape
    (32, 1)
    """

    __slots__ = ("_core",)

    def __init__(self, name: str, family: str = "tsp") -> None:
        """The model of that name in the folders of models, or a checkpoint file; "adam", "ants" and "max-min" need no training."""
        self._core = _core.named_model(os.fspath(name), family)

    @classmethod
    def _of(cls, core: _core.Model) -> Model:
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> Model:
        """Reads a checkpoint (docs/checkpoint-format.md)."""
        return cls._of(_core.load_model(os.fspath(file)))

    @classmethod
    def random(cls, family: str = "tsp", *, seed: int = 1, **config: Any) -> Model:
        """Fresh weights. ``config`` has the keys of a checkpoint's configuration: ``hidden``, ``blocks``, ``theta_update``, …

        >>> import moco
        >>> moco.Model.random("mis", hidden=16).size
        7155
        """
        return cls._of(_core.random_model({"family": family, **config}, seed))

    @classmethod
    def from_weights(cls, config: Mapping[str, Any], weights: Mapping[str, np.ndarray], metadata: Mapping[str, str] | None = None) -> Model:
        """A model of named arrays, all of them, as :attr:`weights` has them."""
        return cls._of(_core.model_of_tensors(dict(config), dict(weights), dict(metadata or {})))

    def with_weights(self, **changed: np.ndarray) -> Model:
        """A copy with some arrays exchanged."""
        return Model.from_weights(self.config, {**self.weights, **changed}, self.metadata)

    @property
    def name(self) -> str:
        """The name it was found by; empty for a model of a file or of arrays."""
        return self._core.name

    @property
    def family(self) -> str:
        return self.config["family"]

    @property
    def config(self) -> dict[str, Any]:
        return self._core.config

    @property
    def metadata(self) -> dict[str, str]:
        return self._core.metadata

    @property
    def weights(self) -> dict[str, np.ndarray]:
        """The tensors by name, as read-only views. Matrices are [in, out]: y = x @ w + b."""
        return self._core.tensors

    @property
    def size(self) -> int:
        """Number of weights."""
        return sum(tensor.size for tensor in self.weights.values())

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a checkpoint, whole or not at all."""
        self._core.save(os.fspath(file))

    def __repr__(self) -> str:
        return f"Model({self.name or self.family!r}, {self.size} weights)"


def models() -> list[dict[str, Any]]:
    """The trained models that are there, with what they were trained for and how well they did.

    >>> import moco
    >>> "tsp100" in [entry["name"] for entry in moco.models()]
    True
    """
    return _core.models()
