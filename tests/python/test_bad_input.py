"""What cannot be is refused with a sentence; nothing crashes."""

import ctypes
import pathlib
import random
import re
import subprocess
import sys

import npq
import npq.clrs
import numpy as np
import pytest
from npq import _library

clrs = npq.clrs


def small():
    return clrs.generate("bfs", nodes=4, samples=3)


def predicting(values):
    return lambda: clrs.evaluate({"pi": values}, small())


CASES = [
    (lambda: clrs.load("dijkstr"), ValueError, "did you mean 'dijkstra'"),
    (lambda: clrs.load("bfs", split="tset"), ValueError, "no split 'tset'; did you mean 'test'"),
    (lambda: clrs.load(3), TypeError, "algorithm is of type int; expected a str"),
    (lambda: clrs.load("bfs", split=None), TypeError, "split is of type NoneType"),
    (lambda: clrs.load("b\0s"), ValueError, "zero character"),
    (lambda: clrs.load("bfs", dtype="float16"), ValueError, "dtype is float16; expected None"),
    (lambda: clrs.load("bfs", dtype="number"), TypeError, "dtype is 'number'"),
    (lambda: clrs.spec("bsf"), ValueError, "no algorithm 'bsf'"),
    (lambda: clrs.generate("bfs", nodes=0), ValueError, "bfs needs at least 2 nodes, but 0"),
    (lambda: clrs.generate("bfs", nodes=10**6), ValueError, "at most 65535"),
    (lambda: clrs.generate("optimal_bst", nodes=2**31 - 1), ValueError, "2147483647 nodes were asked for"),
    (lambda: clrs.generate("bfs", nodes=2**40), ValueError, "nodes is 1099511627776; expected"),
    (lambda: clrs.generate("bfs", nodes="16"), ValueError, 'nodes is "16"; expected a whole'),
    (lambda: clrs.generate("bfs", nodes=4.5), ValueError, "nodes is 4.5; expected a whole"),
    (lambda: clrs.generate("bfs", nodes={1}), TypeError, "an option is of type set"),
    (lambda: clrs.generate("bfs", samples=0), ValueError, "0 samples were asked for"),
    (lambda: clrs.generate("bfs", seed=-1), ValueError, "seed is -1; expected a whole number"),
    (lambda: clrs.generate("bfs", p=1.5), ValueError, "edge probability p is 1.5"),
    (lambda: clrs.generate("bfs", p=[]), ValueError, "p is []; expected one value or more"),
    (lambda: clrs.generate("bfs", p="half"), ValueError, 'p is "half"; expected a number'),
    (lambda: clrs.generate("bfs", p=float("nan")), ValueError, "give finite numbers"),
    (lambda: clrs.generate("bfs", q=0.5), ValueError, "no option 'q'"),
    (lambda: clrs.generate("bfs", generator="v2"), ValueError, "no generator 'v2'"),
    (lambda: clrs.generate("bfs", truncate_decimals=2), ValueError, "belongs to newer generators"),
    (lambda: clrs.sampler("bfs", nodes=()), ValueError, "expected one value or more"),
    (lambda: clrs.sampler("bfs", nodes=(4, 1)), ValueError, "needs at least 2 nodes"),
    (lambda: clrs.sampler("bfs", batch=0), ValueError, "a batch of 0 samples"),
    (lambda: clrs.sampler("bfs", samples=3), ValueError, "no option 'samples'"),
    (lambda: clrs.sampler(None), TypeError, "algorithm is of type NoneType"),
    (lambda: clrs.sampler("bfs").stream(-1), ValueError, "number is -1"),
    (lambda: small()[3], IndexError, "there is no sample 3; this dataset has 3"),
    (lambda: small()["a"], TypeError, "index is of type str"),
    (lambda: small()[[0, 9]], IndexError, "there is no sample 9"),
    (lambda: small()[[0.5]], TypeError, "expected a list of whole numbers"),
    (lambda: small()[[]], ValueError, "give at least one index"),
    (lambda: small()[np.ones(2, bool)], ValueError, "one entry for each of the 3 samples"),
    (lambda: small().batch(steps=0), ValueError, "steps is 0; expected 1 or more"),
    (lambda: small().batch([-4]), IndexError, "there is no sample -4"),
    (lambda: small()[:0].batch(), ValueError, "no sample was asked for"),
    (lambda: small().batches(0), ValueError, "size is 0"),
    (lambda: clrs.evaluate({}, small()), ValueError, "there are no predictions of 'pi'"),
    (lambda: clrs.evaluate(None, small()), TypeError, "expected a dict of arrays"),
    (lambda: clrs.evaluate({}, "bfs"), TypeError, "expected a dataset"),
    (lambda: clrs.evaluate({"pi": np.zeros((3, 4)), "pj": 1}, small()), ValueError, "no output 'pj'"),
    (predicting(np.zeros((3, 5))), ValueError, "have the shape [3, 5]; expected [3, 4]"),
    (predicting(np.full((3, 4), np.nan)), ValueError, "hold nan in sample 0"),
    (predicting(np.full((3, 4), 4)), ValueError, "hold 4 in sample 0; expected the number of a node"),
    (predicting(np.full((3, 4), 0.5)), ValueError, "expected the number of a node, 0 to 3"),
    (predicting(np.full((3, 4), "a")), TypeError, "expected numbers"),
    (predicting(np.zeros((1,) * 9)), ValueError, "have 9 axes"),
    (lambda: npq.set_threads(-1), ValueError, "-1 threads were asked for"),
    (lambda: npq.set_threads(2.5), TypeError, "count is of type float"),
    (lambda: npq.nothing, AttributeError, "no attribute 'nothing'"),
]  # fmt: skip


@pytest.mark.parametrize("action, kind, words", CASES, ids=[words for _, _, words in CASES])
def test_bad_input_is_refused_with_a_sentence(action, kind, words):
    with pytest.raises(kind) as failure:
        action()
    assert words in str(failure.value)
    assert not isinstance(failure.value, RuntimeError)


def test_what_needs_a_package_says_which(monkeypatch):
    monkeypatch.setitem(sys.modules, "clrs", None)
    with pytest.raises(ImportError, match="pip install dm-clrs"):
        next(clrs.sampler("bfs", nodes=4, batch=2)).feedback()


def test_a_part_that_needs_torch_says_so():
    code = "import sys; sys.modules['torch'] = None; import npq; npq.memory"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.returncode == 1 and "npq.memory needs PyTorch" in answer.stderr


def test_a_missing_library_is_explained():
    package = pathlib.Path(npq.__file__).parents[1]
    answer = subprocess.run(
        [sys.executable, "-c", "import npq"],
        env={"NPQ_LIBRARY": "/nowhere", "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 1 and "pip install ." in answer.stderr


def test_a_damaged_position_of_a_sampler_is_refused():
    sampler = clrs.sampler("bfs", nodes=4, batch=2)
    state = sampler.__getstate__()
    for wrong in ("", "[]", "{}", state["position"].replace("words", "wards")):
        with pytest.raises((ValueError, RuntimeError)):
            sampler.__setstate__({**state, "position": wrong})


def test_more_memory_than_there_is_is_no_crash():
    sampler = clrs.sampler("bfs", nodes=4, batch=2)
    state = sampler.__getstate__()
    damaged = {**state, "position": re.sub('"max_steps": ?[0-9]+', '"max_steps": 2147483647', state["position"])}
    larger = {**damaged, "options": {**damaged["options"], "batch": 2**20}}
    for action in (
        lambda: clrs.generate("bfs", nodes=4, samples=2**62),
        lambda: clrs.load("dijkstra", split="test").batch(steps=2**31 - 1),
        lambda: clrs.sampler("bfs", nodes=16, batch=2**31 - 1),
        lambda: sampler.__setstate__(larger),
    ):
        with pytest.raises(RuntimeError, match="of memory, but"):
            action()


def test_random_calls_of_the_c_interface_end_with_a_status():
    # Handles that were never given, sizes of all kinds, null pointers.
    rng = random.Random(1)
    loaded = _library.library()
    out = ctypes.c_uint64()
    count = ctypes.c_size_t()
    array = _library.CArray()
    begin = ctypes.c_char_p()
    some = (ctypes.c_int64 * 4)(0, 1, 2, 3)
    handles = [_library.make("npq_clrs_generate", b'{"algorithm": "bfs", "nodes": 4, "samples": 4}')]
    handles.append(_library.make("npq_clrs_batch", handles[0].number, some, 4, 0, 0))
    handles.append(_library.make("npq_clrs_catalog"))
    handles.append(_library.make("npq_clrs_sampler", b'{"algorithm": "bfs", "nodes": 4, "batch": 2}'))
    numbers = [handle.number for handle in handles] + [0, 2**64 - 1, 12345]
    choices = {
        ctypes.c_uint64: numbers,
        ctypes.POINTER(ctypes.c_uint64): [None, ctypes.pointer(out)],
        ctypes.c_char_p: [None, b"", b"{}", b"bfs", b"train", b"[1", b'{"algorithm": "bfs", "samples": 2}'],
        ctypes.POINTER(ctypes.c_int64): [None, some],
        ctypes.c_size_t: [0, 1, 4],
        ctypes.c_int64: [-1, 0, 1, 4, 2**40],
        ctypes.c_int32: [-1, 0, 1, 2, 99],
        ctypes.POINTER(_library.CArray): [None],
        ctypes.c_void_p: [None],
        ctypes.POINTER(ctypes.c_size_t): [None, ctypes.pointer(count)],
        ctypes.POINTER(ctypes.c_char_p): [None, ctypes.pointer(begin)],
    }  # fmt: skip
    statuses = set()
    for _ in range(3000):
        name = rng.choice([n for n in _library._FUNCTIONS if n not in ("npq_set_threads", "npq_free")])
        arguments = [rng.choice(choices[kind]) for kind in _library._FUNCTIONS[name]]
        out.value = 0
        status = getattr(loaded, name)(*arguments)
        statuses.add(status)
        if status:
            assert loaded.npq_last_error() and out.value == 0
        elif out.value:
            assert loaded.npq_free(out.value) == 0
    assert statuses == {0, 1}
    assert loaded.npq_free(2**64 - 1) == 1 and array.axes == 0
