"""The shared library itself: what it shows to others, and what it asks of them."""

import os
import pathlib
import re
import subprocess

import npq
from npq import _library

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = (ROOT / "npq/c/npq.h").read_text()


def said(*command):
    return subprocess.check_output([*command, str(_library._path())], text=True, env={**os.environ, "LC_ALL": "C"})


def test_what_the_header_declares_is_all_that_can_be_seen():
    declared = set(re.findall(r"^NPQ_API .*?(npq_\w+)\(", HEADER, re.MULTILINE))
    shown = {line.split()[-1].split("@")[0] for line in said("nm", "-D", "--defined-only").splitlines()}
    shown.discard("NPQ_1")  # the name of the version
    assert shown == declared and len(declared) > 25


def test_it_needs_the_c_library_and_nothing_else():
    needed = re.findall(r"\(NEEDED\).*\[(.+?)\]", said("readelf", "-d"))
    system = {"libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    assert "libc.so.6" in needed and set(needed) <= system
    whole = said("ldd")  # with all that these bring along
    for word in ("torch", "gomp", "libomp", "crypto", "ssl", "RDKit", "stdc++", "python"):
        assert word not in whole


def test_the_package_calls_every_function_of_the_header_by_its_arguments():
    declared = dict(re.findall(r"^NPQ_API npq_status (npq_\w+)\((.*?)\);", HEADER, re.DOTALL | re.MULTILINE))
    assert set(_library._FUNCTIONS) == set(declared)
    for name, arguments in declared.items():
        assert len(_library._FUNCTIONS[name]) == len(arguments.split(",")), name
    assert _library.ABI_VERSION == _library.library().npq_abi_version()
    assert npq.__version__ == _library.version()
