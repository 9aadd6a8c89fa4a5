"""What quantities, axes and baselines are called."""

from __future__ import annotations

from app.core.quantities import Baseline, Quantity, Smallest
from app.core.series_names import name_of
from app.core.session import SIZE_AXIS, TimingChoice
from kernels.catalog import find
from kernels.messages import Message, message
from kernels.spec import Operation

GFLOPS = message("GFLOP/s")
_GBYTES = message("GB/s")


def quantity_text(quantity: Quantity, operation: Operation) -> Message:
    """The quantity in a list to choose from."""
    match quantity:
        case Quantity.RATE:
            return GFLOPS if operation is Operation.MATMUL else _GBYTES
        case Quantity.TIME:
            return message("ms")
        case Quantity.PERCENT:
            return message("% of library")
        case Quantity.SPEED_UP:
            return message("speed-up")
        case Quantity.EFFICIENCY:
            return message("efficiency %")
        case Quantity.GROWTH:
            return message("growth")


def unit_of(choice: TimingChoice, quantity: Quantity, baseline: Baseline) -> Message:
    """What stands above the vertical axis."""
    match quantity:
        case Quantity.PERCENT:
            return message("% of the best library of the same device")
        case Quantity.SPEED_UP:
            return message("speed-up, {baseline}", baseline=baseline_text(choice, baseline))
        case Quantity.EFFICIENCY:
            return message("parallel efficiency, % of the number of threads or ranks")
        case Quantity.GROWTH:
            return message("time over the time at the smallest n")
        case _:
            return quantity_text(quantity, choice.operation)


def baseline_text(choice: TimingChoice, baseline: Baseline) -> Message:
    """What a speed-up is over."""
    if isinstance(baseline, Smallest):
        return message("over the smallest value")
    variant = find(baseline.variant_id)
    assert variant is not None
    return message("over {variant}", variant=name_of(variant, choice.parameters[variant.id]))


def axis_text(choice: TimingChoice, axis: str) -> Message:
    """What runs along an axis, in a list to choose from."""
    parameter = choice.parameter(axis)
    if axis == SIZE_AXIS or parameter is None:
        return message("over n")
    return message("over {parameter}", parameter=parameter.title)
