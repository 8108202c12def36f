"""A memory of your own in thirty lines of PyTorch, held to what every memory of NPQ promises.

python examples/python/memory_of_your_own.py
"""

import npq.testing
import torch
from torch import nn


class Average(nn.Module):
    """Tells every node a mixture of all averages so far."""

    def __init__(self, z_width: int, message_width: int) -> None:
        super().__init__()
        self.z_width = z_width
        self.keep = nn.Linear(z_width, z_width)
        self.message = nn.Linear(z_width, message_width)

    def initial_state(self, batch, nodes, node_mask=None, dtype=None):
        real = torch.ones(batch, nodes) if node_mask is None else node_mask
        return {"sum": torch.zeros(batch, self.z_width, dtype=dtype), "real": real.to(dtype).unsqueeze(-1)}

    def forward(self, z, state):
        real = state["real"]
        messages = self.message(state["sum"]).unsqueeze(1).expand(-1, z.shape[1], -1)  # read, then write
        average = (z * real).sum(1) / real.sum(1)
        return messages, {"sum": self.keep(state["sum"]).tanh() + average, "real": real}


class Forgetful(Average):
    """The same with a mistake: it hands back the state that it was given."""

    def forward(self, z, state):
        return super().forward(z, state)[0], state


def main() -> None:
    npq.testing.check_memory(Average(6, 3))
    print("Average keeps every promise.")
    try:
        npq.testing.check_memory(Forgetful(6, 3))
    except npq.testing.ContractError as error:
        print(f"Forgetful does not: {error}")


if __name__ == "__main__":
    main()
