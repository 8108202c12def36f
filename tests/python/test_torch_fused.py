"""The fused path against the composed one, in float32."""

import os
import subprocess
import sys
import threading
import types

import npq
import npq.memory
import pytest
import torch

pytestmark = pytest.mark.torch
B, N, Z, H, STEPS = 3, 5, 6, 4, 6
QUEUES = [name for name in npq.memory.names() if name.startswith("npq_")]
# Sums of at most a few dozen terms in another order, through six steps.
BOUND = 2e-5


def cases():
    for name in QUEUES:
        yield name, {"slots": 16}
        yield name, {"slots": 3}
    for name in ("npq_w", "npq_m", "npq_w_p_sv"):
        for flag in npq.memory.flags():
            known = npq.memory.make(name, Z, H, slots=3).options.flags
            for choice in flag.choices:
                composed_alone = flag.name == "attention" and choice != "paper"
                if flag.name in known and flag.name != "join" and not composed_alone:
                    heads = {"queue_heads": 1} if flag.name == "single_head_skip" else {}
                    yield name, {"slots": 3, flag.name: choice, **heads}


def unrolled(queue, z, mask):
    state = queue.initial_state(B, N, node_mask=mask)
    real = torch.ones(B, N) if mask is None else mask.float()  # messages to padding mean nothing
    total = 0
    for t, step in enumerate(z):
        messages, state = queue(step, state)
        messages = messages * real.unsqueeze(-1)
        total = total + (messages * torch.cos(torch.arange(float(H)) + t)).sum((1, 2))
    return total, state


def gradients(queue, z, mask):
    queue.zero_grad()
    z = z.clone().requires_grad_()
    total, state = unrolled(queue, z, mask)
    total.sum().backward()
    named = {name: p.grad for name, p in queue.named_parameters() if p.grad is not None}
    return total.detach(), state, {"z": z.grad, **named}


def close(found, expected):
    scale = max(1.0, float(expected.detach().abs().max()))
    return float((found - expected).detach().abs().max()) <= BOUND * scale


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("name, flags", list(cases()), ids=str)
def test_fused_computes_what_composed_does(name, flags, masked, monkeypatch):
    torch.manual_seed(3)
    queue = npq.memory.make(name, Z, H, **flags)
    z = torch.randn(STEPS, B, N, Z)
    mask = torch.arange(N) < N - torch.arange(B).unsqueeze(1) if masked else None
    monkeypatch.setenv("NPQ_PATH", "composed")
    expected, expected_state, expected_gradients = gradients(queue, z, mask)
    monkeypatch.setenv("NPQ_PATH", "fused")
    found, state, found_gradients = gradients(queue, z, mask)
    assert close(found, expected)
    for entry in expected_state:
        assert close(state[entry].float(), expected_state[entry].float()), entry
    for parameter, gradient in expected_gradients.items():
        other = found_gradients.get(parameter, torch.zeros_like(gradient))
        assert close(other, gradient), parameter


def test_any_sizes_and_strides_will_do(monkeypatch):
    monkeypatch.setenv("NPQ_PATH", "fused")
    for batch, nodes, width, slots in [(1, 1, 1, 1), (2, 17, 33, 9), (4, 3, 8, 31)]:
        queue = npq.memory.make("npq_w", width, 5, slots=slots)
        z = torch.randn(width, nodes, batch).permute(2, 1, 0)
        messages, state = queue(z, queue.initial_state(batch, nodes))
        messages, state = queue(z, state)
        assert messages.shape == (batch, nodes, 5) and bool(torch.isfinite(messages).all())


def test_second_derivatives_are_refused(monkeypatch):
    monkeypatch.setenv("NPQ_PATH", "fused")
    queue = npq.memory.make("npq_w", Z, H, slots=3)
    z = torch.randn(STEPS, B, N, Z, requires_grad=True)
    total, _ = unrolled(queue, z, None)
    with pytest.raises(RuntimeError, match="no second derivatives; set .* NPQ_PATH=composed"):
        torch.autograd.grad(total.sum(), z, create_graph=True)


def test_other_weights_count_from_the_next_step_on(monkeypatch):
    # What a state has computed beforehand must not outlive the weights, or their gradients.
    queue = npq.memory.make("npq_w", Z, H, slots=3)
    z = torch.randn(STEPS, B, N, Z)
    with torch.no_grad():
        _, state = unrolled(queue, z, None)
    assert queue(z[0], state)[0].requires_grad
    queue(z[0], state)[0].sum().backward()
    found = queue.m.w.grad.clone()
    with torch.no_grad():
        queue.m.w.mul_(2)
    after = queue(z[0], state)[0]
    monkeypatch.setenv("NPQ_PATH", "composed")
    torch.testing.assert_close(after, queue(z[0], state)[0], rtol=1e-5, atol=1e-5)
    queue.zero_grad()
    queue(z[0], state)[0].sum().backward()
    torch.testing.assert_close(found, queue.m.w.grad, rtol=1e-5, atol=1e-5)


def test_the_path_can_be_chosen_and_wrong_ones_are_refused(monkeypatch):
    queue = npq.memory.make("npq_w", Z, H, slots=3).double()
    monkeypatch.setenv("NPQ_PATH", "fused")
    with pytest.raises(ValueError, match="the fused path is for float32 on the CPU: unset NPQ_PATH"):
        queue(torch.randn(B, N, Z).double(), queue.initial_state(B, N))
    single = npq.memory.make("npq_w", Z, H, slots=3, attention="single")
    with pytest.raises(ValueError, match="the fused loops have no attention 'single': unset NPQ_PATH"):
        single(torch.randn(B, N, Z), single.initial_state(B, N))
    monkeypatch.setenv("NPQ_PATH", "quick")
    with pytest.raises(ValueError, match="NPQ_PATH is 'quick'; expected composed or fused"):
        queue(torch.randn(B, N, Z).double(), queue.initial_state(B, N))


def test_what_torch_compiles_is_made_of_its_own_operations(monkeypatch):
    monkeypatch.delenv("NPQ_PATH", raising=False)
    compiler = types.SimpleNamespace(is_compiling=lambda: True)
    monkeypatch.setattr(torch, "compiler", compiler, raising=False)  # Debian's torch has none
    queue = npq.memory.make("npq_w", Z, H, slots=3)
    z = torch.randn(STEPS, B, N, Z, requires_grad=True)
    total, _ = unrolled(queue, z, None)
    torch.autograd.grad(total.sum(), z, create_graph=True)  # which the loops refuse
    compiler.is_compiling = lambda: False
    total, _ = unrolled(queue, z, None)
    with pytest.raises(RuntimeError, match="no second derivatives"):
        torch.autograd.grad(total.sum(), z, create_graph=True)


def test_threads_and_forked_children_may_use_the_loops_at_once(monkeypatch):
    monkeypatch.setenv("NPQ_PATH", "fused")
    npq.set_threads(2)
    torch.manual_seed(1)
    queue = npq.memory.make("npq_w", Z, H, slots=3)
    z = torch.randn(STEPS, B, N, Z)
    expected = unrolled(queue, z, None)[0]
    found = [None] * 4

    def work(k):
        found[k] = [unrolled(queue, z, None)[0] for _ in range(5)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(torch.equal(total, expected) for some in found for total in some)
    child = os.fork()
    if child == 0:  # the parent's pool has no threads here
        same = torch.equal(unrolled(queue, z, None)[0], expected)
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0
    npq.set_threads(0)


def test_the_loops_refuse_what_would_leave_their_arrays():
    code = """
import ctypes
from npq import _library
from npq.memory import _fused as f
shape = f._PopShape(batch=1, nodes=1, slots=1, width=1, heads=1, mask_later=1)
def refused(name, *arguments):
    try:
        _library.call(name, *arguments)
    except ValueError as error:
        print(error)
refused("npq_queue_pop", None, None, None, None)
refused("npq_queue_pop", ctypes.byref(shape), ctypes.byref(f._PopInputs()), None, None)
shape.slots = -1
refused("npq_queue_pop", ctypes.byref(shape), ctypes.byref(f._PopInputs()), None, None)
push = f._PushShape(batch=2**31 - 1, slots=2**31 - 1, width=2**31 - 1)
refused("npq_queue_push", ctypes.byref(push), ctypes.byref(f._PushInputs()), ctypes.byref(f._PushOutputs()))
push = f._PushShape(batch=1, slots=1, width=1, full=7)
refused("npq_queue_push", ctypes.byref(push), ctypes.byref(f._PushInputs()), ctypes.byref(f._PushOutputs()))
numbers = (ctypes.c_float * 4)()
target = (ctypes.c_int32 * 1)(5)
marks = (ctypes.c_uint8 * 4)()
push = f._PushShape(batch=1, slots=1, width=1)
refused("npq_queue_push_backward", ctypes.byref(push), marks, target, marks, numbers, None, ctypes.byref(f._PushGradients()))
"""
    said = subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()
    assert [line.split(";")[0] for line in said] == [
        "'in' is a null pointer",
        "'asked' is a null pointer",
        "slots is -1",
        "arrays of these sizes have more numbers than any memory holds",
        "full is 7",
        "target of graph 0 is 5",
    ]
