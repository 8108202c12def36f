"""Predictions, scored as the benchmark scores them and with what it leaves out."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Dict, Mapping, NamedTuple, Optional

import numpy as np

from npq import _library, _views
from npq.clrs._dataset import Dataset


class Figure(NamedTuple):
    """A figure over all samples, and its 95% interval (bootstrap over samples)."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"


class Scores(NamedTuple):
    """What evaluate() finds."""

    score: Figure  # the benchmark's: the plain mean of the outputs
    exact: Figure  # share of samples in which all of every output is right
    outputs: Dict[str, Figure]  # accuracy, F1 of masks, squared error of scalars
    valid: Optional[Figure]  # share of nodes whose parent is a correct answer, recorded or not
    all_valid: Optional[Figure]  # share of samples in which all nodes have one

    def __str__(self) -> str:
        lines = [f"score  {self.score}", f"exact  {self.exact}"]
        if self.valid is not None:
            lines.append(f"valid  {self.valid}")
        return "\n".join(lines)


def _numbers(name: str, values: Any) -> Any:
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "biuf":
        raise TypeError(
            f"predictions of '{name}' are an array of {numbers.dtype}; expected numbers"
        )
    return np.ascontiguousarray(numbers, dtype=np.float64)


def evaluate(predictions: Mapping[str, Any], dataset: Dataset) -> Scores:
    """How good predictions of a dataset's outputs are.

    `predictions` has one array per output, in the shape of `dataset.outputs`: node numbers for
    pointers, masks between 0 and 1 (above 0.5 counts as 1), rows with the largest entry at the
    class or node that is meant.

    >>> import npq
    >>> test = npq.clrs.load("bfs", split="test")
    >>> print(npq.clrs.evaluate(test.outputs, test))
    score  1.0000 [1.0000, 1.0000]
    exact  1.0000 [1.0000, 1.0000]
    valid  1.0000 [1.0000, 1.0000]
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(
            f"the second argument is of type {type(dataset).__name__}; expected a dataset of "
            "npq.clrs.load() or generate()"
        )
    if not hasattr(predictions, "items"):
        raise TypeError(
            f"predictions are of type {type(predictions).__name__}; expected a dict of arrays by "
            "the names of the outputs"
        )
    arrays = {str(name): _numbers(str(name), values) for name, values in predictions.items()}
    described = (_library.CArray * max(1, len(arrays)))()
    for entry, (name, array) in zip(described, arrays.items()):
        if array.ndim > 8:
            raise ValueError(f"predictions of '{name}' have {array.ndim} axes; expected 8 or less")
        entry.stage, entry.name = b"output", name.encode()
        entry.dtype, entry.axes = 0, array.ndim
        entry.shape[: array.ndim] = array.shape
        entry.data = array.ctypes.data
    indices = np.ascontiguousarray(dataset._indices)
    pointer = _views.integer_pointer(indices)
    sheet = json.loads(
        _library.text(
            "npq_clrs_evaluate",
            dataset._handle.number,
            pointer,
            len(indices),
            ctypes.cast(described, ctypes.POINTER(_library.CArray)),
            len(arrays),
        )
    )

    def figure(name: str) -> Optional[Figure]:
        return Figure(**sheet[name]) if name in sheet else None

    outputs = {name: Figure(**found) for name, found in sheet["outputs"].items()}
    return Scores(
        Figure(**sheet["score"]),
        Figure(**sheet["exact"]),
        outputs,
        figure("valid"),
        figure("all_valid"),
    )
