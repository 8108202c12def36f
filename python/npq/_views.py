"""Arrays in the library's memory as numpy arrays that keep their owner alive."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Dict, Iterator, Tuple

import numpy as np
import numpy.typing as npt

from npq import _library

Array = npt.NDArray[Any]
Arrays = Dict[str, Array]

# By NPQ_FLOAT64, NPQ_INT64, NPQ_FLOAT32.
_DTYPES: Tuple[Any, ...] = (np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.float32))
AS_STORED, SINGLE = 0, 1


def numbers_for(dtype: Any) -> int:
    """How the library lays numbers out for a dtype= argument."""
    if dtype is None:
        return AS_STORED
    try:
        wanted = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"dtype is {dtype!r}; expected None, float64 or float32") from None
    if wanted == np.float64:
        return AS_STORED
    if wanted == np.float32:
        return SINGLE
    raise ValueError(
        f"dtype is {wanted}; expected None, float64 or float32 (node numbers are int64 in any case)"
    )


def views(handle: _library.Handle) -> Iterator[Tuple[str, str, Array]]:
    """Stage, name and numbers of each array. The last view that goes frees them all."""
    count = ctypes.c_size_t()
    _library.call("npq_arrays", handle.number, ctypes.byref(count))
    found = _library.CArray()
    reference = ctypes.byref(found)
    for index in range(count.value):
        _library.call("npq_array_at", handle.number, index, reference)
        dtype = _DTYPES[found.dtype]
        shape = tuple(found.shape[: found.axes])
        memory = (ctypes.c_char * (math.prod(shape) * dtype.itemsize)).from_address(found.data)
        memory.owner = handle
        yield found.stage.decode(), found.name.decode(), np.ndarray(shape, dtype, memory)


def integer_pointer(values: npt.NDArray[np.int64]) -> Any:
    return values.ctypes.data_as(ctypes.POINTER(ctypes.c_int64))
