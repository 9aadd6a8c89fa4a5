"""The course of the figures: one line of JSON for each time that the benchmarks were run and kept."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tests.perf.figures import Figure

HISTORY = Path(__file__).resolve().parent / "history.jsonl"


class BadHistory(Exception):
    """A line of the file is not what `append` writes; the text names it by its number."""


class Machine(NamedTuple):
    """What figures must share to be compared."""

    processor: str
    cores: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One run: when (ISO 8601), of which commit, where, how many processes wanted a core in the minute before (None: the system does
    not tell), and the figures of each benchmark."""

    date: str
    commit: str
    machine: Machine
    load: float | None
    figures: Mapping[str, tuple[Figure, ...]]

    def figure(self, benchmark: str, wanted: Figure) -> Figure | None:
        """The same figure in this entry."""
        kept = self.figures.get(benchmark, ())
        return next((each for each in kept if each._replace(value=wanted.value) == wanted), None)


def read(path: Path) -> list[Entry]:
    """All entries, oldest first; none where there is no file. Raises `BadHistory`."""
    if not path.is_file():
        return []
    entries = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            entries.append(_entry(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadHistory(f"line {number} of {path.name} is no entry: {error!r}") from error
    return entries


def append(path: Path, entry: Entry) -> None:
    """Write one line more."""
    figures = {name: [figure._asdict() for figure in each] for name, each in entry.figures.items()}
    line = {"date": entry.date, "commit": entry.commit, "machine": {**entry.machine._asdict(), "load": entry.load}, "figures": figures}
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def newest(entries: Sequence[Entry], machine: Machine, benchmark: str, wanted: Figure) -> tuple[Entry, Figure] | None:
    """The last time that this was measured on this machine under the same conditions."""
    for entry in reversed(entries):
        found = entry.figure(benchmark, wanted) if entry.machine == machine else None
        if found is not None:
            return entry, found
    return None


def _entry(line: Mapping[str, Any]) -> Entry:
    machine = line["machine"]
    load = None if machine["load"] is None else _number(machine["load"])
    figures = {_text(name): tuple(_figure(**figure) for figure in each) for name, each in line["figures"].items()}
    return Entry(_text(line["date"]), _text(line["commit"]), Machine(_text(machine["processor"]), int(machine["cores"])), load, figures)


def _figure(name: object, value: object, unit: object, conditions: object) -> Figure:
    return Figure(_text(name), _number(value), _text(unit), _text(conditions))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no number")
    return value
