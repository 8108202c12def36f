"""What the tests of the Python package share."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import re
import struct

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"

# These run where torch is (Debian's python3-torch); a run that finds no test at all fails.
collect_ignore_glob = [] if importlib.util.find_spec("torch") else ["test_torch_*.py"]
if not importlib.util.find_spec("clrs"):
    collect_ignore_glob.append("test_dm_clrs.py")
if "NPQ_PROGRAM" not in os.environ:  # a build without libtorch has no program that trains
    collect_ignore_glob += ["test_program.py", "test_torch_program.py"]
if "NPQ_MEMORY_CASES" not in os.environ:  # and no memories in C++
    collect_ignore_glob.append("test_torch_memory_golden.py")

_DTYPES = {"F64": np.float64, "F32": np.float32, "I64": np.int64, "BOOL": np.bool_, "U8": np.uint8}


class Golden(dict):
    """A safetensors file: arrays by name, and its metadata."""

    def __init__(self, path: pathlib.Path) -> None:
        raw = path.read_bytes()
        (length,) = struct.unpack("<Q", raw[:8])
        header = json.loads(raw[8 : 8 + length])
        self.metadata = header.pop("__metadata__", {})
        for name, info in header.items():
            begin, end = info["data_offsets"]
            data = np.frombuffer(raw[8 + length + begin : 8 + length + end], _DTYPES[info["dtype"]])
            self[name] = data.reshape(info["shape"])


def python_of(page, with_program):
    """The blocks of Python of a page: those that train with the program, or the others."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
    return [block for block in blocks if ("npq.train(" in block) == with_program]


@pytest.fixture
def clrs_golden():
    return lambda name: Golden(GOLDEN / "clrs" / f"{name}.safetensors")
