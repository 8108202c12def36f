"""The memories of NPQ as ordinary torch modules: the neural priority queue and its rivals.

>>> import npq, torch
>>> queue = npq.memory.make("npq_w_plus", z_width=8, message_width=4, slots=6)
>>> z = torch.zeros(2, 5, 8)  # [B, N, Z]: what each node knows at this step
>>> state = queue.initial_state(batch=2, nodes=5)
>>> messages, state = queue(z, state)
>>> messages.shape, state.step
(torch.Size([2, 5, 4]), 1)
"""

from npq.memory._make import flags, make, names
from npq.memory._module import Memory
from npq.memory._state import State

__all__ = ["Memory", "State", "flags", "make", "names"]
