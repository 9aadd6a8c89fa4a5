"""How fast cores are just now: a virtual machine's share theirs with other machines, of which its system sees nothing.

On an idle one with 16 cores the same product took 0.21 ms on some, 0.31 to 0.52 on others, and a moment later on others again. Two
threads of one core share out what stores wait in, so stores tell best whether another is at work, whatever it does. On an AMD EPYC, a
third of 3,000 samples of a loop or a transposition took 1.17 to 1.35 times as long; of those with looks within 1.1 of the fastest
before and after them, 90 % lie within 1.03 where a look stores to a line after the other, within 1.27 where it fills lines whole, 1.31
where it waits for one sum after the other.

Of a machine with two cores, both were for tens of milliseconds at a time the two threads of one core, a sixth of all time: products on
both took exactly twice as long then, and either alone was as fast as ever. So several cores are looked at all at once, and what they do
multiplies too; with stores alone it is hardly seen.

On the same kind of machine a line went from one core to the other and back in 55 ns, and in 325 for tens of seconds: its host had moved
one of them away from their common cache. Either alone was as fast as ever, products on both took up to 2.3 times as long. So several
cores wait for each other too.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from kernels.jit.compile import folder_of, keep_text
from kernels.jit.team_run import cores_in_order
from kernels.jit.timed_calls import clock_text, engine_of

PROCESSORS = Path("/proc/cpuinfo")
LINES, LINE_WORDS, UNROLLED, ROUNDS, TRIES = 256, 16, 16, 100, 3
"""A store into each line of 16 KiB, which stay in L1, so many of a turn of the loop; so often, some 8 microseconds; the best of some."""
SUMS, TERMS, TURNS = 12, 4, 400
"""Sums that do not wait for each other, terms of each in a turn of the loop, and turns: some 3 microseconds. Narrow vectors: wide ones
lower the frequency of some processors."""
LONGEST_WAIT = 1 << 22
"""Turns of waiting for the others, some milliseconds: who has no core then is not waited for."""
MEETINGS, LONGEST_MEETING = 32, 1 << 16
"""So often threads wait for each other, divided by how many they are, as many more take longer to; and turns of one such wait: with two
threads a microsecond, where they are far from each other five."""
KEPT_S, FASTER = 7 * 24 * 3600.0, 0.99
"""So long counts what was the fastest once; it is kept anew where a look took at most such a part of it."""
FIRST_S, REST_S = 0.1, 0.001
"""Where nobody has looked yet, so long and with such rests: what the first samples are held against."""


class Pace:
    """Seconds that a fixed piece of work takes on the slowest of the cores that so many threads use, all at once."""

    def __init__(self, cache_dir: Path | None = None) -> None:
        """In a thread that may use all cores that threads will be on. The fastest looks of all processes are kept in `cache_dir`."""
        self._folder = None if cache_dir is None else folder_of("pace", (_text(), repr((ROUNDS, TURNS, MEETINGS))), cache_dir)
        self._cores = cores_in_order(os.sched_getaffinity(0))
        self._fastest: dict[int, float] = {}
        self._written: dict[int, float] = {}
        self._others = ThreadPoolExecutor(max(1, len(self._cores) - 1))
        self._engine = engine_of(_text())
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 6)
        self._work = kind(self._engine.get_function_address("work"))

    def fastest(self, threads: int) -> float:
        """The shortest that it took on this machine in the last days; infinite where nobody looked."""
        count = min(threads, len(self._cores))
        if count not in self._fastest:
            self._fastest[count] = self._written[count] = _kept(self._file(count))
        return self._fastest[count]

    def __call__(self, threads: int) -> float:
        """One thread is looked at where it is, several on the cores that they stay on."""
        count = min(threads, len(self._cores))
        if self.fastest(count) == float("inf"):
            self._look_around(count)
        return self._noted(count, self._part(np.zeros(1, np.int64), 1) if count == 1 else self._together(self._cores[:count]))

    def _look_around(self, count: int) -> None:
        end, turn = time.monotonic() + FIRST_S, 0
        while time.monotonic() < end:
            first = turn % len(self._cores) if count == 1 else 0
            self._noted(count, self._together(self._cores[first : first + count]))
            time.sleep(REST_S)
            turn += 1

    def _noted(self, count: int, seconds: float) -> float:
        file, before = self._file(count), self.fastest(count)
        if seconds < FASTER * self._written[count] and file is not None:
            self._written[count] = seconds
            with suppress(OSError):
                file.parent.mkdir(exist_ok=True)
                keep_text(repr(seconds), file)
        self._fastest[count] = min(before, seconds)
        return seconds

    def _file(self, count: int) -> Path | None:
        return None if self._folder is None else self._folder / f"fastest-{count}"

    def _together(self, cores: list[int]) -> float:
        arrived = np.zeros(1, np.int64)
        others = [self._others.submit(self._part_on, core, arrived, len(cores)) for core in cores[1:]]
        with _kept_on(cores[0]):
            slowest = self._part(arrived, len(cores))
        return max([slowest, *(other.result() for other in others)])

    def _part_on(self, core: int, arrived: np.ndarray[tuple[int], np.dtype[np.int64]], threads: int) -> float:
        os.sched_setaffinity(0, {core})
        return self._part(arrived, threads)

    def _part(self, arrived: np.ndarray[tuple[int], np.dtype[np.int64]], threads: int) -> float:
        meetings = 0 if threads == 1 else max(1, MEETINGS // threads)
        return float(self._work(ROUNDS, TURNS, TRIES, arrived.ctypes.data, threads, meetings)) / 1e9


@contextmanager
def _kept_on(core: int) -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def pace(cache_dir: Path | None = None) -> Pace | None:
    """What tells how fast cores are, by what `cache_dir` keeps; None where no other machine can be on them, or nobody knows."""
    try:
        shared = " hypervisor" in PROCESSORS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return Pace(cache_dir) if shared else None


def _kept(file: Path | None) -> float:
    with suppress(OSError, ValueError):
        if file is not None and time.time() - file.stat().st_mtime < KEPT_S:
            seconds = float(file.read_text(encoding="utf-8"))
            return seconds if seconds > 0 else float("inf")
    return float("inf")


def _text() -> str:
    """LLVM's text of the function: of some tries, each begun by all threads at once, the shortest, in the clock's nanoseconds.

    A thread for which the others did not begin does not wait for them later, and lets none wait for it. Nobody reads what it stores:
    volatile, or nothing would be stored.
    """
    stores = "\n".join(
        f"  %at{i} = add i64 %first, {i * LINE_WORDS}\n  %to{i} = getelementptr i32, ptr %memory, i64 %at{i}\n"
        f"  store volatile i32 1, ptr %to{i}"
        for i in range(UNROLLED)
    )
    sums = "\n".join(f"  %s{i}_0 = phi {_FOUR} [ zeroinitializer, %multiply ], [ %s{i}_{TERMS}, %sums ]" for i in range(SUMS))
    terms = "\n".join(
        f"  %p{i}_{k} = fmul {_FOUR} %s{i}_{k}, {_of(0.5)}\n  %s{i}_{k + 1} = fadd {_FOUR} %p{i}_{k}, {_of(1.0)}"
        for k in range(TERMS)
        for i in range(SUMS)
    )
    kept = "\n".join(f"  store volatile {_FOUR} %s{i}_{TERMS}, ptr %memory" for i in range(SUMS))
    return clock_text() + _WORK.replace("; stores", stores).replace("; sums", sums).replace("; terms", terms).replace("; kept", kept)


_FOUR = "<4 x float>"


def _of(value: float) -> str:
    return f"<{', '.join([f'float {value}'] * 4)}>"


_WORK = f"""
define i64 @work(i64 %rounds, i64 %turns, i64 %tries, ptr %arrived, i64 %threads, i64 %meetings) {{
entry:
  %memory = alloca [{LINES * LINE_WORDS} x i32], align 64
  %all = mul i64 %rounds, {LINES}
  %waits_of_try = add i64 %meetings, 1
  %arrivals = mul i64 %waits_of_try, %threads
  br label %try
try:
  %number = phi i64 [ 0, %entry ], [ %number1, %done ]
  %best = phi i64 [ 9223372036854775807, %entry ], [ %best1, %done ]
  %earlier = mul i64 %number, %arrivals
  %expected = add i64 %earlier, %threads
  %before = atomicrmw add ptr %arrived, i64 1 seq_cst
  br label %wait
wait:
  %waits = phi i64 [ 0, %try ], [ %waits1, %wait ]
  %waits1 = add i64 %waits, 1
  %here = load atomic i64, ptr %arrived seq_cst, align 8
  %alone = icmp slt i64 %here, %expected
  %patient = icmp slt i64 %waits1, {LONGEST_WAIT}
  %still = and i1 %alone, %patient
  br i1 %still, label %wait, label %store
store:
  %t0 = call i64 @now()
  br label %loop
loop:
  %i = phi i64 [ 0, %store ], [ %i1, %loop ]
  %line = and i64 %i, {LINES - 1}
  %first = mul i64 %line, {LINE_WORDS}
; stores
  %i1 = add i64 %i, {UNROLLED}
  %more = icmp slt i64 %i1, %all
  br i1 %more, label %loop, label %multiply
multiply:
  br label %sums
sums:
  %turn = phi i64 [ 0, %multiply ], [ %turn1, %sums ]
; sums
; terms
  %turn1 = add i64 %turn, 1
  %another = icmp slt i64 %turn1, %turns
  br i1 %another, label %sums, label %together
together:
  %none = icmp eq i64 %meetings, 0
  %skip = or i1 %alone, %none
  br i1 %skip, label %leave, label %meet
leave:
  %left = atomicrmw add ptr %arrived, i64 %meetings seq_cst
  br label %done
meet:
  %meeting = phi i64 [ 1, %together ], [ %meeting1, %met ]
  %so_far = mul i64 %meeting, %threads
  %awaited = add i64 %expected, %so_far
  %came = atomicrmw add ptr %arrived, i64 1 seq_cst
  br label %look
look:
  %looks = phi i64 [ 0, %meet ], [ %looks1, %look ]
  %looks1 = add i64 %looks, 1
  %there = load atomic i64, ptr %arrived seq_cst, align 8
  %few = icmp slt i64 %there, %awaited
  %calm = icmp slt i64 %looks1, {LONGEST_MEETING}
  %longer = and i1 %few, %calm
  br i1 %longer, label %look, label %met
met:
  %meeting1 = add i64 %meeting, 1
  %next = icmp sle i64 %meeting1, %meetings
  br i1 %next, label %meet, label %done
done:
; kept
  %t1 = call i64 @now()
  %ticks = sub i64 %t1, %t0
  %shorter = icmp slt i64 %ticks, %best
  %best1 = select i1 %shorter, i64 %ticks, i64 %best
  %number1 = add i64 %number, 1
  %again = icmp slt i64 %number1, %tries
  br i1 %again, label %try, label %end
end:
  ret i64 %best1
}}"""
