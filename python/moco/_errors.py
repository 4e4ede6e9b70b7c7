"""The exceptions of moco. Each is a :class:`moco.Error` and the built-in exception that fits it best."""

from __future__ import annotations


class Error(Exception):
    """Base of everything that moco raises by itself."""


class ArgumentError(Error, ValueError):
    """An argument has the right type and a value that cannot be used: wrong shape, NaN, a negative id, a self-loop."""


class ArgumentTypeError(Error, TypeError):
    """An argument is of a type or dtype that cannot be used."""


class InputError(Error, ValueError):
    """A file that cannot be read as what it claims to be: "FILE:LINE: what is wrong"."""


class OptionError(ArgumentError):
    """An option outside its documented range, or one that does not exist."""


class FileError(Error, OSError):
    """A file that cannot be opened, read or written."""


class ResourceError(Error, MemoryError):
    """The work does not fit into the memory of the machine or the device."""


class DeviceError(Error, RuntimeError):
    """A device that failed at work it should have been able to do."""


class InfeasibleSolution(Error, RuntimeError):
    """A solution that the independent checker refuses."""
