"""CLRS-30 in plain PyTorch: a small network learns one step of Bellman and Ford at a time.

python examples/python/clrs_in_pytorch.py [STEPS]
"""

import sys

import npq.clrs
import torch
from torch import nn


class Step(nn.Module):
    """Each node looks at its edges, takes the largest message and points to a parent."""

    def __init__(self, hidden: int = 32) -> None:
        super().__init__()
        self.node = nn.Linear(2, hidden)
        self.message = nn.Sequential(nn.Linear(2 * hidden + 1, hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.score = nn.Sequential(nn.Linear(2 * hidden + 1, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def pairs(self, x, A):
        n = x.shape[1]
        to, sender = x.unsqueeze(2).expand(-1, -1, n, -1), x.unsqueeze(1).expand(-1, n, -1, -1)
        return torch.cat([to, sender, A.transpose(1, 2).unsqueeze(-1)], -1)

    def forward(self, A, adj, source):
        x = self.node(torch.stack([source, torch.ones_like(source)], -1))
        hidden = adj.transpose(1, 2).unsqueeze(-1) == 0
        for _ in range(4):
            x = x + self.message(self.pairs(x, A)).masked_fill(hidden, -1e9).amax(2)
        logits = self.score(self.pairs(x, A)).squeeze(-1)
        return logits.masked_fill(hidden.squeeze(-1), -1e9)  # [B, N, N]: who is whose parent


def main(steps: int) -> float:
    torch.manual_seed(1)
    batches = npq.clrs.sampler("bellman_ford", nodes=(4, 7, 11), batch=32, seed=1, dtype="float32")
    network = Step()
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    for step in range(steps):
        batch = next(batches).torch()
        logits = network(batch.inputs["A"], batch.inputs["adj"], batch.inputs["s"])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), batch.outputs["pi"].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step:4}  loss {loss.item():.3f}")

    test = npq.clrs.load("bellman_ford", split="val", dtype="float32")
    truth = test.batch().torch()
    with torch.no_grad():
        logits = network(truth.inputs["A"], truth.inputs["adj"], truth.inputs["s"])
    scores = npq.clrs.evaluate({"pi": logits.argmax(-1)}, test)
    print(scores)
    return scores.score.value


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
