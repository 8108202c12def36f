"""The curves of a run with matplotlib: loss by step, validation score by step.

python examples/python/curves_of_a_run.py runs/queue curves.png
"""

import sys

import matplotlib.pyplot as plt
import npq


def main(folder: str, out: str) -> None:
    run = npq.Run(folder)
    losses = [(record["step"], record["loss"]) for record in run.metrics if "loss" in record]
    scores = [(record["step"], record["val"]) for record in run.metrics if "val" in record]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3))
    left.plot(*zip(*losses))
    left.set(xlabel="step", ylabel="loss", yscale="log")
    right.plot(*zip(*scores), marker="o")
    right.set(xlabel="step", ylabel="validation score", ylim=(0, 1))
    figure.suptitle(f"{run.config['algorithm']}, memory {run.config['memory']}")
    figure.savefig(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
