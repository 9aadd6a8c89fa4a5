"""The hierarchies that have names, and what each system tells of its caches."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from kernels.cachesim import presets
from kernels.cachesim.geometry import Level, parse_level
from kernels.cachesim.presets import MACHINE, PRESETS, SCALED, TYPICAL, from_sysctl, from_sysfs, from_windows, machine_levels, preset


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_whole_and_says_what_it_is(name: str) -> None:
    hierarchy = preset(name)
    assert hierarchy.name == name
    assert hierarchy.levels
    assert hierarchy.note is not None
    assert [parse_level("level", str(level)) for level in hierarchy.all_levels] == list(hierarchy.all_levels)


def test_there_is_no_other_preset() -> None:
    with pytest.raises(KeyError):
        preset("abacus")


def test_a_small_matrix_overflows_the_scaled_caches() -> None:
    matrix = 32 * 32 * 4
    assert all(level.size < 3 * matrix for level in preset(SCALED).levels)


def test_a_system_that_tells_nothing_gets_typical_caches_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presets, "machine_levels", lambda: ())
    hierarchy = preset(MACHINE)
    assert hierarchy.levels == TYPICAL
    assert "typical" in str(hierarchy.note)


def test_this_machine_has_levels_of_growing_size() -> None:
    sizes = [level.size for level in machine_levels()]
    assert sizes == sorted(sizes)


def test_linux_tells_in_files(tmp_path: Path) -> None:
    entries = [
        ("1", "Data", "48K", "12", "64"),
        ("1", "Instruction", "32K", "8", "64"),
        ("2", "Unified", "1024K", "16", "64"),
        ("3", "Unified", "?", "16", "64"),
    ]
    for index, values in enumerate(entries):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        for name, value in zip(("level", "type", "size", "ways_of_associativity", "coherency_line_size"), values, strict=True):
            (folder / name).write_text(f"{value}\n", encoding="utf-8")
    assert list(from_sysfs(tmp_path)) == [(1, 49152, 12, 64), (2, 1048576, 16, 64)]
    assert list(from_sysfs(tmp_path / "nowhere")) == []


def test_macos_tells_of_its_fast_cores_and_not_of_ways() -> None:
    told = {"hw.cachelinesize": 128, "hw.l1dcachesize": 65536, "hw.perflevel0.l1dcachesize": 131072, "hw.perflevel0.l2cachesize": 12582912}
    assert list(from_sysctl(told)) == [(1, 131072, 8, 128), (2, 12582912, 8, 128)]
    intel = {"hw.cachelinesize": 64, "hw.l2cachesize": 262144, "machdep.cpu.cache.L2_associativity": 4}
    assert list(from_sysctl(intel)) == [(2, 262144, 4, 64)]


def test_windows_tells_in_records() -> None:
    def record(relation: int, level: int, ways: int, size: int, kind: int) -> bytes:
        return struct.pack("=QI4xBBHII4x", 1, relation, level, ways, 64, size, kind)

    records = (
        record(0, 0, 0, 0, 0)
        + record(2, 1, 8, 32768, 2)
        + record(2, 1, 8, 32768, 1)
        + record(2, 1, 8, 32768, 2)
        + record(2, 3, 0xFF, 65536, 0)
    )
    assert list(from_windows(records)) == [(1, 32768, 8, 64), (3, 65536, 1024, 64)]


def test_a_level_is_read_as_it_is_written() -> None:
    assert parse_level("level", "L1:32768:8:64") == Level("L1", 32768, 8, 64)
    assert str(parse_level("level", "D1:512:2:32:WT:PLRU")) == "D1:512:2:32:plru:wt"
