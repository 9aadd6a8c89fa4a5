"""Expectations about multiplications on one core: each rung and the one it improves on, and why it comes out as it does.

Of the ijk loop: where it leaves the cache. Of Strassen's seven products: where they are ahead of eight, and what they cost in accuracy.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.core.insights.evidence import Evidence, milliseconds
from app.core.insights.pair_finders import both, doubled, named, rungs, settings
from app.core.insights.pairs import KIB, Expectation, Facts, Pair, Relation, figure, matrix_mib, says
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES
from kernels.measure.results import rate_of
from kernels.measure.rows import Row

CACHE_LINE = 64
SMALL_L1 = 32 * KIB
"""The smallest first-level data cache of present processors."""
FALLS = 1.3

FASTER, SLOWER, LEVEL = Relation.FASTER, Relation.SLOWER, Relation.LEVEL


def innermost(result: Row) -> str:
    """The innermost loop of the rung with loop orders: i, j or k."""
    return result.point.variant.written("order", result.point.parameters["order"])[-1]


def _along_rows(pair: Pair) -> bool:
    return innermost(pair.rung) == "j"


def _down_columns(pair: Pair) -> bool:
    return innermost(pair.rung) == "i"


def _base_along_rows(pair: Pair) -> bool:
    return innermost(pair.base) == "j"


def _stride(pair: Pair) -> int:
    return pair.n * FLOAT32_BYTES


def _columns_of_b(pair: Pair) -> Message:
    return message(
        "Both make the same {flops} million additions and multiplications, but {naive} walks down the columns of B, {stride} bytes from "
        "one element to the next: it uses 4 bytes of each 64-byte cache line, and cannot be vectorised.",
        flops=round(pair.rung.point.problem.flops / 1e6), naive=pair.base_name, stride=_stride(pair),
    )  # fmt: skip


def _columns_of_a_and_c(pair: Pair) -> Message:
    return message(
        "With i innermost the loop walks down columns of A and of C, {stride} bytes from one element to the next: two cache lines for each "
        "product, one of them to be written.",
        stride=_stride(pair),
    )  # fmt: skip


def _b_is_near(pair: Pair) -> Message:
    return message("Reading B ({mib} MiB) a quarter as often gains nothing where it comes from a near cache.", mib=matrix_mib(pair.n))


def _registers_not_vectors(pair: Pair) -> Message:
    lanes = int(pair.base.conditions.get("llvm_lanes", 0))
    if lanes > 1:
        return message(
            "It is not the vectors: the compiler had made them of the plain loop too, {lanes} values at a time. But here eight rows of C "
            "stay in registers, where the plain loop reads and writes C for every product.",
            lanes=lanes,
        )  # fmt: skip
    return message("Eight rows of C stay in registers, where the plain loop reads and writes C for every product.")


def _strips_of_b(pair: Pair) -> Message:
    return message(
        "It goes down B in strips as wide as a vector, {stride} bytes from one to the next, where the compiler's loop runs along rows.",
        stride=_stride(pair),
    )


def _tile_stays(pair: Pair) -> Message:
    return message(
        "A tile of B stays in the cache for all rows of a tile of A; without tiles all of B ({mib} MiB) passes by for every eight rows.",
        mib=matrix_mib(pair.n),
    )


def _all_of_b_stays(pair: Pair) -> Message:
    return message("All of B ({mib} MiB) stays in an outer cache anyway, so that tiles save next to nothing.", mib=matrix_mib(pair.n))


def _sums_go_to_memory(pair: Pair) -> Message:
    return message(
        "With tiles the sums go to C and back after every {tile} products.", tile=min(pair.rung.point.parameters["tile"], pair.n)
    )


EXPECTATIONS: tuple[Expectation, ...] = (
    Expectation(rungs("cpu.loop-order", "cpu.naive", _along_rows), FASTER, {FASTER: _columns_of_b}),
    Expectation(rungs("cpu.loop-order", "cpu.naive", _down_columns), SLOWER, {SLOWER: _columns_of_a_and_c}),
    Expectation(rungs("cpu.unrolled", "cpu.loop-order", _base_along_rows), FASTER, {
        FASTER: says(message("Four rows of A meet four rows of B at once: B is read a quarter as often, and C once for four products.")),
        LEVEL: _b_is_near,
    }),
    Expectation(settings("cpu.hints", "fastmath", both(1, 0)), FASTER, {
        FASTER: says(message("Sums that may be added up in any order become vectors; else each addition waits for the one before it.")),
    }),
    Expectation(settings("cpu.hints", "contiguous", both(1, 0)), FASTER, {
        FASTER: says(message("Where the compiler does not know that rows are contiguous it gathers every vector lane by lane.")),
    }),
    Expectation(settings("cpu.hints", "boundscheck", both(0, 1)), FASTER, {
        FASTER: says(message("Every index is looked at before it is used.")),
        LEVEL: says(message("The compiler finds out before the loop how far no check can fail, so looking at every index costs nothing.")),
    }),
    Expectation(rungs("cpu.simd", "cpu.loop-order", _base_along_rows), FASTER, {
        FASTER: _registers_not_vectors,
        LEVEL: says(message("The compiler had made vectors of the plain loop too: writing them out gains nothing.")),
        SLOWER: _strips_of_b,
    }),
    Expectation(settings("cpu.simd", "lanes", doubled), FASTER, {
        FASTER: says(message("One instruction works on twice as many values.")),
        LEVEL: says(message("Wider vectors gain nothing where the processor works on them in halves, or waits for memory.")),
    }),
    Expectation(rungs("cpu.simd-blocked", "cpu.blocked"), FASTER, {
        FASTER: says(message("Eight rows of C stay in registers through a tile, where plain tiles read and write C for every product.")),
    }),
    Expectation(rungs("cpu.simd-blocked", "cpu.simd"), FASTER, {FASTER: _tile_stays, LEVEL: _all_of_b_stays, SLOWER: _sums_go_to_memory}),
    Expectation(rungs("cpu.simd-blocked-bt", "cpu.simd-blocked"), SLOWER, {
        SLOWER: says(message(
            "With B transposed the lanes of every sum must be added up, a vector of B serves four rows of C and not eight, "
            "and turning B round takes time."
        )),
    }),
    Expectation(rungs("cpu.divide-and-conquer", "cpu.blocked"), FASTER, {
        FASTER: says(message("Halving finds parts that fit into every cache, and its smallest products keep C in registers.")),
    }),
    Expectation(rungs("cpu.packed", "cpu.blocked"), FASTER, {
        FASTER: says(message(
            "A tile of C stays in registers and every value that is read serves many products; "
            "A and B lie in the order in which they are read."
        )),
    }),
)  # fmt: skip


WORSE = 1.5
"""Errors this far apart are called different."""


def crossover(evidence: Evidence) -> Message | None:
    """Say from which n on Strassen's multiplication is ahead of the kernel that it halves for, or that up to the largest n it is not."""
    pairs = _pairs(evidence)
    told = [n for n, pair in pairs.items() if pair.relation not in (Relation.UNCLEAR, Relation.SCATTERED)]
    if not told:
        return None
    last = pairs[max(told)]
    common: Facts = {
        "strassen": last.rung_name, "packed": last.base_name, "ms": milliseconds(last.rung), "base_ms": milliseconds(last.base),
        "percent": _percent(last),
    }  # fmt: skip
    if last.relation is Relation.FASTER:
        behind = [n for n in told if pairs[n].relation is not Relation.FASTER]
        first = min(n for n in told if n > max(behind, default=0))
        return message(
            "From n = {first} on, {strassen} is ahead of {packed}: at n = {n} {ms} ms against {base_ms} ms. It makes {percent} % of the "
            "multiplications.",
            first=first, n=last.n, **common,
        )  # fmt: skip
    return message(
        "Up to n = {n}, {strassen} is not ahead of {packed}: {ms} ms against {base_ms} ms, though it makes only {percent} % of the "
        "multiplications. Its additions read and write whole matrices, and that takes as long as it saves.",
        n=last.n, **common,
    )  # fmt: skip


def error(evidence: Evidence) -> Message | None:
    """How much larger its error is, at the largest n that both have."""
    pairs = [pair for pair in _pairs(evidence).values() if pair.rung.relative_error and pair.base.relative_error]
    if not pairs:
        return None
    pair = max(pairs, key=lambda pair: pair.n)
    own, other = pair.rung.relative_error or 0.0, pair.base.relative_error or 0.0
    common: Facts = {"n": pair.n, "strassen": pair.rung_name, "packed": pair.base_name, "own": f"{own:.1e}", "other": f"{other:.1e}"}
    if own >= WORSE * other:
        return message(
            "At n = {n} the error of {strassen} is {own}, that of {packed} {other}: {times} times as large. Sums and differences of "
            "quarters are rounded before they are multiplied, and what cancels in the end leaves that behind.",
            **common, times=figure(own / other),
        )  # fmt: skip
    if own > other:
        return None
    return message("At n = {n} the error of {strassen}, {own}, is no larger than that of {packed}, {other}; its bound is.", **common)


def _pairs(evidence: Evidence) -> Mapping[int, Pair]:
    """Return pairs of Strassen's multiplication and the packed one, by n, where at least one level was halved."""
    strassen, packed = evidence.variant("cpu.strassen"), evidence.variant("cpu.packed")
    shared = [n for n in strassen if n in packed and int(strassen[n].conditions.get("levels", 0)) > 0]
    return {n: Pair(strassen[n], packed[n], named(strassen[n]), named(packed[n])) for n in shared}


def _percent(pair: Pair) -> str:
    """Return the percentage of the definition's multiplications that were done."""
    return figure(100 * int(pair.rung.conditions["multiplications"]) / pair.n**3)


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
