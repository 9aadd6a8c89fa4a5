"""Where the time of one use of the GPU goes: what a measurement of its parts is, and how it is written down."""

from __future__ import annotations

import csv
import io
import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from kernels.base.spec import Operation, Problem
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure import result_json
from kernels.measure.result_json import stored_point


class UsePart(StrEnum):
    """Phase of one use of the GPU, in the order in which a program meets them."""

    DRIVER = "driver"
    """The first call of CUDA finds the driver and the GPU."""
    CONTEXT = "context"
    """The first call that needs the GPU creates the context. In a program that allocates first, cudaMalloc seems to take this long."""
    LIBRARY = "library"
    """The library is loaded and its handle created; in variants that call one."""
    COMPILE = "compile"
    """NVRTC compiles the kernels, and the driver loads them; in variants that have any."""
    PIN = "pin"
    """The host's matrices are allocated in pinned memory; where they are to be."""
    ALLOCATE = "allocate"
    TO_DEVICE = "to_device"
    FIRST_LAUNCH = "first_launch"
    """What the first launch takes beyond a later one."""
    KERNEL = "kernel"
    TO_HOST = "to_host"


EACH_TIME = (UsePart.ALLOCATE, UsePart.TO_DEVICE, UsePart.KERNEL, UsePart.TO_HOST)
"""Paid for each pair of new matrices; the others once in a program, however often the GPU is then used."""


@dataclass(frozen=True, slots=True)
class UseTimes:
    """The parts of one use, in a process that had not used the GPU before. The output was verified."""

    point: Case
    pinned: bool
    """The host's matrices are in pinned memory, which the system cannot move; otherwise in ordinary, pageable memory."""
    created: str
    """UTC, ISO 8601."""
    times_ms: Mapping[UsePart, tuple[float, ...]]
    """Milliseconds: the first time, then, of what can be repeated, the later ones. A part that does not arise is not there."""
    conditions: Mapping[str, str | int | float] = field(default_factory=dict)

    def first_ms(self, part: UsePart) -> float:
        """The part's first time, as a program that uses the GPU once meets it; 0 where it does not arise."""
        times = self.times_ms.get(part, ())
        return times[0] if times else 0.0

    def later_ms(self, part: UsePart) -> float:
        """The median of the later times, as a program meets it that has used the GPU before."""
        times = self.times_ms.get(part, ())
        return statistics.median(times[1:] or times) if times else 0.0

    @property
    def kernel_ms(self) -> float:
        return self.later_ms(UsePart.KERNEL)

    @property
    def each_time_ms(self) -> float:
        """Allocation, transfers and kernel, in a program that has used the GPU before."""
        return sum(self.later_ms(part) for part in EACH_TIME)

    @property
    def first_use_ms(self) -> float:
        """All parts, in a program that uses the GPU for the first time."""
        return sum(self.first_ms(part) for part in UsePart)


_COLUMNS = ("id", "operation", "m", "n", "k", "pinned", "created", "first_use_ms", "each_time_ms", "kernel_ms")


def use_object(times: UseTimes) -> dict[str, Any]:
    """The JSON object of one measurement."""
    point = times.point
    return {
        "id": point.variant_id,
        "operation": point.problem.operation.value,
        "m": point.problem.m,
        "n": point.problem.n,
        "k": point.problem.k,
        "parameters": dict(point.parameters),
        "pinned": times.pinned,
        "created": times.created,
        "times_ms": {part.value: list(times.times_ms[part]) for part in UsePart if part in times.times_ms},
        "kernel_ms": times.kernel_ms,
        "each_time_ms": times.each_time_ms,
        "first_use_ms": times.first_use_ms,
        "conditions": dict(times.conditions),
    }


def use_from_object(value: Mapping[str, Any]) -> UseTimes:
    """The measurement that `use_object` made this of. Raises one of `UNFIT` where it cannot have made it."""
    problem = Problem(Operation(value["operation"]), *(result_json.whole(value[name]) for name in "mnk"))
    times = {UsePart(name): result_json.times(each) for name, each in dict(value["times_ms"]).items()}
    point = stored_point(result_json.text(value["id"]), problem, result_json.parameters(value["parameters"]))
    created, conditions = result_json.text(value["created"]), result_json.conditions(value["conditions"])
    return UseTimes(point, bool(value["pinned"]), created, times, conditions)


def uses_text(times: Sequence[UseTimes]) -> str:
    """A file of measurements: a JSON list, one line each."""
    lines = (json.dumps(use_object(each), ensure_ascii=False, allow_nan=False) for each in times)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def uses_csv(times: Sequence[UseTimes]) -> str:
    """A header and a line for each measurement: of each part the first time and the median of the later ones, in milliseconds.

    A part that does not arise is left empty. The parameters follow by name, then the conditions as condition_<name>.
    """
    parameters = sorted(set().union(*(each.point.parameters for each in times)))
    conditions = sorted(set().union(*(each.conditions for each in times)))
    parts = [f"{kind}_{part.value}_ms" for part in UsePart for kind in ("first", "later")]
    header = [*_COLUMNS, *parts, *parameters, *(f"condition_{name}" for name in conditions)]
    out = io.StringIO()
    writer = csv.DictWriter(out, header, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for each in times:
        row = use_object(each) | {"pinned": str(each.pinned).lower()} | dict(each.point.parameters)
        row |= {f"first_{part.value}_ms": each.first_ms(part) for part in each.times_ms}
        row |= {f"later_{part.value}_ms": each.later_ms(part) for part in each.times_ms}
        writer.writerow(row | {f"condition_{name}": value for name, value in each.conditions.items()})
    return out.getvalue()


def load_uses(path: Path | Traversable) -> tuple[UseTimes, ...]:
    """The measurements in a file that `uses_text` made."""
    return tuple(use_from_object(each) for each in json.loads(path.read_text(encoding="utf-8")))
