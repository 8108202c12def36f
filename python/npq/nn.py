"""Between torch_geometric's flat batches and [B, N, ...]."""

from __future__ import annotations

from typing import Any, Tuple

import torch


def _checked(batch_vector: Any) -> torch.Tensor:
    if not isinstance(batch_vector, torch.Tensor) or batch_vector.dtype != torch.int64:
        kind = getattr(batch_vector, "dtype", type(batch_vector).__name__)
        raise TypeError(f"the batch vector is {kind}; expected a tensor of int64, a graph per node")
    if batch_vector.dim() != 1 or batch_vector.numel() == 0:
        raise ValueError(
            f"the batch vector has the shape {list(batch_vector.shape)}; expected one entry per node"
        )
    if int(batch_vector[0]) < 0 or bool((batch_vector[1:] < batch_vector[:-1]).any()):
        raise ValueError("the batch vector is not sorted; nodes of a graph must stand together")
    return batch_vector


def _places(batch_vector: torch.Tensor) -> Tuple[int, int, torch.Tensor]:
    """Graphs, nodes of the largest, and each node's number in its graph."""
    counts = torch.bincount(batch_vector)
    if int(counts.min()) == 0:
        raise ValueError(f"graph {int(counts.argmin())} of the batch vector has no node")
    first = counts.cumsum(0) - counts
    number = torch.arange(len(batch_vector), device=batch_vector.device) - first[batch_vector]
    return len(counts), int(counts.max()), number


def pad(batch_vector: torch.Tensor, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """x [nodes of all graphs, ...] as [B, N, ...] with zeros behind, and the mask of real nodes [B, N].

    The mask is the node_mask= of a memory's initial_state().

    >>> import npq.nn, torch
    >>> x, mask = npq.nn.pad(torch.tensor([0, 0, 1]), torch.tensor([[1.], [2.], [3.]]))
    >>> x.squeeze(-1).tolist(), mask.tolist()
    ([[1.0, 2.0], [3.0, 0.0]], [[True, True], [True, False]])
    """
    graphs, nodes, number = _places(_checked(batch_vector))
    if not isinstance(x, torch.Tensor) or x.dim() < 1 or x.shape[0] != len(batch_vector):
        found = list(x.shape) if isinstance(x, torch.Tensor) else type(x).__name__
        raise ValueError(f"x is {found}; expected a tensor with {len(batch_vector)} rows, one per node")
    padded = x.new_zeros((graphs, nodes, *x.shape[1:])).index_put((batch_vector, number), x)
    mask = torch.zeros(graphs, nodes, dtype=torch.bool, device=x.device)
    mask[batch_vector, number] = True
    return padded, mask


def unpad(batch_vector: torch.Tensor, padded: torch.Tensor) -> torch.Tensor:
    """The way back: the rows of real nodes, [nodes of all graphs, ...].

    >>> import npq.nn, torch
    >>> npq.nn.unpad(torch.tensor([0, 0, 1]), torch.tensor([[1, 2], [3, 0]])).tolist()
    [1, 2, 3]
    """
    graphs, nodes, number = _places(_checked(batch_vector))
    if not isinstance(padded, torch.Tensor) or tuple(padded.shape[:2]) != (graphs, nodes):
        found = list(padded.shape) if isinstance(padded, torch.Tensor) else type(padded).__name__
        raise ValueError(f"this is {found}; expected a tensor [{graphs}, {nodes}, ...]")
    return padded[batch_vector, number]
