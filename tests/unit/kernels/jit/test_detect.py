"""What is told of the processor."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from kernels.base.devices import Availability
from kernels.base.machine_conditions import cache_sizes
from kernels.base.spec import Device
from kernels.jit import detect


@pytest.mark.skipif(find_spec("numba") is None, reason="needs numba")
def test_a_processor_is_ready_and_says_what_it_has() -> None:
    status = detect.probe_cpu()
    assert status.device is Device.CPU
    assert status.ready
    assert status.name
    assert 0 < (status.limits.memory_bytes or 0) <= int(status.details["memory_bytes"])
    assert 1 <= int(status.details["physical_cores"]) <= int(status.details["logical_cores"])


def test_without_numba_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "find_spec", lambda _name: None)
    monkeypatch.setitem(sys.modules, "llvmlite", None)  # which numba brings: to import it raises
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    detect.refuse_matrix_registers.cache_clear()
    status = detect.probe_cpu()
    assert status.availability is Availability.NO_PACKAGE
    assert str(status.reason) == "The package numba is not installed."
    assert "pip install numba" in str(status.remedy)


def test_the_caches_are_read_and_broken_entries_skipped(tmp_path: Path) -> None:
    entries = [("1", "Data", "48K", "64"), ("1", "Instruction", "32K", "64"), ("2", "Unified", "1024K", "64"), ("3", "Unified", "?", "64")]
    for index, values in enumerate(entries):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        for name, value in zip(("level", "type", "size", "coherency_line_size"), values, strict=True):
            (folder / name).write_text(f"{value}\n", encoding="utf-8")
    (tmp_path / "index9").mkdir()
    assert cache_sizes(tmp_path) == {"l1_bytes": 49152, "cache_line_bytes": 64, "l2_bytes": 1048576}
    assert cache_sizes(tmp_path / "nowhere") == {}
