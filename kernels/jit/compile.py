"""Compiler of CPU kernels: the very function that is shown goes through numba, ahead of its first call, into a cache on disk.

What is loaded from the cache is ready in about ten milliseconds. Of a thread team, thread 0 begins each run and ends it. The others wait in
compiled code, first awake, then asleep: to wake them through the interpreter would take longer than many a run.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import platform
import shutil
import tempfile
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from kernels.base.compiled_functions import CACHE_VARIABLE, digest
from kernels.base.digests import digest_of
from kernels.base.spec import Parameters, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import by_id
from kernels.catalogue.source import Kernel, constants, is_for_a_team, kernel_function, kernel_module, with_constants
from kernels.cpu import teams
from kernels.jit.detect import refuse_matrix_registers
from kernels.measure.runner import RunFailed

_TEXT = """\
def take_part({arguments}):
    if thread == 0:
        begin_run(team)
        {entry}({arguments})
        end_run(team)
    else:
        runs = 0
        while await_run(team, thread, runs):
            runs += 1
            {entry}({arguments})
            finish_run(team)
"""
_TEAMS = {name: getattr(teams, name) for name in ("begin_run", "end_run", "await_run", "finish_run")}


def serving(entry: FunctionType, names: dict[str, Any]) -> FunctionType:
    """A function with the arguments of a kernel's entry: thread 0 runs the kernel once, the others as often as it does, until the end.

    `names` are those that the kernel's text sees.
    """
    text = _TEXT.format(arguments=", ".join(inspect.signature(entry).parameters), entry=entry.__name__)
    own: dict[str, Any] = {**names, **_TEAMS}
    exec(compile(text, entry.__code__.co_filename, "exec"), own)
    function: FunctionType = own["take_part"]
    function.__module__ = entry.__module__
    return function


OPTIONS = {"fastmath": {"reassoc", "contract", "nsz"}, "boundscheck": True}
"""Parameters of these names, 0 or 1, are options of the compiler, with what 1 means. Sums in any order, and multiplications fused with
additions; but NaN and infinity remain what they are."""
NEWEST_LLVM_TRIED = 22
CONTIGUOUS = "contiguous"
"""A parameter of this name says, by 1, that the compiler is told that rows lie one after the other."""


@dataclass(frozen=True, slots=True)
class Specialization:
    """Kernel as it is compiled: a variant, and those of its parameters that the compiler sees."""

    variant_id: str
    settings: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(variant: Variant, parameters: Parameters) -> Specialization:
        """The build that runs the variant with these parameters."""
        seen = constants(variant, parameters)
        chosen = {name: value for name, value in parameters.items() if name.upper() in seen or name in (*OPTIONS, CONTIGUOUS)}
        return Specialization(variant.id, tuple(sorted(chosen.items())))

    @property
    def variant(self) -> Variant:
        return by_id(self.variant_id)


def set_cache_directory(path: Path | None) -> bool:
    """Keep compiled kernels in `path`, which is made if need be. True if that works; else nothing is kept on disk.

    Inherited by processes that are started later.
    """
    os.environ.pop(CACHE_VARIABLE, None)
    if path is None:
        return False
    try:
        path.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
    except OSError:
        return False
    os.environ[CACHE_VARIABLE] = str(path)
    return True


def compiled(build: Specialization) -> Kernel:
    """The kernel ready to be called, without the interpreter lock while it runs; a library's routine is returned as it is.

    Compiles for float32 matrices and whole numbers, or loads what the cache directory holds; that keeps the machine code as text too.
    Matrices are C-contiguous, unless a parameter says otherwise. A multi-threaded kernel comes as `serving` wraps it.
    """
    variant, settings = build.variant, dict(build.settings)
    if variant.library:
        return kernel_function(variant)
    import numba

    import kernels.jit.matrix_registers_numba
    import kernels.jit.simd_numba
    import kernels.jit.teams_numba  # noqa: F401  # all teach numba what the functions of their namesakes mean

    reason = refuse_matrix_registers() if variant.needs.matrix_registers else None
    if reason is not None:
        raise RunFailed(reason)  # LLVM would end the process

    _keep_to_one_version_of_a_loop()
    options: dict[str, Any] = {name: bool(settings[name]) and meaning for name, meaning in OPTIONS.items() if name in settings}
    directory = os.environ.get(CACHE_VARIABLE, "")
    keep_in(_folder(build, Path(directory)) if directory else None)
    names = with_constants(kernel_module(variant), constants(variant, settings), lambda helper: numba.njit(nogil=True, **options)(helper))
    entry: FunctionType = names[variant.entry].py_func
    called = serving(entry, names) if is_for_a_team(variant) else entry
    layout = "::1" if settings.get(CONTIGUOUS, 1) else ":"
    try:
        kernel: Kernel = numba.njit(_signature(called, layout), nogil=True, cache=bool(directory), **options)(called)
    except Exception:  # the disk may be full, or what is kept there damaged in any way: it is compiled all the same
        if directory:
            shutil.rmtree(_folder(build, Path(directory)), ignore_errors=True)
        kernel = numba.njit(_signature(called, layout), nogil=True, **options)(called)
    if directory and (text := _assembly(kernel)):
        keep_text(text, _text(build, Path(directory)))
    return kernel


def machine_code(build: Specialization, kernel: Kernel) -> str:
    """The assembly text of a compiled kernel; empty for a library, and where it was loaded from a cache that holds no text of it."""
    if build.variant.library:
        return ""
    directory = os.environ.get(CACHE_VARIABLE, "")
    kept = _text(build, Path(directory)) if directory else None
    if kept is not None and kept.exists():
        return kept.read_text(encoding="utf-8")
    return _assembly(kernel)


@cache
def _keep_to_one_version_of_a_loop() -> None:
    """Keep LLVM from adding a version of a loop down a column, made of vectors, for matrices of a single column.

    It would be found in the machine code of a loop that in truth takes one value at a time. LLVM takes an option once in a process,
    and would end the process over one that it does not know.
    """
    import llvmlite.binding

    if llvmlite.binding.llvm_version_info[0] <= NEWEST_LLVM_TRIED:
        llvmlite.binding.set_option("tilescope", "-enable-mem-access-versioning=false")


def _signature(function: FunctionType, layout: str) -> str:
    """numba's signature, from the names of the arguments: capitals are matrices, a team is its memory, the others whole numbers."""
    kinds = {True: f"float32[:, {layout}]", False: "int64"}
    names = inspect.signature(function).parameters
    return f"void({', '.join('int64[::1]' if name == 'team' else kinds[name.isupper()] for name in names)})"


def keep_in(folder: Path | None) -> None:
    """Where numba keeps what is declared from here on; it takes modules that differ in a constant for the same."""
    import numba

    # numba itself reads the variable only at its import
    numba.config.CACHE_DIR = "" if folder is None else str(folder)  # type: ignore[attr-defined]


def folder_of(name: str, made_of: tuple[str, ...], cache_dir: Path) -> Path:
    """Where `cache_dir` keeps what is compiled from these texts by these versions for this processor."""
    import llvmlite.binding
    import numba

    all_of_it = (*made_of, numba.__version__, platform.python_version(), llvmlite.binding.get_host_cpu_name())
    return cache_dir / f"{name}-{digest_of(repr(all_of_it).encode())}"


def _folder(build: Specialization, cache_dir: Path) -> Path:
    """Where `cache_dir` keeps this build."""
    return folder_of(build.variant_id, (digest(), repr(build.settings)), cache_dir)


def _assembly(kernel: Any) -> str:
    """What was compiled in this process as text; a kernel that numba loaded from its cache has none."""
    return "" if sum(kernel.stats.cache_hits.values()) else "\n".join(kernel.inspect_asm().values())


def keep_text(text: str, file: Path) -> None:
    """Write all of a text or nothing. Of a kernel without one nothing is kept then."""
    made = file.with_suffix(f".{os.getpid()}")
    try:
        made.write_text(text, encoding="utf-8")
        made.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            made.unlink(missing_ok=True)


def _text(build: Specialization, cache_dir: Path) -> Path:
    """The file that keeps the build's assembly text."""
    return _folder(build, cache_dir) / "assembly.s"
