"""`gpu.hello` run on the GPU, and what it prints caught in the order in which it comes.

For a process of its own: its standard output is redirected.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from kernels.catalog import find
from kernels.gpu.build import Compiler
from kernels.gpu.errors import in_plain_words
from kernels.greetings import HOST_LINE, Order, Shape, order_of
from kernels.spec import Operation, Parameters, Problem

PRINTF_BUFFER = 1
"""cudaLimitPrintfFifoSize"""
BYTES_OF_A_LINE = 128
"""More than a call of printf with three numbers takes in the GPU's buffer."""
STDOUT = 1


def greet(capability: int, parameters: Parameters, runs: int) -> tuple[Order, ...]:
    """The orders of so many runs. Between the launch and the waiting the host prints its own line. Raises `RunFailed`."""
    variant = find("gpu.hello")
    assert variant is not None
    assert variant.launch is not None
    launch, shape = variant.launch(Problem.square(Operation.HELLO, 0), parameters), Shape.of(parameters)
    with in_plain_words():
        _make_room(shape)
        kernel = Compiler(capability).kernel(variant.source_text, variant.entry, launch.defines)
        texts = [caught(lambda: kernel.function(launch.grid, launch.block, ())) for _ in range(runs)]
    return tuple(order_of(text, shape) for text in texts)


def caught(launch: Callable[[], object]) -> str:
    """What a launch and the host print until the GPU is done."""
    from cupy.cuda import runtime

    with tempfile.TemporaryFile() as file:
        with _redirected(file):
            launch()
            os.write(STDOUT, f"{HOST_LINE}\n".encode())
            runtime.deviceSynchronize()
        file.seek(0)
        return file.read().decode()


@contextmanager
def _redirected(file: BinaryIO) -> Iterator[None]:
    """Send what the process writes to its standard output, from any language, to a file."""
    _flush()
    before = os.dup(STDOUT)
    os.dup2(file.fileno(), STDOUT)
    try:
        yield
    finally:
        _flush()
        os.dup2(before, STDOUT)
        os.close(before)


def _flush() -> None:
    """The driver prints through the C library, which keeps what goes to a file until it is told to write it."""
    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    library.fflush(None)


def _make_room(shape: Shape) -> None:
    """Let the buffer hold all lines; it cannot be changed once a kernel that prints has run, so it is made for the largest launch."""
    from cupy.cuda import runtime

    largest = 32 * 1024 * BYTES_OF_A_LINE
    assert shape.blocks * shape.threads * BYTES_OF_A_LINE <= largest
    if runtime.deviceGetLimit(PRINTF_BUFFER) < largest:
        runtime.deviceSetLimit(PRINTF_BUFFER, largest)
