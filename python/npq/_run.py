"""Runs of the program: trained from here, read from their folders, asked again."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from npq import _program

Path = Union[str, "os.PathLike[str]"]


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("a table needs pandas, which is not installed; pip install pandas") from None
    return pandas


def _flat(record: Mapping[str, Any], prefix: str = "") -> Dict[str, Any]:
    """{"losses": {"output/pi": 1}} as {"losses/output/pi": 1}, as metrics.csv names columns."""
    flat: Dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{name}/"))
        else:
            flat[prefix + name] = value
    return flat


class Metrics(List[Dict[str, Any]]):
    """The log of a run, a dict per line of its metrics.jsonl."""

    def to_pandas(self) -> Any:
        """One row per line, columns named as in metrics.csv."""
        return _pandas().DataFrame([_flat(record) for record in self])


class Run:
    """A run folder: `config`, `metrics`, `result` are read when they are asked for.

    run = npq.Run("runs/queue")
    """

    def __init__(self, folder: Path) -> None:
        self.folder = pathlib.Path(folder)
        if not (self.folder / "config.json").is_file():
            raise FileNotFoundError(
                f"'{self.folder}' is not a run folder: it has no config.json; npq.train(out=...) makes one"
            )

    def _json(self, name: str) -> Dict[str, Any]:
        path = self.folder / name
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError as error:
            raise ValueError(f"'{path}' is malformed JSON: {error}") from None
        if not isinstance(found, dict):
            raise ValueError(f"'{path}' holds a {type(found).__name__}; expected an object")
        return found

    @property
    def config(self) -> Dict[str, Any]:
        """Every option of the run, by its flag's name."""
        return self._json("config.json")

    @property
    def result(self) -> Optional[Dict[str, Any]]:
        """The outcome; None while the run is not finished."""
        return self._json("result.json") if (self.folder / "result.json").is_file() else None

    @property
    def metrics(self) -> Metrics:
        """Losses and scores by step, as far as the run has come."""
        path = self.folder / "metrics.jsonl"
        records = Metrics()
        if path.is_file():
            lines = path.read_text(encoding="utf-8").split("\n")
            # Behind the last end of line stands what is being written at this moment.
            records.extend(json.loads(line) for line in lines[:-1])
        return records

    def weights(self, which: str = "best") -> Dict[str, Any]:
        """The parameters by name, as numpy arrays; `which` is "best", "last" or "average"."""
        from npq import _safetensors

        if which not in ("best", "last", "average"):
            raise ValueError(f"which is {which!r}; expected 'best', 'last' or 'average'")
        path = self.folder / f"{which}.safetensors"
        if not path.is_file():
            raise FileNotFoundError(f"'{self.folder}' has no weights '{which}' yet")
        return _safetensors.read(path)[0]

    def evaluate(self, sizes: Sequence[int] = (64,), **options: Any) -> Any:
        """Scores on test sets of these sizes; further options are those of `npq evaluate`."""
        return self._ask("evaluate", {"sizes": list(sizes), **options})

    def predict(self, inputs: Mapping[str, Any], **options: Any) -> Any:
        """What the run says about an input of one's own, as `npq predict --help` describes it."""
        from npq._library import options_json

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "input.json"
            path.write_bytes(options_json(inputs))
            return self._ask("predict", {"input": path, **options})

    def trace(self, nodes: int = 8, **options: Any) -> Any:
        """One sample under the microscope, step by step; further options are those of `npq trace`."""
        return self._ask("trace", {"nodes": nodes, **options})

    def _ask(self, command: str, options: Mapping[str, Any]) -> Any:
        return _program.json_of([command, str(self.folder), *_program.flags_of(options)])

    def __repr__(self) -> str:
        return f"npq.Run({str(self.folder)!r})"


def train(*, out: Path, **options: Any) -> Run:
    """Trains a network with the program and gives its run. Options are those of `npq train`, with _
    for -; the program must be there (see docs/python.md).

    run = npq.train(algorithm="dijkstra", memory="npq_w", steps=500, out="runs/queue")
    """
    _program.run_program(["train", *_program.flags_of({**options, "out": out})])
    return Run(out)


def runs(folder: Path = "runs") -> Any:
    """All runs below a folder as one pandas table: where each lies, its options and its outcome."""
    pandas = _pandas()
    top = pathlib.Path(folder)
    if not top.is_dir():
        raise FileNotFoundError(f"there is no folder '{top}'")
    rows = []
    for config in sorted(top.rglob("config.json")):
        run = Run(config.parent)
        result = {f"result/{name}": value for name, value in _flat(run.result or {}).items()}
        finished = run.result is not None
        rows.append({"run": str(run.folder), "finished": finished, **_flat(run.config), **result})
    return pandas.DataFrame(rows)
