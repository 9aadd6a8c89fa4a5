"""Sentences about all rungs of a device: the best beside the first and the library, and what small problems do."""

from __future__ import annotations

from app.core.insights.evidence import Evidence, apart, milliseconds, supports_a_sentence
from app.core.insights.pairs import CLEARLY, figure, overlap, scatters
from app.core.results.curves import unit
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.catalogue.catalogue import VARIANTS

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
    """Which results nothing is built on because they were disturbed or scatter: at the n of the axis, else at the largest that has such."""
    along = [] if evidence.uneven is None else [row for row in evidence.uneven.along if not supports_a_sentence(row)]
    by_size = [] if evidence.uneven is None else [row for by_n in evidence.uneven.by_size.values() for row in by_n.values()]
    by_place = {(row.problem.n, row.variant, row.setting): row for row in (*along, *by_size) if not supports_a_sentence(row)}
    n = max((row.problem.n for row in along or by_place.values()), default=None)
    return None if n is None else scatters(n, [row for row in by_place.values() if row.problem.n == n])


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
            "{variant} reaches {slow} {unit} at n = {small} and {fast} at n = {large}: n = {small} gives {launch} "
            "and is over in {microseconds} µs, too little work to fill the GPU and to hide the start of the kernel.",
            variant=evidence.name(variant, small), slow=evidence.rate(variant, small), unit=unit(variant.operation), small=small,
            fast=evidence.rate(variant, best), large=best, microseconds=1000 * milliseconds(by_n[small]),
            launch=_in_blocks(launch.grid[0] * launch.grid[1], launch.block[0] * launch.block[1]),
        )  # fmt: skip
    return None


def _in_blocks(blocks: int, threads: int) -> Message:
    if blocks == 1:
        return message("one block of {threads} threads", threads=threads)
    return message("{blocks} blocks of {threads} threads", blocks=blocks, threads=threads)
