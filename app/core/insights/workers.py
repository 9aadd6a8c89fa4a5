"""Expectations about threads and ranks: speed-up and efficiency, copies, schedules, more workers than cores, and what moving data costs."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.insights.evidence import Evidence, apart, milliseconds
from app.core.insights.pair_finders import both, cores_of, crowded, grouped, named, rungs, settings
from app.core.insights.pairs import CLEARLY, Expectation, Facts, Pair, Relation, bytes_mib, figure, is_cached, matrix_mib, overlap, says
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation
from kernels.measure.rows import Row
from kernels.mpi.communication_volume import layout, volume

FASTER, SLOWER, LEVEL = Relation.FASTER, Relation.SLOWER, Relation.LEVEL
GOOD = 85.0
"""Percent of efficiency from which on nothing need be explained."""
STATIC, DYNAMIC = 0, 1


def _copies(pair: Pair) -> Message:
    threads = pair.base.point.parameters["threads"]
    return message(
        "The {threads} private copies of C take {mib} MiB, and are all written and read once more to add them up.",
        threads=threads, mib=matrix_mib(pair.n, threads),
    )  # fmt: skip


def _copies_are_small(pair: Pair) -> Message:
    threads = pair.base.point.parameters["threads"]
    return message(
        "Adding up {threads} copies of C ({mib} MiB) is little work beside the multiplication at this n.",
        threads=threads, mib=matrix_mib(pair.n, threads),
    )  # fmt: skip


def _turns(pair: Pair) -> Message:
    return message("With more of them than the {cores} cores they take turns: one waits while another works.", cores=cores_of(pair.rung))


def _turns_and_waits(pair: Pair) -> Message:
    return message(
        "With more of them than the {cores} cores they take turns, and those that are done wait for one that is not running.",
        cores=cores_of(pair.rung),
    )


_CROWDED = {LEVEL: _turns, SLOWER: _turns_and_waits}
_BALANCED = {
    LEVEL: says(message("All parts are equally long, so that it does not matter who gets which.")),
    SLOWER: says(message("All parts are equally long: handing them out one by one only costs.")),
    FASTER: says(message("The parts are equally long, but not the threads equally fast: what one is held up with, others take over.")),
}

EXPECTATIONS: tuple[Expectation, ...] = (
    Expectation(rungs("cpu.parallel", "cpu.parallel-private"), FASTER, {FASTER: _copies, LEVEL: _copies_are_small}),
    Expectation(settings("cpu.parallel", "schedule", both(DYNAMIC, STATIC)), LEVEL, _BALANCED),
    Expectation(settings("cpu.transpose-parallel", "schedule", both(DYNAMIC, STATIC)), LEVEL, _BALANCED),
    Expectation(settings("cpu.transpose-parallel-cached", "schedule", both(DYNAMIC, STATIC)), LEVEL, _BALANCED),
    Expectation(settings("cpu.transpose-triangle", "schedule", both(DYNAMIC, STATIC)), FASTER, {
        FASTER: says(message("The first parts have most to do: shared out equally, the thread that has them is the last to end.")),
        LEVEL: says(message("The parts are not equally long, but all threads wait for the same memory, however they share them.")),
    }),
    Expectation(settings("cpu.parallel", "threads", crowded), LEVEL, _CROWDED),
    Expectation(settings("cpu.parallel-private", "threads", crowded), LEVEL, _CROWDED),
    Expectation(settings("cpu.transpose-parallel", "threads", crowded), LEVEL, _CROWDED),
    Expectation(settings("cpu.transpose-parallel-cached", "threads", crowded), LEVEL, _CROWDED),
    *(
        Expectation(settings(f"mpi.{name}", "ranks", crowded), LEVEL, _CROWDED)
        for name in ("point-to-point", "rows", "blocks", "overlap", "summa")
    ),
)  # fmt: skip


def thread_scaling(evidence: Evidence) -> Message | None:
    """Speed-up and efficiency of the last rung of the ladder that was timed on one thread and on several."""
    found = [
        (variant, by_value, most)
        for variant, by_value in grouped(evidence, "threads")
        if not variant.library and 1 in by_value
        if (most := max((threads for threads in by_value if 1 < threads <= cores_of(by_value[threads])), default=0))
    ]
    if not found:
        return None
    largest = max(by_value[1].point.problem.n for _, by_value, _ in found)
    variant, by_value, most = max((each for each in found if each[1][1].point.problem.n == largest), key=lambda each: each[0].rung)
    ratio = milliseconds(by_value[1]) / milliseconds(by_value[most])
    efficiency = 100 * ratio / most
    if ratio >= CLEARLY and not apart(by_value[most], by_value[1]):
        return overlap(largest, named(by_value[most]), named(by_value[1]))
    common: Facts = {"n": largest, "rung": variant.title, "threads": most, "percent": figure(efficiency)}
    told = message(
        "At n = {n}, {rung} gains nothing on {threads} threads: it takes {ms} ms, and {alone} ms on one, an efficiency of {percent} %.",
        **common, ms=milliseconds(by_value[most]), alone=milliseconds(by_value[1]),
    )  # fmt: skip
    if ratio >= CLEARLY:
        told = message(
            "At n = {n}, {rung} is {times} times as fast on {threads} threads as on one: an efficiency of {percent} %.",
            **common, times=figure(ratio),
        )  # fmt: skip
    if efficiency >= GOOD:
        return told
    why = message("They share the outer cache and, where two of them are on one core, its arithmetic; and other programs may hold cores.")
    if variant.operation is Operation.TRANSPOSE and not is_cached(by_value[1]):
        why = message("A transposition only moves data, and all cores share the way to memory.")
    return message("{first} {other}", first=told, other=why)


def moving_data(evidence: Evidence) -> Message | None:
    """What ranks gain by sharing out a multiplication, and lose by moving its matrices: of the fastest rung, at the largest n."""
    found = [
        (by_ranks, most)
        for variant, by_ranks in grouped(evidence, "ranks")
        if variant.device is Device.MPI and 1 in by_ranks
        if (most := max((ranks for ranks in by_ranks if 1 < ranks <= cores_of(by_ranks[ranks])), default=0))
    ]
    if not found:
        return None
    return _moving(*min(found, key=lambda each: (-each[0][1].point.problem.n, milliseconds(each[0][each[1]]))))


def _moving(by_ranks: Mapping[int, Row], most: int) -> Message | None:
    several, alone = by_ranks[most], by_ranks[1]
    point = several.point
    place = layout(point.variant_id, most)
    ideal = milliseconds(alone) / (place.p * place.q)
    rest, ratio = milliseconds(several) - ideal, milliseconds(alone) / milliseconds(several)
    if rest <= 0 or 1 / CLEARLY < ratio < CLEARLY or not apart(*((several, alone) if ratio > 1 else (alone, several))):
        return None
    common: Facts = {
        "n": point.problem.n, "rung": point.variant.title, "ranks": most, "ms": milliseconds(several), "alone": milliseconds(alone),
        "rest": rest, "mib": bytes_mib(sum(volume(point.variant_id, point.problem, most).received)),
    }  # fmt: skip
    if ratio > 1:
        return message(
            "At n = {n}, {rung} takes {ms} ms on {ranks} ranks and {alone} ms on one: {times} times as fast. Shared out without cost the "
            "multiplication would take {ideal} ms; the other {rest} ms go to moving {mib} MiB and to waiting.",
            **common, times=figure(ratio), ideal=ideal,
        )  # fmt: skip
    return message(
        "At n = {n}, {rung} takes {ms} ms on {ranks} ranks and {alone} ms on one: {times} times as long. Moving {mib} MiB and waiting "
        "takes {rest} ms, more than sharing out the multiplication saves. What is moved grows with n², the work with n³: a larger n "
        "pays sooner.",
        **common, times=figure(1 / ratio),
    )  # fmt: skip
