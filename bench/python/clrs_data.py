"""How long the data of CLRS-30 take through Python: all 90 official splits, against the library alone, and batches from a
sampler, against that of dm-clrs where it is installed (build/python has it).

python bench/python/clrs_data.py [THREADS]      first equality with the golden file of dijkstra and with dm-clrs, then times
"""

import importlib.util
import json
import pathlib
import statistics
import struct
import sys
import time

import npq
import npq.clrs
import numpy as np
from npq import _library

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "clrs" / "dijkstra.safetensors"
SPLITS = [(name, split) for name in npq.clrs.algorithms()[:30] for split in ("train", "val", "test")]


def check():
    raw = GOLDEN.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    begin, end = header["train/0/hint/d"]["data_offsets"]
    expected = np.frombuffer(raw[8 + length + begin : 8 + length + end])
    found = npq.clrs.load("dijkstra")[0].hints["d"].ravel()
    if not np.array_equal(found, expected):
        sys.exit("the data differ from the golden file: nothing to be timed")


def seconds(action, repetitions):
    times = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def load_all():
    return [npq.clrs.load(name, split=split) for name, split in SPLITS]


def make_all():
    """The same without the package: the library alone."""
    return [_library.make("npq_clrs_load", name.encode(), split.encode()) for name, split in SPLITS]


def their_sampler():
    """dm-clrs' sampler and ours of the same seed, after their first batches were found equal."""
    sys.path.append(str(ROOT / "tests" / "python"))
    from dm_clrs_package import dm_clrs

    theirs, _ = dm_clrs().build_sampler("dijkstra", num_samples=-1, length=16, seed=1)
    ours = npq.clrs.sampler("dijkstra", nodes=16, batch=32, seed=1, generator="head")
    expected = {point.name: point.data for point in theirs.next(32).features.hints}
    for name, found in next(ours).hints.items():
        if not np.array_equal(found, expected[name]):
            sys.exit(f"the hint {name} differs from that of dm-clrs: nothing to be timed")
    return theirs, ours


def main(threads):
    npq.set_threads(threads)
    check()
    pairs = [(seconds(load_all, 1), seconds(make_all, 1)) for _ in range(6)]
    whole, alone = (min(times) for times in zip(*pairs))  # the first has caches to fill, others have neighbours
    print(f"the 90 official splits, {threads} threads: {whole:.2f} s, the library alone {alone:.2f} s: {whole / alone:.2f} times")
    batches = npq.clrs.sampler("dijkstra", nodes=16, batch=32, seed=1)
    batch = seconds(lambda: next(batches), 200)
    print(f"a batch of 32 dijkstra graphs of 16 nodes: {batch * 1e3:.2f} ms")
    if importlib.util.find_spec("clrs"):
        theirs, ours = their_sampler()
        slow, fast = seconds(lambda: theirs.next(32), 10), seconds(lambda: next(ours), 200)
        print(f"dm-clrs {slow * 1e3:.1f} ms, we {fast * 1e3:.3f} ms: {slow / fast:.0f} times faster")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
