"""The kernel texts of tests/corpus: how each is launched, and what must be found in it, as its first lines say.

    // launch: grid=2,2 block=8,8 shared=256 entry=reduce<64> args: in=64:arange out=64 n=60 budget: 0.3
    // finding: data-race 12 10

Arguments are written as for `tilescope trace`. A finding is its kind, its line, and for a race the other line; "none" where there is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from kernels.base.messages import Message
from kernels.simt.base.launch import Argument, Budget, Dim3, LaunchRequest
from kernels.simt.base.types import Struct
from kernels.simt.frontend.parse import parse
from kernels.simt.ir import Kernel
from kernels.simt.lower import lower
from kernels.simt.run.arguments import parse_argument
from kernels.simt.run.launchable import argument_types
from kernels.simt.run.written_objects import WRITTEN, written_object

FOLDER = Path(__file__).parent.parent / "corpus"
_LAUNCH = re.compile(r"^// launch: (?P<options>.*?)(?: args: (?P<arguments>.*?))?(?: budget: (?P<seconds>\S+))?$", re.MULTILINE)
_FINDING = re.compile(r"^// finding: (?P<kind>\S+)(?P<lines>(?: \d+)*)$", re.MULTILINE)

Found = tuple[str, frozenset[int]]
"""A finding's kind and its lines."""


@dataclass(frozen=True, slots=True)
class Case:
    """A file of the corpus: its text, its only kernel, how it is launched, and what is wrong with it."""

    text: str
    kernel: Kernel
    request: LaunchRequest
    findings: frozenset[Found]


def files(folder: str) -> list[Path]:
    """The files in a folder of the corpus, by name."""
    return sorted((FOLDER / folder).glob("*.cu"))


def read(path: Path) -> Case:
    """The case in a file."""
    text = path.read_text(encoding="utf-8")
    launch = _LAUNCH.search(text)
    assert launch is not None, f"{path.name} does not say how it is launched"
    options = dict(option.split("=", 1) for option in launch["options"].split())
    unit = parse(text, path)
    kernel = lower(unit, options.get("entry") or unit.kernels[0].name)
    budget = Budget(seconds=float(launch["seconds"])) if launch["seconds"] else Budget()
    request = LaunchRequest(
        extent(options["grid"]),
        extent(options["block"]),
        arguments(kernel, launch["arguments"] or ""),
        int(options.get("shared", 0)),
        budget=budget,
    )
    findings = said(path)
    assert findings, f"{path.name} does not say what is to be found"
    return Case(text, kernel, request, frozenset(each for each in findings if each[0] != "none"))


def said(path: Path) -> list[Found]:
    """What is to be found in a file, as it says itself; of one in which nothing is, "none"."""
    text = path.read_text(encoding="utf-8")
    return [(found["kind"], frozenset(map(int, found["lines"].split()))) for found in _FINDING.finditer(text)]


def arguments(kernel: Kernel, written: str) -> dict[str, Argument]:
    """The arguments in the notation of the command line, separated by spaces."""
    types = argument_types(kernel)
    objects = {each.name: each.type.name for each in kernel.parameters if isinstance(each.type, Struct) and each.type.name in WRITTEN}
    given: dict[str, Argument] = {}
    for name, text in (each.split("=", 1) for each in written.split()):
        if name in objects:
            members = written_object(objects[name], name, text, Budget().bytes)
            assert not isinstance(members, Message), str(members)
            given.update(members)
            continue
        value = parse_argument(name, text, types[name])
        assert not isinstance(value, Message), str(value)
        given[name] = value
    return given


def extent(text: str) -> Dim3:
    """`x[,y[,z]]`."""
    x, y, z = (*map(int, text.split(",")), 1, 1)[:3]
    return x, y, z
