"""Batches for the benchmark's own package: its baseline trains on ours as on those of its samplers."""

import npq.clrs
import numpy as np
import pytest
from dm_clrs_package import dm_clrs

pytestmark = pytest.mark.dm_clrs
SIZE, BATCH, SEED = 5, 3, 7


@pytest.fixture(scope="module")
def clrs():
    return dm_clrs()


def samplers(clrs, algorithm):
    theirs, spec = clrs.build_sampler(algorithm, num_samples=-1, length=SIZE, seed=SEED)
    ours = npq.clrs.sampler(algorithm, nodes=SIZE, batch=BATCH, seed=SEED, generator="head")
    return theirs, ours, spec


@pytest.mark.parametrize("algorithm", ["dijkstra", "bfs", "insertion_sort", "mst_kruskal"])
def test_a_feedback_is_that_of_the_packages_own_sampler(clrs, algorithm):
    theirs, ours, _ = samplers(clrs, algorithm)
    for _ in range(2):
        expected, found = theirs.next(BATCH), next(ours).feedback()
        assert type(found) is type(expected) and type(found.features) is type(expected.features)
        np.testing.assert_array_equal(found.features.lengths, expected.features.lengths)
        for stage in ("inputs", "hints"):
            compare(getattr(found.features, stage), getattr(expected.features, stage))
        compare(found.outputs, expected.outputs)


def compare(found, expected):
    found, expected = ({point.name: point for point in points} for points in (found, expected))
    assert found.keys() == expected.keys()
    for name, point in expected.items():
        assert (found[name].location, found[name].type_) == (point.location, point.type_)
        np.testing.assert_array_equal(found[name].data, point.data)


@pytest.mark.filterwarnings("ignore:jax.nn.one_hot:DeprecationWarning")  # the package does so
def test_the_baseline_trains_on_a_feedback(clrs):
    import jax
    from clrs._src import baselines

    jax.config.update("jax_disable_most_optimizations", True)  # compiling takes longer than training
    theirs, ours, spec = samplers(clrs, "dijkstra")
    expected, found = [theirs.next(BATCH) for _ in range(2)], [next(ours).feedback() for _ in range(2)]
    model = baselines.BaselineModel(
        spec=spec,
        dummy_trajectory=found[0],
        processor_factory=clrs.get_processor_factory("mpnn", use_ln=True, nb_triplet_fts=0),
        hidden_dim=8,
        encode_hints=True,
        decode_hints=True,
    )

    def losses(feedbacks):
        """The second batch with what the first has taught."""
        model.init(feedbacks[0].features, 1)
        return [float(model.feedback(jax.random.PRNGKey(1), feedback)) for feedback in feedbacks]

    trained = losses(found)
    assert np.isfinite(trained).all() and trained[0] != trained[1]
    assert trained == losses(expected)


def test_jax_has_the_numbers_of_a_batch():
    import jax

    for dtype in (None, "float32"):
        batch = next(npq.clrs.sampler("bfs", nodes=SIZE, batch=BATCH, seed=SEED, dtype=dtype))
        arrays = batch.jax()
        for stage in ("inputs", "hints", "outputs"):
            for name, array in getattr(batch, stage).items():
                other = getattr(arrays, stage)[name]
                assert isinstance(other, jax.Array)
                np.testing.assert_allclose(other, array, rtol=1e-6)
