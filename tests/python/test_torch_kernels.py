"""The fused messages against plain torch operations, and flat batches padded."""

import npq.kernels
import npq.nn
import pytest
import torch

pytestmark = pytest.mark.torch
B, N, H, R = 2, 7, 19, 3


def inputs(**options):
    torch.manual_seed(1)
    shapes = {"recv": (B, N, H), "send": (B, N, H), "w0": (H, H), "b0": (H,), "w1": (H, H), "b1": (H,)}
    shapes |= {"values": (B, N, N, R), "rows": (R, H), "memory": (B, N, H)}
    tensors = {name: torch.randn(shape) * 0.5 for name, shape in shapes.items()}
    return {name: tensors[name].requires_grad_() for name in tensors if options.get(name, True)}


def composed(recv, send, w0, b0, w1, b1, values=None, rows=None, adj=None, memory=None, delivery="self"):
    x = recv.unsqueeze(1) + send.unsqueeze(2)  # [B, sender, receiver, H]
    if values is not None:
        x = x + values @ rows
    heard = torch.ones(B, N, N, dtype=torch.bool) if adj is None else adj != 0
    if memory is not None and delivery == "self":
        x = torch.cat([x, memory.unsqueeze(1)], 1)
        heard = torch.cat([heard, torch.ones(B, 1, N, dtype=torch.bool)], 1)
    elif memory is not None:
        x = torch.cat([x, memory.unsqueeze(2).expand(-1, -1, N, -1)], 1)
        heard = torch.cat([heard, torch.ones(B, N, N, dtype=torch.bool)], 1)
    m = (x.relu() @ w0 + b0).relu() @ w1 + b1
    return m.masked_fill(~heard.unsqueeze(-1), -1e6).amax(1)


@pytest.mark.parametrize("delivery", ["self", "all"])
@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize("values", [True, False])
@pytest.mark.parametrize("masked", [True, False])
def test_messages_and_gradients_are_those_of_plain_operations(values, memory, masked, delivery):
    tensors = inputs(values=values, rows=values, memory=memory)
    adj = (torch.rand(B, N, N) < 0.5).float() if masked else None
    weights = torch.randn(B, N, H)
    results = []
    for function in (npq.kernels.messages, composed):
        found = function(**tensors, adj=adj, delivery=delivery)
        loss = (found * weights * (found > -1e5)).sum()
        results.append((found, torch.autograd.grad(loss, list(tensors.values()))))
    (found, gradients), (expected, true_gradients) = results
    # Tiles multiply in pieces of bfloat16 where the machine has them: 1e-5 of the largest entry.
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
    for name, gradient, other in zip(tensors, gradients, true_gradients):
        assert float((gradient - other).norm()) <= 2e-3 * float(other.norm()) + 1e-6, name


def refusals():
    t = inputs()
    change = lambda **new: lambda: npq.kernels.messages(**{**t, **new})  # noqa: E731
    return [
        (change(recv=t["recv"][0]), ValueError, "recv is not a tensor [B, N, H]"),
        (change(send=t["send"][:, :3]), ValueError, "send has the shape [2, 3, 19]; expected [2, 7, 19]"),
        (change(w0=t["w0"].double()), TypeError, "w0 is torch.float64 on cpu; this kernel is for float32"),
        (change(b1=1.0), TypeError, "b1 is of type float"),
        (change(rows=None), ValueError, "values and rows belong together"),
        (change(values=t["values"][0]), ValueError, "values has the shape [7, 7, 3]"),
        (change(adj=torch.ones(B, N)), ValueError, "adj is not a tensor [2, 7, 7]"),
        (change(delivery="nobody"), ValueError, "expected 'self' or 'all'"),
        (lambda: npq.nn.pad([0, 1], torch.ones(2)), TypeError, "the batch vector is list"),
        (lambda: npq.nn.pad(torch.tensor([1, 0]), torch.ones(2)), ValueError, "is not sorted"),
        (lambda: npq.nn.pad(torch.tensor([0, 2]), torch.ones(2)), ValueError, "graph 1 of the batch vector has no node"),
        (lambda: npq.nn.pad(torch.tensor([0, 0]), torch.ones(3)), ValueError, "x is [3]; expected a tensor with 2 rows"),
        (lambda: npq.nn.pad(torch.zeros(0).long(), torch.ones(0)), ValueError, "expected one entry per node"),
        (lambda: npq.nn.unpad(torch.tensor([0, 0]), torch.ones(1, 3)), ValueError, "expected a tensor [1, 2, ...]"),
    ]  # fmt: skip


def test_bad_input_is_refused_with_a_sentence():
    for action, kind, words in refusals():
        with pytest.raises(kind) as failure:
            action()
        assert words in str(failure.value)


def test_second_derivatives_are_refused():
    t = inputs()
    with pytest.raises(RuntimeError, match="no second derivatives"):
        torch.autograd.grad(npq.kernels.messages(**t).sum(), t["recv"], create_graph=True)


def test_padding_and_back_is_the_identity_with_gradients():
    batch = torch.tensor([0, 0, 0, 1, 2, 2])
    x = torch.randn(6, 4, requires_grad=True)
    padded, mask = npq.nn.pad(batch, x)
    assert padded.shape == (3, 3, 4) and mask.sum(1).tolist() == [3, 1, 2]
    assert not padded[~mask].any() and torch.equal(npq.nn.unpad(batch, padded), x)
    npq.nn.unpad(batch, padded).sum().backward()
    assert torch.equal(x.grad, torch.ones(6, 4))
