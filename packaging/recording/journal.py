"""Results as they come, one line each: what is written stays, whenever the recording is ended."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from kernels.catalogue.case import Case
from kernels.measure.result_json import from_record, to_record
from kernels.measure.results import Result

Command = Callable[[Namespace], int]


class Journal:
    """The results in a file, those of earlier runs included. Each new one is told to `out` too."""

    def __init__(self, path: Path, out: TextIO) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        known = list(_read(path)) if path.exists() else []
        self._path, self._out = path, out
        self._known = {result.point: result for result in known}
        if known:  # without a line that was cut off
            path.write_text("".join(_line(result) for result in known), encoding="utf-8")

    def find(self, point: Case) -> Result | None:
        """The result of a point that was recorded already."""
        return self._known.get(point)

    def append(self, result: Result) -> None:
        """Keep one result."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(result))
        self._known[result.point] = result
        point = result.point
        shape = f"{point.problem.m} x {point.problem.n} x {point.problem.k}"
        rate = "" if result.rate is None else f"{result.rate:10.1f}"
        said = "" if result.reason is None else str(result.reason).splitlines()[0]
        self._out.write(f"{point.variant_id:26} {shape:20} {dict(point.parameters)} {result.status} {rate} {said}\n")
        self._out.flush()


def journals(folder: Path, name: str) -> Iterator[Result]:
    """The results of all parts."""
    for path in sorted(folder.glob(f"{name}.*.jsonl")):
        yield from _read(path)


def chosen(description: str | None, run: Command, merge: Command, options: Callable[[ArgumentParser, ArgumentParser], None]) -> int:
    """Perform the command that is given: `run`, which records, or `merge`. `options` adds theirs to the folder that both take."""
    parser = ArgumentParser(description=description, formatter_class=RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    running, merging = (commands.add_parser(function.__name__, help=function.__doc__) for function in (run, merge))
    for command, function in ((running, run), (merging, merge)):
        command.set_defaults(function=function)
        command.add_argument("folder", type=Path, help="where the results are kept as they come")
    options(running, merging)
    merging.add_argument("out", type=Path, help="where the recording goes")
    arguments = parser.parse_args()
    status: int = arguments.function(arguments)
    return status


def _line(result: Result) -> str:
    return json.dumps(to_record(result), ensure_ascii=False) + "\n"


def _read(path: Path) -> Iterator[Result]:
    for line in path.read_text(encoding="utf-8").splitlines():
        with suppress(json.JSONDecodeError):  # the last line, where the program was ended while it wrote
            yield from_record(json.loads(line))
