"""Compiles CPU kernels: the very function that is shown goes through numba, ahead of its first call, into a cache on disk.

Compiling holds the interpreter lock long enough to be seen in a window, so `ensure_compiled` leaves it to another process;
what this process then loads from the cache is ready in about ten milliseconds.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import multiprocessing
import os
import platform
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from kernels.catalog import find
from kernels.measure.runner import CancelCheck
from kernels.spec import Variant

Kernel = Callable[..., None]
"""Called with the variant's matrices and then its parameters, in the order of its signature."""

CACHE_VARIABLE = "NUMBA_CACHE_DIR"


def kernel_function(variant: Variant) -> Kernel:
    """The kernel's own Python function."""
    module = importlib.import_module("kernels." + variant.source.removesuffix(".py").replace("/", "."))
    function: Kernel = getattr(module, variant.entry)
    return function


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


def compiled(variant: Variant) -> Kernel:
    """The kernel ready to be called, without the interpreter lock while it runs; a library's routine is returned as it is.

    Compiles for C-contiguous float32 matrices and whole numbers, or loads what the cache directory holds.
    """
    function = kernel_function(variant)
    if variant.library:
        return function
    import numba

    directory = os.environ.get(CACHE_VARIABLE, "")
    numba.config.CACHE_DIR = directory  # type: ignore[attr-defined]  # numba itself reads the variable only at its import
    kernel: Kernel = numba.njit(_signature(function), nogil=True, cache=bool(directory))(function)
    return kernel


def ensure_compiled(variants: Iterable[Variant], cache_dir: Path, check: CancelCheck) -> None:
    """Fill the cache with what it lacks of `variants`, in another process; calls `check` while waiting.

    Where that fails, nothing is lost but smoothness: `compiled` then compiles in this process.
    """
    missing = [variant.id for variant in variants if not variant.library and not _mark(variant, cache_dir).exists()]
    if not missing:
        return
    process = multiprocessing.get_context("spawn").Process(target=compile_into_cache, args=(missing, cache_dir), daemon=True)
    process.start()
    try:
        while process.is_alive():
            check()
            process.join(0.05)
    finally:
        process.kill()
        process.join()
        process.close()


def compile_into_cache(variant_ids: Iterable[str], cache_dir: Path) -> None:
    """Compile these variants and leave them in `cache_dir`. Meant to be the work of a process of its own."""
    if not set_cache_directory(cache_dir):
        return
    for variant_id in variant_ids:
        variant = find(variant_id)
        assert variant is not None, variant_id
        compiled(variant)
        _mark(variant, cache_dir).touch()


def _signature(function: Kernel) -> str:
    """numba's signature, from the names of the arguments: capitals are matrices, the others whole numbers."""
    names = inspect.signature(function).parameters
    return f"void({', '.join('float32[:, ::1]' if name.isupper() else 'int64' for name in names)})"


def _mark(variant: Variant, cache_dir: Path) -> Path:
    """The empty file that says that `cache_dir` holds this source, compiled by these versions for this processor."""
    import llvmlite.binding
    import numba

    made_of = (variant.source_text, numba.__version__, platform.python_version(), llvmlite.binding.get_host_cpu_name())
    digest = hashlib.sha256("\0".join(made_of).encode()).hexdigest()[:16]
    return cache_dir / f"{variant.id}-{digest}.compiled"
