"""NPQ: the data of CLRS-30, exact and at once; neural priority queues as torch modules.

>>> import npq
>>> print(npq.clrs.load("dijkstra", split="test"))
dijkstra, test split: 32 samples of 64 nodes, up to 65 steps
  inputs   pos s A adj
  hints    pi_h d mark in_queue u
  outputs  pi
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from npq import _library

if TYPE_CHECKING:
    from npq import clrs, kernels, memory, nn, testing
    from npq._run import Metrics, Run, runs, train

_PARTS = ("clrs", "kernels", "memory", "nn", "testing")
_RUNS = ("Metrics", "Run", "runs", "train")
__all__ = [*_PARTS, *_RUNS, "set_threads", "threads"]

__version__ = _library.version()


def set_threads(count: int) -> None:
    """Lets each call use so many threads; 0 stands for all cores, as in the beginning.

    Results have the same bits whatever the number.

    >>> import npq
    >>> npq.set_threads(1)
    >>> npq.threads()
    1
    >>> npq.set_threads(0)
    """
    _library.call("npq_set_threads", _library.whole_number("count", count))


def threads() -> int:
    """How many threads a call may use."""
    return int(_library.library().npq_threads())


def __getattr__(name: str) -> Any:
    if name in _PARTS:  # they load numpy and torch, which takes time; so only on request
        try:
            return importlib.import_module(f"npq.{name}")
        except ModuleNotFoundError as missing:
            if missing.name != "torch":
                raise
            raise ImportError(
                f"npq.{name} needs PyTorch, which is not installed here; install torch (any version "
                "from 1.13 on), or use npq.clrs, which does without"
            ) from None
    if name in _RUNS:
        return getattr(importlib.import_module("npq._run"), name)
    raise AttributeError(f"module 'npq' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
