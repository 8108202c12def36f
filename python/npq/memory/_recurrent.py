"""Memories without slots: none, the controls, gates per node, a virtual node, and Dijkstra's schedule
replayed."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import torch
from torch import nn

from npq.memory._module import Linear, Memory
from npq.memory._nodes import marks, pooled
from npq.memory._options import Options
from npq.memory._state import State


class NoMemory(Memory):
    """No parameters, no state; the messages are None."""

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        return {}

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        return None, state.after()


class Bias(nn.Module):
    """A linear layer that hears nothing."""

    def __init__(self, out: int) -> None:
        super().__init__()
        self.b = nn.Parameter(torch.zeros(out))


class Constant(Memory):
    """A control: one learned message for every node. No state."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        self.m = Bias(message_width)

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        return {}

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        return self.m.b.expand(z.shape[0], z.shape[1], -1), state.after()


class GlobalMean(Memory):
    """A control: every node hears all nodes of this step, and of no other. No state."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        self.m = Linear(z_width, message_width)

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        return {}

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        message = pooled(self.m, z, state, self.options.flags["message_pool"] == "mean")
        return message.unsqueeze(1).expand(z.shape[0], z.shape[1], -1), state.after()


class Lstm(Memory):
    """An LSTM per node. State: h and c [B, N, F]."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        self.gates = Linear(z_width + self.width, 4 * self.width)
        self.m = Linear(self.width, message_width)

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        return {name: like.new_zeros(batch, nodes, self.width) for name in ("h", "c")}

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        i, g, f, o = self.gates(torch.cat([z, state["h"]], -1)).chunk(4, -1)
        c = (f + 1).sigmoid() * state["c"] + i.sigmoid() * g.tanh()
        return self.m(state["h"]), state.after(h=o.sigmoid() * c.tanh(), c=c)


class Gru(Memory):
    """A GRU per node, in torch's form. State: h [B, N, F]."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        self.input = Linear(z_width, 3 * self.width)
        self.hidden = Linear(self.width, 3 * self.width)
        self.m = Linear(self.width, message_width)

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        return {"h": like.new_zeros(batch, nodes, self.width)}

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        h = state["h"]
        from_z, from_h = self.input(z).chunk(3, -1), self.hidden(h).chunk(3, -1)
        reset = (from_z[0] + from_h[0]).sigmoid()
        keep = (from_z[1] + from_h[1]).sigmoid()
        fresh = (from_z[2] + reset * from_h[2]).tanh()
        return self.m(h), state.after(h=(1 - keep) * fresh + keep * h)


class VirtualNode(Memory):
    """One node that all others hear and that hears their mean. State: g [B, F]."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        self.node = Linear(z_width, self.width)
        self.mix = Linear(2 * self.width, self.width)
        self.out = Linear(self.width, self.width)
        self.m = Linear(self.width, message_width)

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        return {"g": like.new_zeros(batch, self.width)}

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        g = state["g"]
        mixed = self.mix(torch.cat([g, pooled(self.node, z, state, True)], -1)).relu()
        messages = self.m(g).unsqueeze(1).expand(z.shape[0], z.shape[1], -1)
        return messages, state.after(g=g + self.out(mixed))


class Oracle(Memory):
    """Replays Dijkstra's own queue. State: order [B, K], children [B, N, N], store [B, N, F]."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        self.o = Linear(self.width, message_width)
        self.q = Linear(z_width, self.width)
        self.p = Linear(self.width, self.width)

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        return {"store": like.new_zeros(batch, nodes, self.width)}

    def initial_state(
        self,
        batch: int,
        nodes: int,
        *,
        order: Optional[torch.Tensor] = None,
        children: Optional[torch.Tensor] = None,
        **keywords: Any,
    ) -> State:
        """Needs the schedule: `order` [B, K], the node taken at each step (-1: none), and `children`
        [B, N, N], 1 where u's step changes v's key."""
        state = super().initial_state(batch, nodes, **keywords)
        if order is None or children is None:
            raise ValueError(
                "memory 'oracle' needs Dijkstra's schedule with every batch; pass order= and children="
            )
        if order.dim() != 2 or order.shape[0] != batch or order.shape[1] < 1:
            raise ValueError(f"order has the shape {list(order.shape)}; expected [{batch}, K]")
        if children.shape != (batch, nodes, nodes):
            raise ValueError(
                f"children has the shape {list(children.shape)}; expected [{batch}, {nodes}, {nodes}]"
            )
        store = state["store"]
        schedule = {"order": order.to(store.device, torch.int64), "children": children.to(store)}
        return State({**schedule, **state.tensors})

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        order, store = state["order"], state["store"]
        u = order[:, state.step % order.shape[1]]
        taken = marks(u, z.shape[1]).to(z.dtype).unsqueeze(1)  # [B, 1, N]
        messages = taken.transpose(1, 2) * self.o(taken @ store)
        written = self.p(store) + self.q(taken @ z)
        changed = (taken @ state["children"]).transpose(1, 2) > 0
        return messages, state.after(store=torch.where(changed, written, store))
