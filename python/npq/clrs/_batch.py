"""Samples, and batches of them."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Dict, List, TypeVar

from npq import _library, _views
from npq.clrs._catalog import Spec

_T = TypeVar("_T", "Sample", "Batch")
_STAGES = ("inputs", "hints", "outputs")


def _table(arrays: Dict[str, Any]) -> str:
    return "  ".join(f"{name} {list(array.shape)}" for name, array in arrays.items())


def to_torch(array: Any) -> Any:
    """A tensor over the same memory."""
    import torch

    return torch.from_numpy(array)


def to_jax(array: Any) -> Any:
    """A jax array; over the same memory where jax can use it, else a copy."""
    import jax

    try:
        return jax.dlpack.from_dlpack(array)
    except Exception:  # jax says in many ways that memory is not aligned or a dtype switched off
        return jax.numpy.asarray(array)


@dataclasses.dataclass(repr=False, eq=False)
class _Arrays:
    algorithm: str
    nodes: int
    spec: Spec
    inputs: Dict[str, Any]
    hints: Dict[str, Any]
    outputs: Dict[str, Any]

    def _describe(self, first: str) -> str:
        lines = [first]
        lines += [f"  {stage:<8} {_table(getattr(self, stage))}" for stage in _STAGES]
        return "\n".join(lines)

    def _stages(self, change: Callable[[Any], Any]) -> Dict[str, Dict[str, Any]]:
        return {
            stage: {name: change(array) for name, array in getattr(self, stage).items()}
            for stage in _STAGES
        }


@dataclasses.dataclass(repr=False, eq=False)
class Sample(_Arrays):
    """One run of an algorithm: inputs and outputs as arrays, hints with an axis of steps in front.

    >>> import npq
    >>> sample = npq.clrs.load("dijkstra")[0]
    >>> sample.hints["d"].shape == (sample.length, sample.nodes)
    True
    """

    length: int  # steps

    def torch(self) -> "Sample":
        """The same as torch tensors, over the same memory."""
        return dataclasses.replace(self, **self._stages(to_torch))  # type: ignore[arg-type]

    def jax(self) -> "Sample":
        """The same as jax arrays."""
        return dataclasses.replace(self, **self._stages(to_jax))  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return self._describe(f"{self.algorithm}: a sample of {self.nodes} nodes, {self.length} steps")


@dataclasses.dataclass(repr=False, eq=False)
class Batch(_Arrays):
    """Samples side by side: inputs and outputs [B, ...], hints [T, B, ...], lengths [B].

    Behind each sample's end its hints are zero.

    >>> import npq
    >>> batch = next(npq.clrs.sampler("dijkstra", nodes=16, batch=4, seed=1, dtype="float32"))
    >>> batch.inputs["A"].shape, batch.inputs["A"].dtype
    ((4, 16, 16), dtype('float32'))
    >>> batch.hints["d"].shape[1:], len(batch)
    ((4, 16), 4)
    """

    lengths: Any  # [B], in floating point as the benchmark has it

    def __len__(self) -> int:
        return len(self.lengths)

    def torch(self) -> "Batch":
        """The same as torch tensors, over the same memory."""
        lengths = to_torch(self.lengths)
        return dataclasses.replace(self, lengths=lengths, **self._stages(to_torch))  # type: ignore[arg-type]

    def jax(self) -> "Batch":
        """The same as jax arrays (DLPack; a copy where jax cannot use the memory as it is)."""
        lengths = to_jax(self.lengths)
        return dataclasses.replace(self, lengths=lengths, **self._stages(to_jax))  # type: ignore[arg-type]

    def feedback(self) -> Any:
        """dm-clrs' own Feedback, which its samplers give: needs the package dm-clrs."""
        try:
            import clrs
        except ImportError:
            raise ImportError(
                "feedback() gives objects of dm-clrs, which is not installed; pip install dm-clrs"
            ) from None

        def points(stage: str) -> List[Any]:
            return [
                clrs.DataPoint(name, self.spec[name].location, self.spec[name].type, array)
                for name, array in getattr(self, stage).items()
            ]

        features = clrs.Features(tuple(points("inputs")), tuple(points("hints")), self.lengths)
        return clrs.Feedback(features, points("outputs"))

    def __repr__(self) -> str:
        first = f"{self.algorithm}: a batch of {len(self)} samples of {self.nodes} nodes"
        return self._describe(first)


def _read(handle: _library.Handle) -> Dict[str, Dict[str, Any]]:
    stages: Dict[str, Dict[str, Any]] = {"input": {}, "hint": {}, "output": {}, "lengths": {}}
    for stage, name, array in _views.views(handle):
        stages[stage][name] = array
    return stages


def sample_from(handle: _library.Handle, algorithm: str, spec: Spec, nodes: int, length: int) -> Sample:
    read = _read(handle)
    return Sample(algorithm, nodes, spec, read["input"], read["hint"], read["output"], length)


def batch_from(handle: _library.Handle, algorithm: str, spec: Spec) -> Batch:
    read = _read(handle)
    nodes = next(a for n, a in read["input"].items() if spec[n].location != "graph").shape[1]
    lengths = read["lengths"]["lengths"]
    return Batch(algorithm, nodes, spec, read["input"], read["hint"], read["output"], lengths)
