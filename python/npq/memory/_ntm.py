"""A neural Turing machine: each node reads for itself, the graph writes once."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import torch

from npq.memory._module import Linear, Memory
from npq.memory._nodes import pooled
from npq.memory._options import Options
from npq.memory._state import State


def _by_content(key: torch.Tensor, sharpness: torch.Tensor, tape: torch.Tensor) -> torch.Tensor:
    """softmax_j(b cos(k, M_j)): k [B, Q, F], b [B, Q, 1], tape [B, S, F] -> [B, Q, S]."""
    lengths = key.norm(dim=-1, keepdim=True) * tape.norm(dim=-1, keepdim=True).transpose(1, 2)
    return (sharpness * (key @ tape.transpose(1, 2)) / (lengths + 1e-6)).softmax(-1)


def _at_least_one(x: torch.Tensor) -> torch.Tensor:
    return 1 + torch.nn.functional.softplus(x)


class Ntm(Memory):
    """State: tape [B, S, F], head [B, S], the weights of the last write."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        F = self.width
        self.read_key, self.read_strength = Linear(z_width, F), Linear(z_width, 1)
        self.controller = Linear(z_width, F)
        self.write_key, self.write_strength = Linear(F, F), Linear(F, 1)
        self.gate, self.shift, self.sharpen = Linear(F, 1), Linear(F, 3), Linear(F, 1)
        self.erase, self.add = Linear(F, F), Linear(F, F)
        self.m = Linear(F, message_width)

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        head = like.new_zeros(batch, slots)
        head[:, 0] = 1
        return {"tape": like.new_full((batch, slots, self.width), 1e-6), "head": head}

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        tape = state["tape"]
        attention = _by_content(self.read_key(z).tanh(), _at_least_one(self.read_strength(z)), tape)

        p = pooled(self.controller, z, state, True)  # [B, F]
        key, strength = self.write_key(p), _at_least_one(self.write_strength(p))
        found = _by_content(key.unsqueeze(1), strength.unsqueeze(1), tape).squeeze(1)  # [B, S]
        gate = self.gate(p).sigmoid()
        gated = gate * found + (1 - gate) * state["head"]
        back, stay, on = self.shift(p).softmax(-1).unsqueeze(-1).unbind(1)
        shifted = back * gated.roll(-1, 1) + stay * gated + on * gated.roll(1, 1)
        # x^y / sum x^y, in logarithms: tiny weights to a high power would leave 0/0.
        head = (_at_least_one(self.sharpen(p)) * shifted.clamp_min(1e-30).log()).softmax(-1)

        weight = head.unsqueeze(-1)
        erase, add = self.erase(p).sigmoid().unsqueeze(1), self.add(p).tanh().unsqueeze(1)
        after = state.after(tape=tape * (1 - weight * erase) + weight * add, head=head)
        return self.m(attention @ tape), after
