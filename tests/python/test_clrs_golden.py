"""The benchmark's own numbers, through the package."""

import hashlib
import json

import numpy as np
import npq
import pytest

THE_30 = npq.clrs.algorithms()[:30]
# These come from sin, cos and atan2 of the C library (golden/clrs/README.md, section 6).
BOUNDS = {"x": 1e-14, "y": 1e-14, "atans": 1e-12}


def bound(algorithm, name):
    return BOUNDS.get(name, 0) if algorithm in ("graham_scan", "jarvis_march") else 0


def assert_golden(found, golden, allowed):
    assert found.dtype == golden.dtype and found.shape == golden.shape
    if allowed:
        np.testing.assert_allclose(found, golden, rtol=0, atol=allowed)
    else:
        np.testing.assert_array_equal(found, golden)


@pytest.mark.parametrize("algorithm", THE_30)
def test_every_golden_sample_comes_out_bit_for_bit(algorithm, clrs_golden):
    golden = clrs_golden(algorithm)
    shortened = json.loads(golden.metadata["shortened"])
    stored = json.loads(golden.metadata["stored"])
    compared = 0
    for split, count in stored.items():
        data = npq.clrs.load(algorithm, split=split)
        for k in range(count):
            sample = data[k]
            assert sample.length == golden[f"{split}/{k}/length"]
            for probe in sample.spec.values():
                array = getattr(sample, probe.stage + "s")[probe.name]
                name = f"{split}/{k}/{probe.stage}/{probe.name}"
                allowed = bound(algorithm, probe.name)
                kept = shortened.get(f"{split}/{k}", 0)
                if kept and probe.stage == "hint":
                    whole = hashlib.sha256(np.ascontiguousarray(array)).hexdigest()
                    assert allowed or whole == golden.metadata[f"sha256/{name}"]
                    array = np.concatenate([array[:kept], array[-kept:]])
                assert_golden(array, golden[name], allowed)
                compared += 1
    assert compared == len(golden) - sum(name.endswith("/length") for name in golden)


@pytest.mark.parametrize("algorithm", THE_30)
def test_the_official_splits_have_the_spec_of_the_golden_file(algorithm, clrs_golden):
    expected = json.loads(clrs_golden(algorithm).metadata["spec"])
    found = {p.name: [p.stage, p.location, p.type] for p in npq.clrs.spec(algorithm).values()}
    assert found == expected


def assert_batch(batch, golden, prefix):
    for stage in ("input", "hint", "output"):
        for name, array in getattr(batch, stage + "s").items():
            assert_golden(array, golden[f"{prefix}/{stage}/{name}"], 0)
    assert_golden(batch.lengths, golden[f"{prefix}/lengths"], 0)


def test_a_sampler_gives_the_batches_of_the_benchmarks_sampler(clrs_golden):
    golden = clrs_golden("batching")
    p = [0.1 + 0.1 * i for i in range(9)]
    batches = npq.clrs.sampler("bellman_ford", nodes=6, batch=3, seed=5, p=p)
    for prefix in ("fly_bellman_ford/batch0", "fly_bellman_ford/batch1"):
        assert_batch(next(batches), golden, prefix)


def test_chosen_samples_make_the_batch_that_the_benchmark_makes_of_them(clrs_golden):
    golden = clrs_golden("batching")
    data = npq.clrs.generate("bfs", nodes=8, samples=10, seed=5)
    assert_batch(data.batch(), golden, "fixed_bfs/all")
    longest = int(data.lengths.max())  # the benchmark pads to the longest of the whole dataset
    for prefix in ("fixed_bfs/batch0", "fixed_bfs/batch1"):
        chosen = golden[f"{prefix}/indices"]
        assert_batch(data.batch(chosen, steps=longest), golden, prefix)
