"""The memories against the C++ ones and against the golden files, in float64 with gradients."""

import json
import os
import subprocess

import npq
import pytest
import torch
from conftest import GOLDEN, Golden

pytestmark = pytest.mark.torch
PAPER = sorted(GOLDEN.glob("memory/paper/*.safetensors"))
TWELVE = [name for name in npq.memory.names() if name.startswith("npq_") and not name.endswith("_plus")]


def tensor(array):
    return torch.from_numpy(array.copy())


def difference(found, expected):
    """Largest distance, relative to the largest entry where that is above 1."""
    assert found.shape == expected.shape
    if not expected.numel():
        return 0.0
    scale = max(1.0, float(expected.abs().max()))
    return float((found.detach().double() - expected.double()).abs().max()) / scale


def unrolled(memory, z, state):
    messages, states = [], []
    for step in z:
        message, state = memory(step, state)
        messages.append(message)
        states.append(state)
    return torch.stack(messages), states


def gradient(leaf):
    return torch.zeros_like(leaf) if leaf.grad is None else leaf.grad


def give(memory, parameters):
    """The numbers of a file, all of them and no others."""
    memory.double().load_state_dict({name: tensor(array) for name, array in parameters.items()})


@pytest.fixture(scope="session")
def cpp_cases(tmp_path_factory):
    path = tmp_path_factory.mktemp("memory") / "cases.safetensors"
    subprocess.run([os.environ["NPQ_MEMORY_CASES"], str(path)], check=True)
    return Golden(path)


def part(golden, prefix):
    return {name[len(prefix) :]: golden[name] for name in golden if name.startswith(prefix)}


@pytest.mark.parametrize("name", npq.memory.names()[1:])
def test_every_memory_with_every_flag_computes_what_the_cpp_one_does(name, cpp_cases):
    steps, batch, nodes, width = cpp_cases["z"].shape
    compared = 0
    real = tensor(cpp_cases["real"]) > 0
    for k, case in enumerate(json.loads(cpp_cases.metadata["cases"])):
        if case["memory"] != name:
            continue
        flags = {flag.replace("-", "_"): value for flag, value in case["flags"].items()}
        flags["preset"] = case["preset"]
        memory = npq.memory.make(name, width, cpp_cases["cotangent"].shape[-1], **flags)
        give(memory, part(cpp_cases, f"{k}/param/"))
        heard = real if case["masked"] else torch.ones_like(real)
        options = {"steps": steps}
        if case["masked"]:
            options["node_mask"] = real
        if name == "oracle":
            options["order"] = tensor(cpp_cases["order"])
            options["children"] = tensor(cpp_cases["children"])
        z = tensor(cpp_cases["z"]).requires_grad_()
        messages, states = unrolled(memory, z, memory.initial_state(batch, nodes, **options))
        (messages * tensor(cpp_cases["cotangent"]) * heard.unsqueeze(-1)).sum().backward()

        where = f"{name} {flags} masked={case['masked']}"
        expected = tensor(cpp_cases[f"{k}/messages"])
        assert difference(messages[:, heard], expected[:, heard]) < 1e-10, where
        assert difference(gradient(z), tensor(cpp_cases[f"{k}/grad/z"])) < 1e-10, where
        last = part(cpp_cases, f"{k}/state/")
        if memory.options.flags.get("carry") == "first_step":
            last = {}  # there the C++ file has what the step made, which nobody sees again
        else:
            assert set(last) - {"nodes"} == set(states[-1]) - {"nodes"}, where
        for entry, array in last.items():
            assert difference(states[-1][entry], tensor(array)) < 1e-10, f"{where}: {entry}"
        for parameter, value in memory.named_parameters():
            assert difference(gradient(value), tensor(cpp_cases[f"{k}/grad/{parameter}"])) < 1e-10, where
        compared += 1
    assert compared >= (70 if name in TWELVE else 5)


def file_of(name, slots):
    """Where messages go is no matter of the queue's own numbers: -SA has the file of the queue without."""
    return GOLDEN / "memory" / "paper" / f"{name.replace('_sa', '')}_cap{slots}.safetensors"


@pytest.mark.parametrize("slots", [3, 16])
@pytest.mark.parametrize("name", TWELVE)
def test_golden_trajectories_of_the_papers_twelve_queues_come_out(name, slots):
    golden = Golden(file_of(name, slots))
    parameters = part(golden, "param/")
    steps, batch, nodes, width = golden["z"].shape
    memory = npq.memory.make(
        name,
        width,
        golden["messages"].shape[-1],
        slots=slots,
        queue_width=parameters["v.w"].shape[1],
        queue_heads=parameters["a1.w"].shape[1],
    )
    give(memory, parameters)
    z = tensor(golden["z"]).requires_grad_()
    messages, states = unrolled(memory, z, memory.initial_state(batch, nodes))
    (messages * tensor(golden["cotangent"])).sum().backward()
    assert difference(messages, tensor(golden["messages"])) < 1e-12
    for t, state in enumerate(states):
        used = tensor(golden["state/used"][t]) > 0
        assert torch.equal(memory.occupied(state), used)
        assert difference(state["v"] * used.unsqueeze(-1), tensor(golden["state/v"][t])) < 1e-12
        if "s" in state:
            assert difference(state["s"], tensor(golden["state/s"][t])) < 1e-12
    # These were made by differences, so they are less exact than ours, and noise where they are 0.
    for parameter, value in [("z", z), *memory.named_parameters()]:
        expected = tensor(golden[f"grad/{parameter}"])
        allowed = 1e-6 * float(expected.abs().max()) + 1e-9
        assert float((gradient(value) - expected).abs().max()) <= allowed, parameter


def test_the_twelve_queues_and_their_golden_trajectories_are_all_there():
    assert len(TWELVE) == 12
    assert {file_of(name, slots) for name in TWELVE for slots in (3, 16)} == set(PAPER)
