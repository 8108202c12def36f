"""Memories as torch modules: what a user does with them, and what they refuse."""

import doctest
import importlib
import json
import struct

import npq
import npq.memory
import npq.testing
import pytest
import torch
from torch import nn

pytestmark = pytest.mark.torch
B, N, Z, H = 2, 4, 6, 3


def make(name="npq_w", **flags):
    torch.manual_seed(1)
    return npq.memory.make(name, Z, H, **{"slots": 4, **flags} if "slots" not in flags else flags)


def some_z(*shape, **options):
    return torch.randn(*(shape or (B, N, Z)), generator=torch.Generator().manual_seed(2), **options)


@pytest.mark.parametrize("module", ["npq.kernels", "npq.memory", "npq.memory._make", "npq.nn", "npq.testing"])
def test_examples_in_docstrings_say_the_truth(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def test_state_is_a_value_that_can_be_gone_on_from_twice():
    queue = make()
    _, state = queue(some_z(), queue.initial_state(B, N))
    kept = {name: tensor.detach().clone() for name, tensor in state.tensors.items()}
    first, second = queue(some_z(), state), queue(some_z(), state)
    assert torch.equal(first[0], second[0]) and state.step == 1 and first[1].step == 2
    assert all(torch.equal(kept[name], state[name]) for name in state)


def test_states_can_be_cut_chosen_and_moved():
    queue = make()
    _, state = queue(some_z(), queue.initial_state(B, N))
    assert state["v"].requires_grad and not state.detach()["v"].requires_grad
    assert state.select([1, 1, 0])["s"].shape == (3, 4)
    double = state.to(torch.float64)
    assert double["v"].dtype == torch.float64 and double["written"].dtype == torch.int64
    assert "2 graphs" not in repr(state) and "1 steps" in repr(state)
    with pytest.raises(KeyError, match="has no 'w'; it has: v, s, written"):
        state["w"]


def test_a_module_is_saved_moved_and_trained_like_any_other():
    queue = make("npq_w_plus")
    other = make("npq_w_plus").double()
    other.load_state_dict(queue.state_dict())
    optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
    state = other.initial_state(B, N)
    assert state["v"].dtype == torch.float64
    for z in some_z(3, B, N, Z, dtype=torch.float64):
        messages, state = other(z, state)
    before = {name: value.clone() for name, value in other.state_dict().items()}
    messages.square().sum().backward()
    optimizer.step()
    changed = [n for n, value in other.state_dict().items() if (value - before[n]).abs().max() > 1e-14]
    assert set(changed) == set(before) - {"a.b"}  # the same to all slots: a softmax does not hear it


def test_slots_are_as_many_as_steps_unless_given():
    assert make(slots="auto").initial_state(B, N, steps=7)["v"].shape == (B, 7, Z)
    assert make(slots="auto").initial_state(B, N, steps=5000)["v"].shape == (B, 1024, Z)
    assert make("deque", slots="auto").initial_state(B, N, steps=7)["v"].shape == (B, N, 14, Z)
    assert make(queue_width=9).initial_state(B, N)["v"].shape == (B, 4, 9)


def test_the_papers_spelling_and_the_reference_preset_are_known():
    reference = make("NPQ_W-P-SV", preset="reference")
    assert reference.options.name == "npq_w_p_sv"
    assert reference.options.flags["carry"] == "first_step"
    assert not any("carry=all" in line for line in repr(reference).splitlines()[:1])


def test_delivery_says_to_whom_messages_go():
    assert make("npq_m").delivery == "self" and make("npq_m_sa").delivery == "all"
    assert make("npq_m_sa", sa_mode="self_repeat").delivery == "self_repeat"
    none = npq.memory.make("none", Z, H)
    messages, state = none(some_z(), none.initial_state(B, N))
    assert none.delivery == "nobody" and messages is None and state.step == 1


def test_every_flag_of_the_command_line_is_an_argument():
    queue = make()
    known = {flag.name for flag in npq.memory.flags()}
    assert set(queue.options.flags) < known
    for flag in npq.memory.flags():
        for choice in flag.choices:
            if flag.name in queue.options.flags:
                assert make(**{flag.name: choice}).options.flags[flag.name] == choice
    assert make(straight_through=True).options.on("straight_through")


def test_other_number_types_work_on_the_composed_path():
    for dtype in (torch.float64, torch.bfloat16):
        queue = make().to(dtype)
        messages, state = queue(some_z().to(dtype), queue.initial_state(B, N))
        messages, _ = queue(some_z().to(dtype), state)
        assert messages.dtype == dtype and bool(torch.isfinite(messages).all())


def bad(action):
    return lambda: action(make(), some_z())


def state_of(queue, **options):
    return queue.initial_state(**{"batch": B, "nodes": N, **options})


NAN_MASK = torch.full((B, N), float("nan"))
CASES = [
    (lambda: make("npq_x"), ValueError, "no memory 'npq_x'; did you mean"),
    (lambda: make(7), TypeError, "name is of type int"),
    (lambda: make(preset="mine"), ValueError, "no preset 'mine'"),
    (lambda: make("stack", preset="reference"), ValueError, "use preset paper"),
    (lambda: make(slots=0), ValueError, "slots is 0; expected 'auto' or at least 1 slot"),
    (lambda: make(slots="many"), ValueError, "slots is 'many'; expected a whole number"),
    (lambda: make(slots=2.5), ValueError, "slots is 2.5; expected a word or a whole number"),
    (lambda: make(push_pool="median"), ValueError, "no push_pool 'median'"),
    (lambda: make("lstm", slots=4), ValueError, "memory 'lstm' has no use for slots"),
    (lambda: make(slot=4), ValueError, "no option 'slot'; did you mean 'slots'?"),
    (lambda: npq.memory.make("npq_w", 0, H), ValueError, "z_width is 0; expected 1 or more"),
    (lambda: npq.memory.make("npq_w", "8", H), TypeError, "z_width is of type str"),
    (lambda: state_of(make(slots="auto")), ValueError, "pass steps= to initial_state"),
    (lambda: state_of(make(slots="auto"), steps=0), ValueError, "steps is 0"),
    (lambda: state_of(make(), nodes=0), ValueError, "nodes is 0; expected 1 or more"),
    (lambda: state_of(make(), batch="2"), TypeError, "batch is of type str"),
    (lambda: state_of(make(), dtype=torch.int64), TypeError, "expected floating point"),
    (lambda: state_of(make(), node_mask=NAN_MASK), TypeError, "node_mask is torch.float32; expected a tensor of bool"),
    (lambda: state_of(make(), node_mask=torch.ones(B, 9) > 0), ValueError, "node_mask has the shape [2, 9]"),
    (lambda: state_of(make(), node_mask=torch.zeros(B, N) > 0), ValueError, "leaves a graph without any node"),
    (bad(lambda q, z: q([1.0], state_of(q))), TypeError, "z is of type list"),
    (bad(lambda q, z: q(z, None)), TypeError, "the state is of type NoneType"),
    (bad(lambda q, z: q(z[0], state_of(q))), ValueError, "z has the shape [4, 6]; expected [B, N, 6]"),
    (bad(lambda q, z: q(z[:, :, :5], state_of(q))), ValueError, "expected [B, N, 6]"),
    (bad(lambda q, z: q(z[:, :0], state_of(q))), ValueError, "1 or more graphs and nodes"),
    (bad(lambda q, z: q(z.long(), state_of(q))), TypeError, "z is torch.int64"),
    (bad(lambda q, z: q(z.double(), state_of(q))), TypeError, "z is torch.float64, but 's_push.w' is torch.float32"),
    (bad(lambda q, z: q(z.to("meta"), state_of(q))), ValueError, "z lies on meta, but 's_push.w' on cpu"),
    (bad(lambda q, z: q(z, state_of(q, batch=3))), ValueError, "but this is a state of 3 graphs"),
    (lambda: npq.memory.make("lstm", Z, H)(some_z(), state_of(npq.memory.make("lstm", Z, H), nodes=7)), ValueError, "a state of graphs with 7 nodes"),
    (lambda: npq.memory.make("oracle", Z, H).initial_state(B, N), ValueError, "needs Dijkstra's schedule"),
    (lambda: npq.testing.check_memory(nn.Linear(3, 3)), ValueError, "pass z_width="),
    (lambda: npq.testing.check_memory(nn.Linear(3, 3), 3), TypeError, "has the method initial_state()"),
]  # fmt: skip


@pytest.mark.parametrize("action, kind, words", CASES, ids=[words for _, _, words in CASES])
def test_bad_input_is_refused_with_a_sentence(action, kind, words):
    with pytest.raises(kind) as failure:
        action()
    assert words in str(failure.value)


def test_a_tensor_that_is_not_contiguous_is_as_good_as_any():
    queue = make()
    z = some_z(Z, N, B).permute(2, 1, 0)
    assert not z.is_contiguous()
    _, state = queue(z, queue.initial_state(B, N))
    found, _ = queue(z, state)
    expected, _ = queue(z.contiguous(), state)
    torch.testing.assert_close(found, expected)


def weights_file(folder, arrays, name="best"):
    offsets, data = {}, b""
    for entry, array in arrays.items():
        raw = array.tobytes()
        kind = {"float32": "F32", "float64": "F64"}[str(array.dtype)]
        end = len(data) + len(raw)
        offsets[entry] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(data), end]}
        data += raw
    header = json.dumps(offsets).encode()
    (folder / f"{name}.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + data)


def test_weights_go_to_a_run_and_come_back(tmp_path):
    queue = make()
    weights_file(tmp_path, {**queue.run_weights(), "decoder/pi.w": torch.ones(2).numpy()})
    other = npq.memory.make("npq_w", Z, H, slots=9).double()
    other.load_run(tmp_path)
    for name, parameter in queue.named_parameters():
        assert torch.equal(dict(other.named_parameters())[name], parameter.double())


def test_weights_of_another_memory_are_refused(tmp_path):
    weights_file(tmp_path, npq.memory.make("gru", Z, H).run_weights())
    with pytest.raises(ValueError, match="is of another memory: its parameters are hidden.b"):
        make().load_run(tmp_path)
    weights_file(tmp_path, npq.memory.make("npq_w", Z, H + 1).run_weights())
    with pytest.raises(ValueError, match="make the memory with the widths of the run"):
        make().load_run(tmp_path)
    with pytest.raises(FileNotFoundError, match="weights of 'best', 'last' or 'average'"):
        make().load_run(tmp_path, "first")
    (tmp_path / "last.safetensors").write_bytes(b"\xff" * 20)
    with pytest.raises(ValueError, match="is damaged"):
        make().load_run(tmp_path, "last")
