"""A neural priority queue in a GNN of your own: at the first step one node sees a number, and at the end all must know it.

The graphs have no edges, so the queue is the only way from node to node.

python examples/python/queue_in_your_gnn.py [UPDATES] [MEMORY]
"""

import sys

import npq.memory
import torch
from torch import nn

BATCH, NODES, STEPS, HIDDEN = 16, 4, 3, 16


class Network(nn.Module):
    def __init__(self, memory: str) -> None:
        super().__init__()
        self.encode = nn.Linear(1, HIDDEN)
        flags = {} if memory == "none" else {"slots": STEPS}
        self.memory = npq.memory.make(memory, z_width=2 * HIDDEN, message_width=HIDDEN, **flags)
        self.update = nn.Sequential(nn.Linear(3 * HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN))
        self.decode = nn.Linear(HIDDEN, 1)

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """numbers [T, B, N] -> what each node says at the end, [B, N]."""
        steps, batch, nodes = numbers.shape
        hidden = numbers.new_zeros(batch, nodes, HIDDEN)
        state = self.memory.initial_state(batch, nodes)
        for x in numbers:
            z = torch.cat([self.encode(x.unsqueeze(-1)), hidden], -1)
            messages, state = self.memory(z, state)
            heard = torch.zeros_like(hidden) if messages is None else messages
            hidden = self.update(torch.cat([z, heard], -1))
        return self.decode(hidden).squeeze(-1)


def main(updates: int, memory: str = "npq_w_plus") -> float:
    torch.manual_seed(1)
    network = Network(memory)
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    losses = []
    for update in range(updates):
        numbers = torch.zeros(STEPS, BATCH, NODES)
        told, who = torch.rand(BATCH), torch.randint(NODES, (BATCH,))
        numbers[0, torch.arange(BATCH), who] = told
        wanted = told.unsqueeze(-1).expand(-1, NODES)
        loss = nn.functional.mse_loss(network(numbers), wanted)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        if update % 100 == 0:
            print(f"update {update:4}  loss {loss.item():.4f}")
    last = sum(losses[-20:]) / len(losses[-20:])
    print(f"{memory}: mean squared error of the last updates {last:.4f}")
    return last


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500, *sys.argv[2:3])
