"""Ladder of one device at one n, as a value: for each rung its time, its share of the library and of the peak, its gain over its base.

A peak is what the GPU's maker publishes: arithmetic in the precision of a multiplication, memory bandwidth for a transposition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from app.core.inspector.occupancy_sentences import profile_like
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.quantities import Share, share_of_library
from app.core.results.query import select
from app.core.results.relative_times import Medians, ms_of
from app.core.session.session import SIZE_AXIS, TimingChoice
from app.core.timing.recordings import day_of
from kernels.analysis.device_profiles import Profile, profiles
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import find, of
from kernels.measure.results import EDITED
from kernels.measure.rows import AnyResult, Row


def peak_of(result: AnyResult) -> float | None:
    """GFLOP/s or GB/s of the GPU that a result names; None where it is no GPU, or nothing is published of it in this precision."""
    variant = result.point.variant
    if variant.device is not Device.GPU:
        return None
    conditions = result.conditions
    profile = _profile(str(conditions.get("gpu", "")), int(conditions.get("multiprocessors", 0)))
    if profile is None:
        return None
    if variant.operation is Operation.TRANSPOSE:
        return profile.memory_bandwidth_gb_s
    if variant.precision is None:
        return None if "tensor cores" in variant.features else profile.fp32_gflops
    tensor = profile.tensor
    return None if tensor is None else {"TF32": tensor.tf32_gflops, "bfloat16": tensor.bf16_gflops}.get(variant.precision.name)


@cache
def _profile(name: str, sms: int) -> Profile | None:
    return profile_like(name, sms or None, profiles())


IMPROVES: Mapping[str, str] = {
    "cpu.hints": "cpu.loop-order",
    "cpu.simd": "cpu.loop-order",
    "cpu.blocked": "cpu.loop-order",
    "cpu.divide-and-conquer": "cpu.blocked",
    "cpu.packed": "cpu.blocked",
    "cpu.amx": "cpu.packed",
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
    "gpu.wmma-tf32": "gpu.fastest",
    "gpu.wmma-bf16": "gpu.wmma-tf32",
    "gpu.wgmma-bf16": "gpu.wmma-bf16",
    "gpu.three-parts": "gpu.fastest",
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


@dataclass(frozen=True, slots=True)
class Rung:
    """Rung of a ladder. Without a verified time `ms` and all that follows from it is None, and `reason` says why."""

    variant: Variant
    result: Row | None
    ms: float | None
    share: Share | None
    """Of the speed of the library in the same precision; for transpositions of the copy."""
    peak_share: Share | None
    """Of what the device's maker publishes; None where that is not known."""
    base: Variant | None
    gain: float | None
    """How many times as fast as `base`; None where either has no time."""
    reason: Message | None = None
    gain_about: bool = False
    """Whether either of its times was disturbed or scatters."""

    @property
    def about(self) -> bool:
        """Whether anything of it is told with ≈."""
        share = self.share is not None and self.share.about
        return share or self.gain_about or (self.result is not None and self.result.uneven)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Ladder: all rungs of a device in teaching order; their times are of one machine, and all measured here or all recorded."""

    operation: Operation
    device: Device
    n: int
    provenance: Provenance
    machine: str
    day: str
    rungs: tuple[Rung, ...]

    def rung(self, variant_id: str) -> Rung | None:
        """The rung of a variant."""
        return next((rung for rung in self.rungs if rung.variant.id == variant_id), None)


def ladders(results: Results, choice: TimingChoice, device: Device, n: int) -> tuple[Ladder, ...]:
    """The ladders that have a time at this n, those measured here first. Rungs have the chosen parameters, as the curves have."""
    here = at_size(results, choice.operation, n)
    everything = replace(choice, ticked=frozenset(variant.id for variant in of(choice.operation)))
    selected = select(here, everything, SIZE_AXIS, frozenset((Provenance.MEASURED, Provenance.RECORDED)))
    found = []
    for provenance, group in selected.items():
        own = [row for row in group if row.variant.device is device and not any(name == EDITED for name, _ in row.setting)]
        for machine in dict.fromkeys(here.machine(provenance, row) for row in own if row.verified):
            of_machine = {row.variant_id: row for row in own if here.machine(provenance, row) == machine}
            found.append(_ladder(choice.operation, device, n, provenance, machine, of_machine, Medians(here)))
    return tuple(found)


def sizes_of(results: Results, operation: Operation, device: Device) -> tuple[int, ...]:
    """The n at which rungs were timed, ascending."""
    return tuple(sorted(_rungs_by_size(results, operation, device)))


def best_size(results: Results, operation: Operation, device: Device) -> int | None:
    """The n at which most rungs were timed, the largest of several; None where none was."""
    known = _rungs_by_size(results, operation, device)
    return max(known, key=lambda n: (len(known[n]), n), default=None)


def at_size(results: Results, operation: Operation, n: int) -> Results:
    """The results of one operation on n x n matrices."""
    problem = Problem.square(operation, n)
    return Results(
        {where: [row for each in results.variants(where) for row in results.of(where, each).at(problem)] for where in Provenance}
    )


def _rungs_by_size(results: Results, operation: Operation, device: Device) -> Mapping[int, set[str]]:
    known: dict[int, set[str]] = {}
    for variant in (each for each in of(operation) if each.device is device):
        for provenance in (Provenance.MEASURED, Provenance.RECORDED):
            for n in results.of(provenance, variant.id).timed_sizes:
                known.setdefault(n, set()).add(variant.id)
    return known


def _ladder(
    operation: Operation, device: Device, n: int, provenance: Provenance, machine: str, results: Mapping[str, Row], medians: Medians
) -> Ladder:  # fmt: skip
    own = [variant for variant in of(operation) if variant.device is device]
    rungs = tuple(_rung(variant, provenance, results, medians) for variant in own)
    return Ladder(operation, device, n, provenance, machine, day_of(results.values()), rungs)


def _rung(variant: Variant, provenance: Provenance, results: Mapping[str, Row], medians: Medians) -> Rung:
    result, base = results.get(variant.id), base_of(variant)
    if result is None or not result.timed:
        reason = result.reason if result is not None and result.reason is not None else message("not timed at this size")
        return Rung(variant, result, None, None, None, base, None, reason)
    ms, library, peak = ms_of(result), medians.results.library(provenance, result), peak_of(result)
    below = None if base is None or base.id not in results or not results[base.id].verified else results[base.id]
    gain = None if below is None or below.median_ms is None else below.median_ms / ms
    return Rung(
        variant, result, ms,
        None if library is None else share_of_library(result, library),
        None if peak is None or result.rate is None else Share(100 * result.rate / peak, result.uneven),
        base, gain, gain_about=gain is not None and below is not None and (result.uneven or below.uneven),
    )  # fmt: skip
