"""Instrumented kernels are compiled once and then come from disk, each with its own constants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernels.base.compiled_functions import CACHE_VARIABLE
from kernels.base.spec import Operation, Parameters, Problem
from kernels.cachesim.execute import execute
from kernels.cachesim.load import _instrumented, instrumented
from kernels.catalogue.catalogue import by_id

PANELS = {"mc": 8, "kc": 8, "nc": 16, "mr": 4, "nr": 8}


def executed(parameters: Parameters) -> tuple[int, Any]:
    """How many accesses the packed kernel makes, loaded anew, and the function that made them."""
    variant = by_id("cpu.packed")
    seen = 0

    def take(entries: Any) -> bool:
        nonlocal seen
        seen += len(entries)
        return True

    _instrumented.cache_clear()
    kernel = instrumented(variant, parameters)
    execute(kernel, Problem.square(Operation.MATMUL, 12), parameters, take)
    return seen, kernel.function


def test_a_kernel_that_was_compiled_comes_from_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    first, compiled = executed(PANELS)
    again, loaded = executed(PANELS)
    assert sum(compiled.stats.cache_hits.values()) == 0
    assert sum(loaded.stats.cache_hits.values()) == 1
    assert again == first


def test_a_kernel_with_another_constant_is_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    first, _function = executed(PANELS)
    other, compiled = executed({**PANELS, "mr": 2})
    assert sum(compiled.stats.cache_hits.values()) == 0
    assert other != first
