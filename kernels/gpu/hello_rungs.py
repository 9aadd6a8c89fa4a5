"""Threads that say where they are."""

from __future__ import annotations

from kernels import launches
from kernels.gpu.parameters import BLOCKS, THREADS_X, THREADS_Y
from kernels.messages import message
from kernels.spec import Device, Operation, Variant

GREETINGS = (
    Variant(
        "gpu.hello", Operation.HELLO, Device.GPU,
        message("Hello threads"),
        message("Every thread says where it is. Lines of one warp come together; warps and blocks in any order."),
        source="gpu/hello.cu", entry="hello", parameters=(BLOCKS, THREADS_X, THREADS_Y), launch=launches.greeting,
        features=frozenset({"threads"}),
    ),
)  # fmt: skip
"""In teaching order."""
