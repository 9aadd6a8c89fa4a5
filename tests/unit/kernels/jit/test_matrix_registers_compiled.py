"""Matrix registers as they are compiled: which instructions, what is packed, and who is refused."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from kernels.base.compiled_functions import CACHE_VARIABLE
from kernels.base.limits import Limits, refuse
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.cpu import matmul_amx
from kernels.jit import detect
from kernels.measure.runner import RunFailed

numba = pytest.importorskip("numba")
ALL = {"amx-tile": True, "amx-bf16": True}
COMPILE = """
import re, numba
from kernels.catalogue.catalogue import by_id, find
from kernels.jit import compile
numba.config.CPU_NAME = "sapphirerapids"
numba.config.CPU_FEATURES = "+amx-tile,+amx-bf16,+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma,+avx2"
compile.refuse_matrix_registers = lambda: None
amx = find("cpu.amx")
print(compile._assembly(compile.compiled(compile.Specialization.of(amx, amx.defaults))))
"""


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    """What a test pretends about the processor stays with that test."""
    detect.refuse_matrix_registers.cache_clear()
    yield
    detect.refuse_matrix_registers.cache_clear()


def test_the_instructions_are_those_of_the_text() -> None:
    """Compiled for another processor, in a process of its own, and not executed."""
    new = {name: value for name, value in os.environ.items() if name != CACHE_VARIABLE}  # of what is kept there is no text
    done = subprocess.run([sys.executable, "-c", COMPILE], env=new, capture_output=True, text=True, check=True, timeout=300)
    counts = {name: len(re.findall(rf"\b{name}\b", done.stdout)) for name in ("ldtilecfg", "tilezero", "tilestored", "tilerelease")}
    assert counts == {"ldtilecfg": 1, "tilezero": 4, "tilestored": 4, "tilerelease": 1}
    loads, products = (re.findall(rf"{name}\s.*%tmm(\d)$", done.stdout, re.MULTILINE) for name in ("tileloadd", "tdpbf16ps"))
    assert loads[:4] == ["4", "5", "6", "7"]
    assert re.search(r"tdpbf16ps\s+%tmm6, %tmm4, %tmm0\n\s+tdpbf16ps\s+%tmm7, %tmm4, %tmm1\n", done.stdout)
    assert len(loads) == len(products)


@pytest.mark.parametrize("pack", ["pack_words_along", "pack_words_down"])
@pytest.mark.parametrize("shape", [(32, 32), (33, 47), (5, 70), (1, 1)])
def test_compiled_packing_makes_the_same_words(pack: str, shape: tuple[int, int]) -> None:
    import kernels.jit.simd_numba  # noqa: F401  # teaches numba what the functions mean

    matrix = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    matrix.flat[0] = np.nan
    panels = [np.full((512, 16 if pack == "pack_words_along" else 32), 7, np.float32) for _ in range(2)]
    function = getattr(matmul_amx, pack)
    function(matrix, panels[0])
    numba.njit(function)(matrix, panels[1])
    assert (panels[0] != 7).any()
    np.testing.assert_array_equal(panels[0].view(np.uint32), panels[1].view(np.uint32))


def test_a_processor_without_them_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: {"amx-tile": True})
    reason = detect.refuse_matrix_registers()
    assert str(reason) == "This processor has no AMX (amx_bf16)."
    variant = by_id("cpu.amx")
    problem = Problem.square(Operation.MATMUL, 64)
    assert refuse(variant, problem, variant.defaults, Limits(no_matrix_registers=reason)) == reason
    packed = by_id("cpu.packed")
    assert refuse(packed, problem, packed.defaults, Limits(no_matrix_registers=reason)) is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux is asked")
def test_what_linux_says_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: ALL)
    monkeypatch.setattr(detect, "_ask", lambda: errno.EPERM)
    assert str(detect.refuse_matrix_registers()) == "The processor has AMX, but Linux does not let it be used: Operation not permitted."
    detect.refuse_matrix_registers.cache_clear()
    monkeypatch.setattr(detect, "_ask", lambda: 0)
    assert detect.refuse_matrix_registers() is None


def test_nothing_is_compiled_where_it_could_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM would end the process."""
    from kernels.jit.compile import Specialization, compiled

    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", dict)
    variant = by_id("cpu.amx")
    with pytest.raises(RunFailed, match="no AMX"):
        compiled(Specialization.of(variant, variant.defaults))
