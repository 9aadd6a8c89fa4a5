"""Sentences that say what the measured data shows, and why. Each is made only where the numbers support it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.core.curves import Provenance, Results, unit
from app.core.evidence import Evidence, gather, milliseconds
from app.core.series_names import name_of
from app.core.session import TimingChoice
from kernels.catalog import VARIANTS
from kernels.messages import Message, message
from kernels.spec import FLOAT32_BYTES, Device

MIB = 1 << 20
KIB = 1 << 10
CACHE_LINE = 64
SMALL_L1 = 32 * KIB
"""The smallest first-level data cache of present processors."""
CLEARLY = 1.15
"""Two medians this far apart are called different."""
FALLS = 1.3
MUCH_SLOWER = 4.0


@dataclass(frozen=True, slots=True)
class Insight:
    """One sentence, and on which machine and by whom the times behind it were taken."""

    sentence: Message
    provenance: Provenance
    machine: str


Rule = Callable[[Evidence], Message | None]


def insights(results: Results, choice: TimingChoice) -> tuple[Insight, ...]:
    """What the results of the choice show, measured ones before recorded ones, the most telling sentence of each machine first."""
    return tuple(
        Insight(sentence, evidence.provenance, evidence.machine)
        for evidence in gather(results, choice)
        for rule in RULES
        if (sentence := rule(evidence)) is not None
    )


def best_over_first(evidence: Evidence) -> Message | None:
    """How many times faster the best own variant is than the first rung, at the largest n that both have."""
    if len(evidence.own) < 2:
        return None
    first = min(evidence.own, key=VARIANTS.index)
    sizes = [n for n in evidence.by_size[first] if any(n in evidence.by_size[other] for other in evidence.own if other is not first)]
    if not sizes:
        return None
    n = max(sizes)
    best = max((variant for variant in evidence.own if n in evidence.by_size[variant]), key=lambda variant: evidence.rate(variant, n))
    ratio = evidence.rate(best, n) / evidence.rate(first, n)
    if best is first or ratio < CLEARLY:
        return None
    return message(
        "At n = {n}, {best} is {times} times as fast as {first}: {fast} against {slow} {unit}.",
        n=n, best=evidence.name(best, n), times=_figure(ratio), first=evidence.name(first, n),
        fast=evidence.rate(best, n), slow=evidence.rate(first, n), unit=unit(best.operation),
    )  # fmt: skip


def share_of_library(evidence: Evidence) -> Message | None:
    """What part of the library's speed the best own variant reaches, at the largest n that both have."""
    pairs = [
        (n, variant, library)
        for library in evidence.by_size if library.library
        for n in evidence.by_size[library]
        for variant in evidence.own if n in evidence.by_size[variant]
    ]  # fmt: skip
    if not pairs:
        return None
    n = max(n for n, _, _ in pairs)
    _, best, library = max((pair for pair in pairs if pair[0] == n), key=lambda pair: evidence.rate(pair[1], n))
    return message(
        "At n = {n}, {best} reaches {percent} % of the speed of {library}.",
        n=n, best=evidence.name(best, n), percent=_figure(100 * evidence.rate(best, n) / evidence.rate(library, n)),
        library=evidence.name(library, n),
    )  # fmt: skip


def order_beats_blocked(evidence: Evidence) -> Message | None:
    """Why the plain ikj loop is faster than tiles, at the largest n where it is."""
    order, blocked = evidence.variant("cpu.loop-order"), evidence.variant("cpu.blocked")
    ahead = [n for n in order if n in blocked and milliseconds(blocked[n]) > CLEARLY * milliseconds(order[n])]
    if not ahead:
        return None
    n = max(ahead)
    return message(
        "At n = {n}, {order} is {times} times as fast as {blocked}. Its inner loop streams whole rows of {n} elements, which the "
        "prefetcher foresees and the vector unit takes whole; tiles pay for inner loops of only {tile} elements and for more loops "
        "around them. As long as B ({mib} MiB) stays in the outer caches, tiles save nothing.",
        n=n, order=order[n].point.variant.title, times=_figure(milliseconds(blocked[n]) / milliseconds(order[n])),
        blocked=name_of(blocked[n].point.variant, blocked[n].point.parameters), tile=min(n, blocked[n].point.parameters["tile"]),
        mib=_mib(n),
    )  # fmt: skip


def blocked_beats_order(evidence: Evidence) -> Message | None:
    """From which n on tiles pay, when they do at the largest n."""
    order, blocked = evidence.variant("cpu.loop-order"), evidence.variant("cpu.blocked")
    shared = sorted(n for n in order if n in blocked)
    behind = [n for n in shared if milliseconds(order[n]) < CLEARLY * milliseconds(blocked[n])]
    ahead = [n for n in shared if n > max(behind, default=0)]
    if not ahead:
        return None
    n = ahead[-1]
    return message(
        "From n = {first} on, {blocked} is ahead of {order}, at n = {n} by {times} times: without tiles all of B ({mib} MiB) is read "
        "again for each row of C, with tiles a piece of B that fits the cache serves many rows.",
        first=ahead[0], blocked=name_of(blocked[n].point.variant, blocked[n].point.parameters), order=order[n].point.variant.title,
        n=n, times=_figure(milliseconds(order[n]) / milliseconds(blocked[n])), mib=_mib(n),
    )  # fmt: skip


def naive_column(evidence: Evidence) -> Message | None:
    """Why the ijk loop is slow where the same additions in ikj order are much faster."""
    naive, order = evidence.variant("cpu.naive"), evidence.variant("cpu.loop-order")
    shared = [n for n in naive if n in order and milliseconds(naive[n]) > MUCH_SLOWER * milliseconds(order[n])]
    if not shared:
        return None
    n = max(shared)
    return message(
        "{order} makes the same {flops} million additions and multiplications as {naive} at n = {n}, {times} times as fast: {naive} walks "
        "down the columns of B, {stride} bytes from one element to the next, so it uses 4 bytes of each 64-byte cache line and cannot be "
        "vectorised.",
        order=order[n].point.variant.title, flops=round(naive[n].point.problem.flops / 1e6), naive=naive[n].point.variant.title, n=n,
        times=_figure(milliseconds(naive[n]) / milliseconds(order[n])), stride=n * FLOAT32_BYTES,
    )  # fmt: skip


def naive_falls(evidence: Evidence) -> Message | None:
    """That the ijk loop gets slower the larger the matrix, because the columns of B leave the cache."""
    rates = {n: result.rate or 0.0 for n, result in evidence.variant("cpu.naive").items()}
    if len(rates) < 2:
        return None
    best, last = max(rates, key=lambda n: rates[n]), max(rates)
    if best == last or last * CACHE_LINE < SMALL_L1 or rates[best] < FALLS * rates[last]:
        return None
    return message(
        "{naive} falls from {fast} GFLOP/s at n = {small} to {slow} at n = {large}: a column of B touches {large} cache lines, {kib} KiB, "
        "so fewer of them are still in the nearest cache when the next column needs them.",
        naive=evidence.variant("cpu.naive")[last].point.variant.title, fast=rates[best], small=best, slow=rates[last], large=last,
        kib=last * CACHE_LINE // KIB,
    )  # fmt: skip


def small_gpu_problem(evidence: Evidence) -> Message | None:
    """Why a GPU kernel is slow at the smallest n."""
    for variant in reversed(evidence.own):
        by_n = evidence.by_size[variant]
        if variant.device is not Device.GPU or len(by_n) < 2 or variant.launch is None:
            continue
        small, best = min(by_n), max(by_n, key=lambda n: evidence.rate(variant, n))
        if evidence.rate(variant, best) < MUCH_SLOWER * evidence.rate(variant, small):
            continue
        launch = variant.launch(by_n[small].point.problem, by_n[small].point.parameters)
        return message(
            "{variant} reaches {slow} {unit} at n = {small} and {fast} at n = {large}: n = {small} gives {blocks} blocks of {threads} "
            "threads and is over in {microseconds} µs, too little work to fill the GPU and to hide the start of the kernel.",
            variant=evidence.name(variant, small), slow=evidence.rate(variant, small), unit=unit(variant.operation), small=small,
            fast=evidence.rate(variant, best), large=best, blocks=launch.grid[0] * launch.grid[1],
            threads=launch.block[0] * launch.block[1], microseconds=1000 * milliseconds(by_n[small]),
        )  # fmt: skip
    return None


def best_tile(evidence: Evidence) -> Message | None:
    """Which tile was fastest, and what the smallest costs."""
    for variant in reversed(list(evidence.by_tile)):
        by_tile = evidence.by_tile[variant]
        if len(by_tile) < 3:
            continue
        best, smallest = min(by_tile, key=lambda tile: milliseconds(by_tile[tile])), min(by_tile)
        ratio = milliseconds(by_tile[smallest]) / milliseconds(by_tile[best])
        if best == smallest or ratio < CLEARLY:
            continue
        waste = message("each value brought in serves only {small} threads", small=smallest)
        if variant.device is Device.CPU:
            waste = message("inner loops of {small} elements are over before they pay for their start", small=smallest)
        return message(
            "{variant} at n = {n}: of the tiles measured, {best} is fastest with {ms} ms. Tile {small} takes {times} times as long: "
            "{waste}.",
            variant=variant.title, n=by_tile[best].point.problem.n, best=best, ms=milliseconds(by_tile[best]), small=smallest,
            times=_figure(ratio), waste=waste,
        )  # fmt: skip
    return None


RULES: tuple[Rule, ...] = (
    order_beats_blocked,
    blocked_beats_order,
    best_over_first,
    share_of_library,
    best_tile,
    naive_column,
    naive_falls,
    small_gpu_problem,
)
"""The most telling first."""


def _mib(n: int) -> str:
    """What an n x n matrix takes, in MiB."""
    return f"{n * n * FLOAT32_BYTES / MIB:.3g}"


def _figure(ratio: float) -> str:
    """A ratio as it is told: whole from 10 on, with one decimal below."""
    return f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.1f}"
