"""Expectations about transpositions on the processor, and how near they come to copying."""

from __future__ import annotations

from app.core.insights.evidence import Evidence, milliseconds
from app.core.insights.pair_finders import rungs
from app.core.insights.pairs import Expectation, Pair, Relation, bytes_mib, figure, is_cached, says
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES

FASTER, SLOWER, LEVEL = Relation.FASTER, Relation.SLOWER, Relation.LEVEL
COPY_MS = "copy_ms"
"""The condition that has the time of `np.copyto` between matrices of the same size."""
NEARLY = 90.0
"""Percent of the speed of copying that is as good as all of it."""


def _lines_of_c(pair: Pair) -> Message:
    return message(
        "The naive loop writes down a column of C, {stride} bytes from one element to the next; "
        "a tile's lines of C are all filled before they leave the cache.",
        stride=pair.n * FLOAT32_BYTES,
    )


def _both_are_cached(pair: Pair) -> Message | None:
    if not is_cached(pair.rung):
        return None
    mib = bytes_mib(pair.rung.point.problem.bytes)
    return message("A and C ({mib} MiB) stay in the caches, where C is not fetched from memory either way.", mib=mib)


_STILL_CACHED = says(message("At this size the lines of a column of C are still in the cache when the next column needs them."))
_OVERWRITTEN = message("Written past the caches, a line of C is not fetched from memory only to be overwritten.")
_QUICKER = message("Where C fits into a cache, writing it there is quicker than writing past it into memory.")
_ONE_TILE_FITS = says(message("The parts that halving ends with fit no better than tiles of a good size do."))

EXPECTATIONS: tuple[Expectation, ...] = (
    Expectation(rungs("cpu.transpose-blocked", "cpu.transpose-naive"), FASTER, {FASTER: _lines_of_c, LEVEL: _STILL_CACHED}),
    Expectation(rungs("cpu.transpose-cache-oblivious", "cpu.transpose-naive"), FASTER, {FASTER: _lines_of_c, LEVEL: _STILL_CACHED}),
    Expectation(rungs("cpu.transpose-cache-oblivious", "cpu.transpose-blocked"), LEVEL, {LEVEL: _ONE_TILE_FITS}),
    Expectation(rungs("cpu.transpose-simd", "cpu.transpose-blocked"), FASTER, {
        FASTER: says(message("Turned between vector registers, every cache line is read once and written once, whole.")),
        LEVEL: says(message("Moving the lines takes as long as turning them, either way.")),
    }),
    Expectation(rungs("cpu.transpose-streaming", "cpu.transpose-simd"), FASTER, {
        FASTER: says(_OVERWRITTEN), LEVEL: _both_are_cached, SLOWER: says(_QUICKER),
    }),
    Expectation(rungs("cpu.transpose-parallel-cached", "cpu.transpose-parallel", lambda pair: is_cached(pair.rung)), FASTER, {
        FASTER: says(_QUICKER), LEVEL: _both_are_cached,
    }),
)  # fmt: skip


def beside_copying(evidence: Evidence) -> Message | None:
    """What part of the speed of `np.copyto` the best transposition reaches, at the largest n."""
    found = [
        (n, float(result.conditions[COPY_MS]) / milliseconds(result), variant)
        for variant in evidence.own
        for n, result in evidence.by_size[variant].items()
        if COPY_MS in result.conditions
    ]
    if not found:
        return None
    n, share, variant = max(found, key=lambda each: each[:2])
    told = message(
        "At n = {n}, {rung} moves {rate} GB/s, {percent} % of what {copy} moves between the same matrices without turning anything.",
        n=n, rung=evidence.name(variant, n), rate=evidence.rate(variant, n), percent=figure(100 * share), copy="np.copyto",
    )  # fmt: skip
    if 100 * share >= NEARLY:
        return told
    why = message(
        "Copying reads and writes along rows; turning writes to as many rows as a tile has, each in a line and a page of its own."
    )
    return message("{first} {other}", first=told, other=why)
