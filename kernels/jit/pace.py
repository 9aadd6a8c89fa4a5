"""How fast cores are just now: a virtual machine's share theirs with other machines, of which its system sees nothing.

On an idle one with 16 cores the same product took 0.21 ms on some, 0.31 to 0.52 on others, and a moment later on others again.
"""

from __future__ import annotations

import ctypes
import os
import time
from pathlib import Path

from kernels.jit.team_run import cores_in_order
from kernels.jit.timed_calls import engine_of

PROCESSORS = Path("/proc/cpuinfo")
CHAINS, ROUNDS, TRIES = 10, 12_000, 3
"""Products that do not wait for each other, as many as keep a core's multipliers busy; so often, some 20 microseconds; the best of some."""


class Pace:
    """Seconds that a fixed number of products takes on the slowest of the cores that so many threads use."""

    def __init__(self) -> None:
        """In a thread that may use all cores that threads will be on."""
        self._cores = cores_in_order(os.sched_getaffinity(0))
        self._engine = engine_of(_text())
        self._products = ctypes.CFUNCTYPE(None, ctypes.c_int64)(self._engine.get_function_address("products"))

    def __call__(self, threads: int) -> float:
        """Those of one thread are looked at where it is, those of several on the cores that they stay on."""
        if threads == 1:
            return self._seconds()
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
            self._products(ROUNDS)
            found.append(time.perf_counter() - start)
        return min(found)


def pace() -> Pace | None:
    """What tells how fast cores are; None where no other machine can be on them, or the system does not say whether."""
    try:
        shared = " hypervisor" in PROCESSORS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return Pace() if shared else None


def _text() -> str:
    """LLVM's text of the function. It uses what it computes, or nothing would be computed."""
    factors = f"<{', '.join(4 * ['float 0x3FEFFFFFE0000000'])}>"  # the last before 1, by which the compiler does multiply
    chains = range(CHAINS)
    values = "\n".join(f"  %x{i} = phi <4 x float> [ {factors}, %entry ], [ %y{i}, %loop ]" for i in chains)
    products = "\n".join(f"  %y{i} = fmul <4 x float> %x{i}, {factors}" for i in chains)
    uses = "\n".join(f"  store volatile <4 x float> %y{i}, ptr %memory" for i in chains)
    return f"""
define void @products(i64 %rounds) {{
entry:
  %memory = alloca <4 x float>
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{values}
{products}
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %rounds
  br i1 %more, label %loop, label %end
end:
{uses}
  ret void
}}"""
