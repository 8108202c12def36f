"""Samples as torch_geometric has graphs, laid out as in SALSA-CLRS."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from npq.clrs._batch import Sample
from npq.clrs._catalog import Probe


def _has_weights(A: Any) -> bool:
    return not np.isin(A, (0, 1)).all()


def _one_hot(pointers: Any, nodes: int) -> Any:
    """[..., N] node numbers as [..., N, N]."""
    return np.arange(nodes) == pointers[..., np.newaxis]


def _on_edges(array: Any, edges: Any, timed: bool) -> Any:
    """[N, N, ...] or [T, N, N, ...] at the edges: [E, ...] or [E, T, ...]."""
    if not timed:
        return array[edges[0], edges[1]]
    return np.moveaxis(array[:, edges[0], edges[1]], 0, 1)


def _pointer_mask(probe: Probe, array: Any, edges: Any, nodes: int, timed: bool) -> Any:
    matrix = _one_hot(array, nodes)
    there = np.zeros((nodes, nodes), dtype=bool)
    there[edges[0], edges[1]] = True
    if matrix[..., ~there].any():
        raise ValueError(
            f"'{probe.name}' points from a node to one that no edge of the graph leads to, so it is "
            'no mask over edges; pass pointers="nodes" to keep node numbers'
        )
    return _on_edges(matrix, edges, timed)


def _laid_out(probe: Probe, array: Any, edges: Any, nodes: int, pointers: str) -> Any:
    timed = probe.stage == "hint"
    is_pointer = probe.type in ("pointer", "should_be_permutation")
    if probe.location == "edge":
        return _on_edges(array, edges, timed)
    if probe.location == "node" and is_pointer and pointers == "edges":
        return _pointer_mask(probe, array, edges, nodes, timed)
    if probe.location == "node":
        return np.moveaxis(array, 0, 1) if timed else array
    return array[np.newaxis] if timed else array


def _of_length(hint: Any, steps: Optional[int]) -> Any:
    """[N, T, ...] with `steps` steps: zeros behind, or what is behind left out."""
    if steps is None:
        return hint
    behind = [(0, 0)] * hint.ndim
    behind[1] = (0, max(steps - hint.shape[1], 0))
    return np.pad(hint[:, :steps], behind)


def to_data(sample: Sample, pointers: str, steps: Optional[int]) -> Any:
    """One sample; see Dataset.to_pyg()."""
    if pointers not in ("edges", "nodes"):
        raise ValueError(f"pointers is {pointers!r}; expected 'edges' or 'nodes'")
    import torch
    from torch_geometric.data import Data

    def tensor(array: Any) -> Any:
        return torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32))

    adjacency = sample.inputs.get("adj", np.ones((sample.nodes, sample.nodes)))
    edges = np.stack(np.nonzero(adjacency))
    data = Data(edge_index=torch.from_numpy(edges))
    data.length = torch.tensor(sample.length)
    data.inputs, data.hints, data.outputs = [], [], []
    for probe in sample.spec.values():
        stage = probe.stage + "s"
        array = getattr(sample, stage)[probe.name]
        if probe.name == "adj":
            continue
        if probe.name == "A" and "adj" in sample.inputs:
            if _has_weights(array):
                loops = array + np.eye(sample.nodes)
                data.weights = tensor(loops[edges[0], edges[1]])
            continue
        laid_out = _laid_out(probe, array, edges, sample.nodes, pointers)
        if stage == "hints":
            laid_out = _of_length(laid_out, steps)
        setattr(data, probe.name, tensor(laid_out))
        if stage != "inputs" or probe.location != "graph":
            getattr(data, stage).append(probe.name)
    return data
