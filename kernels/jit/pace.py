"""How fast cores are just now: a virtual machine's share theirs with other machines, of which its system sees nothing.

On an idle one with 16 cores the same product took 0.21 ms on some, 0.31 to 0.52 on others, and a moment later on others again. Two
threads of one core share out what stores wait in, so stores tell best whether another is at work, whatever it does. On an AMD EPYC, a
third of 3,000 samples of a loop or a transposition took 1.17 to 1.35 times as long; of those with looks within 1.1 of the fastest
before and after them, 90 % lie within 1.03 where a look stores to a line after the other, within 1.27 where it fills lines whole, 1.31
where it waits for one sum after the other.
"""

from __future__ import annotations

import ctypes
import os
import time
from contextlib import suppress
from pathlib import Path

from kernels.jit.compile import folder_of, keep_text
from kernels.jit.team_run import cores_in_order
from kernels.jit.timed_calls import engine_of

PROCESSORS = Path("/proc/cpuinfo")
LINES, LINE_WORDS, TOGETHER, ROUNDS, TRIES = 256, 16, 16, 100, 3
"""A store into each line of 16 KiB, which stay in L1, so many of a turn of the loop; so often, some 10 microseconds; the best of some."""
KEPT_S, FASTER = 7 * 24 * 3600.0, 0.99
"""So long counts what was the fastest once; it is kept anew where a look took at most such a part of it."""


class Pace:
    """Seconds that a fixed number of stores takes on the slowest of the cores that so many threads use."""

    def __init__(self, cache_dir: Path | None = None) -> None:
        """In a thread that may use all cores that threads will be on. The fastest look of all processes is kept in `cache_dir`."""
        self._kept = None if cache_dir is None else folder_of("pace", (_text(), str(ROUNDS)), cache_dir) / "fastest"
        self.fastest = _fastest(self._kept)
        """The shortest that it took on this machine in the last days; infinite where nobody looked."""
        self._cores = cores_in_order(os.sched_getaffinity(0))
        self._engine = engine_of(_text())
        self._stores = ctypes.CFUNCTYPE(None, ctypes.c_int64)(self._engine.get_function_address("stores"))

    def __call__(self, threads: int) -> float:
        """Those of one thread are looked at where it is, those of several on the cores that they stay on."""
        slowest = self._seconds() if threads == 1 else self._slowest(threads)
        if slowest < FASTER * self.fastest and self._kept is not None:
            with suppress(OSError):
                self._kept.parent.mkdir(exist_ok=True)
                keep_text(repr(slowest), self._kept)
        self.fastest = min(self.fastest, slowest)
        return slowest

    def _slowest(self, threads: int) -> float:
        before, slowest = os.sched_getaffinity(0), 0.0
        try:
            for core in self._cores[:threads]:
                os.sched_setaffinity(0, {core})
                slowest = max(slowest, self._seconds())
        finally:
            os.sched_setaffinity(0, before)
        return slowest

    def _seconds(self) -> float:
        found = []
        for _ in range(TRIES):
            start = time.perf_counter()
            self._stores(ROUNDS)
            found.append(time.perf_counter() - start)
        return min(found)


def pace(cache_dir: Path | None = None) -> Pace | None:
    """What tells how fast cores are, by what `cache_dir` keeps; None where no other machine can be on them, or nobody knows."""
    try:
        shared = " hypervisor" in PROCESSORS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return Pace(cache_dir) if shared else None


def _fastest(file: Path | None) -> float:
    with suppress(OSError, ValueError):
        if file is not None and time.time() - file.stat().st_mtime < KEPT_S:
            seconds = float(file.read_text(encoding="utf-8"))
            return seconds if seconds > 0 else float("inf")
    return float("inf")


def _text() -> str:
    """LLVM's text of the function. Nobody reads what it stores: volatile, or nothing would be stored."""
    stores = "\n".join(
        f"  %at{i} = add i64 %first, {i * LINE_WORDS}\n  %to{i} = getelementptr i32, ptr %memory, i64 %at{i}\n"
        f"  store volatile i32 1, ptr %to{i}"
        for i in range(TOGETHER)
    )
    return f"""
define void @stores(i64 %rounds) {{
entry:
  %memory = alloca [{LINES * LINE_WORDS} x i32], align 64
  %all = mul i64 %rounds, {LINES}
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %line = and i64 %i, {LINES - 1}
  %first = mul i64 %line, {LINE_WORDS}
{stores}
  %next = add i64 %i, {TOGETHER}
  %more = icmp slt i64 %next, %all
  br i1 %more, label %loop, label %end
end:
  ret void
}}"""
