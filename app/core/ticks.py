"""Which rungs are ticked for timing: at first, and many at once."""

from __future__ import annotations

from collections.abc import Mapping

from kernels import catalog
from kernels.devices import Availability, DeviceStatus
from kernels.spec import Device, Operation, Variant

_FIRST: Mapping[Operation, tuple[str, ...]] = {
    Operation.MATMUL: ("cpu.naive", "cpu.loop-order", "cpu.blocked", "cpu.packed", "cpu.parallel", "cpu.numpy"),
    Operation.TRANSPOSE: (
        "cpu.transpose-naive", "cpu.transpose-blocked", "cpu.transpose-simd", "cpu.transpose-streaming", "cpu.transpose-parallel",
    ),
}  # fmt: skip
"""The steps that gain most, as many as a chart has colours for, and the library."""


def first_ticked(operation: Operation) -> frozenset[str]:
    """The rungs that are ticked before the user has ticked any."""
    return frozenset(_FIRST.get(operation, ()))


def that_may_run(operation: Operation, devices: Mapping[Device, DeviceStatus]) -> tuple[Variant, ...]:
    """The rungs of an operation but those whose device is known to be missing."""
    waiting = (Availability.READY, Availability.PROBING)
    return tuple(variant for variant in catalog.of(operation) if devices[variant.device].availability in waiting)
