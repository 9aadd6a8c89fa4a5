"""Compiling: plain kernel files, one cache directory, and no crash where nothing may be written."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.base.compiled_functions import CACHE_VARIABLE
from kernels.base.spec import Variant
from kernels.catalogue.catalogue import by_id
from kernels.catalogue.source import constants, kernel_function
from kernels.jit.compile import CONTIGUOUS, OPTIONS, Specialization, compiled, machine_code, set_cache_directory
from kernels.jit.machine_code import inner_loop
from kernels.jit.team_run import COPIES, PANELS
from tests.devices.cpu_settings import CPU_VARIANTS


def keep(build: Specialization, folder: Path) -> None:
    """Compile a kernel so that it is kept in a folder."""
    assert set_cache_directory(folder)
    compiled(build)


@pytest.fixture(autouse=True)
def cache_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(CACHE_VARIABLE, "")
    yield
    set_cache_directory(None)


@pytest.mark.parametrize("variant", CPU_VARIANTS, ids=lambda variant: variant.id)
def test_a_kernel_is_plain_functions_without_decorator_or_numba(variant: Variant) -> None:
    module = ast.parse(variant.source_text)
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    assert variant.entry in [function.name for function in functions]
    assert all(function.decorator_list == [] for function in functions)
    assert "import numba" not in variant.source_text
    assert ast.get_docstring(module)


@pytest.mark.parametrize("variant", CPU_VARIANTS, ids=lambda variant: variant.id)
def test_the_signature_takes_the_matrices_and_then_the_parameters(variant: Variant) -> None:
    matrices = ["A", "C"] if "transpose" in variant.id else ["A", "B", "C"]
    taken = list(inspect.signature(kernel_function(variant)).parameters)
    team = {"threads", "schedule", "chunk"} if "team" in taken else set()
    elsewhere = {*team, *OPTIONS, CONTIGUOUS, *(name.lower() for name in constants(variant, dict.fromkeys(variant.defaults, 1)))}
    numbers = [] if variant.library else [name for name in variant.defaults if name in taken]
    assert variant.library or set(variant.defaults) - set(numbers) <= elsewhere
    shared = [name for name in (PANELS, COPIES) if name in taken]
    assert taken == matrices + shared + numbers + (["team", "thread"] if team else [])


def test_a_library_is_called_as_it_is() -> None:
    numpy_variant = by_id("cpu.numpy")
    assert compiled(Specialization(numpy_variant.id)) is kernel_function(numpy_variant)


def test_only_contiguous_float32_is_accepted() -> None:
    transpose = compiled(Specialization("cpu.transpose-naive"))
    with pytest.raises(TypeError):
        transpose(np.zeros((2, 2)), np.zeros((2, 2)))
    with pytest.raises(TypeError):
        transpose(np.zeros((4, 4), np.float32)[:, :2], np.zeros((2, 4), np.float32))


def test_a_panel_of_rows_is_accepted() -> None:
    A, C = np.ones((6, 3), np.float32), np.zeros((3, 2), np.float32)
    compiled(Specialization("cpu.transpose-naive"))(A[2:4], C)
    assert (C == 1).all()


def test_the_directory_is_made_and_inherited(tmp_path: Path) -> None:
    assert set_cache_directory(tmp_path / "one" / "two")
    assert os.environ[CACHE_VARIABLE] == str(tmp_path / "one" / "two")
    assert not set_cache_directory(None)
    assert CACHE_VARIABLE not in os.environ


def test_where_nothing_can_be_written_kernels_compile_without_a_cache(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.touch()
    assert not set_cache_directory(occupied / "cache")
    compiled(Specialization("cpu.transpose-naive"))


def test_the_machine_code_is_kept_as_text_beside_the_compiled_kernel(tmp_path: Path) -> None:
    build = Specialization("cpu.naive")
    fresh = machine_code(build, compiled(build))
    keep(build, tmp_path)
    loaded = compiled(build)
    assert sum(loaded.stats.cache_hits.values()) == 1  # type: ignore[attr-defined]
    assert inner_loop(machine_code(build, loaded)) == inner_loop(fresh) is not None
    next(tmp_path.rglob("assembly.s")).unlink()
    assert machine_code(build, loaded) == "", "nothing is claimed of code that cannot be read"
    assert machine_code(Specialization("cpu.numpy"), compiled(Specialization("cpu.numpy"))) == ""


def test_compiled_kernels_are_kept_and_found_again(tmp_path: Path) -> None:
    naive = by_id("cpu.transpose-naive")
    keep(Specialization(naive.id), tmp_path)
    kept = set(tmp_path.rglob("*.nbc"))
    assert len(kept) == 1
    assert sum(compiled(Specialization(naive.id)).stats.cache_hits.values()) == 1  # type: ignore[attr-defined]
    assert set(tmp_path.rglob("*.nbc")) == kept


def test_a_cache_that_is_damaged_is_made_anew(tmp_path: Path) -> None:
    build = Specialization("cpu.transpose-naive")
    keep(build, tmp_path)
    for file in tmp_path.rglob("*.nb?"):
        file.write_bytes(b"damaged")
    assert sum(compiled(build).stats.cache_hits.values()) == 0, "it is compiled again"  # type: ignore[attr-defined]
    compiled(build)
    assert sum(compiled(build).stats.cache_hits.values()) == 1, "and kept again"  # type: ignore[attr-defined]


def test_where_there_is_no_room_kernels_compile_and_nothing_claims_to_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core.caching import IndexDataCacheFile

    def full(cache: object, name: str, data: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "_save_data", full)
    keep(Specialization("cpu.transpose-naive"), tmp_path)
    compiled(Specialization("cpu.transpose-naive"))
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_a_changed_source_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    naive = Specialization("cpu.transpose-naive")
    keep(naive, tmp_path)
    monkeypatch.setattr("kernels.jit.compile.digest", lambda: "of another text")
    assert sum(compiled(naive).stats.cache_hits.values()) == 0  # type: ignore[attr-defined]


def test_importing_the_compiler_and_the_runner_does_not_import_numba() -> None:
    code = "import sys, kernels.jit.runner, kernels.cpusim.execute, app.core.tracing.service; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("variant", [each for each in CPU_VARIANTS if "recursion" in each.features], ids=lambda variant: variant.id)
def test_a_kernel_that_calls_itself_is_one_that_can_be_loaded_again(variant: Variant) -> None:
    """Versions of a function for other types of arguments that call each other crash when numba loads them from its cache."""
    kernel: Any = compiled(Specialization.of(variant, variant.defaults))
    assert "numba.unresolved" not in "".join(kernel.inspect_llvm().values())
