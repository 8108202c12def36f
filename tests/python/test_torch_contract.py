"""What every memory promises: ours keep it, and memories of one's own are told what they break."""

import npq
import npq.memory
import npq.testing
import pytest
import torch
from torch import nn

pytestmark = pytest.mark.torch
Z, H = 6, 3
CONTROLS = ["constant", "global_mean"]
ALL = [name for name in npq.memory.names() if name not in ("none", "oracle")]


@pytest.mark.parametrize("name", ALL)
def test_every_memory_keeps_the_contract(name):
    slots = {} if name in ("lstm", "gru", "virtual_node", *CONTROLS) else {"slots": 3}
    torch.manual_seed(5)
    npq.testing.check_memory(npq.memory.make(name, Z, H, **slots), stateless=name in CONTROLS)


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_keeps_nothing(name):
    with pytest.raises(npq.testing.ContractError, match="does not reach the messages of step 2"):
        npq.testing.check_memory(npq.memory.make(name, Z, H))


class Average(nn.Module):
    """Thirty lines of plain PyTorch: tells every node the sum of all averages so far."""

    z_width = Z

    def __init__(self):
        super().__init__()
        self.m = nn.Linear(Z, H)

    def initial_state(self, batch, nodes, node_mask=None, dtype=None):
        mask = torch.ones(batch, nodes) if node_mask is None else node_mask
        return {"sum": torch.zeros(batch, Z, dtype=dtype), "mask": mask.to(dtype).unsqueeze(-1)}

    def average(self, z, state):
        return (z * state["mask"]).sum(1) / state["mask"].sum(1)

    def forward(self, z, state):
        messages = self.m(state["sum"]).unsqueeze(1).expand(-1, z.shape[1], -1)
        return messages, {**state, "sum": state["sum"] + self.average(z, state)}


class Forgets(Average):
    def forward(self, z, state):
        return super().forward(z, state)[0], state


class InPlace(Average):
    def forward(self, z, state):
        messages, after = super().forward(z, state)
        state["sum"].copy_(after["sum"].detach())
        return messages, after


class InTheModule(Average):
    def forward(self, z, state):
        self.calls = getattr(self, "calls", 0) + 1
        messages, after = super().forward(z, state)
        return messages + self.calls, after


class ByNumber(Average):
    def forward(self, z, state):
        messages, after = super().forward(z, state)
        return messages + torch.arange(z.shape[1]).to(z).unsqueeze(-1), after


class AcrossSamples(Average):
    def average(self, z, state):
        return super().average(z, state).mean(0, keepdim=True).expand(z.shape[0], -1)


class Overflows(Average):
    def average(self, z, state):
        return super().average(z, state).exp()


class HearsPadding(Average):
    def average(self, z, state):
        return z.mean(1)


class OneRow(Average):
    def forward(self, z, state):
        messages, after = super().forward(z, state)
        return messages[:, :1], after


class NoState(Average):
    def forward(self, z, state):
        return super().forward(z, state)[0]


def test_a_memory_of_ones_own_passes():
    npq.testing.check_memory(Average())


@pytest.mark.parametrize(
    "memory, words",
    [
        (Forgets, "what step 1 writes does not reach the messages of step 2: the state is not carried"),
        (InPlace, "changed the state that it was given"),
        (InTheModule, "all that a memory remembers must be in its state"),
        (ByNumber, "permuting the nodes does not permute the messages"),
        (AcrossSamples, "nothing may pass from one sample of a batch to another"),
        (Overflows, "not finite"),
        (HearsPadding, "padding change the messages of real ones"),
        (OneRow, "messages are [3, 1, 3]; expected one row per node"),
        (NoState, "return both from forward()"),
    ],
)  # fmt: skip
def test_one_that_breaks_a_promise_is_told_which(memory, words):
    with pytest.raises(npq.testing.ContractError) as failure:
        npq.testing.check_memory(memory())
    assert words in str(failure.value)
