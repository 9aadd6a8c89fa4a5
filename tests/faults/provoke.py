"""Provoke each fault on a GPU through the program's own queue and process, and print what a user would read.

    PYTHONPATH=. python tests/faults/provoke.py

No device is reset: a reset is simulated by ending the process; the kernel that hangs ends after 40 s. `h200.txt` is what it printed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from app.core.results.measuring import MeasuringService
from kernels.base.devices import DeviceStatus
from kernels.base.limits import Limits
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.case import Case
from kernels.gpu.process import GpuProcess
from kernels.gpu.runner import GpuRunner
from kernels.measure.protocol import Protocol
from kernels.measure.runner import RunFailed
from kernels.measure.store import ResultStore
from tests.faults.faulty import CarelessService, FaultyService

HOLD = """
import sys, time, cupy
left, kept, size = int(sys.argv[1]), [], 1 << 33
with cupy.cuda.using_allocator(None):
    while size >= 1 << 20:
        if cupy.cuda.Device().mem_info[0] - size < left:
            size >>= 1
            continue
        try:
            kept.append(cupy.empty(size, cupy.uint8))
        except Exception:
            size >>= 1
print("held", flush=True)
time.sleep(600)
"""
"""A program that takes the GPU's memory but for so many bytes."""


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def point(variant: str, n: int) -> Case:
    return Case(variant, Problem.square(Operation.MATMUL, n), {"tile": 16} if variant == "gpu.tiled" else {})


class JobQueue:
    """The queue that measures, on one process of the GPU."""

    def __init__(self, gpu: GpuProcess, status: DeviceStatus) -> None:
        self._gpu = gpu
        self._service = MeasuringService(
            ResultStore.in_memory(), {Device.GPU: lambda: gpu}, lambda _: status, lambda: {"processor": "x"},
            at_end=gpu.close,
        )  # fmt: skip

    def provoke(self, name: str, at: Case, cancel_after: float | None = None) -> None:
        """Measure the point and then one without a fault, and say what came of both."""
        before = self._gpu.pid
        state, seconds = self._measure(at, cancel_after)
        say(f"== {name}: queue {state} after {seconds:.1f} s")
        for result in self._service.drain():
            say(f"   {result.status.value}: {result.reason}")
        _, seconds = self._measure(point("gpu.tiled", 256), None)
        (good,) = self._service.drain()
        kept = "kept" if self._gpu.pid == before else "replaced"
        say(f"   next measurement: {good.status.value}, {seconds:.1f} s, process {kept}")

    def close(self) -> None:
        self._service.shutdown(5.0)

    def _measure(self, at: Case, cancel_after: float | None) -> tuple[str, float]:
        begin = time.monotonic()
        request = self._service.start((at,), Protocol(budget_s=5.0))
        while self._service.progress().busy:
            if cancel_after is not None and time.monotonic() - begin > cancel_after:
                self._service.cancel(request)
                cancel_after = None
            time.sleep(0.01)
        return self._service.progress().queues[0].state.value, time.monotonic() - begin


@contextmanager
def memory_held(left: int) -> Iterator[None]:
    """A second program holds the GPU's memory but for `left` bytes."""
    held = subprocess.Popen([sys.executable, "-c", HOLD, str(left)], stdout=subprocess.PIPE, text=True)
    assert held.stdout is not None
    held.stdout.readline()
    try:
        yield
    finally:
        held.kill()
        held.wait()


def end(gpu: GpuProcess) -> None:
    """Take the process away at once, as a reset of the driver does."""
    assert gpu.pid is not None
    os.kill(gpu.pid, signal.SIGKILL)


def refused(status: DeviceStatus, gpu: GpuProcess, n: int) -> str:
    """Why matrices of this size cannot be placed."""
    try:
        with GpuRunner(status, gpu).prepare(point("gpu.tiled", n), {}, lambda: None):
            return "placed"
    except RunFailed as failed:
        return str(failed.reason)


def kernels_at_fault(gpu: GpuProcess, status: DeviceStatus, generous: DeviceStatus) -> None:
    strict, queue = JobQueue(gpu, status), JobQueue(gpu, generous)
    strict.provoke("size beyond memory", point("gpu.tiled", 300_000))
    strict.provoke("too many threads", point("gpu.threads", 64))
    for name in ("threads", "registers", "shared", "syntax", "illegal", "misaligned", "traps"):
        queue.provoke(f"{name}, not refused before", point(f"gpu.{name}", 64))
    queue.provoke("hangs, deadline 10 s", point("gpu.hangs", 64))
    queue.provoke("hangs, cancelled after 2 s", point("gpu.hangs", 64), cancel_after=2.0)
    threading.Timer(2.0, end, (gpu,)).start()
    queue.provoke("driver reset during a run (process ended)", point("gpu.hangs", 64))
    end(gpu)
    queue.provoke("driver reset between runs (process ended)", point("gpu.tiled", 512))
    with memory_held(2 << 30):
        say("== a second program holds all but 2 GiB:", refused(status, gpu, 16384))
        queue.provoke("a small size beside it", point("gpu.tiled", 512))
    strict.close()
    queue.close()


def main() -> None:
    gpu = GpuProcess(5.0, FaultyService())
    status = gpu.status()
    say("GPU:", status.name, status.availability.value)
    generous = replace(status, limits=Limits(1 << 20, 1 << 20, 1 << 20, 65535, None))
    kernels_at_fault(gpu, status, generous)
    careless = GpuProcess(5.0, CarelessService())
    say("== out of memory while allocating:", refused(generous, careless, 150_000))
    queue = JobQueue(careless, generous)
    queue.provoke("after it", point("gpu.tiled", 256))
    queue.close()
    with memory_held(0):
        found = gpu.status()
        say("== a second program holds everything:", found.availability.value, found.reason, found.remedy)
    say("   after its end:", gpu.status().availability.value)
    gpu.close()


if __name__ == "__main__":
    main()
