"""A memory by its name and flags."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Tuple, Type

from npq import _library
from npq.memory._module import Memory
from npq.memory._ntm import Ntm
from npq.memory._options import catalog, read_options
from npq.memory._queue import PriorityQueue
from npq.memory._recurrent import Constant, GlobalMean, Gru, Lstm, NoMemory, Oracle, VirtualNode
from npq.memory._strips import Deque, StackOrQueue

_KINDS: Dict[str, Type[Memory]] = {
    "none": NoMemory,
    "priority_queue": PriorityQueue,
    "stack": StackOrQueue,
    "queue": StackOrQueue,
    "deque": Deque,
    "lstm": Lstm,
    "gru": Gru,
    "virtual_node": VirtualNode,
    "ntm": Ntm,
    "oracle": Oracle,
    "constant": Constant,
    "global_mean": GlobalMean,
}


class Flag(NamedTuple):
    """A choice that make() takes by its name."""

    name: str
    help: str
    choices: Tuple[str, ...]  # empty: a number


def names() -> Tuple[str, ...]:
    """All memories of the catalog.

    >>> import npq
    >>> npq.memory.names()[:4]
    ('none', 'npq_m', 'npq_m_p', 'npq_m_sa')
    """
    return tuple(row["name"] for row in catalog()["memories"])


def flags() -> Tuple[Flag, ...]:
    """All flags of all memories, the same as on the command line.

    >>> import npq
    >>> [flag.choices for flag in npq.memory.flags() if flag.name == "push_pool"]
    [('sum', 'mean', 'max', 'softmax')]
    """
    return tuple(
        Flag(flag["name"].replace("-", "_"), flag["help"], tuple(flag["choices"]))
        for flag in catalog()["flags"]
    )


def make(
    name: str, z_width: int, message_width: int, *, preset: str = "paper", **flags: Any
) -> Memory:
    """A memory for z [B, N, z_width] that gives messages [B, N, message_width].

    `name` is one of names(), also in the paper's spelling ("NPQ_W-P-SV"); `preset` "reference"
    computes as the authors' published program does. Flags are those of the command line (flags()
    lists them), for example slots=64, queue_width=32, push_pool="mean", straight_through=True.
    `slots` is "auto" unless given: one per step, and initial_state() must be told how many.

    >>> import npq
    >>> npq.memory.make("NPQ_W-P-SV", z_width=8, message_width=4, slots=3).delivery
    'self'
    """
    for argument, value in (("z_width", z_width), ("message_width", message_width)):
        if _library.whole_number(argument, value) < 1:
            raise ValueError(f"{argument} is {value}; expected 1 or more")
    options = read_options(name, preset, flags)
    return _KINDS[options.kind](options, int(z_width), int(message_width))
