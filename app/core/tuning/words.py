"""What a tuning found, in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from app.core.shares import percent_text
from app.core.tuning.heat_map import HeatMap
from kernels.measure.results import Point
from kernels.measure.tuning import TuningPlan
from kernels.messages import Message, message
from kernels.spec import Operation


def settings_words(point: Point, names: Iterable[str] | None = None) -> str:
    """The settings, or those of them that are named, by their identifiers, as the source and the command line have them."""
    shown = point.parameters if names is None else names
    return ", ".join(f"{name} = {point.variant.written(name, point.parameters[name])}" for name in shown)


def twin_words(plan: TuningPlan) -> Message:
    """Why some combinations are not measured."""
    return message("{count} are launched as others are, and not measured again.", count=len(plan.twins))


def verdict(plan: TuningPlan, picture: HeatMap, library_ms: float | None) -> Message:
    """The fastest settings, and how sure that is."""
    winner = picture.winner
    if winner is None or not winner.result.median_ms or winner.result.rate is None:
        return message("No setting has a time yet.")
    settings, rate = settings_words(winner.result.point, plan.over), winner.result.rate
    if picture.problem.operation is Operation.MATMUL:
        found = message("Fastest: {parameters}, with {rate} GFLOP/s.", parameters=settings, rate=rate)
    else:
        found = message("Fastest: {parameters}, with {rate} GB/s.", parameters=settings, rate=rate)
    if library_ms is not None:
        share = percent_text(100 * library_ms / winner.result.median_ms)
        found = message("{found} That is {percent} of the library.", found=found, percent=share)
    if winner.confirmed:
        return found
    return message("{found} Not confirmed by a second, longer measurement.", found=found)
