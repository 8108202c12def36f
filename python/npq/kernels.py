"""Fused loops for networks of one's own, for float32 on the CPU, with gradients."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional

import torch

from npq import _library

_pointer = ctypes.c_void_p
_TENSORS = ("recv", "send", "x", "c", "w0", "b0", "w1", "b1", "memory")
_DELIVERY = {"self": 1, "all": 2}  # of rows of a memory; 0: nobody


class _Shape(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_int32) for name in ("batch", "nodes", "hidden", "channels", "memory_rows")
    ]


class _Inputs(ctypes.Structure):
    _fields_ = [(name, _pointer) for name in (*_TENSORS, "mask")]


class _Gradients(ctypes.Structure):
    _fields_ = [(name, _pointer) for name in _TENSORS]


def _at(tensor: Optional[torch.Tensor]) -> Optional[int]:
    return None if tensor is None else tensor.data_ptr()


class _Messages(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, delivery: int, mask: Optional[torch.Tensor], *tensors: Any) -> Any:
        recv, values = tensors[0], tensors[2]
        B, N, H = recv.shape
        R = 0 if values is None else values.shape[3]
        shape = _Shape(batch=B, nodes=N, hidden=H, channels=R, memory_rows=delivery)
        inputs = _Inputs(*(_at(tensor) for tensor in (*tensors, mask)))
        agg, arg = torch.empty_like(recv), torch.empty(B, N, H, dtype=torch.int16)
        _library.call(
            "npq_messages", ctypes.byref(shape), ctypes.byref(inputs), agg.data_ptr(), arg.data_ptr()
        )
        ctx.save_for_backward(arg, mask, *tensors)
        ctx.shape = shape
        return agg

    @staticmethod
    def backward(ctx: Any, dagg: torch.Tensor) -> Any:
        if torch.is_grad_enabled():  # create_graph=True
            raise RuntimeError("npq.kernels.messages has no second derivatives")
        arg, mask, *tensors = ctx.saved_tensors
        gradients = [
            torch.empty_like(tensor) if tensor is not None and wanted else None
            for tensor, wanted in zip(tensors, ctx.needs_input_grad[2:])
        ]
        inputs = _Inputs(*(_at(tensor) for tensor in (*tensors, mask)))
        dagg = dagg.contiguous()
        _library.call(
            "npq_messages_backward",
            ctypes.byref(ctx.shape),
            ctypes.byref(inputs),
            arg.data_ptr(),
            dagg.data_ptr(),
            ctypes.byref(_Gradients(*(_at(gradient) for gradient in gradients))),
        )
        return (None, None, *gradients)


def _checked(name: str, tensor: Any, shape: Any) -> torch.Tensor:
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name} is of type {type(tensor).__name__}; expected a tensor")
    if tensor.dtype != torch.float32 or tensor.device.type != "cpu":
        raise TypeError(
            f"{name} is {tensor.dtype} on {tensor.device}; this kernel is for float32 on the CPU"
        )
    if tuple(tensor.shape) != tuple(shape):
        raise ValueError(f"{name} has the shape {list(tensor.shape)}; expected {list(shape)}")
    return tensor.contiguous()


def messages(
    recv: torch.Tensor,
    send: torch.Tensor,
    w0: torch.Tensor,
    b0: torch.Tensor,
    w1: torch.Tensor,
    b1: torch.Tensor,
    *,
    values: Optional[torch.Tensor] = None,
    rows: Optional[torch.Tensor] = None,
    adj: Optional[torch.Tensor] = None,
    memory: Optional[torch.Tensor] = None,
    delivery: str = "self",
) -> torch.Tensor:
    """The largest message that each node hears, feature by feature, [B, N, H].

    m[s, r] = relu(relu(recv[r] + send[s] + values[s, r] rows) w0 + b0) w1 + b1, and the maximum over
    all s, or over those with adj[b, s, r]; who does not hear all nodes hears at least -1e6. recv and
    send are [B, N, H], values [B, N, N, R] (sender first), rows [R, H], weights [H, H]. `memory`
    [B, N, H] are messages of a memory, which go through the same network: with delivery "self" row i
    to node i, with "all" every row to every node. Nothing larger than a tile of messages is stored.

    >>> import npq.kernels, torch
    >>> x, w, b = torch.ones(1, 3, 2), torch.eye(2), torch.zeros(2)
    >>> npq.kernels.messages(x, x, w, b, w, b)[0, 0]
    tensor([2., 2.])
    """
    if not isinstance(recv, torch.Tensor) or recv.dim() != 3 or 0 in recv.shape:
        raise ValueError("recv is not a tensor [B, N, H] with 1 or more of each; give one")
    B, N, H = recv.shape
    if (values is None) != (rows is None):
        raise ValueError("values and rows belong together; give both or none")
    if delivery not in _DELIVERY:
        raise ValueError(f"delivery is {delivery!r}; expected 'self' or 'all'")
    R = values.shape[3] if isinstance(values, torch.Tensor) and values.dim() == 4 else 0
    tensors: Dict[str, Any] = {
        "recv": _checked("recv", recv, (B, N, H)),
        "send": _checked("send", send, (B, N, H)),
        "x": None if values is None else _checked("values", values, (B, N, N, R)),
        "c": None if rows is None else _checked("rows", rows, (R, H)),
        "w0": _checked("w0", w0, (H, H)),
        "b0": _checked("b0", b0, (H,)),
        "w1": _checked("w1", w1, (H, H)),
        "b1": _checked("b1", b1, (H,)),
        "memory": None if memory is None else _checked("memory", memory, (B, N, H)),
    }
    mask = None
    if adj is not None:
        if not isinstance(adj, torch.Tensor) or tuple(adj.shape) != (B, N, N):
            raise ValueError(f"adj is not a tensor [{B}, {N}, {N}]; give one number per sender and receiver")
        mask = (adj != 0).to(torch.uint8).contiguous()
    who = 0 if memory is None else _DELIVERY[delivery]
    found: torch.Tensor = _Messages.apply(who, mask, *(tensors[name] for name in _TENSORS))
    return found
