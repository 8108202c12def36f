"""Batches in PyTorch: tensors, DataLoader with and without workers, graphs of torch_geometric."""

import itertools
import sys
import types

import npq.clrs
import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, IterableDataset

pytestmark = pytest.mark.torch


class Few(IterableDataset):
    """The first three batches of each stream, so that workers end by themselves."""

    def __init__(self, data):
        self.data = data

    def __iter__(self):
        return itertools.islice(iter(self.data), 3)


def loader(workers, start=None):
    data = Few(npq.clrs.sampler("bfs", nodes=(4, 7), batch=3, seed=5).torch())
    return DataLoader(data, batch_size=None, num_workers=workers, multiprocessing_context=start)


def test_tensors_lie_in_the_same_memory():
    batch = next(npq.clrs.sampler("dijkstra", nodes=8, batch=2, dtype="float32"))
    tensors = batch.torch()
    assert tensors.inputs["A"].dtype == torch.float32 and tensors.outputs["pi"].dtype == torch.int64
    tensors.inputs["A"][0, 0, 0] = 42
    assert batch.inputs["A"][0, 0, 0] == 42
    assert tensors.lengths.tolist() == batch.lengths.tolist() and len(tensors) == 2
    assert "a batch of 2 samples" in repr(tensors)
    assert npq.clrs.load("bfs")[0].torch().inputs["pos"].shape == (16,)


def test_without_workers_a_loader_gives_the_batches_of_the_sampler():
    plain = npq.clrs.sampler("bfs", nodes=(4, 7), batch=3, seed=5)
    for batch in loader(0):
        np.testing.assert_array_equal(batch.inputs["A"].numpy(), next(plain).inputs["A"])


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_each_worker_has_a_stream_of_its_own(start):
    plain = npq.clrs.sampler("bfs", nodes=(4, 7), batch=3, seed=5)
    streams = [plain.stream(0), plain.stream(1)]
    found = list(loader(2, start))
    assert len(found) == 6
    for k, batch in enumerate(found):
        expected = next(streams[k % 2])
        np.testing.assert_array_equal(batch.inputs["A"].numpy(), expected.inputs["A"])


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_a_dataset_serves_a_loader_with_workers(start):
    data = npq.clrs.load("minimum")[:8]
    loaded = DataLoader(
        data, batch_size=None, num_workers=2, multiprocessing_context=start, sampler=range(8)
    )
    keys = [sample.inputs["key"] for sample in loaded]
    np.testing.assert_array_equal(np.stack(keys), data.inputs["key"])


def test_predictions_may_be_tensors_with_gradients():
    data = npq.clrs.generate("minimum", nodes=5, samples=6)
    guess = torch.tensor(data.outputs["min"], requires_grad=True)
    assert npq.clrs.evaluate({"min": guess}, data).score.value == 1


@pytest.fixture
def geometric(monkeypatch):
    """Stands in for torch_geometric: Data keeps what it is given."""
    package = types.ModuleType("torch_geometric")
    package.data = types.ModuleType("torch_geometric.data")
    package.data.Data = types.SimpleNamespace
    monkeypatch.setitem(sys.modules, "torch_geometric", package)
    monkeypatch.setitem(sys.modules, "torch_geometric.data", package.data)


def test_graphs_are_laid_out_as_in_salsa_clrs(geometric):
    data = npq.clrs.load("dijkstra", split="val")[:2]
    sample, (graph, _) = data[0], data.to_pyg()
    row, column = graph.edge_index.numpy()
    assert list(zip(row, column)) == list(zip(*np.nonzero(sample.inputs["adj"])))
    weights = (sample.inputs["A"] + np.eye(16))[row, column].astype(np.float32)
    np.testing.assert_array_equal(graph.weights, weights)
    assert graph.inputs == ["pos", "s"] and graph.outputs == ["pi"]
    assert graph.hints == ["pi_h", "d", "mark", "in_queue", "u"] and graph.length == sample.length
    np.testing.assert_array_equal(graph.d, sample.hints["d"].T.astype(np.float32))
    np.testing.assert_array_equal(graph.pi, column == sample.outputs["pi"][row])
    assert graph.pi_h.shape == (len(row), sample.length)
    np.testing.assert_array_equal(graph.pi_h[:, -1], graph.pi)


def test_graphs_have_the_steps_of_their_run_or_as_many_as_are_asked_for(geometric):
    data = npq.clrs.load("dijkstra", split="val")[:3]
    shortest, longest = int(data.lengths.min()), int(data.lengths.max())
    assert shortest < longest
    for sample, graph in zip(data, data.to_pyg(steps=longest)):
        assert graph.d.shape == (16, longest) and graph.pi_h.shape[1] == longest
        np.testing.assert_array_equal(graph.d[:, : sample.length], sample.hints["d"].T.astype(np.float32))
        assert not graph.d[:, sample.length :].any() and not graph.pi_h[:, sample.length :].any()
    assert [graph.d.shape for graph in data.to_pyg(steps=2)] == [(16, 2)] * 3
    assert [graph.length for graph in data.to_pyg(steps=2)] == data.lengths.tolist()
    with pytest.raises(ValueError, match="steps is 0; expected 1 or more"):
        data.to_pyg(steps=0)


def test_hints_of_edges_and_of_the_graph_are_laid_out_too(geometric):
    data = npq.clrs.generate("strongly_connected_components", nodes=8, samples=1)
    sample, graph = data[0], data.to_pyg(pointers="nodes")[0]
    assert graph.phase.shape == (1, sample.length)
    np.testing.assert_array_equal(graph.scc_id_h, sample.hints["scc_id_h"].T)
    data = npq.clrs.generate("floyd_warshall", nodes=5, samples=1)
    sample, graph = data[0], data.to_pyg()[0]
    row, column = graph.edge_index.numpy()
    expected = sample.hints["D"][:, row, column].T.astype(np.float32)
    np.testing.assert_array_equal(graph.D, expected)


def test_a_pointer_without_an_edge_is_explained(geometric):
    data = npq.clrs.generate("dag_shortest_paths", nodes=8, samples=4, p=0.3)
    with pytest.raises(ValueError, match='pass pointers="nodes"'):
        data.to_pyg()
    assert data.to_pyg(pointers="nodes")[0].pi.shape == (8,)
    with pytest.raises(ValueError, match="expected 'edges' or 'nodes'"):
        data.to_pyg(pointers="both")
