"""Batches without end."""

from __future__ import annotations

import sys
from typing import Any, Dict, Iterator, Optional, Sequence, Union

import numpy as np

from npq import _library, _views
from npq.clrs._batch import Batch, batch_from
from npq.clrs._catalog import Spec, spec


class Sampler(Iterator[Batch]):
    """Batches without end, each of new samples. Made by sampler().

    Pickled or copied, it goes on from where it stood. In a worker of a torch DataLoader
    (`DataLoader(sampler.torch(), batch_size=None, num_workers=2)`) each worker has a stream of its
    own, which restarts with every pass over the loader.
    """

    _is_stream = False  # made by stream(): a worker takes it as it is

    def __init__(self, options: Dict[str, Any], dtype: Any = None) -> None:
        self._options = options
        self._numbers = _views.numbers_for(dtype)
        _library.name_bytes("algorithm", options["algorithm"])
        self._spec = _spec_of(options)
        self._handle = _library.make("npq_clrs_sampler", _library.options_json(options))

    @property
    def algorithm(self) -> str:
        return str(self._options["algorithm"])

    @property
    def spec(self) -> Spec:
        return self._spec

    def __iter__(self) -> "Sampler":
        worker = _worker()
        if worker is None or self._is_stream:
            return self
        return self.stream(worker)

    def __next__(self) -> Batch:
        handle = _library.make("npq_clrs_next", self._handle.number, self._numbers)
        return batch_from(handle, self.algorithm, self._spec)

    def stream(self, number: int) -> "Sampler":
        """A sampler of the same options whose batches are others: the stream with this number."""
        number = _library.whole_number("number", number)
        if number < 0:
            raise ValueError(f"number is {number}; expected 0 or more")
        mixed = np.random.SeedSequence([self._options["seed"], number + 1]).generate_state(1)
        part = Sampler({**self._options, "seed": int(mixed[0])})
        part._numbers = self._numbers
        part._is_stream = True
        return part

    def torch(self) -> Any:
        """The same as a torch IterableDataset of batches of tensors, for a DataLoader."""
        from npq.clrs._torch import TorchSampler

        return TorchSampler(self)

    def __getstate__(self) -> Dict[str, Any]:
        position = _library.text("npq_clrs_sampler_position", self._handle.number)
        return {
            "options": self._options,
            "numbers": self._numbers,
            "is_stream": self._is_stream,
            "position": position,
        }

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._options = state["options"]
        self._numbers = state["numbers"]
        self._is_stream = state["is_stream"]
        self._spec = _spec_of(self._options)
        options = _library.options_json(self._options)
        position = state["position"].encode()
        self._handle = _library.make("npq_clrs_sampler_resume", options, position)

    def __repr__(self) -> str:
        shown = {name: value for name, value in self._options.items() if value is not None}
        arguments = ", ".join(f"{n}={v!r}" for n, v in shown.items() if n != "algorithm")
        return f"npq.clrs.sampler({self.algorithm!r}, {arguments})"


def _worker() -> Optional[int]:
    """Which worker of a torch DataLoader this process is; None in none."""
    data = sys.modules.get("torch.utils.data")
    info = data.get_worker_info() if data is not None else None
    return None if info is None else int(info.id)


def _spec_of(options: Dict[str, Any]) -> Spec:
    if options.get("generator") in (None, "v1"):
        return spec(options["algorithm"])
    from npq.clrs._dataset import generate

    return generate(options["algorithm"], samples=1, generator=options["generator"]).spec


def sampler(
    algorithm: str,
    *,
    nodes: Union[int, Sequence[int]] = 16,
    batch: int = 32,
    seed: int = 1,
    dtype: Any = None,
    track_max_steps: bool = True,
    **options: Any,
) -> Sampler:
    """An endless stream of batches; several sizes in `nodes` alternate. Further options as for generate().

    With one size these are the batches of dm-clrs' sampler of that seed. As it does, the sampler
    first makes and drops 1000 samples, to learn how long trajectories get; track_max_steps=False
    does without, and pads hints to the longest of each batch.

    >>> import npq
    >>> batches = npq.clrs.sampler("bfs", nodes=(4, 7), batch=2, seed=1)
    >>> [next(batches).nodes for _ in range(3)]
    [4, 7, 4]
    """
    sizes: Any = nodes if isinstance(nodes, int) or not hasattr(nodes, "__iter__") else list(nodes)
    chosen = {"algorithm": algorithm, "nodes": sizes, "batch": batch, "seed": seed, **options}
    if not track_max_steps:
        chosen["track_max_steps"] = False
    return Sampler(chosen, dtype)
