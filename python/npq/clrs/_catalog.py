"""The table of algorithms, as the library has it."""

from __future__ import annotations

import functools
import json
from typing import Any, Dict, List, NamedTuple, Tuple

from npq import _library


class Probe(NamedTuple):
    """One named thing that an algorithm shows."""

    name: str
    stage: str  # input, hint or output
    location: str  # node, edge or graph
    type: str  # scalar, mask, mask_one, categorical, pointer or should_be_permutation
    classes: int  # of a categorical, else 0


Spec = Dict[str, Probe]


def spec_from(probes: List[Dict[str, Any]]) -> Spec:
    return {probe["name"]: Probe(**probe) for probe in probes}


@functools.lru_cache(maxsize=None)
def _catalog() -> Dict[str, Any]:
    return {row["name"]: row for row in json.loads(_library.text("npq_clrs_catalog"))}


def algorithms() -> Tuple[str, ...]:
    """The names of the 30 algorithms, and of three tasks that are nothing but a data structure.

    >>> import npq
    >>> names = npq.clrs.algorithms()
    >>> len(names), names[0], names[-3:]
    (33, 'insertion_sort', ('priority_queue', 'stack', 'queue'))
    """
    return tuple(_catalog())


def spec(algorithm: str) -> Spec:
    """What an algorithm shows, by name.

    >>> import npq
    >>> npq.clrs.spec("bfs")["pi"]
    Probe(name='pi', stage='output', location='node', type='pointer', classes=0)
    """
    _library.name_bytes("algorithm", algorithm)
    row = _catalog().get(algorithm)
    if row is None:
        # The library says which name is nearest.
        _library.make("npq_clrs_load", algorithm.encode(), b"train")
    assert row is not None
    return spec_from(row["spec"])
