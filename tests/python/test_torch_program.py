"""A memory that the program trained, as a module."""

import npq
import npq.memory
import numpy as np
import pytest

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("memory", ["npq_w_plus", "npq_m_p_sv", "deque", "lstm"])
def test_a_module_takes_the_weights_of_a_run_and_names_them_as_the_run_does(memory, tmp_path):
    run = npq.train(
        algorithm="bfs", memory=memory, hidden=8, batch=2, steps=1, train_sizes=[4], threads=1, out=tmp_path / "run"
    )  # fmt: skip
    module = npq.memory.make(memory, z_width=16, message_width=8)
    module.load_run(run.folder, "last")
    found = module.run_weights()
    stored = {name: array for name, array in run.weights("last").items() if name.startswith("memory/")}
    assert found.keys() == stored.keys()
    for name, array in stored.items():
        np.testing.assert_array_equal(found[name], array)
