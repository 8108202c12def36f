"""The shared library behind this package (npq/c/npq.h), through ctypes.

ctypes lets other Python threads run while a call is at work. Nothing here needs numpy.
"""

from __future__ import annotations

import ctypes
import functools
import json
import operator
import os
import pathlib
import re
from typing import Any, Callable, Mapping

ABI_VERSION = 1
NAME = "libnpq_c.so"

_BAD_ARGUMENT = 1


class CArray(ctypes.Structure):
    """npq_array."""

    _fields_ = [
        ("stage", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_int32),
        ("axes", ctypes.c_int32),
        ("shape", ctypes.c_int64 * 8),
        ("data", ctypes.c_void_p),
    ]


_handle = ctypes.c_uint64
_handle_out = ctypes.POINTER(ctypes.c_uint64)
_text = ctypes.c_char_p
_pointer = ctypes.c_void_p
_integers = ctypes.POINTER(ctypes.c_int64)

# The arguments of every function that returns a status.
_FUNCTIONS: dict[str, list[Any]] = {
    "npq_set_threads": [ctypes.c_int32],
    "npq_free": [_handle],
    "npq_text": [_handle, ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_size_t)],
    "npq_arrays": [_handle, ctypes.POINTER(ctypes.c_size_t)],
    "npq_array_at": [_handle, ctypes.c_size_t, ctypes.POINTER(CArray)],
    "npq_clrs_catalog": [_handle_out],
    "npq_clrs_load": [_text, _text, _handle_out],
    "npq_clrs_generate": [_text, _handle_out],
    "npq_clrs_describe": [_handle, _handle_out],
    "npq_clrs_lengths": [_handle, _integers, ctypes.c_size_t],
    "npq_clrs_sample": [_handle, ctypes.c_int64, ctypes.c_int32, _handle_out],
    "npq_clrs_batch": [
        _handle, _integers, ctypes.c_size_t, ctypes.c_int64, ctypes.c_int32, _handle_out,
    ],
    "npq_clrs_sampler": [_text, _handle_out],
    "npq_clrs_next": [_handle, ctypes.c_int32, _handle_out],
    "npq_clrs_sampler_position": [_handle, _handle_out],
    "npq_clrs_sampler_resume": [_text, _text, _handle_out],
    "npq_clrs_evaluate": [
        _handle, _integers, ctypes.c_size_t, ctypes.POINTER(CArray), ctypes.c_size_t, _handle_out,
    ],
    "npq_memory_catalog": [_handle_out],
    "npq_memory_options": [_text, _text, _text, _handle_out],
    # Pointers to structures of memory/_fused.py and kernels.py, and to numbers of tensors.
    "npq_queue_pop": [_pointer] * 4,
    "npq_queue_pop_backward": [_pointer] * 5,
    "npq_queue_push": [_pointer] * 3,
    "npq_queue_push_backward": [_pointer] * 7,
    "npq_messages": [_pointer] * 4,
    "npq_messages_backward": [_pointer] * 5,
}  # fmt: skip


def _path() -> pathlib.Path:
    chosen = os.environ.get("NPQ_LIBRARY")
    path = pathlib.Path(chosen) if chosen else pathlib.Path(__file__).parent / NAME
    if not path.exists():
        raise ImportError(
            f"the library of npq is not at '{path}'; install the package (pip install . in the "
            f"checkout), or let the environment variable NPQ_LIBRARY name a built {NAME}"
        )
    return path


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, loaded once."""
    loaded = ctypes.CDLL(str(_path()))
    loaded.npq_version.restype = ctypes.c_char_p
    loaded.npq_last_error.restype = ctypes.c_char_p
    found = loaded.npq_abi_version()
    if found != ABI_VERSION:
        raise ImportError(
            f"'{_path()}' has version {found} of the C interface, but this package speaks version "
            f"{ABI_VERSION}; install both from the same checkout"
        )
    for name, arguments in _FUNCTIONS.items():
        try:
            getattr(loaded, name).argtypes = arguments
        except AttributeError:
            raise ImportError(
                f"'{_path()}' is of another version: it has no {name}; install library and package "
                "from the same checkout"
            ) from None
    return loaded


def version() -> str:
    text: bytes = library().npq_version()
    return text.decode()


def python_spelling(message: str) -> str:
    """Flags of the command line as they are spelt here: --slot-write is slot_write."""
    return re.sub(
        r"--([a-z][a-z0-9-]*)", lambda flag: flag.group(1).replace("-", "_"), message
    )


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a status, and raises what went wrong."""
    loaded = library()
    status = getattr(loaded, name)(*arguments)
    if status:
        message = python_spelling(loaded.npq_last_error().decode(errors="replace"))
        raise ValueError(message) if status == _BAD_ARGUMENT else RuntimeError(message)


@functools.lru_cache(maxsize=None)
def _free() -> Any:
    """npq_free without letting other threads run meanwhile: a thread of a DataLoader worker that
    waits to go on while its process ends would take the process down."""
    function = ctypes.PyDLL(str(_path())).npq_free
    function.argtypes = [_handle]
    return function


class Handle:
    """Something in the library, freed with its last reference."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._free: Callable[[int], int] = _free()

    def __del__(self) -> None:
        self._free(self.number)


def make(name: str, *arguments: Any) -> Handle:
    """Calls a function whose last argument is where it writes a new handle."""
    number = ctypes.c_uint64()
    call(name, *arguments, ctypes.byref(number))
    return Handle(number.value)


def text(name: str, *arguments: Any) -> str:
    """The same for a handle of a text."""
    handle = make(name, *arguments)
    begin, length = ctypes.c_char_p(), ctypes.c_size_t()
    call("npq_text", handle.number, ctypes.byref(begin), ctypes.byref(length))
    return ctypes.string_at(begin, length.value).decode()


def whole_number(name: str, value: Any) -> int:
    """An int, or anything that stands for one, as numpy's integers do."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"{name} is of type {type(value).__name__}; expected a whole number"
        ) from None
    if not -(2**31) <= number < 2**31:
        raise ValueError(f"{name} is {number}; expected a number of 32 bits")
    return number


def _plain(value: Any) -> Any:
    """What JSON knows, for numbers and arrays of numpy and torch."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(
        f"an option is of type {type(value).__name__}; expected numbers, texts, lists of them or None"
    )


def options_json(options: Mapping[str, Any]) -> bytes:
    """Options as the library reads them; None stands for an option that is not given."""
    given = {name: value for name, value in options.items() if value is not None}
    try:
        return json.dumps(given, allow_nan=False, default=_plain).encode()
    except ValueError:
        raise ValueError("an option is not a number or infinite; give finite numbers") from None


def name_bytes(what: str, value: Any) -> bytes:
    """A name as C takes it."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is of type {type(value).__name__}; expected a str")
    if "\0" in value:
        raise ValueError(f"{what} holds a zero character, which no name has")
    return value.encode()
