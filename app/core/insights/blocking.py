"""Sentences about blocking: whether tiles pay, which tile is best, and whether times over tiles are shaped like a U."""

from __future__ import annotations

import math
from collections.abc import Mapping

from app.core.insights.cpu_multiplications import innermost
from app.core.insights.evidence import Evidence, apart, milliseconds
from app.core.insights.pair_finders import named
from app.core.insights.pairs import CLEARLY, MIB, OUTERMOST, Facts, figure, matrix_mib
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation
from kernels.measure.rows import Row


def order_beats_blocked(evidence: Evidence) -> Message | None:
    """Why the plain ikj loop is faster than tiles, at the largest n where it is."""
    order, blocked = _along_rows(evidence), evidence.variant("cpu.blocked")
    ahead = [n for n in order if n in blocked and _clearly(order[n], blocked[n])]
    if not ahead:
        return None
    n = max(ahead)
    return message(
        "At n = {n}, {order} is {times} times as fast as {blocked}. Its inner loop streams whole rows of {n} elements, which the "
        "prefetcher foresees and the vector unit takes whole; tiles pay for inner loops of only {tile} elements and for more loops "
        "around them. As long as B ({mib} MiB) stays in the outer caches, tiles save nothing.",
        n=n, order=named(order[n]), times=figure(milliseconds(blocked[n]) / milliseconds(order[n])),
        blocked=named(blocked[n]), tile=min(n, blocked[n].point.parameters["tile"]),
        mib=matrix_mib(n),
    )  # fmt: skip


def blocked_beats_order(evidence: Evidence) -> Message | None:
    """Return from which n on tiles pay, when they do at the largest n."""
    order, blocked = _along_rows(evidence), evidence.variant("cpu.blocked")
    shared = sorted(n for n in order if n in blocked)
    behind = [n for n in shared if not _clearly(blocked[n], order[n])]
    ahead = [n for n in shared if n > max(behind, default=0)]
    if not ahead:
        return None
    n = ahead[-1]
    return message(
        "From n = {first} on, {blocked} is ahead of {order}, at n = {n} by {times} times: without tiles all of B ({mib} MiB) is read "
        "again for each row of C, with tiles a piece of B that fits the cache serves many rows.",
        first=ahead[0], blocked=named(blocked[n]), order=named(order[n]),
        n=n, times=figure(milliseconds(order[n]) / milliseconds(blocked[n])), mib=matrix_mib(n),
    )  # fmt: skip


def best_tile(evidence: Evidence) -> Message | None:
    """Which tile was fastest, and what the smallest costs."""
    for variant in reversed(list(evidence.by_tile)):
        by_tile = evidence.by_tile[variant]
        if len(by_tile) < 3:
            continue
        best, smallest = min(by_tile, key=lambda tile: milliseconds(by_tile[tile])), min(by_tile)
        ratio = milliseconds(by_tile[smallest]) / milliseconds(by_tile[best])
        if best == smallest or not _clearly(by_tile[best], by_tile[smallest]):
            continue
        return message(
            "{variant} at n = {n}: of the tiles measured, {best} is fastest with {ms} ms. Tile {small} takes {times} times as long: "
            "{waste}.",
            variant=variant.title, n=by_tile[best].point.problem.n, best=best, ms=milliseconds(by_tile[best]), small=smallest,
            times=figure(ratio), waste=_waste(by_tile[best], by_tile[smallest]),
        )  # fmt: skip
    return None


def u_shape(evidence: Evidence) -> Message | None:
    """Whether large tiles are slower than the best, as they are where nothing near holds what they work on."""
    for variant, by_tile in evidence.by_tile.items():
        if variant.id != "cpu.simd-blocked" or len(by_tile) < 3:
            continue
        best, largest = min(by_tile, key=lambda tile: milliseconds(by_tile[tile])), max(by_tile)
        n = by_tile[best].point.problem.n
        cache = int(by_tile[best].conditions.get(OUTERMOST, 0))
        if 2 * largest < n or not cache:
            return None
        common: Facts = {
            "rung": variant.title, "n": n, "best": best, "largest": min(largest, n), "matrices": matrix_mib(n, 3),
            "cache": figure(cache / MIB),
        }  # fmt: skip
        ratio = milliseconds(by_tile[largest]) / milliseconds(by_tile[best])
        if ratio >= CLEARLY and not apart(by_tile[best], by_tile[largest]):
            return None
        return _right_side(ratio, common, fits=by_tile[best].point.problem.bytes <= cache)
    return None


def _waste(best: Row, smallest: Row) -> Message:
    """What the smallest tile costs; in a transposition no value serves more than one thread, whatever the tile."""
    variant, small = smallest.point.variant, smallest.point.parameters["tile"]
    if variant.device is Device.CPU:
        return message("inner loops of {small} elements are over before they pay for their start", small=small)
    if variant.operation is Operation.TRANSPOSE:
        return message("it starts {times} times as many blocks", times=figure(_blocks(smallest) / _blocks(best)))
    return message("each value brought in serves only {small} threads", small=small)


def _blocks(row: Row) -> int:
    assert row.point.variant.launch is not None
    return math.prod(row.point.variant.launch(row.point.problem, row.point.parameters).grid)


def _clearly(fast: Row, slow: Row) -> bool:
    """Whether one is faster than the other by more than they scatter."""
    return milliseconds(slow) >= CLEARLY * milliseconds(fast) and apart(fast, slow)


def _right_side(ratio: float, common: Facts, *, fits: bool) -> Message | None:
    if ratio >= CLEARLY:
        return message(
            "{rung} at n = {n}: the times over tiles have their U shape; tile {largest} takes {times} times as long as tile {best}. "
            "A, B and C take {matrices} MiB, the outermost cache has {cache} MiB: large tiles come from further away.",
            **common, times=figure(ratio),
        )  # fmt: skip
    if fits:
        return message(
            "{rung} at n = {n}: there is no U shape; tile {largest} is about as fast as tile {best}. A, B and C take {matrices} MiB and "
            "stay in the outermost cache, which has {cache} MiB, whatever the tile.",
            **common,
        )  # fmt: skip
    return message(
        "{rung} at n = {n}: there is no U shape; tile {largest} is about as fast as tile {best}, although A, B and C take {matrices} MiB "
        "and the outermost cache has {cache} MiB. Eight rows of C in registers already make B come by an eighth as often.",
        **common,
    )  # fmt: skip


def _along_rows(evidence: Evidence) -> Mapping[int, Row]:
    """The rung with loop orders, where its innermost loop runs along rows."""
    return {n: result for n, result in evidence.variant("cpu.loop-order").items() if innermost(result) == "j"}
