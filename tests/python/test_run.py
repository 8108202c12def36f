"""Runs: their folders, and the program that makes them (a fake one here; the real one in test_program.py)."""

import json
import os
import pathlib
import runpy
import signal
import struct
import subprocess
import sys
import threading
import types

import npq
import numpy as np
import pytest
from npq import _program

FAKE = """#!{python}
import json, pathlib, signal, sys, time
arguments = sys.argv[1:]
print("working", file=sys.stderr)
if "--seed" in arguments:
    print("error: --seed is 'x'; give --train-sizes too", file=sys.stderr)
    sys.exit(2)
if "--algorithm" in arguments and "broken" in arguments:
    sys.exit(1)
if "--steps" in arguments:
    def stop(*_):
        print("stopped after this step", file=sys.stderr, flush=True)
        sys.exit(130)
    signal.signal(signal.SIGINT, stop)
    print("ready", file=sys.stderr, flush=True)
    time.sleep(30)
if arguments[0] == "train":
    out = pathlib.Path(arguments[arguments.index("--out") + 1])
    out.mkdir(parents=True)
    (out / "config.json").write_text(json.dumps({{"algorithm": "bfs", "seed": 1}}))
else:
    if "--input" in arguments:
        at = arguments.index("--input") + 1
        arguments[at] = json.loads(pathlib.Path(arguments[at]).read_text())
    print(json.dumps(arguments))
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    path = tmp_path / "npq-fake"
    path.write_text(FAKE.format(python=sys.executable))
    path.chmod(0o755)
    monkeypatch.setenv("NPQ_PROGRAM", str(path))
    return path


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "runs" / "queue"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"algorithm": "bfs", "hidden": 8}')
    (folder / "metrics.jsonl").write_text('{"step": 0, "losses": {"output/pi": 2.5}}\n{"step": 1, "lo')
    array = np.arange(6, dtype="<f4").reshape(2, 3)
    header = json.dumps({"memory/v.w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}})
    data = struct.pack("<Q", len(header)) + header.encode() + array.tobytes()
    (folder / "best.safetensors").write_bytes(data)
    return npq.Run(folder)


def test_a_run_folder_is_read(run):
    assert run.config["hidden"] == 8 and run.result is None
    assert run.metrics == [{"step": 0, "losses": {"output/pi": 2.5}}]
    np.testing.assert_array_equal(run.weights()["memory/v.w"], [[0, 1, 2], [3, 4, 5]])
    (run.folder / "result.json").write_text('{"best": {"val": 0.5}}')
    assert run.result == {"best": {"val": 0.5}} and "queue" in repr(run)


def test_tables_have_the_columns_of_metrics_csv(run):
    table = run.metrics.to_pandas()
    assert table.to_dict("records") == [{"step": 0, "losses/output/pi": 2.5}]
    (run.folder / "result.json").write_text('{"best": {"val": 0.5}}')
    (row,) = npq.runs(run.folder.parents[0]).to_dict("records")
    assert row["run"] == str(run.folder) and row["hidden"] == 8 and row["finished"]
    assert row["result/best/val"] == 0.5


def test_training_starts_the_program_and_gives_its_run(program, tmp_path, capsys):
    run = npq.train(algorithm="bfs", memory="npq_w", out=tmp_path / "new", straight_through=True)
    assert run.config["algorithm"] == "bfs"
    assert "working" in capsys.readouterr().err


def test_questions_go_through_the_program_as_json(program, run):
    folder = str(run.folder)
    assert run.evaluate(sizes=[64, 128], samples=8) == [
        "evaluate", folder, "--sizes", "64,128", "--samples", "8", "--json"]  # fmt: skip
    asked = run.predict({"A": np.eye(2), "s": np.int64(0)}, which="best")
    assert asked[3] == {"A": [[1.0, 0.0], [0.0, 1.0]], "s": 0} and asked[4:6] == ["--which", "best"]
    assert run.trace(nodes=12)[2:4] == ["--nodes", "12"]


def test_options_become_flags():
    options = {"hidden": 32, "straight_through": True, "mask_second_softmax": False, "quiet": True}
    assert _program.flags_of({**options, "layer_norm": False, "sizes": (4, 7), "simd": None}) == [
        "--hidden", "32", "--straight-through", "on", "--mask-second-softmax", "off", "--quiet",
        "--no-layer-norm", "--sizes", "4,7"]  # fmt: skip


def test_a_call_that_makes_no_sense_is_a_value_error_in_the_programs_words(program, tmp_path):
    with pytest.raises(ValueError, match="seed is 'x'; give train_sizes too"):
        npq.train(seed="x", out=tmp_path / "new")
    with pytest.raises(RuntimeError, match="working"):
        npq.train(algorithm="broken", out=tmp_path / "new")


def test_ctrl_c_stops_the_program_as_in_a_shell(program, tmp_path):
    code = "import npq; npq.train(steps=5, out='never')"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    lines = []
    for line in process.stderr:
        lines.append(line)
        if line == "ready\n":
            process.send_signal(signal.SIGINT)
            break
    watchdog = threading.Timer(20, process.kill)
    watchdog.start()
    rest = process.stderr.read()
    process.wait()
    watchdog.cancel()
    process.stderr.close()
    assert "stopped after this step" in rest and "KeyboardInterrupt" in rest


def refusals(run, monkeypatch, tmp_path):
    monkeypatch.setenv("NPQ_PROGRAM", "/nowhere/npq")
    yield lambda: run.evaluate(), FileNotFoundError, "NPQ_PROGRAM is '/nowhere/npq'"
    monkeypatch.delenv("NPQ_PROGRAM")
    monkeypatch.setenv("PATH", str(tmp_path))
    yield lambda: run.evaluate(), FileNotFoundError, "build it with ./run in the checkout"
    yield lambda: npq.Run(tmp_path), FileNotFoundError, "it has no config.json"
    yield lambda: run.weights("first"), ValueError, "expected 'best', 'last' or 'average'"
    yield lambda: run.weights("last"), FileNotFoundError, "has no weights 'last' yet"
    monkeypatch.setitem(sys.modules, "pandas", None)
    yield lambda: npq.runs(tmp_path), ImportError, "pip install pandas"
    (run.folder / "config.json").write_text("[1")
    yield lambda: run.config, ValueError, "is malformed JSON"
    (run.folder / "config.json").write_text("[1]")
    yield lambda: run.config, ValueError, "holds a list; expected an object"


def test_bad_input_is_refused_with_a_sentence(run, monkeypatch, tmp_path):
    for action, kind, words in refusals(run, monkeypatch, tmp_path):
        with pytest.raises(kind) as failure:
            action()
        assert words in str(failure.value)


def test_the_example_draws_losses_and_scores(run, monkeypatch):
    (run.folder / "config.json").write_text('{"algorithm": "bfs", "memory": "npq_w"}')
    lines = [{"step": 0, "loss": 2.5}, {"step": 0, "val": 0.25}, {"step": 10, "loss": 1.5}]
    (run.folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    drawn = []

    class Figure:
        def __getattr__(self, name):
            return lambda *arguments, **_: drawn.append((name, arguments))

    pyplot = types.ModuleType("matplotlib.pyplot")
    pyplot.subplots = lambda *_, **__: (Figure(), (Figure(), Figure()))
    package = types.ModuleType("matplotlib")
    package.pyplot = pyplot
    monkeypatch.setitem(sys.modules, "matplotlib", package)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pyplot)
    root = pathlib.Path(__file__).resolve().parents[2]
    example = runpy.run_path(str(root / "examples/python/curves_of_a_run.py"))
    example["main"](str(run.folder), "curves.png")
    assert drawn[0] == ("plot", ((0, 10), (2.5, 1.5)))
    assert ("plot", ((0,), (0.25,))) in drawn and drawn[-1] == ("savefig", ("curves.png",))
