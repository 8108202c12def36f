"""Everything a memory knows at one moment, as a value."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterator, Tuple

import torch


@dataclasses.dataclass(frozen=True, repr=False)
class State:
    """Named tensors whose first axis is the batch, and how many steps there were.

    Stepping makes a new state and leaves the old one as it was, so a state can be kept, compared,
    or gone on from twice.
    """

    tensors: Dict[str, torch.Tensor]
    step: int = 0
    # What the fused path would make again in the next step: v times a weight, by the weight's name,
    # with the weight and its version. May be dropped at any time.
    _products: Dict[str, Tuple[torch.Tensor, int, torch.Tensor]] = dataclasses.field(
        default_factory=dict, compare=False
    )

    def __getitem__(self, name: str) -> torch.Tensor:
        try:
            return self.tensors[name]
        except KeyError:
            raise KeyError(
                f"this memory's state has no '{name}'; it has: {', '.join(self.tensors)}"
            ) from None

    def __contains__(self, name: str) -> bool:
        return name in self.tensors

    def __iter__(self) -> Iterator[str]:
        return iter(self.tensors)

    def after(self, **changed: torch.Tensor) -> "State":
        """The next state: these tensors are new, one step later."""
        return State({**self.tensors, **changed}, self.step + 1)

    def product(self, name: str, weight: torch.Tensor) -> torch.Tensor:
        """v times the weight; made where it is not at hand, or is of other numbers."""
        made = self._products.get(name)
        if made is not None and made[0] is weight and made[1] == weight._version:
            if not torch.is_grad_enabled() or made[2].requires_grad or not weight.requires_grad:
                return made[2]
        return self["v"] @ weight

    def with_products(self, products: Dict[str, Tuple[torch.Tensor, torch.Tensor]]) -> "State":
        kept = {name: (weight, weight._version, value) for name, (weight, value) in products.items()}
        return State(self.tensors, self.step, kept)

    def detach(self) -> "State":
        """The same numbers without a way back: where a long unroll is cut."""
        return State({name: tensor.detach() for name, tensor in self.tensors.items()}, self.step)

    def select(self, samples: Any) -> "State":
        """Only these samples, in this order."""
        return State({name: tensor[samples] for name, tensor in self.tensors.items()}, self.step)

    def to(self, *arguments: Any, **keywords: Any) -> "State":
        """On another device or with other floating-point numbers; whole numbers stay whole."""
        moved = {}
        for name, tensor in self.tensors.items():
            if tensor.is_floating_point():
                moved[name] = tensor.to(*arguments, **keywords)
            else:
                device = torch.empty((), dtype=torch.float32, device=tensor.device)
                moved[name] = tensor.to(device.to(*arguments, **keywords).device)
        return State(moved, self.step)

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name} {list(tensor.shape)}" for name, tensor in self.tensors.items())
        return f"npq.memory.State({shapes}; {self.step} steps)"


def same_sizes(state: State, batch: int, nodes: int) -> Tuple[bool, str]:
    """Whether a state is one of so many graphs with so many nodes, and else why not."""
    for name, tensor in state.tensors.items():
        if tensor.shape[0] != batch:
            return False, f"a state of {tensor.shape[0]} graphs"
        per_node = name in ("nodes", "h", "c", "store") or (name == "v" and tensor.dim() == 4)
        if per_node and tensor.shape[1] != nodes:
            return False, f"a state of graphs with {tensor.shape[1]} nodes"
    return True, ""
