"""Sentences about all rungs of a device: the best beside the first and the library, and what small problems do."""

from __future__ import annotations

from app.core.insights.evidence import Evidence, apart, milliseconds, supports_a_sentence
from app.core.insights.pairs import CLEARLY, KIB, figure, overlap, scatters
from app.core.results.curves import unit
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.catalogue.catalogue import VARIANTS
from kernels.measure.results import rate_of
from kernels.measure.rows import Row

CACHE_LINE = 64
SMALL_L1 = 32 * KIB
"""The smallest first-level data cache of present processors."""
FALLS = 1.3
MUCH_SLOWER = 4.0


def best_over_first(evidence: Evidence) -> Message | None:
    """How many times faster the best own variant is than the first rung, in its precision, at the largest n that both have."""
    if len(evidence.own) < 2:
        return None
    first = min(evidence.own, key=VARIANTS.index)
    alike = [variant for variant in evidence.own if variant.precision == first.precision]
    sizes = [n for n in evidence.by_size[first] if any(n in evidence.by_size[other] for other in alike if other is not first)]
    if not sizes:
        return None
    n = max(sizes)
    best = max((variant for variant in alike if n in evidence.by_size[variant]), key=lambda variant: evidence.rate(variant, n))
    ratio = evidence.rate(best, n) / evidence.rate(first, n)
    if best is first or ratio < CLEARLY:
        return None
    if not apart(evidence.by_size[best][n], evidence.by_size[first][n]):
        return overlap(n, evidence.name(best, n), evidence.name(first, n))
    return message(
        "At n = {n}, {best} is {times} times as fast as {first}: {fast} against {slow} {unit}.",
        n=n, best=evidence.name(best, n), times=figure(ratio), first=evidence.name(first, n),
        fast=evidence.rate(best, n), slow=evidence.rate(first, n), unit=unit(best.operation),
    )  # fmt: skip


def share_of_library(evidence: Evidence) -> Message | None:
    """What part of the library's speed the best own variant reaches, at the largest n that both have; in float32 where that is known."""
    pairs = [
        (n, variant, library)
        for library in evidence.by_size if library.library
        for n in evidence.by_size[library]
        for variant in evidence.own if n in evidence.by_size[variant] and variant.precision == library.precision
    ]  # fmt: skip
    if not pairs:
        return None
    pairs = [pair for pair in pairs if pair[2].precision is None] or pairs
    n = max(n for n, _, _ in pairs)
    _, best, library = max((pair for pair in pairs if pair[0] == n), key=lambda pair: evidence.rate(pair[1], n))
    ratio, slow, fast = evidence.rate(best, n) / evidence.rate(library, n), evidence.by_size[library][n], evidence.by_size[best][n]
    if (ratio >= CLEARLY and not apart(fast, slow)) or (ratio <= 1 / CLEARLY and not apart(slow, fast)):
        return overlap(n, evidence.name(best, n), evidence.name(library, n))
    return message(
        "At n = {n}, {best} reaches {percent} % of the speed of {library}.",
        n=n, best=evidence.name(best, n), percent=figure(100 * ratio), library=evidence.name(library, n),
    )  # fmt: skip


def uneven_times(evidence: Evidence) -> Message | None:
    """Which results nothing is built on, at the largest n that has such, because they were disturbed or scatter."""
    every = [] if evidence.uneven is None else [row for by_n in evidence.uneven.by_size.values() for row in by_n.values()]
    n = max((row.problem.n for row in every if not supports_a_sentence(row)), default=None)
    return None if n is None else scatters(n, [row for row in every if row.problem.n == n])


def naive_falls(evidence: Evidence) -> Message | None:
    """Say that the ijk loop gets slower the larger the matrix, because the columns of B leave the cache."""
    results = evidence.variant("cpu.naive")
    rates = {n: result.rate or 0.0 for n, result in results.items()}
    if len(rates) < 2:
        return None
    best, last = max(rates, key=lambda n: rates[n]), max(rates)
    if best == last or last * CACHE_LINE < SMALL_L1 or rates[best] < FALLS * rates[last]:
        return None
    if _rate_at(results[best], 3) <= _rate_at(results[last], 1):
        return None  # they scatter by as much
    return message(
        "{naive} falls from {fast} GFLOP/s at n = {small} to {slow} at n = {large}: a column of B touches {large} cache lines, {kib} KiB, "
        "so fewer of them are still in the nearest cache when the next column needs them.",
        naive=evidence.variant("cpu.naive")[last].point.variant.title, fast=rates[best], small=best, slow=rates[last], large=last,
        kib=last * CACHE_LINE // KIB,
    )  # fmt: skip


def _rate_at(row: Row, quartile: int) -> float:
    return 0.0 if row.times is None else rate_of(row.problem, row.times[quartile]) or 0.0


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
