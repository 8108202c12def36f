"""Reads files of named arrays (safetensors), as the program writes its weights."""

from __future__ import annotations

import json
import math
import os
import struct
from typing import Any, Dict, Tuple, Union

import numpy as np

_DTYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "U8": "|u1", "BOOL": "|b1"}
_LARGEST_HEADER = 100_000_000


def read(path: Union[str, "os.PathLike[str]"]) -> Tuple[Dict[str, Any], Dict[str, str]]:
    """The arrays by name, and the metadata."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        start = file.read(8)
        if len(start) < 8:
            raise ValueError(f"'{path}' is not a safetensors file: it ends after {len(start)} bytes")
        (length,) = struct.unpack("<Q", start)
        if length > min(size - 8, _LARGEST_HEADER):
            raise ValueError(f"'{path}' is damaged: its header would have {length} bytes")
        header, data = file.read(length), file.read()
    try:
        described = json.loads(header)
        metadata = {str(k): str(v) for k, v in described.pop("__metadata__", {}).items()}
        return {name: _array(info, data) for name, info in described.items()}, metadata
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"'{path}' is damaged: {error}; use another copy") from None


def _array(info: Dict[str, Any], data: bytes) -> Any:
    dtype = np.dtype(_DTYPES[info["dtype"]])
    begin, end = info["data_offsets"]
    shape = [int(axis) for axis in info["shape"]]
    wanted = math.prod(shape) * dtype.itemsize
    if not 0 <= begin <= end <= len(data) or end - begin != wanted or min(shape, default=0) < 0:
        raise ValueError(f"an array of {wanted} bytes lies at {begin} to {end} of {len(data)}")
    return np.frombuffer(data, dtype, count=math.prod(shape), offset=begin).reshape(shape).copy()
