"""The queue's fused loops for float32 on the CPU, through the C interface.

Which way a step goes: fused where it can be, unless the environment variable NPQ_PATH says "composed"
or torch.compile is at work; with "fused" a step that cannot be fused is an error.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, Optional, Tuple

import torch

from npq import _library
from npq.memory._state import State

_pointer = ctypes.c_void_p
_int = ctypes.c_int32


class _PopShape(ctypes.Structure):
    _fields_ = [
        (name, _int)
        for name in (
            "batch", "nodes", "slots", "width", "heads", "best_only", "one_reader", "keep",
            "mask_later", "epsilon_grant", "heads_alone", "straight_through",
        )
    ]  # fmt: skip


class _PopInputs(ctypes.Structure):
    _fields_ = [
        (name, _pointer)
        for name in ("asked", "held", "combine", "strength", "s", "v", "occupied", "real")
    ]


class _PopGradients(ctypes.Structure):
    _fields_ = [(name, _pointer) for name in ("asked", "held", "combine", "strength", "s", "v")]


class _PushShape(ctypes.Structure):
    _fields_ = [
        (name, _int)
        for name in ("batch", "slots", "width", "keep", "add_to_reused", "full", "slot")
    ] + [("step", ctypes.c_int64)]


class _PushInputs(ctypes.Structure):
    _fields_ = [
        (name, _pointer)
        for name in ("v", "s", "total", "new_v", "new_s", "written", "write_slot")
    ]


class _PushOutputs(ctypes.Structure):
    _fields_ = [
        (name, _pointer)
        for name in ("v", "s", "written", "write_slot", "alive", "target", "onto")
    ]


class _PushGradients(ctypes.Structure):
    _fields_ = [(name, _pointer) for name in ("v", "s", "total", "new_v", "new_s")]


def goes_fused(z: torch.Tensor, attention: str) -> bool:
    """Whether a step for this z takes the fused path."""
    path = os.environ.get("NPQ_PATH", "")
    if path not in ("", "composed", "fused"):
        raise ValueError(f"NPQ_PATH is '{path}'; expected composed or fused")
    if z.dtype != torch.float32 or z.device.type != "cpu":
        reason = f"z is {z.dtype} on {z.device}; the fused path is for float32 on the CPU"
    elif attention != "paper":
        reason = f"the fused loops have no attention '{attention}'"
    else:
        return path == "fused" or (path == "" and not _compiling())
    if path == "fused":
        raise ValueError(f"NPQ_PATH is 'fused', but {reason}: unset NPQ_PATH")
    return False


def _compiling() -> bool:
    """torch.compile takes plain operations whole, but breaks its graph at calls of a library."""
    compiler: Any = getattr(torch, "compiler", None)  # newer torch
    return hasattr(compiler, "is_compiling") and bool(compiler.is_compiling())


def _at(tensor: Optional[torch.Tensor]) -> Optional[int]:
    """Where a tensor's numbers lie; None for one that is not there."""
    return None if tensor is None else tensor.data_ptr()


def _to(structure: ctypes.Structure) -> Any:
    return ctypes.byref(structure)


def _whole(tensor: Any) -> Any:
    """Contiguous, where it is there at all."""
    return None if tensor is None else tensor.contiguous()


def _like(tensor: Optional[torch.Tensor], wanted: bool) -> Optional[torch.Tensor]:
    return torch.empty_like(tensor) if tensor is not None and wanted else None


def _refuse_second_derivatives() -> None:
    if torch.is_grad_enabled():  # create_graph=True
        raise RuntimeError(
            "the fused queue has no second derivatives; set the environment variable NPQ_PATH=composed"
        )


class Pop(torch.autograd.Function):
    """npq_queue_pop: value [B, N, F] and total [B, S]."""

    @staticmethod
    def forward(ctx: Any, choices: Dict[str, bool], *tensors: Any) -> Any:
        asked, held, combine, strength, s, v, occupied, real = (_whole(t) for t in tensors)
        (B, N, K), (_, S, F) = asked.shape, v.shape
        shape = _PopShape(batch=B, nodes=N, slots=S, width=F, heads=K, **choices)
        saved = (asked, held, combine, strength, s, v, occupied, real)
        value = v.new_empty(B, N, F)
        total = None if shape.keep else v.new_empty(B, S)
        inputs = _PopInputs(*(_at(t) for t in saved))
        _library.call("npq_queue_pop", _to(shape), _to(inputs), value.data_ptr(), _at(total))
        ctx.save_for_backward(*saved)
        ctx.shape = shape
        return value, total

    @staticmethod
    def backward(ctx: Any, dvalue: torch.Tensor, dtotal: Optional[torch.Tensor]) -> Any:
        _refuse_second_derivatives()
        saved = ctx.saved_tensors
        wanted = ctx.needs_input_grad[1:7]
        gradients = [_like(tensor, want) for tensor, want in zip(saved, wanted)]
        dvalue, dtotal = dvalue.contiguous(), _whole(dtotal)
        _library.call(
            "npq_queue_pop_backward",
            _to(ctx.shape),
            _to(_PopInputs(*(_at(t) for t in saved))),
            dvalue.data_ptr(),
            _at(dtotal),
            _to(_PopGradients(*(_at(g) for g in gradients))),
        )
        return (None, *gradients, None, None)


class Push(torch.autograd.Function):
    """npq_queue_push for several kinds of rows, v and its products: the rows, then s, written and
    write_slot after the step."""

    @staticmethod
    def forward(ctx: Any, choices: Dict[str, int], kinds: int, *tensors: Any) -> Any:
        whole = [_whole(t) for t in tensors]
        rows, new_rows = whole[:kinds], whole[kinds : 2 * kinds]
        s, total, new_s, written, write_slot = whole[2 * kinds :]
        B, S = written.shape
        next_s, next_slot = _like(s, True), _like(write_slot, True)
        next_written = torch.empty_like(written)
        alive = torch.empty(B, S, dtype=torch.uint8)
        target, onto = torch.empty(B, dtype=torch.int32), torch.empty(B, dtype=torch.uint8)
        shapes, after = [], []
        for row, new_row in zip(rows, new_rows):  # the choice of the slot is the same for all
            shape = _PushShape(batch=B, slots=S, width=row.shape[2], **choices)
            next_row = torch.empty_like(row)
            given = (row, s, total, new_row, new_s, written, write_slot)
            made = (next_row, next_s, next_written, next_slot, alive, target, onto)
            inputs, outputs = _PushInputs(*map(_at, given)), _PushOutputs(*map(_at, made))
            _library.call("npq_queue_push", _to(shape), _to(inputs), _to(outputs))
            shapes.append(shape)
            after.append(next_row)
        ctx.save_for_backward(alive, target, onto)
        ctx.shapes, ctx.strengths = shapes, None if new_s is None else new_s.shape
        ctx.mark_non_differentiable(*(t for t in (next_written, next_slot) if t is not None))
        ctx.set_materialize_grads(False)  # unused outputs have no gradient
        return (*after, next_s, next_written, next_slot)

    @staticmethod
    def backward(ctx: Any, *given: Any) -> Any:
        _refuse_second_derivatives()
        kinds = len(ctx.shapes)
        ds = _whole(given[kinds])
        want = ctx.needs_input_grad[2:]
        rows: List[Optional[torch.Tensor]] = []
        new_rows: List[Optional[torch.Tensor]] = []
        strengths: List[Optional[torch.Tensor]] = [None, None, None]
        for k, shape in enumerate(ctx.shapes):
            sizes = (shape.batch, shape.slots, shape.width)
            dv, first = _whole(given[k]), k == 0 and ds is not None
            if dv is None and not first:
                rows.append(None)
                new_rows.append(None)
                continue
            if dv is None:
                dv = torch.zeros(sizes)
            rows.append(torch.empty(sizes) if want[k] else None)
            new_rows.append(torch.empty(sizes[0], sizes[2]) if want[kinds + k] else None)
            if first and not shape.keep:
                shaped = (sizes[:2], sizes[:2], ctx.strengths)
                wanted = want[2 * kinds : 2 * kinds + 3]
                strengths = [torch.empty(n) if w else None for n, w in zip(shaped, wanted)]
            s, total, new_s = strengths if first else (None, None, None)
            gradients = _PushGradients(*map(_at, (rows[k], s, total, new_rows[k], new_s)))
            marks = [tensor.data_ptr() for tensor in ctx.saved_tensors]
            _library.call(
                "npq_queue_push_backward",
                _to(shape),
                *marks,
                dv.data_ptr(),
                _at(ds) if first else None,
                _to(gradients),
            )
        return (None, None, *rows, *new_rows, *strengths, None, None)


_FULL = {"weakest": 0, "oldest": 1, "add": 2}
_SLOT = {"after_deletion": 0, "previous_step": 1, "rotate": 2}


def fused_step(queue: Any, z: torch.Tensor, state: State) -> Tuple[torch.Tensor, State]:
    """What PriorityQueue computes in plain operations, by the fused loops."""
    flags, variant = queue.options.flags, queue.options.queue
    real = state.tensors.get("nodes")
    pop = {
        "best_only": variant["read"] == "max",
        "one_reader": variant["reader"] == "graph",
        "keep": queue.keeps,
        "mask_later": queue.masks,
        "epsilon_grant": flags["grant"] == "epsilon",
        "heads_alone": queue.heads_alone,
        "straight_through": queue.options.on("straight_through"),
    }
    # f_m and f_a2 are linear, so they may act on what slots hold instead of on what nodes get; their
    # products with v are kept from step to step, and only the new element's are made.
    weights = {"m": queue.m.w, "a2": queue.a2.w}
    products = {name: state.product(name, weight) for name, weight in weights.items()}
    message, total = Pop.apply(
        pop,
        queue.a1(z),
        products["a2"] + queue.a2.b,
        None if queue.heads_alone else queue.a.w.flatten(),
        None if queue.keeps else queue.asked_strength(z, state),
        state.tensors.get("s"),
        products["m"],
        queue.occupied(state),
        None if real is None else real.squeeze(-1) > 0,
    )
    if not queue.keeps:
        message, total = queue.unit_size(message, total, z, state)
    new_v, new_s = queue.new_element(z, state)
    push = {
        "keep": int(queue.keeps),
        "add_to_reused": int(flags["slot_write"] == "add"),
        "full": _FULL[flags["full_queue"]],
        "slot": _SLOT[flags["write_slot"]],
        "step": state.step,
    }
    v, m, a2, s, written, slot = Push.apply(
        push,
        3,
        state["v"],
        products["m"],
        products["a2"],
        new_v,
        new_v @ queue.m.w,
        new_v @ queue.a2.w,
        state.tensors.get("s"),
        total,
        None if new_s is None else new_s.flatten(),
        state["written"],
        state.tensors.get("write_slot"),
    )
    changed = {"v": v, "s": s, "written": written, "write_slot": slot}
    following = state.after(**{name: tensor for name, tensor in changed.items() if tensor is not None})
    kept = {"m": (queue.m.w, m), "a2": (queue.a2.w, a2)}
    return message + queue.m.b, following.with_products(kept)
