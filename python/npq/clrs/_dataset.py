"""Datasets: the official splits, and samples of one's own options."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union, overload

import numpy as np
import numpy.typing as npt

from npq import _library, _views
from npq.clrs._batch import Batch, Sample, batch_from, sample_from
from npq.clrs._catalog import Spec, spec_from

_Recipe = Tuple[str, Dict[str, Any]]  # "load" or "generate", and its arguments
_Indices = npt.NDArray[np.int64]


class Dataset:
    """Samples of one algorithm, in compact form; arrays are made when they are asked for.

    `dataset[3]` is a Sample, `dataset[:10]` or `dataset[[1, 5]]` a Dataset of those, and
    `dataset.batch()` puts all side by side. Made by load() and generate(). A pickled dataset is how
    it was made, not its numbers.

    >>> import npq
    >>> data = npq.clrs.load("bfs", split="val")
    >>> len(data[:5]), data[:5].batch().inputs["pos"].shape
    (5, (5, 16))
    """

    def __init__(self, recipe: _Recipe, dtype: Any = None) -> None:
        self._recipe = recipe
        self._numbers = _views.numbers_for(dtype)
        self._handle = _made(recipe)
        about = json.loads(_library.text("npq_clrs_describe", self._handle.number))
        self.algorithm: str = about["algorithm"]
        self.nodes: int = about["nodes"]
        self.spec: Spec = spec_from(about["spec"])
        self.split: Optional[str] = recipe[1].get("split")
        all_lengths = np.empty(about["samples"], dtype=np.int64)
        pointer = _views.integer_pointer(all_lengths)
        _library.call("npq_clrs_lengths", self._handle.number, pointer, len(all_lengths))
        self._all_lengths = all_lengths
        self._indices: _Indices = np.arange(len(all_lengths), dtype=np.int64)
        self._whole: Optional[Batch] = None

    def __len__(self) -> int:
        return len(self._indices)

    @property
    def lengths(self) -> _Indices:
        """Steps of each sample."""
        return self._all_lengths[self._indices]

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: Union[slice, List[int], npt.NDArray[Any]]) -> "Dataset": ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, (slice, list, np.ndarray)):
            return self._part(self._indices[self._checked(index)])
        position = _library.whole_number("index", index)
        if not -len(self) <= position < len(self):
            raise IndexError(f"there is no sample {position}; this dataset has {len(self)}")
        chosen = int(self._indices[position])
        handle = _library.make("npq_clrs_sample", self._handle.number, chosen, self._numbers)
        length = int(self._all_lengths[chosen])
        return sample_from(handle, self.algorithm, self.spec, self.nodes, length)

    def __iter__(self) -> Iterator[Sample]:
        return (self[position] for position in range(len(self)))

    def batch(self, indices: Any = None, *, steps: Optional[int] = None) -> Batch:
        """Samples side by side: all of them, or those with these indices.

        Hints have as many steps as the longest of the samples, or `steps`; what a longer sample has
        behind them is left out.
        """
        chosen = self._indices if indices is None else self._indices[self._checked(indices)]
        chosen = np.ascontiguousarray(chosen)
        wanted = _checked_steps(steps) or 0
        pointer = _views.integer_pointer(chosen)
        handle = _library.make(
            "npq_clrs_batch", self._handle.number, pointer, len(chosen), wanted, self._numbers
        )
        return batch_from(handle, self.algorithm, self.spec)

    def batches(self, size: int, *, drop_last: bool = False) -> Iterator[Batch]:
        """Batches of `size` samples in order; the last one may be smaller."""
        if _library.whole_number("size", size) < 1:
            raise ValueError(f"size is {size}; expected 1 or more samples in a batch")
        end = len(self) - (len(self) % size if drop_last else 0)
        return (
            self.batch(np.arange(begin, min(begin + size, end))) for begin in range(0, end, size)
        )

    @property
    def inputs(self) -> Dict[str, Any]:
        """Inputs of all samples, [B, ...]."""
        return self._all().inputs

    @property
    def hints(self) -> Dict[str, Any]:
        """Hints of all samples, [T, B, ...]."""
        return self._all().hints

    @property
    def outputs(self) -> Dict[str, Any]:
        """Outputs of all samples, [B, ...]."""
        return self._all().outputs

    def to_pyg(self, *, pointers: str = "edges", steps: Optional[int] = None) -> List[Any]:
        """A list of torch_geometric Data, one per sample, laid out as in SALSA-CLRS.

        `edge_index` are the entries of adj (all pairs where there is none), `weights` those of A
        where it has any; what lives on edges becomes [E] and [E, T], hints of nodes [N, T, ...], of
        the graph [1, T, ...]. A pointer becomes a mask over edges, or with pointers="nodes" stays a
        node number. Numbers are float32. Needs torch and torch_geometric.

        Every graph has as many steps as its own run took; torch_geometric's DataLoader puts graphs
        side by side only if all have the same: let `steps` be int(dataset.lengths.max()).
        """
        from npq.clrs._pyg import to_data

        wanted = _checked_steps(steps)
        return [to_data(sample, pointers, wanted) for sample in self]

    def _all(self) -> Batch:
        if self._whole is None:
            self._whole = self.batch()
        return self._whole

    def _checked(self, index: Any) -> Any:
        """Something that picks indices; bad ones are explained."""
        if isinstance(index, slice):
            return index
        chosen = np.asarray(index)
        if chosen.size == 0:
            raise ValueError("no sample was asked for; give at least one index")
        if chosen.dtype == bool:
            if chosen.shape != (len(self),):
                raise ValueError(
                    f"a mask has the shape {chosen.shape}; expected one entry for each of the "
                    f"{len(self)} samples"
                )
            return chosen
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise TypeError(
                f"indices are an array of {chosen.dtype} with {chosen.ndim} axes; expected a list of "
                "whole numbers"
            )
        wrong = chosen[(chosen < -len(self)) | (chosen >= len(self))]
        if len(wrong):
            raise IndexError(f"there is no sample {wrong[0]}; this dataset has {len(self)}")
        return chosen

    def _part(self, indices: _Indices) -> "Dataset":
        part = object.__new__(Dataset)
        part.__dict__.update(self.__dict__)
        part._indices = indices
        part._whole = None
        return part

    def __reduce__(self) -> Any:
        return _unpickled, (self._recipe, self._numbers, self._indices)

    def __repr__(self) -> str:
        kind = f"{self.split} split" if self.split else "generated"
        whole = len(self) == len(self._all_lengths)
        part = "" if whole else f" of {len(self._all_lengths)}"
        longest = int(self.lengths.max()) if len(self) else 0
        lines = [
            f"{self.algorithm}, {kind}: {len(self)}{part} samples of {self.nodes} nodes, "
            f"up to {longest} steps"
        ]
        for stage in ("input", "hint", "output"):
            names = " ".join(p.name for p in self.spec.values() if p.stage == stage)
            lines.append(f"  {stage + 's':<8} {names}")
        return "\n".join(lines)


def _checked_steps(steps: Optional[int]) -> Optional[int]:
    if steps is not None and _library.whole_number("steps", steps) < 1:
        raise ValueError(f"steps is {steps}; expected 1 or more, or None for as many as there are")
    return None if steps is None else int(steps)


def _made(recipe: _Recipe) -> _library.Handle:
    kind, options = recipe
    if kind == "load":
        algorithm = _library.name_bytes("algorithm", options["algorithm"])
        split = _library.name_bytes("split", options["split"])
        return _library.make("npq_clrs_load", algorithm, split)
    _library.name_bytes("algorithm", options["algorithm"])
    return _library.make("npq_clrs_generate", _library.options_json(options))


def _unpickled(recipe: _Recipe, numbers: int, indices: _Indices) -> Dataset:
    dataset = Dataset(recipe)
    dataset._numbers = numbers
    dataset._indices = indices
    return dataset


def load(algorithm: str, split: str = "train", *, dtype: Any = None) -> Dataset:
    """An official split of CLRS-30, bit for bit: nothing is downloaded, it is generated again.

    `split` is train, val or test. Numbers are float64 and int64 as the benchmark stores them; with
    dtype="float32" what is float64 becomes float32.

    >>> import npq
    >>> npq.clrs.load("insertion_sort", split="val")
    insertion_sort, val split: 32 samples of 16 nodes, up to 16 steps
      inputs   pos key
      hints    pred_h i j
      outputs  pred
    """
    return Dataset(("load", {"algorithm": algorithm, "split": split}), dtype)


def generate(
    algorithm: str,
    *,
    nodes: int = 16,
    samples: int = 1000,
    seed: int = 1,
    dtype: Any = None,
    **options: Any,
) -> Dataset:
    """Samples of any size, drawn as the benchmark draws them.

    Further options are the keywords of the benchmark's samplers: p (one edge probability or
    several to choose from), low, high, k, eps, length_2, chars, length_needle, max_deadline,
    origin_x, origin_y, radius; generator="head" draws as newer versions do, then also
    truncate_decimals.

    >>> import npq
    >>> data = npq.clrs.generate("mst_prim", nodes=32, samples=10, seed=7, p=(0.1, 0.3))
    >>> len(data), data.inputs["A"].shape
    (10, (10, 32, 32))
    """
    chosen = {"algorithm": algorithm, "nodes": nodes, "samples": samples, "seed": seed, **options}
    return Dataset(("generate", chosen), dtype)
