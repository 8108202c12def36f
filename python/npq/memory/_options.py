"""What a memory is, as named choices. They are declared in C++, once; this reads them."""

from __future__ import annotations

import functools
import json
from typing import Any, Dict, Mapping, NamedTuple

from npq import _library


class Options(NamedTuple):
    """All choices of one memory, by the names of the flags with _ for -."""

    name: str
    title: str  # the paper's name where it has one
    kind: str
    flags: Dict[str, str]
    queue: Dict[str, str]  # what makes the paper's variants: read, reader, pop, send

    def on(self, flag: str) -> bool:
        return self.flags[flag] == "on"

    def number(self, flag: str) -> int:
        return int(self.flags[flag])


@functools.lru_cache(maxsize=None)
def catalog() -> Dict[str, Any]:
    found: Dict[str, Any] = json.loads(_library.text("npq_memory_catalog"))
    return found


def read_options(name: str, preset: str, flags: Mapping[str, Any]) -> Options:
    """Checked by the code that checks the command line."""
    given = {flag.replace("_", "-"): value for flag, value in flags.items()}
    text = _library.text(
        "npq_memory_options",
        _library.name_bytes("name", name),
        _library.name_bytes("preset", preset),
        _library.options_json(given),
    )
    found = json.loads(text)
    values = {flag.replace("-", "_"): value for flag, value in found["flags"].items()}
    return Options(found["name"], found["title"], found["kind"], values, found["queue"])
