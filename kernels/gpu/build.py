"""Compiler of CUDA C through NVRTC, NVIDIA's run-time compiler, and loader of the result; failures of CUDA in plain words.

NVRTC is called directly, through CuPy's binding: its options are all that the compiler gets, CUDA's headers are looked for only where a
source includes one, and a source can be checked on a machine without a GPU.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.measure.runner import RunFailed
from kernels.nvrtc.headers import OPTIONS, compiled_anew
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


PLAIN_SHARED = 48 * 1024
MAX_DYNAMIC_SHARED = 8
"""CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A compiled kernel, ready to be launched: `function` is a `cupy.cuda.Function`; registers are for each thread."""

    function: Any
    registers: int
    static_shared_bytes: int
    options: tuple[str, ...]


class Compiler:
    """Compiles for one GPU and keeps what it compiled. `capability` is the GPU's compute capability, 90 for 9.0."""

    def __init__(self, capability: int) -> None:
        self._capability = capability
        self._kernels: dict[tuple[str, str, tuple[str, ...]], Kernel] = {}

    def kernel(self, source: str, entry: str, defines: Mapping[str, int], *, specific: bool = False) -> Kernel:
        """The kernel `entry` of a CUDA C text compiled with these macros. Raises `RunFailed` with the compiler's text.

        `specific`: the text uses what GPUs of this capability alone have, and no later ones.
        """
        options = compile_options(self._capability, supported_capabilities(), defines, specific=specific)
        key = (source, entry, options)
        if key not in self._kernels:
            self._kernels[key] = _load(compile_text(source, f"{entry}.cu", options), entry, options)
        return self._kernels[key]


def allow_shared(function: Any, dynamic_bytes: int) -> None:
    """Opt in to so much dynamic shared memory of a block, where it is more than any kernel may have."""
    from cupy.cuda import driver

    if dynamic_bytes > PLAIN_SHARED:
        driver.funcSetAttribute(function.ptr, MAX_DYNAMIC_SHARED, dynamic_bytes)


def supported_capabilities() -> tuple[int, ...]:
    """The compute capabilities that the NVRTC at hand compiles for, ascending."""
    from cupy_backends.cuda.libs import nvrtc

    return tuple(sorted(nvrtc.getSupportedArchs()))


def compile_options(
    capability: int, supported: Sequence[int], defines: Mapping[str, int | str], *, specific: bool = False
) -> tuple[str, ...]:
    """All options for the compiler: machine code for a GPU that it knows, else portable code of the newest GPU before it."""
    if capability in supported:
        architecture = f"--gpu-architecture=sm_{capability}{'a' if specific else ''}"
    else:
        architecture = f"--gpu-architecture=compute_{max(known for known in supported if known < capability)}"
    return (architecture, *OPTIONS, *(f"-D{name}={value}" for name, value in sorted(defines.items())))


def compile_text(source: str, name: str, options: Sequence[str]) -> bytes:
    """Machine code, or PTX where the options ask for a virtual architecture. Needs no GPU. Raises `RunFailed`."""
    from cupy_backends.cuda.libs import nvrtc

    program = nvrtc.createProgram(source, name, [], [])
    try:
        nvrtc.compileProgram(program, [*options, *compiled_anew(nvrtc.getVersion()), *_include_paths(source)])
        return _code(program, options)
    except nvrtc.NVRTCError as error:
        raise _refused(program, error) from error
    finally:
        nvrtc.destroyProgram(program)


def compile_entry(source: str, entry: str, options: Sequence[str], path: Path | None) -> tuple[bytes, str]:
    """Code for one kernel of a program as it is found, and the kernel's name in it. `entry` is as C++ writes it, "reduce<128>".

    Where the program as a whole is more than the compiler takes, its device code alone is compiled. Raises `RunFailed`.
    """
    from kernels.nvrtc.device_code import device_code
    from kernels.simt.frontend.diagnostics import FrontEndError
    from kernels.simt.frontend.parse import parse

    try:
        return _compile_named(source, entry, options, path)
    except RunFailed as whole:
        try:
            part = device_code(source, parse(source, path, {}), entry)
        except FrontEndError:
            raise whole from None
        if part == source:
            raise
        return _compile_named(part, entry, options, path)


def _compile_named(source: str, entry: str, options: Sequence[str], path: Path | None) -> tuple[bytes, str]:
    from cupy_backends.cuda.libs import nvrtc

    from kernels.nvrtc.headers import FIRST, KNOWN_HEADERS, header_folders, included, stand_in_headers

    folders = [] if path is None else [path.parent]
    installed = () if all(name in KNOWN_HEADERS for name in included(source)) else header_folders()
    folders += () if isinstance(installed, Message) else installed
    headers = stand_in_headers(source, folders)
    texts, names = ([each.encode() for each in column] for column in (headers.values(), headers))
    program = nvrtc.createProgram(source, "kernel.cu", texts, names)
    given = (*options, *compiled_anew(nvrtc.getVersion()), f"--pre-include={FIRST}", *(f"--include-path={folder}" for folder in folders))
    try:
        nvrtc.addNameExpression(program, entry)
        nvrtc.compileProgram(program, given)
        symbol: str | bytes = nvrtc.getLoweredName(program, entry)
        return _code(program, options), symbol if isinstance(symbol, str) else symbol.decode()
    except nvrtc.NVRTCError as error:
        raise _refused(program, error) from error
    finally:
        nvrtc.destroyProgram(program)


def _include_paths(source: str) -> tuple[str, ...]:
    """Options that name the folders of CUDA's headers, where a text includes any. Raises `RunFailed` where they are not installed."""
    from kernels.nvrtc.headers import header_folders, included

    folders = header_folders() if included(source) else ()
    if isinstance(folders, Message):
        raise RunFailed(folders)
    return tuple(f"--include-path={folder}" for folder in folders)


def _code(program: int, options: Sequence[str]) -> bytes:
    """Return the code that a program was compiled to."""
    from cupy_backends.cuda.libs import nvrtc

    portable = any("=compute_" in option for option in options)
    code: str | bytes = nvrtc.getPTX(program) if portable else nvrtc.getCUBIN(program)
    return code.encode() if isinstance(code, str) else code


def _refused(program: int, error: Exception) -> RunFailed:
    from cupy_backends.cuda.libs import nvrtc

    log = nvrtc.getProgramLog(program).strip() or str(error)
    return RunFailed(message("The CUDA compiler refuses this source: {text}", text=log))


def _load(code: bytes, entry: str, options: tuple[str, ...]) -> Kernel:
    from cupy.cuda import Module, driver

    with in_plain_words():
        module = Module()
        module.load(code)
        function = module.get_function(entry)
        registers = driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_NUM_REGS, function.ptr)
        shared_bytes = driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function.ptr)
    return Kernel(function, registers, shared_bytes, options)
