"""A step of the queue, forward and backward, as part of an unroll: fused against the composed module, under the same torch.

python bench/python/queue_step.py [THREADS]      first equality, then the quickest of repetitions, the two in turns
"""

import os
import sys
import time

import npq
import npq.memory
import torch

B, N, S, F, H = 32, 16, 16, 256, 128


STEPS = 24  # from an empty queue to a full one and beyond


def unroll(queue, z):
    for parameter in queue.parameters():
        parameter.grad = None
    state = queue.initial_state(B, N)
    total = 0
    for one in z:
        messages, state = queue(one, state)
        total = total + messages.square().sum()
    total.backward()
    return messages.detach(), [p.grad for p in queue.parameters()]


def seconds(queue, z, path):
    os.environ["NPQ_PATH"] = path
    begin = time.perf_counter()
    unroll(queue, z)
    return (time.perf_counter() - begin) / STEPS


def main(threads):
    torch.set_num_threads(threads)
    npq.set_threads(threads)
    torch.manual_seed(1)
    queue = npq.memory.make("npq_w_plus", z_width=2 * H, message_width=H, slots=S, queue_width=F)
    z = torch.randn(STEPS, B, N, 2 * H, requires_grad=True)
    results = {}
    for path in ("composed", "fused"):
        os.environ["NPQ_PATH"] = path
        results[path] = unroll(queue, z)
    (found, gradients), (expected, true_gradients) = results["fused"], results["composed"]
    pairs = [(found, expected), *zip(gradients, true_gradients)]
    largest = max(float((a - b).norm() / b.norm()) for a, b in pairs if float(b.norm()) > 1e-3)
    if largest > 1e-3:
        sys.exit(f"the two paths differ by {largest:g} of their size: nothing to be timed")
    pairs = [(seconds(queue, z, "composed"), seconds(queue, z, "fused")) for _ in range(15)]
    composed, fused = (min(times) for times in zip(*pairs))
    print(f"B {B}, N {N}, S {S}, F {F}, threads {threads}: largest relative difference {largest:.1e}")
    print(f"a step, composed {composed * 1e3:.2f} ms, fused {fused * 1e3:.2f} ms: {composed / fused:.2f} times faster")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
