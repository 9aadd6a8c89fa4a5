"""`tilescope error`: how far the results of variants are from exact, and what that must be compared with."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from contextlib import closing
from itertools import groupby

from app.cli.base.console import Console
from app.cli.base.errors import FAILED_VERIFICATION, Refused, require
from app.cli.base.measurement import Statuses, probe_all
from app.cli.base.options import SIZES, VARIANTS_MEANT, parameter_options
from app.cli.base.parser import Group
from app.cli.base.request import probe, refuse_point, require_device, sweep_points
from app.cli.base.selection import selection_of, without_missing
from app.core.base.files.locations import Locations, prepare
from app.core.tuning.sentences import settings_text
from kernels.base.arrays import never
from kernels.base.devices import DeviceStatus
from kernels.base.messages import message
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Device, Operation
from kernels.catalogue.case import Case
from kernels.gpu.process import GpuProcess
from kernels.measure.export import parameters_object, point_object
from kernels.measure.rounding_errors import ABSOLUTE_TOLERANCE, ErrorPoint, error_curve, growth_exponent
from kernels.measure.runner import RunFailed, Runner


def add_options(group: Group) -> None:
    """Add variants over sizes."""
    group.option("variants", "VARIANT", VARIANTS_MEANT, nargs="+")
    group.option("--n", "SIZES", SIZES, required=True)
    parameter_options(group, lists=True)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Run every point once and write its errors."""
    variants, left_out = without_missing(selection_of(options.variants), probe)
    points = sweep_points(options, variants)
    if points[0].problem.operation is not Operation.MATMUL:
        raise Refused(message("{variant} only moves values: there is no error.", variant=points[0].variant_id))
    statuses = probe_all(points, console)
    for point in points:
        require_device(point.variant, statuses[point.variant.device])
        require(refuse_point(point, statuses[point.variant.device]))
    for notice in left_out:
        console.tell(console.text(notice))
    try:
        with closing(GpuProcess()) as gpu:
            errors = list(error_curve(points, _runners(statuses, console, gpu), ReferenceCache(0), never))
    except RunFailed as failed:
        console.tell(console.text(failed.reason))
        return FAILED_VERIFICATION
    if options.json:
        console.print_json({"absolute_tolerance": ABSOLUTE_TOLERANCE, "points": [_entry(e) for e in errors], "growth": _growth(errors)})
    else:
        _print(errors, console)
    return 0 if all(error.within_bound for error in errors) else FAILED_VERIFICATION


def _runners(statuses: Statuses, console: Console, gpu: GpuProcess) -> dict[Device, Runner]:
    return {device: _runner(device, status, console.places, gpu) for device, status in statuses.items()}


def _runner(device: Device, status: DeviceStatus, places: Locations, gpu: GpuProcess) -> Runner:
    """Choose what runs a device's variants for this command, which takes no times."""
    if device is Device.GPU:
        from kernels.gpu.runner import GpuRunner

        return GpuRunner(status, gpu)
    if device is Device.MPI:
        from kernels.mpi.runner import MpiRunner

        return MpiRunner(status)
    from kernels.jit.runner import CpuRunner

    return CpuRunner(places.numba_cache if prepare(places.numba_cache) is None else None)


def _entry(error: ErrorPoint) -> dict[str, object]:
    point = error.point
    return {
        **point_object(point),
        "absolute_error": _finite(error.absolute),
        "relative_error": _finite(error.relative),
        "expected_error": error.expected,
        "allowed_error": error.bound,
        "largest_result": error.largest,
        "beyond_tolerance": error.beyond,
        "within_tolerance": error.within_tolerance,
        "within_bound": error.within_bound,
    }


def _growth(errors: Sequence[ErrorPoint]) -> list[dict[str, object]]:
    """Find for each curve the exponents of K that its errors grow with."""
    curves = groupby(sorted(errors, key=lambda error: _curve(error.point)), key=lambda error: _curve(error.point))
    entries: list[dict[str, object]] = []
    for _, curve in curves:
        of_curve = list(curve)
        terms, point = [error.terms for error in of_curve], of_curve[0].point
        absolute = growth_exponent(terms, [error.absolute for error in of_curve])
        relative = growth_exponent(terms, [error.relative for error in of_curve])
        settings = parameters_object(point.variant, point.parameters)
        entries.append({"id": point.variant_id, **settings, "absolute": absolute, "relative": relative})
    return entries


def _curve(point: Case) -> tuple[str, str]:
    return point.variant_id, settings_text(point)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _print(errors: Sequence[ErrorPoint], console: Console) -> None:
    titles = (message("Variant"), message("Parameters"), message("n"), message("Absolute"), message("Relative"), message("Allowed"))
    rows = [[*(console.text(title) for title in titles), ""]]
    for error in errors:
        n, *numbers = (console.translator.number(value) for value in (error.point.problem.n, error.absolute, error.relative, error.bound))
        rows.append([error.point.variant_id, settings_text(error.point), n, *numbers, console.text(error.sentence)])
    console.print_rows(rows)
    console.print(console.text(message(
        "Absolute: the largest difference; it grows about as K. Relative: to |A||B|, element by element; it hardly grows, "
        "and is right where it is not above what is allowed, about K u with u = 2⁻²⁴."
    )))  # fmt: skip
