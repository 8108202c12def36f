"""How long the data of CLRS-30 take through Python: all 90 official splits, and batches from a sampler.

python bench/python/clrs_data.py [THREADS]      first equality with the golden file of dijkstra, then times
"""

import json
import pathlib
import statistics
import struct
import sys
import time

import npq
import npq.clrs
import numpy as np

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "clrs" / "dijkstra.safetensors"


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
    return [
        npq.clrs.load(name, split=split)
        for name in npq.clrs.algorithms()[:30]
        for split in ("train", "val", "test")
    ]


def main(threads):
    npq.set_threads(threads)
    check()
    whole = seconds(load_all, 3)
    print(f"the 90 official splits, {threads} threads: {whole:.2f} s")
    batches = npq.clrs.sampler("dijkstra", nodes=16, batch=32, seed=1)
    batch = seconds(lambda: next(batches), 200)
    print(f"a batch of 32 dijkstra graphs of 16 nodes: {batch * 1e3:.2f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
