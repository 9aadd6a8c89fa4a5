"""What `sweep` compares times with: the option `--baseline`, and how comparisons are written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from app.cli.console import Console
from app.cli.refusal import Refused
from app.cli.request import value_of, variant_named
from app.core.base.parsing import shown
from app.core.results.comparisons import Derived, Peak
from app.core.results.quantities import Baseline, Rung, Smallest
from app.core.session.session import SIZE_AXIS
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.catalogue.catalogue import find
from kernels.measure.results import Point

OPTION = "--baseline"
_NAMED = 6
"""How many variants a refusal names."""
_PEAK = "kernels.jit.peak"
_TITLES = {
    "percent_of_library": message("% of library"),
    "percent_of_peak": message("% of peak"),
    "speed_up": message("Speed-up"),
    "efficiency_percent": message("Efficiency %"),
    "growth": message("Growth"),
    "expected_growth": message("Expected"),
}


def baseline_of(text: str | None, points: Sequence[Point]) -> Baseline | None:
    """What `--baseline` names: a parameter's smallest value, `n`, or a variant with values such as `cpu.numpy,threads=1`."""
    if text is None:
        return None
    name, *settings = [term.strip() for term in text.split(",")]
    known = {SIZE_AXIS, *(parameter for point in points for parameter in point.parameters)}
    if name in known and not settings:
        return Smallest(name)
    if find(name) is None and "." not in name:  # what looks like an id has a closest one
        raise Refused(_no_baseline(name, points, sorted(known)))
    variant = variant_named(name)
    if not any(point.variant_id == variant.id for point in points):
        raise Refused(message("{name}: {variant} is not among what is measured.", name=OPTION, variant=variant.id))
    values = []
    for setting in settings:
        parameter, equals, value = setting.partition("=")
        if not equals:
            raise Refused(message("{name}: '{text}' is not NAME=VALUE.", name=OPTION, text=shown(setting)))
        values.append((parameter.strip(), value_of(variant, parameter.strip(), value)))
    return Rung(variant.id, tuple(values))


def _no_baseline(text: str, points: Sequence[Point], parameters: Sequence[str]) -> Message:
    ids = list(dict.fromkeys(point.variant_id for point in points))
    variants = ", ".join(ids[:_NAMED]) + (", …" if len(ids) > _NAMED else "")
    return message(
        "{name}: '{text}' is neither a variant of the sweep ({variants}) nor what varies in it ({parameters}).",
        name=OPTION, text=shown(text), variants=variants, parameters=", ".join(parameters),
    )  # fmt: skip


def peaks() -> Peak:
    """The most GFLOP/s that the processor has for as many threads as a point uses, measured once for each number of them."""
    measure = cache(_measured_peak)
    return lambda point: measure(point.parameters.get("threads", 1)) if point.variant.device is Device.CPU else None


def _measured_peak(threads: int) -> float | None:
    if find_spec(_PEAK) is None:
        return None
    return float(import_module(_PEAK).peak_gflops(threads).gflops)


def as_columns(derived: Sequence[Derived], console: Console) -> tuple[list[str], list[list[str]]]:
    """The titles of the comparisons that some result has, and each result's numbers."""
    used = [name for name in _TITLES if any(each.numbers[name] is not None for each in derived)]
    number = console.translator.number
    rows = [["" if (value := each.numbers[name]) is None else number(value) for name in used] for each in derived]
    return [console.text(_TITLES[name]) for name in used], rows


def as_object(derived: Derived, console: Console) -> dict[str, object]:
    """All comparisons by name, with the reasons of those that were asked for in vain."""
    reasons = {name: console.text(reason) for name, reason in derived.reasons.items()}
    return {**derived.numbers, "not_compared": reasons}


def reasons_of(derived: Sequence[Derived]) -> list[Message]:
    """Each reason once."""
    return list(dict.fromkeys(reason for each in derived for reason in each.reasons.values()))
