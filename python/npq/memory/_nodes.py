"""Sums and means over the nodes of each graph, where some rows may be padding; choices of a slot."""

from __future__ import annotations

from typing import Optional

import torch

from npq.memory._module import Linear
from npq.memory._state import State


def real_nodes(state: State) -> Optional[torch.Tensor]:
    """1 for real nodes, 0 for padding, [B, N, 1]; None if all are real."""
    return state.tensors.get("nodes")


def without_padding(x: torch.Tensor, state: State) -> torch.Tensor:
    """x [B, N, ...] with the rows of padding set to 0."""
    real = real_nodes(state)
    return x if real is None else x * real


def node_count(z: torch.Tensor, state: State) -> torch.Tensor:
    """Nodes per graph, [B, 1]."""
    real = real_nodes(state)
    return z.new_full((z.shape[0], 1), z.shape[1]) if real is None else real.sum(1)


def pooled(layer: Linear, z: torch.Tensor, state: State, mean: bool) -> torch.Tensor:
    """The sum or the mean over nodes of layer(z_i), [B, out]; b counts once per node in a sum."""
    total, count = without_padding(z, state).sum(1), node_count(z, state)
    if mean:
        return (total / count) @ layer.w + layer.b
    return total @ layer.w + count * layer.b


def masked_softmax(logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Over the last axis; zeros where the mask is False, even if all of it is."""
    lowest = max(-1e30, torch.finfo(logits.dtype).min)
    hidden = ~mask
    return logits.masked_fill(hidden, lowest).softmax(-1).masked_fill(hidden, 0)


def largest(layer: Linear, z: torch.Tensor, state: State) -> torch.Tensor:
    """Per number of layer(z_i) the largest of all nodes, [B, out]."""
    x, real = layer(z), real_nodes(state)
    return (x if real is None else x.masked_fill(real == 0, -1e9)).amax(1)


def chosen(layer: Linear, by: Linear, z: torch.Tensor, state: State) -> torch.Tensor:
    """The mean of layer(z_i) weighted by the softmax over nodes of by(z_i), [B, out]."""
    logits, real = by(z).squeeze(-1), real_nodes(state)
    weights = logits.softmax(-1) if real is None else masked_softmax(logits, real.squeeze(-1) > 0)
    return layer((weights.unsqueeze(-1) * z).sum(1))


def first_true(mask: torch.Tensor) -> torch.Tensor:
    """The lowest index along the last axis where the mask is True; its size where there is none."""
    size = mask.shape[-1]
    indices = torch.arange(size, device=mask.device)
    return torch.where(mask, indices, torch.full_like(indices, size)).amin(-1)


def first_argmax(x: torch.Tensor) -> torch.Tensor:
    values = x.detach()
    return first_true(values == values.amax(-1, keepdim=True))


def first_argmin(x: torch.Tensor) -> torch.Tensor:
    values = x.detach()
    return first_true(values == values.amin(-1, keepdim=True))


def marks(index: torch.Tensor, size: int) -> torch.Tensor:
    """True at the index, [..., size]."""
    return index.unsqueeze(-1) == torch.arange(size, device=index.device)
