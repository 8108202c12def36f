"""The examples, and the Python of docs/python.md and README.md, as they stand."""

import runpy

import pytest
import torch
from conftest import ROOT, python_of

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_the_python_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = python_of(page, with_program=False)  # test_program.py has the rest
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def test_a_network_in_plain_pytorch_learns_from_the_sampler(capsys):
    torch.set_num_threads(1)
    example = runpy.run_path(str(ROOT / "examples/python/clrs_in_pytorch.py"))
    assert example["main"](60) > 0.5
    assert "valid" in capsys.readouterr().out


def test_a_queue_in_a_network_of_ones_own_learns_what_no_node_can_know_alone():
    torch.set_num_threads(1)
    example = runpy.run_path(str(ROOT / "examples/python/queue_in_your_gnn.py"))
    assert example["main"](400) < 0.2 * example["main"](200, "none")


def test_the_memory_of_ones_own_passes_and_the_forgetful_one_does_not(capsys):
    runpy.run_path(str(ROOT / "examples/python/memory_of_your_own.py"))["main"]()
    said = capsys.readouterr().out
    assert "Average keeps every promise." in said and "the state is not carried" in said
