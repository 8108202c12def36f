"""What every memory is: an ordinary torch module whose state is a value."""

from __future__ import annotations

import math
import os
import pathlib
from typing import Any, Dict, Iterable, Optional, Tuple, Union

import torch
from torch import nn

from npq import _safetensors
from npq.memory._options import Options
from npq.memory._state import State, same_sizes

MOST_AUTOMATIC_SLOTS = 1024
_PREFIX = "memory/"  # of names in the files of a run


class Linear(nn.Module):
    """x w + b with w [in, out], as the program's files have it; begins as Haiku's Linear."""

    def __init__(self, width: int, out: int) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.empty(width, out))
        self.b = nn.Parameter(torch.zeros(out))
        deviation = 1 / math.sqrt(width)
        nn.init.trunc_normal_(self.w, std=deviation, a=-2 * deviation, b=2 * deviation)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.w + self.b

    def extra_repr(self) -> str:
        return f"{self.w.shape[0]} -> {self.w.shape[1]}"


class LayerNorm(nn.Module):
    """Mean 0 and variance 1 over the last axis, then a scale and an offset, as the files name them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))
        self.offset = nn.Parameter(torch.zeros(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.layer_norm(x, self.scale.shape, self.scale, self.offset, 1e-5)


class Memory(nn.Module):
    """A memory of a message-passing network. Made by make().

    `memory(z, state)` reads the state, then writes: it returns one message per node, [B, N, H], and
    the next state. `delivery` says to whom the message of node i goes: "self" to node i, "all" to
    every node (the paper's -SA), "self_repeat" N times to node i, "nobody": there is none.
    """

    def __init__(self, options: Options, z_width: int, message_width: int) -> None:
        super().__init__()
        self.options = options
        self.z_width = z_width
        self.message_width = message_width
        self.width = options.number("queue_width") or z_width if "queue_width" in options.flags else 0

    # -- what a kind of memory brings ----------------------------------------------------------

    def _empty(self, batch: int, nodes: int, slots: int, like: torch.Tensor) -> Dict[str, torch.Tensor]:
        raise NotImplementedError

    def _step(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        raise NotImplementedError

    # -- what all of them do -------------------------------------------------------------------

    @property
    def delivery(self) -> str:
        if self.options.kind == "none":
            return "nobody"
        if not self.options.queue["send_to_all"]:
            return "self"
        return self.options.flags["sa_mode"]

    def initial_state(
        self,
        batch: int,
        nodes: int,
        *,
        steps: Optional[int] = None,
        node_mask: Optional[torch.Tensor] = None,
        device: Any = None,
        dtype: Optional[torch.dtype] = None,
    ) -> State:
        """The state before the first step: empty, whatever the parameters are.

        `steps`: how many steps are to come, where slots are "auto". `node_mask` [B, N] bool: False
        for nodes that are only padding. Device and dtype are those of the parameters unless given.
        """
        for name, size in (("batch", batch), ("nodes", nodes)):
            if not isinstance(size, int):
                raise TypeError(f"{name} is of type {type(size).__name__}; expected a whole number")
            if size < 1:
                raise ValueError(f"{name} is {size}; expected 1 or more")
        own = next(self.parameters(), torch.empty(0))
        like = torch.empty(0, device=device or own.device, dtype=dtype or own.dtype)
        if not like.is_floating_point():
            raise TypeError(f"dtype is {dtype}; expected floating point, as z has")
        tensors = self._empty(batch, nodes, self._slots(steps), like)
        if node_mask is not None:
            tensors["nodes"] = _checked_mask(node_mask, batch, nodes).to(like).unsqueeze(-1)
        return State(tensors)

    def forward(self, z: torch.Tensor, state: State) -> Tuple[Any, State]:
        self._check(z, state)
        messages, following = self._step(z, state)
        if self.options.flags.get("carry") == "first_step" and state.step > 0:
            following = state  # D1: later steps see what the first one left
        return messages, following

    def load_run(self, folder: Union[str, "os.PathLike[str]"], weights: str = "best") -> None:
        """Takes the memory's weights of a trained run: `weights` is "best", "last" or
        "average".

        The memory must be made with the run's own options (its config.json has them).
        """
        path = pathlib.Path(folder) / f"{weights}.safetensors"
        if not path.exists():
            raise FileNotFoundError(
                f"there is no '{path}'; expected the folder of a run, and weights of 'best', 'last' "
                "or 'average'"
            )
        stored, _ = _safetensors.read(path)
        found = {name[len(_PREFIX) :]: a for name, a in stored.items() if name.startswith(_PREFIX)}
        own = dict(self.named_parameters())
        if set(found) != set(own):
            raise ValueError(
                f"'{path}' is of another memory: its parameters are {_listed(found)}; expected "
                f"{_listed(own)}"
            )
        for name, parameter in own.items():
            if found[name].shape != parameter.shape:
                raise ValueError(
                    f"'{name}' of '{path}' has the shape {list(found[name].shape)}; expected "
                    f"{list(parameter.shape)}: make the memory with the widths of the run"
                )
        with torch.no_grad():
            for name, parameter in own.items():
                parameter.copy_(torch.from_numpy(found[name]))

    def run_weights(self) -> Dict[str, Any]:
        """The weights as the files of a run name them: "memory/v.w" and so on, as numpy arrays."""
        return {
            _PREFIX + name: parameter.detach().cpu().numpy()
            for name, parameter in self.named_parameters()
        }

    def _slots(self, steps: Optional[int]) -> int:
        slots = self.options.flags.get("slots")
        if slots is None:
            return 0
        if slots != "auto":
            return int(slots)
        if steps is None:
            raise ValueError(
                f"slots of '{self.options.name}' are 'auto', one per step, and nobody said how many "
                "steps there will be; pass steps= to initial_state, or slots= to make"
            )
        if not isinstance(steps, int) or steps < 1:
            raise ValueError(f"steps is {steps!r}; expected a whole number of 1 or more")
        deque = self.options.kind == "deque"  # it writes twice a step
        return min(max(2 * steps if deque else steps, 2 if deque else 1), MOST_AUTOMATIC_SLOTS)

    def _check(self, z: Any, state: Any) -> None:
        if not isinstance(z, torch.Tensor):
            raise TypeError(f"z is of type {type(z).__name__}; expected a tensor [B, N, Z]")
        if not isinstance(state, State):
            raise TypeError(
                f"the state is of type {type(state).__name__}; expected what initial_state() or the "
                "last step gave"
            )
        if z.dim() != 3 or z.shape[2] != self.z_width:
            raise ValueError(
                f"z has the shape {list(z.shape)}; expected [B, N, {self.z_width}], the z_width "
                "this memory was made with"
            )
        if not z.is_floating_point():
            raise TypeError(f"z is {z.dtype}; expected floating point")
        if z.shape[0] < 1 or z.shape[1] < 1:
            raise ValueError(f"z has the shape {list(z.shape)}; expected 1 or more graphs and nodes")
        fits, found = same_sizes(state, z.shape[0], z.shape[1])
        if not fits:
            raise ValueError(
                f"z is of {z.shape[0]} graphs with {z.shape[1]} nodes, but this is {found}; begin "
                "each batch with an initial_state() of its own"
            )
        for name, other in [*self.named_parameters(), *state.tensors.items()]:
            if other.is_floating_point() and other.dtype != z.dtype:
                raise TypeError(
                    f"z is {z.dtype}, but '{name}' is {other.dtype}; give both the same, with .to() "
                    "of the module or dtype= of initial_state"
                )
            if other.device != z.device:
                raise ValueError(
                    f"z lies on {z.device}, but '{name}' on {other.device}; move both to the same "
                    "device, with .to() of the module or device= of initial_state"
                )

    def extra_repr(self) -> str:
        chosen = ", ".join(f"{name}={value}" for name, value in self.options.flags.items())
        return f"'{self.options.name}', z_width={self.z_width}, message_width={self.message_width}, {chosen}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _checked_mask(mask: Any, batch: int, nodes: int) -> torch.Tensor:
    if not isinstance(mask, torch.Tensor) or mask.dtype != torch.bool:
        kind = mask.dtype if isinstance(mask, torch.Tensor) else type(mask).__name__
        raise TypeError(f"node_mask is {kind}; expected a tensor of bool, True for real nodes")
    if mask.shape != (batch, nodes):
        raise ValueError(
            f"node_mask has the shape {list(mask.shape)}; expected [{batch}, {nodes}], one per graph "
            "and node"
        )
    if not bool(mask.any(1).all()):
        raise ValueError("node_mask leaves a graph without any node; each needs one at least")
    return mask
