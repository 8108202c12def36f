"""The algorithmic reasoning benchmark CLRS-30: official data, bit for bit, and new data.

>>> import npq
>>> test = npq.clrs.load("bfs", split="test")
>>> len(test), test.nodes
(32, 64)
>>> batch = next(npq.clrs.sampler("bfs", nodes=16, batch=8, seed=1))
>>> batch.inputs["A"].shape, batch.outputs["pi"].dtype
((8, 16, 16), dtype('int64'))
"""

from npq.clrs._batch import Batch, Sample
from npq.clrs._catalog import Probe, algorithms, spec
from npq.clrs._dataset import Dataset, generate, load
from npq.clrs._evaluate import Figure, Scores, evaluate
from npq.clrs._sampler import Sampler, sampler

__all__ = [
    "Batch",
    "Dataset",
    "Figure",
    "Probe",
    "Sample",
    "Sampler",
    "Scores",
    "algorithms",
    "evaluate",
    "generate",
    "load",
    "sampler",
    "spec",
]
