"""Times from published reports, as results that charts can overlay, and the recordings that come with the program."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from app.core.results.curves import Provenance, SeriesKey
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import find
from kernels.measure.results import Result, Status
from kernels.measure.rows import AnyResult

SOURCE, MACHINE, TABLE = "source", "stated_machine", "table"
"""Conditions of a published result: the report, the machine in its words, and which of its tables."""
NOT_STATED = "not stated"
_TIMES = ("time_ms", "kernel_ms")
_RATE = "gflops"

PublishedRow = Mapping[str, str]


def load_published() -> tuple[Result, ...]:
    """The published times of variants that the catalogue has. They are called verified where they are drawn, but nobody did it here."""
    with files("resources").joinpath("published/timings.csv").open(encoding="utf-8") as stream:
        return published(csv.DictReader(stream))


def published(rows: Iterable[PublishedRow]) -> tuple[Result, ...]:
    """The first time that each report prints of each point. A value of 0 is none; a rate counts where there is no time."""
    results: dict[object, Result] = {}
    for row in sorted(rows, key=lambda row: row["metric"] == _RATE):
        variant = find(row["variant"])
        ms = None if variant is None else _milliseconds(row)
        if variant is not None and ms is not None:
            point = Case(variant.id, Problem.square(Operation(row["operation"]), int(row["n"])), _parameters(variant, row))
            key = (row["source"], point.variant_id, point.problem, tuple(point.parameters.items()))
            results.setdefault(key, Result(point, Status.SINGLE, "", (ms,), conditions=_conditions(row)))
    return tuple(results.values())


def note_of(key: SeriesKey, result: AnyResult) -> Message | None:
    """Whose time a published one is, and on which machine; None for any other."""
    if key.provenance is not Provenance.PUBLISHED:
        return None
    stated = str(result.conditions[MACHINE])
    machine = message("{machine}", machine=stated)
    if stated.startswith(NOT_STATED):
        said = stated.removeprefix(NOT_STATED).strip(" ()")
        machine = message("machine not stated ({said})", said=said) if said else message("machine not stated")
    return message(
        "published in {source}, table {table}; {machine}", source=str(result.conditions[SOURCE]), table=str(result.conditions[TABLE]),
        machine=machine,
    )  # fmt: skip


def _milliseconds(row: PublishedRow) -> float | None:
    value = float(row["value"] or 0)
    if value <= 0:
        return None
    if row["metric"] in _TIMES:
        return value
    flops = Problem.square(Operation(row["operation"]), int(row["n"])).flops
    return flops / value / 1e6 if row["metric"] == _RATE else None


def _parameters(variant: Variant, row: PublishedRow) -> dict[str, int]:
    return {"tile": int(row["tile"])} if row["tile"] and variant.parameter("tile") else {}


def _conditions(row: PublishedRow) -> dict[str, str | int | float]:
    """The report stands for its machine: lines of two reports that name none are still two."""
    source = row["source"]
    return {"processor": source, "gpu": source, SOURCE: source, MACHINE: row["machine"], TABLE: row["table"]}


def recorded_files() -> list[Path]:
    """The recordings that come with the program; not those of orders of printing, which lie beside them."""
    folder = files("resources").joinpath("recorded")
    names = (entry.name for entry in folder.iterdir()) if folder.is_dir() else ()
    return [Path(str(folder.joinpath(name))) for name in sorted(names) if name.endswith(".json") and not name.startswith("hello_")]
