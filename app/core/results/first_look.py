"""First look at a ladder: six rungs that show what it gains, in so little time that nobody hesitates to measure them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import SIZE_AXIS, TimingChoice, first_ticked
from kernels.base.devices import DeviceStatus
from kernels.base.spec import Device, Operation, Variant
from kernels.catalogue.catalogue import find, of

AT_MOST_S = 20
"""What measuring them takes at most where nothing else is at work, compiling included: seventeen seconds on two cores with nothing
compiled, seven afterwards. Samples that others disturb are taken again."""
_CPU: Mapping[Operation, tuple[str, ...]] = {
    Operation.MATMUL: ("cpu.naive", "cpu.loop-order", "cpu.blocked", "cpu.simd", "cpu.parallel", "cpu.numpy"),
    Operation.TRANSPOSE: (
        "cpu.transpose-naive", "cpu.transpose-blocked", "cpu.transpose-cache-oblivious", "cpu.transpose-simd", "cpu.transpose-streaming",
        "cpu.transpose-parallel",
    ),
}  # fmt: skip
"""The textbook's loops, the same in an order that suits the cache, in tiles, in vectors, on all cores, and what a library reaches."""
_WITH_GPU: Mapping[Operation, tuple[str, ...]] = {
    Operation.MATMUL: ("cpu.loop-order", "cpu.parallel", "cpu.numpy", "gpu.naive", "gpu.tiled", "gpu.cublas"),
    Operation.TRANSPOSE: (
        "cpu.transpose-naive", "cpu.transpose-parallel", "gpu.transpose-global", "gpu.transpose-shared", "gpu.transpose-padded",
        "gpu.transpose-copy",
    ),
}  # fmt: skip
"""Of each device one thread's worth, what tiles or threads gain, and the 100 % line."""
_SIZES: Mapping[Operation, tuple[int, ...]] = {Operation.MATMUL: (128, 256, 512), Operation.TRANSPOSE: (512, 1024, 2048)}
"""So small that the slowest of them, the naive multiplication, takes less than a second a run on a slow core."""


def first_look(operation: Operation, devices: Mapping[Device, DeviceStatus]) -> tuple[Variant, ...]:
    """The six rungs, those of a GPU among them where it is ready; none for an operation that is not timed."""
    ready = Device.GPU in devices and devices[Device.GPU].ready
    return tuple(variant for each in (_WITH_GPU if ready else _CPU).get(operation, ()) if (variant := find(each)) is not None)


def offered(choice: TimingChoice, results: Results, devices: Mapping[Device, DeviceStatus]) -> tuple[Variant, ...]:
    """The first look's rungs, where nothing was measured and nobody has ticked anything else yet."""
    untouched = choice.ticked == first_ticked(choice.operation) and choice.axis == SIZE_AXIS
    return first_look(choice.operation, devices) if untouched and nothing_measured(results, choice.operation) else ()


def first_choice(choice: TimingChoice, devices: Mapping[Device, DeviceStatus]) -> TimingChoice:
    """Return the timing choice that measures the variants of the first look."""
    ticked = frozenset(variant.id for variant in first_look(choice.operation, devices))
    return replace(choice, ticked=ticked, sizes=_SIZES.get(choice.operation, choice.sizes), axis=SIZE_AXIS)


def nothing_measured(results: Results, operation: Operation) -> bool:
    """Whether this machine has no verified time of the operation yet."""
    return not any(results.of(Provenance.MEASURED, variant.id).timed for variant in of(operation))
