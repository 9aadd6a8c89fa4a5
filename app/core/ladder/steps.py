"""Which rung each rung improves on."""

from __future__ import annotations

from collections.abc import Mapping

from kernels.catalog import find, of
from kernels.spec import Variant

IMPROVES: Mapping[str, str] = {
    "cpu.hints": "cpu.loop-order",
    "cpu.simd": "cpu.loop-order",
    "cpu.blocked": "cpu.loop-order",
    "cpu.divide-and-conquer": "cpu.blocked",
    "cpu.packed": "cpu.blocked",
    "cpu.transpose-cache-oblivious": "cpu.transpose-naive",
    "cpu.transpose-simd": "cpu.transpose-blocked",
    "gpu.uncoalesced": "gpu.naive",
    "gpu.tiled": "gpu.naive",
    "gpu.work-per-thread": "gpu.tiled",
    "gpu.vectorized-k8": "gpu.register-tiled-k8",
    "gpu.vectorized-k16": "gpu.register-tiled-k16",
    "gpu.conflict-free-k8": "gpu.vectorized-k8",
    "gpu.conflict-free-k16": "gpu.vectorized-k16",
    "gpu.double-buffered-k8": "gpu.conflict-free-k8",
    "gpu.double-buffered-k16": "gpu.conflict-free-k16",
    "gpu.warp-tiled": "gpu.double-buffered-k8",
    "gpu.transpose-direct-map": "gpu.transpose-global",
    "gpu.transpose-row-first": "gpu.transpose-global",
    "gpu.transpose-elements": "gpu.transpose-padded",
    "gpu.transpose-in-place": "gpu.transpose-elements",
}
"""Where it is another one than the rung before: after a step aside or back, and where two depths alternate."""


def base_of(variant: Variant) -> Variant | None:
    """The rung that a variant improves on; None for the first one of its device, and for libraries."""
    if variant.library:
        return None
    if variant.id in IMPROVES:
        return find(IMPROVES[variant.id])
    own = [each for each in of(variant.operation) if each.device is variant.device and not each.library]
    place = own.index(variant)
    return own[place - 1] if place else None
