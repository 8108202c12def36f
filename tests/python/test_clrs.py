"""Datasets, batches and samplers: what a user does with them."""

import copy
import doctest
import gc
import importlib
import pickle
import pkgutil
import subprocess
import sys
import threading
import types

import npq
import npq.clrs
import numpy as np
import pytest


def equal(first, second):
    """Whether two samples or batches hold the same numbers."""
    return all(
        np.array_equal(array, getattr(second, stage)[name])
        for stage in ("inputs", "hints", "outputs")
        for name, array in getattr(first, stage).items()
    )


def modules():
    found = [npq]
    for info in pkgutil.walk_packages(npq.__path__, "npq."):
        with_torch = ("npq.kernels", "npq.memory", "npq.nn", "npq.testing")  # test_torch_*.py has them
        if not info.name.endswith("_torch") and not info.name.startswith(with_torch):
            found.append(importlib.import_module(info.name))
    return found


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_examples_in_docstrings_say_the_truth(module):
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def test_everything_public_has_a_docstring_and_most_have_an_example():
    for name in npq.clrs.__all__:
        assert getattr(npq.clrs, name).__doc__, name
    for name in ("algorithms", "load", "generate", "sampler", "evaluate", "spec"):
        assert ">>>" in getattr(npq.clrs, name).__doc__, name


def test_importing_the_package_is_quick_and_brings_neither_numpy_nor_torch():
    code = "import npq, sys; print(sorted({'numpy', 'torch'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_there_are_thirty_algorithms_and_three_tasks():
    assert len(set(npq.clrs.algorithms())) == 33


@pytest.mark.parametrize("algorithm", npq.clrs.algorithms()[30:])
def test_data_structure_tasks_have_splits_too(algorithm):
    assert len(npq.clrs.load(algorithm, split="val")) == 32


def test_a_slice_holds_the_samples_of_its_indices():
    data = npq.clrs.load("bfs")
    assert len(data[10:20]) == 10
    assert equal(data[10:20][3], data[13])
    assert equal(data[-1], data[999])
    assert equal(data[[5, 7]][::-1][0], data[7])
    assert equal(data[data.lengths > 6][0], data[int(np.argmax(data.lengths > 6))])
    assert len(list(data[:3])) == 3


def test_a_batch_is_its_samples_side_by_side_with_zeros_behind_each_end():
    data = npq.clrs.load("bfs")[:20]
    batch = data.batch()
    assert len(batch) == 20 and batch.hints["pi_h"].shape[0] == data.lengths.max()
    for k, sample in enumerate(data):
        np.testing.assert_array_equal(batch.inputs["A"][k], sample.inputs["A"])
        np.testing.assert_array_equal(batch.hints["pi_h"][: sample.length, k], sample.hints["pi_h"])
        assert not batch.hints["pi_h"][sample.length :, k].any()
    assert batch.lengths.tolist() == data.lengths.tolist()


def test_batches_cover_the_dataset_in_order():
    data = npq.clrs.load("minimum")[:70]
    assert [len(batch) for batch in data.batches(32)] == [32, 32, 6]
    assert [len(batch) for batch in data.batches(32, drop_last=True)] == [32, 32]
    assert equal(list(data.batches(32))[2], data.batch(range(64, 70)))


def test_dtype_changes_floats_and_leaves_node_numbers():
    stored = npq.clrs.load("dijkstra")[:4]
    single = npq.clrs.load("dijkstra", dtype=np.float32)[:4]
    assert single.inputs["A"].dtype == np.float32 and single.outputs["pi"].dtype == np.int64
    np.testing.assert_array_equal(single.inputs["A"], stored.inputs["A"].astype(np.float32))
    batch = next(npq.clrs.sampler("dijkstra", nodes=5, batch=2, dtype="float32"))
    assert batch.hints["d"].dtype == np.float32 and batch.lengths.dtype == np.float32


def test_options_reach_the_sampler():
    dense = npq.clrs.generate("bfs", nodes=20, samples=20, p=1.0)
    sparse = npq.clrs.generate("bfs", nodes=20, samples=20, p=(0.1, 0.2))
    assert dense.inputs["A"].all() and sparse.inputs["A"].mean() < 0.1
    assert "head" not in repr(dense)
    newer = npq.clrs.generate("quickselect", nodes=8, samples=2, generator="head")
    assert set(newer.spec) != set(npq.clrs.spec("quickselect"))
    assert npq.clrs.generate("bfs", nodes=np.int64(6), samples=2).nodes == 6


def test_the_number_of_threads_changes_no_bit():
    npq.set_threads(1)
    one = npq.clrs.generate("mst_kruskal", nodes=20, samples=50).batch()
    npq.set_threads(3)
    three = npq.clrs.generate("mst_kruskal", nodes=20, samples=50).batch()
    npq.set_threads(0)
    assert equal(one, three)


def test_arrays_outlive_the_batch_and_the_dataset_they_came_from():
    A = npq.clrs.load("dijkstra").batch().inputs["A"]
    expected = A.copy()
    gc.collect()
    npq.clrs.load("dijkstra", split="test").batch()
    np.testing.assert_array_equal(A, expected)


def test_arrays_may_be_written_to_and_nobody_else_sees_it():
    data = npq.clrs.load("dijkstra")[:2]
    first = data.batch()
    first.inputs["A"][:] = 7
    assert not (data.batch().inputs["A"] == 7).any()


def test_a_pickled_dataset_comes_back_with_its_slice_and_dtype():
    data = npq.clrs.generate("heapsort", nodes=6, samples=9, seed=4, dtype="float32")[2:5]
    back = pickle.loads(pickle.dumps(data))
    assert len(pickle.dumps(data)) < 2000
    assert len(back) == 3 and equal(back[0], data[0]) and back.inputs["key"].dtype == np.float32


def test_a_pickled_or_copied_sampler_goes_on_from_where_it_stood():
    sampler = npq.clrs.sampler("bfs", nodes=(4, 7, 11), batch=3, seed=9)
    for _ in range(4):
        next(sampler)
    back, twin = pickle.loads(pickle.dumps(sampler)), copy.deepcopy(sampler)
    for _ in range(4):
        batch = next(sampler)
        assert equal(next(back), batch) and equal(next(twin), batch)


def test_sizes_take_turns_and_never_repeat_a_sample():
    batches = npq.clrs.sampler("dijkstra", nodes=(4, 7, 11, 13, 16), batch=32, seed=1)
    seen = [next(batches) for _ in range(10)]
    assert [batch.nodes for batch in seen] == [4, 7, 11, 13, 16] * 2
    assert not np.array_equal(seen[4].inputs["A"], seen[9].inputs["A"])


def test_several_sizes_have_the_seeds_of_the_benchmarks_training_script():
    script = np.random.RandomState(1)
    _, first, second = (int(script.randint(2**32)) for _ in range(3))  # the first is the network's
    both = npq.clrs.sampler("dijkstra", nodes=(4, 7), batch=2, seed=1)
    assert equal(next(both), next(npq.clrs.sampler("dijkstra", nodes=4, batch=2, seed=first)))
    assert equal(next(both), next(npq.clrs.sampler("dijkstra", nodes=7, batch=2, seed=second)))


def test_without_tracking_hints_end_with_the_longest_of_the_batch():
    batch = next(npq.clrs.sampler("bfs", nodes=16, batch=2, track_max_steps=False))
    assert batch.hints["pi_h"].shape[0] == batch.lengths.max()


def test_streams_differ_from_each_other_and_from_the_first():
    sampler = npq.clrs.sampler("bfs", nodes=8, batch=2, seed=1)
    batches = [next(sampler), next(sampler.stream(0)), next(sampler.stream(1))]
    assert not any(equal(a, b) for a in batches for b in batches if a is not b)
    assert equal(next(sampler.stream(1)), batches[2])


def test_threads_may_share_a_sampler_and_each_batch_is_given_once():
    sampler = npq.clrs.sampler("dijkstra", nodes=8, batch=4, seed=3)
    alone = npq.clrs.sampler("dijkstra", nodes=8, batch=4, seed=3)
    found = []
    threads = [
        threading.Thread(target=lambda: found.extend(next(sampler) for _ in range(20)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = {next(alone).inputs["A"].tobytes() for _ in range(80)}
    assert {batch.inputs["A"].tobytes() for batch in found} == expected


def test_other_threads_run_while_data_are_made():
    done = threading.Event()
    thread = threading.Thread(
        target=lambda: (npq.clrs.generate("bubble_sort", nodes=64, samples=300), done.set())
    )
    thread.start()
    turns = 0
    while not done.is_set():
        turns += 1
    thread.join()
    assert turns > 100


def test_representations_tell_what_there_is():
    data = npq.clrs.load("dijkstra", split="test")
    assert "dijkstra, test split: 32 samples of 64 nodes" in repr(data)
    assert "8 of 32 samples" in repr(data[:8])
    assert "a batch of 8 samples of 64 nodes" in repr(data[:8].batch())
    assert "A [64, 64]" in repr(data[0])
    shown = repr(npq.clrs.sampler("bfs", nodes=8, batch=2, p=[0.5]))
    assert shown == "npq.clrs.sampler('bfs', nodes=8, batch=2, seed=1, p=[0.5])"


def test_truth_scores_one_and_mistakes_are_counted():
    data = npq.clrs.load("bfs", split="test")
    truth = {name: array.copy() for name, array in data.outputs.items()}
    assert npq.clrs.evaluate(truth, data).score == (1, 1, 1)
    truth["pi"][0] = np.arange(64)  # one graph of 32 in which everybody points to himself
    scores = npq.clrs.evaluate(truth, data)
    right = (truth["pi"] == data.outputs["pi"]).mean()
    assert scores.score.value == pytest.approx(right) and scores.exact.value == 31 / 32
    assert scores.score.low <= scores.score.value <= scores.score.high
    assert 0 < scores.valid.value < 1 and scores.all_valid.value == 31 / 32


def test_another_shortest_tree_is_valid_though_not_exact():
    # Four nodes in a square, from 0: node 2 may hang below 1 or below 3.
    data = npq.clrs.generate("bfs", nodes=8, samples=200, seed=1)
    other = data.outputs["pi"].copy()
    level = np.full(other.shape, -1)
    A = data.inputs["A"] != 0
    source = data.inputs["s"].argmax(1)
    changed = 0
    for k in range(len(data)):
        level[k][source[k]] = 0
        for d in range(8):
            reached = A[k][level[k] == d].any(0) & (level[k] < 0)
            level[k][reached] = d + 1
        for i in range(8):
            if level[k][i] < 1:
                continue
            parents = np.nonzero(A[k][:, i] & (level[k] == level[k][i] - 1))[0]
            changed += other[k][i] != parents[-1]
            other[k][i] = parents[-1]
    scores = npq.clrs.evaluate({"pi": other}, data)
    assert changed > 0 and scores.score.value < 1 and scores.all_valid.value == 1


@pytest.mark.parametrize("algorithm", npq.clrs.algorithms())
def test_the_truth_of_every_algorithm_is_perfect(algorithm):
    data = npq.clrs.generate(algorithm, nodes=8, samples=4)
    scores = npq.clrs.evaluate(data.outputs, data)
    scalars = [p for p in data.spec.values() if p.stage == "output" and p.type == "scalar"]
    assert not scalars
    assert scores.exact.value == 1 and scores.score.value == 1


def test_feedback_is_made_of_dm_clrs_own_types(monkeypatch):
    from collections import namedtuple

    fake = types.ModuleType("clrs")
    fake.DataPoint = namedtuple("DataPoint", "name location type_ data")
    fake.Features = namedtuple("Features", "inputs hints lengths")
    fake.Feedback = namedtuple("Feedback", "features outputs")
    monkeypatch.setitem(sys.modules, "clrs", fake)
    batch = next(npq.clrs.sampler("bfs", nodes=4, batch=2))
    feedback = batch.feedback()
    assert isinstance(feedback, fake.Feedback)
    assert [point.name for point in feedback.features.inputs] == ["pos", "s", "A", "adj"]
    (pi,) = feedback.outputs
    assert (pi.name, pi.location, pi.type_) == ("pi", "node", "pointer")
    assert pi.data is batch.outputs["pi"] and feedback.features.lengths is batch.lengths


def test_jax_arrays_come_through_dlpack_and_else_as_copies(monkeypatch):
    def from_dlpack(array):
        if array.dtype == np.float64:
            raise RuntimeError("x64 is off")
        return ("shared", array)

    fake = types.ModuleType("jax")
    fake.dlpack = types.SimpleNamespace(from_dlpack=from_dlpack)
    fake.numpy = types.SimpleNamespace(asarray=lambda array: ("copied", array))
    monkeypatch.setitem(sys.modules, "jax", fake)
    batch = next(npq.clrs.sampler("bfs", nodes=4, batch=2)).jax()
    assert batch.outputs["pi"][0] == "shared" and batch.inputs["pos"][0] == "copied"
    assert npq.clrs.load("bfs")[0].jax().inputs["pos"][0] == "copied"
