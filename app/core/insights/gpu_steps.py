"""Expectations between two rungs of the GPU: however one comes out, how full their grids make the GPU is told where that differs.

A rung whose blocks are few, or come one wave too many, can lose what its technique gains.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.core.insights.counter_reasons import counted_of
from app.core.insights.pair_finders import rungs
from app.core.insights.pairs import CLEARLY, Expectation, Pair, Reason, Relation, figure
from app.core.predictions.counters import Measured
from kernels.base.architectures import ARCHITECTURES, H100, WARP
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.measure.rows import Row

EMPTIER = 0.8
"""A grid that uses no more than this part of the places that the other uses loses time by it."""


@dataclass(frozen=True, slots=True)
class Filling:
    """The blocks of a grid, and the `places` for blocks that all multiprocessors have at once; 0 where it is not known."""

    blocks: int
    sms: int
    places: int

    @property
    def waves(self) -> int:
        return -(-self.blocks // self.places) if self.places else 1

    @property
    def share(self) -> float:
        """The part of the multiprocessors that have a block; of several waves, the part of all places that is used."""
        return min(1.0, self.blocks / self.sms) if self.waves == 1 else self.blocks / (self.waves * self.places)


def filled_and(reason: Reason | None) -> Reason:
    """The reason, after that one grid fills the GPU much less than the other, where that is the slower; of level times one of the two."""

    def both(pair: Pair) -> Message | None:
        filling, why = _told(pair), None if reason is None else reason(pair)
        if filling and why and pair.relation is not Relation.LEVEL:
            return message("{first} {other}", first=filling, other=why)
        return why or filling

    return both


def _told(pair: Pair) -> Message | None:
    counted = counted_of(pair, with_base=False)
    own = _filling(pair.rung, {} if counted is None else counted.rung)
    other = _filling(pair.base, {} if counted is None else counted.base)
    if pair.ratio < 1:
        return _emptier(pair.rung_name, own, other)
    return _emptier(pair.base_name, other, own)


def _emptier(name: Message, few: Filling | None, many: Filling | None) -> Message | None:
    """Say that `few`, which took longer, fills the GPU less.

    Of a library it is not known how many blocks it has: it is taken to fill it.
    """
    share = 1.0 if many is None else many.share
    if few is None or few.share > EMPTIER * share or (many is None and few.waves > 1):
        return None
    common: dict[str, str | int | Message] = {"rung": name, "blocks": few.blocks, "percent": figure(100 * few.share)}
    if few.waves == 1:
        return message(
            "{rung} has only {blocks} blocks at this size: {percent} % of the {sms} multiprocessors have work.", **common, sms=few.sms
        )
    return message(
        "The {blocks} blocks of {rung} come in {waves} waves of {places}, the last one short: {percent} % of the places are used, "
        "of the other's {other} %.",
        **common, waves=few.waves, places=few.places, other=figure(100 * share),
    )  # fmt: skip


def _filling(result: Row, values: Measured) -> Filling | None:
    """None for what is not launched by us. The places are told only of a rung that is one kernel: of two, occupancy is an average."""
    variant, sms = result.point.variant, int(result.conditions.get("multiprocessors", 0))
    launch = None if variant.launch is None else variant.launch(result.point.problem, result.point.parameters)
    if launch is None or not sms:
        return None
    limit = 0.0 if launch.before is not None else values.get("occupancy_limit", 0.0) / 100
    architecture = ARCHITECTURES.get(str(result.conditions.get("compute_capability", "")), H100.architecture)
    warps = architecture.warps * limit
    of_a_block = -(-launch.block[0] * launch.block[1] // WARP)
    return Filling(launch.grid[0] * launch.grid[1], sms, sms * int(warps // of_a_block))


def by_gain(little: Reason, much: Reason) -> Reason:
    """`little` where the rung is hardly faster, `much` from a clear gain on."""
    return lambda pair: much(pair) if pair.ratio >= CLEARLY else little(pair)


def step(rung: str, base: str, expected: Relation, reasons: Mapping[Relation, Reason]) -> Expectation:
    """What the textbook expects of `rung` beside `base`, and a reason for each way that it can come out."""
    return Expectation(rungs(rung, base), expected, {relation: filled_and(reasons.get(relation)) for relation in Relation})
