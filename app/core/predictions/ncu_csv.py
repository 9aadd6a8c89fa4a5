"""Counters of a variant's launches, read from CSV that Nsight Compute wrote, in a file of the user's.

Read are `ncu --csv --page raw`, the list of metrics that `ncu --csv --metrics ...` prints, and the source page, from whose machine
instructions counters are summed: `ncu --csv --page source --print-source sass`.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice
from pathlib import Path

from app.core.base.files.text_files import read_source
from app.core.base.parsing import shown
from app.core.predictions.counters import METRICS, Measured, measured
from kernels.base.messages import Message, ReasonedError, message
from kernels.base.values import dataclass

Cells = Mapping[str, tuple[str, int]]
"""A line's cells by the names of their columns, with the number of the line."""
Number = Callable[[str, int, str], float | None]

_EXECUTED, _THREADS = "Instructions Executed", "Predicated-On Thread Instructions Executed"
_BY_OPCODE = {
    "LDS": (_EXECUTED, "smsp__inst_executed_op_shared_ld.sum"),
    "STS": (_EXECUTED, "smsp__inst_executed_op_shared_st.sum"),
    "ATOMS": (_EXECUTED, "smsp__inst_executed_op_shared_atom.sum"),
    "FFMA": (_THREADS, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
    "FADD": (_THREADS, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"),
    "FMUL": (_THREADS, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"),
}
_OF_ALL = {
    _EXECUTED: "smsp__inst_executed.sum",
    "L1 Wavefronts Shared": "memory_l1_wavefronts_shared",
}


def of_instructions(instructions: Sequence[Cells], number: Number) -> Mapping[str, float]:
    """The metrics that the instructions add up to."""
    sums = Counter[str]()
    for cells in instructions:
        opcode = _opcode(cells["Source"][0])
        wanted = list(_OF_ALL.items()) + ([_BY_OPCODE[opcode]] if opcode in _BY_OPCODE else [])
        for column, metric in wanted:
            if column in cells:
                text, line = cells[column]
                sums[metric] += number(text, line, column) or 0.0  # type: ignore[assignment]
    return dict(sums)


def _opcode(source: str) -> str:
    """ "LDS" of "@!P0 LDS.128 R4, [R2]"."""
    return next((part for part in source.split() if not part.startswith("@")), "").split(".")[0]


KERNEL, METRIC, UNIT, VALUE, SOURCE = "Kernel Name", "Metric Name", "Metric Unit", "Metric Value", "Source"
LARGEST_PROFILE = 64 << 20
"""Bytes of a profile that are taken for meant."""
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?")
_ABSENT = ("", "n/a", "-", "nan")
_PREFIXES = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_SECONDS = {"n": 1.0, "u": 1e3, "m": 1e6, "": 1e9}
_TIME = re.compile(r"([num]?)s(?:econds?)?")
_SCALED = re.compile(r"([KMGT]?)([a-z].*|)")
_NAMELESS = "(anonymous namespace)::"
_PROPERTIES = ("device__", "launch__", "numa__", "nvlink__", "c2clink__", "pcie__", "derived__", "profiler__")
"""How names begin of what is no counter, and may be a word."""
_COUNTED = ("%", "", "SM")
"""Units of whole numbers and shares; multiprocessors are the only thing that Nsight Compute counts in capitals."""


@dataclass(frozen=True, slots=True)
class Profiled:
    """Launch as it was profiled. `metrics` by their names, in base units: bytes, nanoseconds, percent, plain numbers."""

    kernel: str
    metrics: Mapping[str, float]

    @property
    def name(self) -> str:
        """ "reduce" of "void reduce<128>(float *)"."""
        return _name(self.kernel)


@dataclass(slots=True)
class _Launch:
    kernel: str
    grid: str = ""
    block: str = ""
    metrics: dict[str, float] = field(default_factory=dict)


class _Unreadable(ReasonedError):
    """A line that is not as it should be."""


Row = tuple[int, list[str]]
"""The number of a line, from 1 on, and its cells."""


def read_ncu(text: str) -> tuple[Profiled, ...] | Message:
    """The launches in order, or what is wrong with the text, with line and column."""
    rows = _rows(text)
    try:
        for line, cells in rows:
            if cells[0] == KERNEL and len(cells) <= 3:
                return _as_profiled(_source_page([(line, cells), *rows]))
            if KERNEL in cells and METRIC in cells:
                return _as_profiled(_listed(cells, rows))
            if KERNEL in cells:
                return _as_profiled(_table(line, cells, rows))
    except _Unreadable as error:
        return error.reason
    except csv.Error as error:
        return message("This is not CSV: {error}", error=str(error))
    return message("No table of Nsight Compute is in it: no line names the column {column}.", column=KERNEL)


def number(text: str, line: int, column: str) -> float | None:
    """A cell's number, None where the profiler has none. Raises where it is no number at all."""
    stripped = text.strip()
    if stripped.lower() in _ABSENT:
        return None
    try:
        value = float(stripped.replace(",", "") if _GROUPED.fullmatch(stripped) else stripped)
    except ValueError:
        value = math.inf
    if not math.isfinite(value):
        raise _Unreadable(
            message("Line {line}, column {column}: '{text}' is not a number.", line=line, column=_told(column), text=shown(stripped))
        )
    return value


def _property(text: str, line: int, column: str) -> float | None:
    """The number of a property of the device or the launch, None where it is a word."""
    try:
        return number(text, line, column)
    except _Unreadable:
        return None


def scale(unit: str, line: int, column: str) -> float:
    """What a value in this unit is multiplied by."""
    if found := _TIME.fullmatch(unit):
        return _SECONDS[found[1]]
    if found := _SCALED.fullmatch(unit):
        return _PREFIXES[found[1]]
    if unit in _COUNTED:
        return 1.0
    raise _Unreadable(
        message("Line {line}, column {column}: the unit '{unit}' is not known.", line=line, column=_told(column), unit=shown(unit))
    )


def _rows(text: str) -> Iterator[Row]:
    """Lines with cells; what the profiler says of itself (==PROF== ...) and the program's own output before the table have no quotes."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    for cells in reader:
        if cells and not cells[0].startswith("=="):
            yield reader.line_num, cells


def _as_profiled(found: Sequence[_Launch]) -> tuple[Profiled, ...] | Message:
    if not found:
        return message("The table of Nsight Compute has no launch in it.")
    return tuple(Profiled(each.kernel, each.metrics) for each in found)


def _table(header_line: int, header: list[str], rows: Iterator[Row]) -> list[_Launch]:
    """A line for each launch, a column for each metric, units in the line below the names."""
    units_line, units = next(rows, (header_line, []))
    _check(units_line, units, header)
    metrics = [(at, name, scale(units[at], units_line, name)) for at, name in enumerate(header) if "__" in name or name in _PLAIN]
    found = []
    for line, cells in rows:
        _check(line, cells, header)
        launch = _launch(line, cells, header)
        for at, name, factor in metrics:
            value = _property(cells[at], line, name) if name.startswith(_PROPERTIES) else number(cells[at], line, name)
            if value is not None:
                launch.metrics[name] = value * factor
        found.append(launch)
    return found


def _listed(header: list[str], rows: Iterator[Row]) -> list[_Launch]:
    """A line for each metric of each launch."""
    found: dict[str, _Launch] = {}
    name_at, unit_at, value_at = (_column(header, name) for name in (METRIC, UNIT, VALUE))
    for line, cells in rows:
        _check(line, cells, header)
        launch = found.setdefault(cells[0], _launch(line, cells, header))
        name = cells[name_at]
        if "__" in name or name in _PLAIN:
            value = number(cells[value_at], line, VALUE)
            if value is not None:
                launch.metrics[name] = value * scale(cells[unit_at], line, UNIT)
    return list(found.values())


def _source_page(rows: Sequence[Row]) -> list[_Launch]:
    """For each launch a line with its kernel, a line of names, and a line for each machine instruction."""
    starts = [at for at, (_, cells) in enumerate(rows) if cells[0] == KERNEL]
    found = []
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        kernel = _kernel(rows[start][0], rows[start][1][1:])
        names = next((at for at in range(start + 1, end) if SOURCE in rows[at][1]), None)
        if names is None:
            line = rows[start][0]
            raise _Unreadable(
                message("Line {line}: no line of names with {column} follows {kernel}.", line=line, column=SOURCE, kernel=shown(kernel))
            )
        header = rows[names][1]
        instructions = []
        for line, cells in islice(rows, names + 1, end):
            _check(line, cells, header)
            instructions.append({name: (cells[at], line) for at, name in reversed(list(enumerate(header)))})
        found.append(_Launch(kernel, metrics=dict(of_instructions(instructions, number))))
    return found


_PLAIN = ("memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal")
"""Metrics whose names have no unit of the chip in front."""


def _launch(line: int, cells: list[str], header: list[str]) -> _Launch:
    named = dict(zip(header, cells, strict=True))
    return _Launch(_kernel(line, [named[KERNEL]]), named.get("Grid Size", ""), named.get("Block Size", ""))


def _kernel(line: int, cells: list[str]) -> str:
    """The kernel that the first of the cells names. Raises where none does."""
    if not cells or not _name(cells[0]):
        raise _Unreadable(message("Line {line}, column {column}: there is no name of a kernel.", line=line, column=KERNEL))
    return cells[0]


def _name(kernel: str) -> str:
    """A kernel's name without its type, its arguments and those of its template; "" where there is none."""
    words = kernel.replace(_NAMELESS, "").split("(")[0].split("<")[0].split()
    return words[-1] if words else ""


def _column(header: list[str], name: str) -> int:
    if name not in header:
        raise _Unreadable(message("The column {column} is missing.", column=name))
    return header.index(name)


def _told(column: str) -> str:
    """The name of a column as it is told."""
    return shown(column, 120)


def _check(line: int, cells: list[str], header: list[str]) -> None:
    if len(cells) != len(header):
        raise _Unreadable(message(
            "Line {line} has {found} columns; the names above have {wanted}.", line=line, found=len(cells), wanted=len(header)
        ))  # fmt: skip


def imported_counters(path: Path, entries: Iterable[str]) -> Measured | Message:
    """The counters of the kernels with these names, the first launch of each; or why the file does not have them."""
    text = read_source(path, LARGEST_PROFILE)
    if isinstance(text, Message):
        return text
    profiled = read_ncu(text)
    if isinstance(profiled, Message):
        return message("{path}: {problem}", path=str(path), problem=profiled)
    first: dict[str, Profiled] = {}
    for launch in profiled:
        first.setdefault(launch.name, launch)
    chosen = []
    for entry in entries:
        if entry not in first:
            return message(
                "{path} has no launch of {kernel}; it has {others}.", path=str(path), kernel=entry, others=shown(", ".join(first), 200)
            )
        chosen.append(first[entry].metrics)
    found = measured(chosen)
    if not found:
        return message("{path} has none of the metrics that are predicted, such as {metric}.", path=str(path), metric=METRICS[0])
    return found
