"""Errors of CUDA, CuPy and cuBLAS in plain words, followed by the driver's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from kernels.base.messages import Message, message
from kernels.measure.runner import RunFailed
from kernels.nvrtc.tools import components

CUBLAS_PACKAGE = '"nvidia-cublas>=13,<14"'
NO_MEMORY = message("The GPU has too little free memory for these matrices.")
_LOST = message("The kernel read or wrote outside its matrices. The GPU does not tell where; the stage, which executes it, does.")
_REFUSED = message("The GPU refuses this number of blocks or threads.")

_TAKEN = message("Another program has the GPU to itself.")

_PLAIN_WORDS = {
    "memoryallocation": NO_MEMORY,
    "outofmemory": NO_MEMORY,
    "illegaladdress": _LOST,
    "misalignedaddress": _LOST,
    "launchfailure": _LOST,
    "launchfailed": _LOST,
    "launchoutofresources": message("A block of this size needs more registers than the GPU has for it."),
    "invalidconfiguration": _REFUSED,
    "invalidvalue": _REFUSED,
    "launchtimeout": message("The kernel ran longer than the system allows on a GPU that also drives a screen."),
    "devicesunavailable": _TAKEN,
    "deviceunavailable": _TAKEN,
    "assert": message("An assertion in the kernel failed."),
    "nokernelimagefordevice": message("The kernel was compiled for another GPU."),
}


def explain(error: Exception) -> Message:
    """A failure of CUDA, CuPy or cuBLAS in plain words, followed by the driver's own text."""
    text = str(error) or type(error).__name__
    if isinstance(error, MemoryError):
        reason = NO_MEMORY
    elif isinstance(error, ImportError):
        return message("{reason} {remedy}", reason=message("cuBLAS was not found."), remedy=how_to_add_cublas())
    else:
        reason = _PLAIN_WORDS.get(_error_name(text), message("The GPU reported an error."))
    return message("{reason} The driver says: {text}", reason=reason, text=text)


def how_to_add_cublas() -> Message:
    """What to do where cuBLAS is missing: it is four times as large as the whole program, and so does not come along."""
    folder = components(os.environ)
    if folder is None:
        return message("Run: {command}", command=f"pip install {CUBLAS_PACKAGE}")
    command = f'pip install --no-deps --target "{folder}" {CUBLAS_PACKAGE}'
    return message("Install CUDA 13, or put cuBLAS into the folder {folder}: {command}", folder=str(folder), command=command)


def held_by_another(text: str) -> bool:
    """Whether a failure to get hold of the GPU at all is another program's doing: its exclusive mode, or its memory."""
    return _PLAIN_WORDS.get(_error_name(text)) is _TAKEN or "out of memory" in text.lower()


@contextmanager
def in_plain_words() -> Iterator[None]:
    """Turn what CUDA, CuPy and cuBLAS raise inside into a `RunFailed` with an explanation."""
    try:
        yield
    except (RuntimeError, MemoryError, ImportError, OSError) as error:
        raise RunFailed(explain(error)) from error


def _error_name(text: str) -> str:
    """Return one name for the runtime's "cudaErrorIllegalAddress: ..." and the driver's "CUDA_ERROR_ILLEGAL_ADDRESS: ..."."""
    return text.partition(":")[0].strip().removeprefix("cudaError").removeprefix("CUDA_ERROR_").replace("_", "").lower()
