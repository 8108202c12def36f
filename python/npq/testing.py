"""What every memory promises, as a check for a module of one's own.

>>> import npq.memory, npq.testing
>>> npq.testing.check_memory(npq.memory.make("npq_w", z_width=6, message_width=4, slots=3))
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
from typing import Any, Dict, Iterator, List, Optional, Tuple

import torch

BATCH, NODES, STEPS = 3, 5, 4
_TOLERANCE = 1e-9  # sums over nodes in another order, in float64


class ContractError(AssertionError):
    """A memory breaks a promise; the text says which, and what to do."""


def _tensors(state: Any) -> Iterator[torch.Tensor]:
    """All tensors of a state, whatever it is made of."""
    if isinstance(state, torch.Tensor):
        yield state
    elif isinstance(state, dict):
        for value in state.values():
            yield from _tensors(value)
    elif isinstance(state, (list, tuple)):
        for value in state:
            yield from _tensors(value)
    elif dataclasses.is_dataclass(state):
        for field in dataclasses.fields(state):
            if not field.name.startswith("_"):
                yield from _tensors(getattr(state, field.name))


class _Checker:
    def __init__(self, module: Any, z_width: int) -> None:
        self.module = copy.deepcopy(module).double()
        generator = torch.Generator().manual_seed(1)
        shape = (STEPS, BATCH, NODES, z_width)
        self.z = torch.randn(shape, generator=generator, dtype=torch.float64)

    def initial(self, batch: int = BATCH, nodes: int = NODES, mask: Optional[torch.Tensor] = None) -> Any:
        """Only what this module's initial_state() takes is passed."""
        known = inspect.signature(self.module.initial_state).parameters
        anything = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in known.values())
        offered: Dict[str, Any] = {"dtype": torch.float64, "steps": STEPS}
        if mask is not None:
            offered["node_mask"] = mask
        taken = {name: value for name, value in offered.items() if anything or name in known}
        return self.module.initial_state(batch=batch, nodes=nodes, **taken)

    def takes_masks(self) -> bool:
        return "node_mask" in inspect.signature(self.module.initial_state).parameters

    def step(self, z: torch.Tensor, state: Any) -> Tuple[torch.Tensor, Any]:
        result = self.module(z, state)
        if not isinstance(result, tuple) or len(result) != 2:
            raise ContractError(
                "a step gave something else than (messages, next state); return both from forward()"
            )
        messages, following = result
        if not isinstance(messages, torch.Tensor) or messages.shape[:2] != z.shape[:2]:
            found = list(getattr(messages, "shape", [])) or type(messages).__name__
            raise ContractError(
                f"messages are {found}; expected one row per node, [{z.shape[0]}, {z.shape[1]}, H]"
            )
        return messages, following

    def unroll(self, z: torch.Tensor, state: Any) -> torch.Tensor:
        messages: List[torch.Tensor] = []
        for step in z:
            message, state = self.step(step, state)
            messages.append(message)
        return torch.stack(messages)

    # -- the promises ----------------------------------------------------------------------------

    def changes_nothing_in_place(self) -> None:
        _, state = self.step(self.z[0], self.initial())
        before = [tensor.detach().clone() for tensor in _tensors(state)]
        first, _ = self.step(self.z[1], state)
        for old, new in zip(before, _tensors(state)):
            if not torch.equal(old, new):
                raise ContractError(
                    "a step changed the state that it was given; make new tensors and leave the old "
                    "ones as they are, since gradients and callers still need them"
                )
        again, _ = self.step(self.z[1], state)
        if not torch.equal(first, again):
            raise ContractError(
                "two steps from the same state with the same z gave different messages; all that a "
                "memory remembers must be in its state, nothing in the module, and nothing random"
            )

    def carries_its_state(self) -> None:
        other = self.z.clone()
        other[1] = -other[1]
        first, second = (self.unroll(z, self.initial()) for z in (self.z, other))
        if _distance(first[2], second[2]) <= 1e-9:
            raise ContractError(
                "what step 1 writes does not reach the messages of step 2: the state is not carried; "
                "read from the state that forward() is given, and return the one that it makes"
            )

    def permutes_with_its_nodes(self) -> None:
        order = torch.tensor([3, 0, 4, 1, 2])
        expected = self.unroll(self.z, self.initial())[:, :, order]
        if _distance(self.unroll(self.z[:, :, order], self.initial()), expected) > _TOLERANCE:
            raise ContractError(
                "permuting the nodes does not permute the messages; let no result depend on the "
                "number of a node"
            )

    def keeps_samples_apart(self) -> None:
        together = self.unroll(self.z, self.initial())
        for b in range(BATCH):
            alone = self.unroll(self.z[:, b : b + 1], self.initial(batch=1))
            if _distance(alone, together[:, b : b + 1]) > _TOLERANCE:
                raise ContractError(
                    f"sample {b} gets other messages alone than in a batch; nothing may pass from one "
                    "sample of a batch to another"
                )

    def has_finite_gradients(self) -> None:
        for size in (0.0, 1.0, 1000.0):
            z = (self.z * size).requires_grad_()
            messages = self.unroll(z, self.initial())
            named = [("z", z), *self.module.named_parameters()]
            gradients = torch.autograd.grad(
                messages.sum(), [value for _, value in named], allow_unused=True
            )
            found = [("the messages", messages)]
            found += [
                (f"the gradient of '{name}'", gradient)
                for (name, _), gradient in zip(named, gradients)
                if gradient is not None
            ]
            for what, values in found:
                if not bool(torch.isfinite(values).all()):
                    raise ContractError(
                        f"{what} holds a number that is not finite, with inputs of size {size:g}; "
                        "guard divisions, logarithms and the softmax of nothing"
                    )

    def does_not_hear_padding(self) -> None:
        noise = 10 * torch.ones(STEPS, BATCH, 2, self.z.shape[-1], dtype=torch.float64)
        mask = (torch.arange(NODES + 2) < NODES).expand(BATCH, NODES + 2)
        padded = self.unroll(torch.cat([self.z, noise], 2), self.initial(nodes=NODES + 2, mask=mask))
        if _distance(padded[:, :, :NODES], self.unroll(self.z, self.initial())) > _TOLERANCE:
            raise ContractError(
                "nodes that node_mask calls padding change the messages of real ones; leave them out "
                "of every sum, mean and maximum over nodes"
            )


def _distance(found: torch.Tensor, expected: torch.Tensor) -> float:
    scale = max(1.0, float(expected.detach().abs().max()))
    return float((found - expected).detach().abs().max()) / scale


def check_memory(module: Any, z_width: Optional[int] = None, *, stateless: bool = False) -> None:
    """Raises a ContractError that says what a memory does wrong, and what to do; else returns.

    The module has `initial_state(batch, nodes)` and `forward(z, state)`, which gives messages
    [B, N, H] and the next state; a state is made of tensors in tuples, dicts or dataclasses. If
    initial_state takes dtype=, steps= or node_mask=, these are passed. `z_width`: the width of z,
    unless the module says so itself. Held are: a step changes nothing in place and remembers
    nothing in the module; what it writes reaches the next step, unless it is called `stateless`;
    permuting the nodes permutes the messages; samples of a batch are apart; gradients are finite;
    padding is not heard.
    """
    width = z_width if z_width is not None else getattr(module, "z_width", None)
    if not isinstance(width, int) or width < 1:
        raise ValueError("the module does not say how wide z is; pass z_width=")
    for needed in ("initial_state", "forward"):
        if not callable(getattr(module, needed, None)):
            raise TypeError(f"a memory has the method {needed}(); this {type(module).__name__} has not")
    checker = _Checker(module, width)
    checker.changes_nothing_in_place()
    if not stateless:
        checker.carries_its_state()
    checker.permutes_with_its_nodes()
    checker.keeps_samples_apart()
    checker.has_finite_gradients()
    if checker.takes_masks():
        checker.does_not_hear_padding()
