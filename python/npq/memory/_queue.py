"""The neural priority queue, and what makes its variants. Equation numbers are the paper's."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import torch

from npq.memory._fused import fused_step, goes_fused
from npq.memory._module import LayerNorm, Linear, Memory
from npq.memory._nodes import (
    chosen,
    first_argmax,
    first_argmin,
    first_true,
    largest,
    marks,
    masked_softmax,
    node_count,
    pooled,
    real_nodes,
    without_padding,
)
from npq.memory._options import Options
from npq.memory._state import State

LEAST_STRENGTH = 1e-6  # from here on an element counts as present (D8)


class PriorityQueue(Memory):
    """State: v [B, S, F]; s [B, S], the strengths, unless reading keeps (-P); written [B, S], the step
    that filled a slot, -1 for a free one; write_slot [B] where the last step chose it."""

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__(options, z_width, message_width)
        self.keeps = options.queue["pop"] == "keep"
        self.heads = options.number("queue_heads")
        self.heads_alone = self.heads == 1 and options.on("single_head_skip")  # D9
        self.single_softmax = options.flags["attention"] == "single"
        self.masks = options.on("mask_second_softmax")  # D2
        unit = options.flags["message_size"] == "unit" and not self.keeps
        graph_budget = options.flags["pop_budget"] == "graph"
        self.asks_mean = unit or graph_budget
        self.gets_all, self.drains_sum = unit, unit and not graph_budget
        self.push_pool = options.flags["push_pool"]
        if self.push_pool == "softmax":
            self.push = Linear(z_width, 1)
        if not self.keeps:
            self.s_push = Linear(z_width, 1)
            self.s_pop = Linear(z_width, 1)
        self.v = Linear(z_width, self.width)
        self.m = Linear(self.width, message_width)
        self.norm = LayerNorm(message_width) if options.flags["message_norm"] == "layer" else None
        self.a1 = Linear(z_width, self.heads)
        self.a2 = Linear(self.width, self.heads)
        if not self.heads_alone and not self.single_softmax:
            self.a = Linear(self.heads, 1)

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        tensors = {"v": like.new_zeros(batch, slots, self.width)}
        if not self.keeps:
            tensors["s"] = like.new_zeros(batch, slots)
        whole = {"device": like.device, "dtype": torch.int64}
        tensors["written"] = torch.full((batch, slots), -1, **whole)
        if self.options.flags["write_slot"] == "previous_step":
            tensors["write_slot"] = torch.zeros(batch, **whole)
        return tensors

    def occupied(self, state: State) -> torch.Tensor:
        """Which slots hold an element, [B, S]."""
        return state["written"] >= 0 if self.keeps else state["s"] >= LEAST_STRENGTH

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        if goes_fused(z, self.options.flags["attention"]):
            messages, following = fused_step(self, z, state)
        else:
            value, total = self._pop(z, state)
            messages, following = self.m(value), self._push(z, total, state)
        return messages if self.norm is None else self.norm(messages), following

    # -- pop -----------------------------------------------------------------------------------

    def _pop(self, z: torch.Tensor, state: State) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        """What each node gets, [B, N, F], and what was asked of each slot, [B, S]."""
        occupied = self.occupied(state)
        spread = self._spread(self._attention(z, state, occupied), occupied)
        if self.keeps:
            return spread @ state["v"], None
        request = self.asked_strength(z, state).unsqueeze(-1) * spread  # eq. 21-23
        total = request.sum(1)
        value = self._grant(request, total, state["s"]) @ state["v"]
        return self.unit_size(value, total, z, state)

    def unit_size(
        self, value: torch.Tensor, total: torch.Tensor, z: torch.Tensor, state: State
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        """An N-th was asked for; a node gets it N times, and each budget drains what it always does."""
        count = node_count(z, state)
        if self.gets_all:
            value = value * count.unsqueeze(-1)
        return value, total * count if self.drains_sum else total

    def _attention(self, z: torch.Tensor, state: State, occupied: torch.Tensor) -> torch.Tensor:
        asked = self.a1(z).unsqueeze(-1)  # [B, N, K, 1]
        held = self.a2(state["v"]).transpose(1, 2).unsqueeze(1)  # [B, 1, K, S]
        logits = torch.nn.functional.leaky_relu(asked + held, 0.01)  # eq. 18
        if self.single_softmax:
            each = self._first_softmax(logits.sum(2), occupied.unsqueeze(1))
        else:
            each = self._two_softmaxes(logits, occupied)
        if self.options.queue["reader"] == "node":
            return each
        together = without_padding(each, state).sum(1)  # eq. 126
        return self._later_softmax(together, occupied).unsqueeze(1).expand_as(each)

    def _two_softmaxes(self, logits: torch.Tensor, occupied: torch.Tensor) -> torch.Tensor:
        heads = self._first_softmax(logits, occupied.unsqueeze(1).unsqueeze(1))  # eq. 19
        if self.heads_alone:
            return heads.squeeze(2)
        combined = (heads * self.a.w).sum(2) + self.a.b
        return self._later_softmax(combined, occupied.unsqueeze(1))  # eq. 20

    def _first_softmax(self, logits: torch.Tensor, occupied: torch.Tensor) -> torch.Tensor:
        if self.masks:
            return masked_softmax(logits, occupied)
        return (logits - (~occupied).to(logits.dtype) * 1e9).softmax(-1)

    def _later_softmax(self, logits: torch.Tensor, occupied: torch.Tensor) -> torch.Tensor:
        return masked_softmax(logits, occupied) if self.masks else logits.softmax(-1)

    def _spread(self, c: torch.Tensor, occupied: torch.Tensor) -> torch.Tensor:
        """How a request of 1 spreads over the slots."""
        if self.options.queue["read"] == "weighted":
            return c
        best = marks(first_argmax(c), c.shape[-1])
        if self.masks:
            best = best & occupied.unsqueeze(1)
        one_hot = best.to(c.dtype)
        # The choice of the best passes no gradient (D17), or straight through that of the request.
        return one_hot + (c - c.detach()) if self.options.on("straight_through") else one_hot

    def asked_strength(self, z: torch.Tensor, state: State) -> torch.Tensor:
        """How much each node asks for, [B, N]; padding asks for nothing."""
        strength = self._pop_strength(z, state)
        if self.asks_mean:
            strength = strength / node_count(z, state)
        strength = strength.expand(z.shape[:2])
        real = real_nodes(state)
        return strength if real is None else strength * real.squeeze(-1)

    def _pop_strength(self, z: torch.Tensor, state: State) -> torch.Tensor:
        if self.options.flags["pop_strength"] == "softmax_sum":  # D5
            x = self.s_pop(z).squeeze(-1)
            real = real_nodes(state)
            if real is None:
                return x.softmax(-1) * x.sum(-1, keepdim=True)
            mask = real.squeeze(-1)
            return masked_softmax(x, mask > 0) * (x * mask).sum(-1, keepdim=True)
        if self.options.queue["reader"] == "node":
            return self.s_pop(z).squeeze(-1).sigmoid()  # eq. 14
        return self._pooled(self.s_pop, z, state).sigmoid()  # eq. 125

    def _pooled(self, layer: Linear, z: torch.Tensor, state: State) -> torch.Tensor:
        """What all nodes say together, [B, out]."""
        if self.push_pool == "max":
            return largest(layer, z, state)
        if self.push_pool == "softmax":
            return chosen(layer, self.push, z, state)
        return pooled(layer, z, state, self.push_pool == "mean")

    def _grant(self, request: torch.Tensor, total: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
        """A slot gives away at most what it holds, in proportion to what was asked. (eq. 15)"""
        if self.options.flags["grant"] == "epsilon":  # D7
            return request * (torch.minimum(s, total) / (total + 1e-6)).unsqueeze(1)
        short = total > s
        one = torch.ones_like(total)
        scale = torch.where(short, s / torch.where(short, total, one), one)
        return request * scale.unsqueeze(1)

    # -- push ----------------------------------------------------------------------------------

    def new_element(self, z: torch.Tensor, state: State) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        """Value [B, F] and strength [B, 1]. (eq. 28-29)"""
        value = self._pooled(self.v, z, state).tanh()
        if self.keeps:
            return value, None
        return value, self._pooled(self.s_push, z, state).sigmoid()

    def _push(self, z: torch.Tensor, total: Optional[torch.Tensor], state: State) -> State:
        """What is left of every slot, and the new element in one of them. (eq. 25-30)"""
        value, strength = self.new_element(z, state)
        v, written = state["v"], state["written"]
        adds = self.options.flags["slot_write"] == "add"  # D4
        s: Optional[torch.Tensor] = None
        if total is None or strength is None:
            alive = written >= 0
        else:
            left = state["s"] - torch.minimum(total, state["s"])
            alive = left >= LEAST_STRENGTH
            s = torch.where(alive, left, torch.zeros_like(left))
            written = written.masked_fill(~alive, -1)

        target = marks(self._slot(alive, s, written, state), alive.shape[1])  # [B, S]
        crowded = (target & alive).any(1, keepdim=True)
        if strength is not None and not adds:
            target = target & (strength >= LEAST_STRENGTH)
        full = self.options.flags["full_queue"]
        onto_old = crowded if full == "add" else torch.zeros_like(crowded)
        fresh = target & ~onto_old  # slots whose old element goes

        added = target.unsqueeze(-1).to(v.dtype) * value.unsqueeze(1)
        if not adds:
            if s is not None:
                v = v.masked_fill(~alive.unsqueeze(-1), 0)
            v = v.masked_fill(fresh.unsqueeze(-1), 0)
        changed = {"v": v + added, "written": written.masked_fill(target, state.step)}
        if s is not None and strength is not None:
            changed["s"] = s.masked_fill(fresh, 0) + target.to(v.dtype) * strength
        if "write_slot" in state:
            now = changed["s"] >= LEAST_STRENGTH if "s" in changed else changed["written"] >= 0
            changed["write_slot"] = self._next_slot(now, changed.get("s"), changed["written"])
        return state.after(**changed)

    def _slot(
        self, alive: torch.Tensor, s: Optional[torch.Tensor], written: torch.Tensor, state: State
    ) -> torch.Tensor:
        chosen = self.options.flags["write_slot"]
        if chosen == "previous_step":  # D11
            return state["write_slot"]
        if chosen == "rotate":
            return torch.full_like(written[:, 0], state.step % alive.shape[1])
        return self._next_slot(alive, s, written)

    def _next_slot(
        self, alive: torch.Tensor, s: Optional[torch.Tensor], written: torch.Tensor
    ) -> torch.Tensor:
        """The lowest free slot, [B]; in a full queue the one that gives way (D6)."""
        free = first_true(~alive)
        full = self.options.flags["full_queue"]
        if s is None or full == "oldest":
            crowded = first_argmin(written)
        elif full == "weakest":
            crowded = first_argmin(s)
        else:
            crowded = torch.zeros_like(free)
        return torch.where(free < alive.shape[1], free, crowded)
