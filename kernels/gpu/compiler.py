"""Compiler of CUDA C through NVRTC, NVIDIA's run-time compiler, and loader of the result.

NVRTC is called directly, through CuPy's binding: its options are all that the compiler gets, CUDA's headers are looked for only where a
source includes one, and a source can be checked on a machine without a GPU.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kernels.base.architectures import SHARED_BYTES
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.gpu.errors import in_plain_words
from kernels.measure.runner import RunFailed
from kernels.nvrtc.headers import OPTIONS, compiled_anew

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
    """Opt in to so much dynamic shared memory of a block, where it is more than any kernel may have, and than the kernel was allowed:
    launches of other sizes share it."""
    from cupy.cuda import driver

    if dynamic_bytes > SHARED_BYTES and dynamic_bytes > driver.funcGetAttribute(MAX_DYNAMIC_SHARED, function.ptr):
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
