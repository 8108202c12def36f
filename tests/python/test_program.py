"""The real program, started from Python: what npq.Run promises, on a run of three updates."""

import npq
import numpy as np
import pytest
from conftest import python_of


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "queue"
    return npq.train(
        algorithm="bfs", memory="npq_w", hidden=8, batch=4, steps=3, train_sizes=[4], threads=1, out=folder
    )  # fmt: skip


def test_a_trained_run_is_read_evaluated_asked_and_traced(run):
    assert run.config["memory"] == "npq_w" and run.result is not None
    assert run.metrics[0]["step"] == 0
    assert run.weights("last")["memory/v.w"].shape == (16, 16)
    scores = run.evaluate(sizes=[8], samples=2, which="last", threads=1)
    assert "score" in str(scores)
    A = np.eye(4)[[1, 0, 3, 2]] + np.eye(4)[[3, 2, 1, 0]]
    predicted = run.predict({"A": A.astype(int), "s": 0}, which="last", threads=1)
    assert "pi" in str(predicted)
    assert run.trace(nodes=4, which="last", threads=1)


def test_a_wrong_option_is_a_value_error_in_the_programs_words(tmp_path):
    with pytest.raises(ValueError, match="did you mean 'npq_w'"):
        npq.train(algorithm="bfs", memory="npq_ww", out=tmp_path / "run")


def test_the_page_trains_evaluates_asks_and_lists_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (block,) = python_of("docs/python.md", with_program=True)
    names = {"npq": npq}
    exec(compile(block.replace("steps=500", "steps=3, hidden=8, batch=4, threads=1"), "docs/python.md", "exec"), names)
    assert names["run"].result is not None
    (row,) = npq.runs("runs").to_dict("records")
    assert row["memory"] == "npq_w" and row["finished"] and row["steps"] == 3
