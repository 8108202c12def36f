"""A sampler as torch's DataLoader takes it. Imported only if torch is wanted."""

from __future__ import annotations

from typing import Iterator

from torch.utils.data import IterableDataset

from npq.clrs._batch import Batch
from npq.clrs._sampler import Sampler


class TorchSampler(IterableDataset):
    """Batches of tensors without end; give it to a DataLoader with batch_size=None."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler

    def __iter__(self) -> Iterator[Batch]:
        return (batch.torch() for batch in iter(self.sampler))
