"""Kernels with faults, as variants; importing this module enters them into the catalogue, here and in the GPU's process."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from unittest.mock import patch

from kernels.base.messages import message
from kernels.base.spec import Device, Launch, Operation, Parameters, Problem, Variant
from kernels.base.worker_process import WorkerChannel
from kernels.catalogue import catalogue
from kernels.gpu.process import GpuService
from kernels.measure.device_process import Call, CallResult, Failed

HERE = Path(__file__).resolve().parent
FAULTS = {
    "illegal": (32, 0), "misaligned": (32, 0), "traps": (32, 0), "hangs": (32, 0), "registers": (1024, 0), "shared": (32, 300 * 1024),
    "threads": (2048, 0), "syntax": (32, 0),
}  # fmt: skip
"""Threads and bytes of dynamic shared memory of a block."""


def _launch(threads: int, shared: int, _problem: Problem, _parameters: Parameters) -> Launch:
    return Launch((1, 1), (threads, 1), {}, dynamic_shared_bytes=shared)


def _enter() -> None:
    title = message("Faulty")
    for name, (threads, shared) in FAULTS.items():
        source, entry = ("syntax.cu", name) if name == "syntax" else ("faulty.cu", "illegal" if name == "threads" else name)
        catalogue._BY_ID[f"gpu.{name}"] = Variant(
            f"gpu.{name}", Operation.MATMUL, Device.GPU, title, title, str(HERE / source), entry, launch=partial(_launch, threads, shared)
        )


_enter()


class FaultyService(GpuService):
    """The program's service, in a process that knows the faulty variants."""


class CarelessService(FaultyService):
    """It allocates without asking whether there is room."""

    def __call__(self, call: Call, channel: WorkerChannel) -> CallResult | Failed:
        with patch("kernels.gpu.execution.refuse_size", lambda *_: None):
            return super().__call__(call, channel)
