"""Neural stack, queue and deque (Grefenstette et al. 2015), read before the step's pop and push."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Tuple

import torch

from npq.memory._module import Linear, Memory
from npq.memory._nodes import marks, pooled
from npq.memory._options import Options
from npq.memory._state import State


def _before(s: torch.Tensor) -> torch.Tensor:
    """0, s_0, s_0 + s_1, ...: without a subtraction, so it never falls below 0."""
    return torch.nn.functional.pad(s, (1, -1)).cumsum(-1)


def below(s: torch.Tensor, first: int = 0) -> torch.Tensor:
    """How much lies before each slot; `first` begins the order, where writing has gone round."""
    return _before(s.roll(-first, -1)).roll(first, -1)


def above(s: torch.Tensor, first: int = 0) -> torch.Tensor:
    return _before(s.roll(-first, -1).flip(-1)).flip(-1).roll(first, -1)


def _unit(s: torch.Tensor, cover: torch.Tensor) -> torch.Tensor:
    """How much one reads of every slot: a unit in all, from the uncovered side on."""
    return torch.minimum(s, (1 - cover).relu())


def _popped(s: torch.Tensor, u: torch.Tensor, cover: torch.Tensor) -> torch.Tensor:
    return (s - (u - cover).relu()).relu()


class Push(NamedTuple):
    slot: int
    v: torch.Tensor  # [.., F]
    d: torch.Tensor  # [.., 1]


class Strips(Memory):
    """A strip of slots per node, or one per graph. State: v [B, N, S, F] and s [B, N, S], or without N."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        self.per_graph = options.flags["memory_scope"] == "graph"

    def _add_controls(self, prefix: str) -> None:
        for name, out in (("push", 1), ("pop", 1), ("v", self.width)):
            self.add_module(prefix + name, Linear(self.z_width, out))

    def _controls(self, prefix: str, z: torch.Tensor, state: State) -> Tuple[torch.Tensor, ...]:
        """d and u [.., 1], v [.., F]."""

        def control(name: str) -> torch.Tensor:
            layer: Any = getattr(self, prefix + name)
            found: torch.Tensor = pooled(layer, z, state, True) if self.per_graph else layer(z)
            return found

        return control("push").sigmoid(), control("pop").sigmoid(), control("v").tanh()

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        shape = (batch, slots) if self.per_graph else (batch, nodes, slots)
        return {"v": like.new_zeros(*shape, self.width), "s": like.new_zeros(shape)}

    def _finish(
        self,
        z: torch.Tensor,
        state: State,
        weights: List[torch.Tensor],
        popped: torch.Tensor,
        pushes: List[Push],
    ) -> Tuple[torch.Tensor, State]:
        """What is read with each weight, and the strip after the pushes, one after the other."""
        v = state["v"]
        read = (torch.stack(weights, -2) @ v).flatten(-2)
        if self.per_graph:
            read = read.unsqueeze(1).expand(z.shape[0], z.shape[1], -1)
        s = popped
        for push in pushes:
            here = marks(torch.tensor(push.slot, device=z.device), s.shape[-1])
            s = torch.where(here, push.d, s)
            v = torch.where(here.unsqueeze(-1), push.v.unsqueeze(-2), v)
        return self.m(read), state.after(v=v, s=s)


class StackOrQueue(Strips):
    """A stack reads and pops the newest end, a queue the oldest."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        self._add_controls("")
        self.m = Linear(self.width, message_width)

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        s = state["s"]
        d, u, v = self._controls("", z, state)
        slot = state.step % s.shape[-1]  # the next to be written: it holds the oldest element
        cover = above(s, slot) if self.options.kind == "stack" else below(s, slot)
        pushes = [Push(slot, v, d)]
        return self._finish(z, state, [_unit(s, cover)], _popped(s, u, cover), pushes)


class Deque(Strips):
    """Two ends, each with controls of its own; pops the top first, then the bottom."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        self._add_controls("bottom_")
        self._add_controls("top_")
        self.m = Linear(2 * self.width, message_width)

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        s = state["s"]
        bottom_d, bottom_u, bottom_v = self._controls("bottom_", z, state)
        top_d, top_u, top_v = self._controls("top_", z, state)
        below_each, above_each = below(s), above(s)
        after_top = _popped(s, top_u, above_each)
        popped = _popped(after_top, bottom_u, below(after_top))
        slots = s.shape[-1]
        pushes = [
            Push((slots // 2 - 1 - state.step) % slots, bottom_v, bottom_d),
            Push((slots // 2 + state.step) % slots, top_v, top_d),
        ]
        return self._finish(z, state, [_unit(s, below_each), _unit(s, above_each)], popped, pushes)
