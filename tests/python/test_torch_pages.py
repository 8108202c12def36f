"""The examples, and the Python of docs/python.md and README.md, as they stand."""

import pathlib
import re
import runpy

import pytest
import torch

pytestmark = pytest.mark.torch
ROOT = pathlib.Path(__file__).resolve().parents[2]


def python_of(page):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_the_python_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = python_of(page)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def test_a_network_in_plain_pytorch_learns_from_the_sampler(capsys):
    torch.set_num_threads(1)
    example = runpy.run_path(str(ROOT / "examples/python/clrs_in_pytorch.py"))
    assert example["main"](60) > 0.5
    assert "valid" in capsys.readouterr().out
