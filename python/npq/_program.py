"""Starts the program npq, and hands its words and errors on."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
from typing import Any, Dict, List, Mapping, Sequence

from npq import _library

_USAGE = 2  # the program's exit code for a call that makes no sense
_WORDS_KEPT = 20  # lines of its last words, for the error


def find_program() -> str:
    """NPQ_PROGRAM, the program beside the package, or the one in PATH."""
    chosen = os.environ.get("NPQ_PROGRAM")
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise FileNotFoundError(
                f"NPQ_PROGRAM is '{chosen}', which is not a program; let it name a built npq"
            )
        return chosen
    beside = pathlib.Path(__file__).parent / "bin" / "npq"
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("npq")
    if found is None:
        raise FileNotFoundError(
            "the program npq was not found; build it with ./run in the checkout and let NPQ_PROGRAM "
            "name build/release/bin/npq, or put it into PATH"
        )
    return found


def run_program(arguments: Sequence[str]) -> str:
    """What the program prints. Its progress goes on to sys.stderr; Ctrl-C stops it as in a shell."""
    process = subprocess.Popen(
        [find_program(), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,  # so that Ctrl-C reaches it once, through us
    )
    words: List[str] = []
    printed: List[str] = []
    assert process.stderr is not None and process.stdout is not None
    stdout = process.stdout
    reader = threading.Thread(target=lambda: printed.append(stdout.read()))
    reader.start()
    interrupted = False
    while True:
        try:
            for line in process.stderr:
                sys.stderr.write(line)
                words = [*words, line][-_WORDS_KEPT:]
            status = process.wait()
            reader.join()
            break
        except KeyboardInterrupt:
            interrupted = True
            process.send_signal(signal.SIGINT)
    process.stderr.close()
    process.stdout.close()
    if interrupted:
        raise KeyboardInterrupt
    if status:
        said = _library.python_spelling("".join(words).strip())
        message = said or f"npq {arguments[0]} ended with {status} and said nothing"
        raise ValueError(message) if status == _USAGE else RuntimeError(message)
    return printed[0]


def json_of(arguments: Sequence[str]) -> Any:
    return json.loads(run_program([*arguments, "--json"]))


def _memory_switches() -> List[str]:
    catalog: Dict[str, Any] = json.loads(_library.text("npq_memory_catalog"))
    return [flag["name"] for flag in catalog["flags"] if flag["choices"] == ["off", "on"]]


def flags_of(options: Mapping[str, Any]) -> List[str]:
    """Keyword arguments as flags of the command line: hint_mode="none" is --hint-mode none.

    True gives the flag alone and False its --no- form; switches of memories are on and off.
    """
    flags: List[str] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if value is None:
            continue
        if isinstance(value, bool) and flag in _memory_switches():
            flags += [f"--{flag}", "on" if value else "off"]
        elif isinstance(value, bool):
            flags.append(f"--{flag}" if value else f"--no-{flag}")
        elif isinstance(value, (list, tuple)):
            flags += [f"--{flag}", ",".join(str(item) for item in value)]
        else:
            flags += [f"--{flag}", str(value)]
    return flags
