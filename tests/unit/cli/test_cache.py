"""`tilescope cache`: counts as JSON and as a table, and what is refused."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.command_line import CommandLine

needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="needs numba")
SMALL = ("cpu.naive", "--n", "8")
L1 = ("--level", "L1:32768:8:64")
SIDE = 48
KINDS = ("reads", "writes", "read_misses", "write_misses")


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@needs_numba
def test_a_matrix_that_fits_is_fetched_once(tilescope: CommandLine) -> None:
    answer = tilescope("cache", "cpu.naive", "--n", str(SIDE), *L1, "--json")
    assert answer.status == 0
    (level,) = answer.json["levels"]
    lines = SIDE * SIDE * 4 // 64
    expected = {"name": "L1", "reads": 2 * SIDE**3, "writes": SIDE**2, "read_misses": 2 * lines, "write_misses": lines}
    assert {name: level[name] for name in expected} == expected
    assert level["misses_by_kind"] == {"compulsory": 3 * lines, "capacity": 0, "conflict": 0}
    assert {name: array["address"] for name, array in answer.json["arrays"].items()} == {"A": 0, "B": 9216, "C": 18432}


@needs_numba
def test_arrays_and_lines_add_up_to_the_levels(tilescope: CommandLine) -> None:
    levels = ("--level", "D1:1024:2:32:plru", "--level", "D2:8192:4:64:fifo:wt")
    answer = tilescope("cache", "cpu.blocked", "--m", "19", "--n", "33", "--k", "21", "--tile", "8", *levels, "--json").json
    assert [level["name"] for level in answer["levels"]] == ["D1", "D2"]
    for number, level in enumerate(answer["levels"]):
        for part in (list(answer["arrays"].values()), answer["lines"]):
            assert {kind: sum(each["levels"][number][kind] for each in part) for kind in KINDS} == {kind: level[kind] for kind in KINDS}
        assert sum(level["misses_by_kind"].values()) == level["read_misses"] + level["write_misses"]
    above, below = answer["levels"]
    assert (below["reads"], below["writes"]) == (above["read_misses"], above["write_misses"])


@needs_numba
def test_without_json_it_is_a_table_with_what_the_caches_are(tilescope: CommandLine) -> None:
    answer = tilescope("cache", "cpu.transpose-naive", "--n", "32", "--preset", "scaled")
    assert answer.status == 0
    subject, levels, arrays = [[line.split()[0] for line in part.splitlines()] for part in answer.out.split("\n\n")]
    assert subject == ["Variant", "Size"]
    assert levels == ["Level", "L1", "L2", "TLB"]
    assert arrays == ["Array,", "A", "C"]
    assert answer.err.startswith("Scaled:")


def test_the_help_has_the_names_of_values(tilescope: CommandLine) -> None:
    assert "Schedule: one of static, dynamic, guided" in " ".join(tilescope("cache", "--help").out.split())


@needs_numba
def test_a_kernel_of_several_threads_is_counted_on_one_and_says_so(tilescope: CommandLine) -> None:
    command = ("cache", "cpu.transpose-parallel", "--n", "16", "--threads", "3", *L1)
    answer = tilescope(*command, "--json")
    assert answer.json["parameters"]["threads"] == 1
    assert "cpu.transpose-parallel: counted on one thread." in answer.err
    assert "threads = 1" in tilescope(*command).out


@needs_numba
def test_values_with_names_are_given_by_name_too(tilescope: CommandLine) -> None:
    found = tilescope("cache", "cpu.loop-order", "--n", "4", "--order", "kij", *L1, "--json").json
    assert found["parameter_names"] == {"order": "kij"}


@pytest.mark.parametrize(("arguments", "reason"), [
    (("cpu.naive",), "Missing: --n. See tilescope cache --help."),
    (("cpu.naive", "--n", "0"), "--n must be at least 1, not 0."),
    ((*SMALL, "--tile", "4"), "cpu.naive has no parameter --tile."),
    (("cpu.nave", "--n", "8"), "There is no variant 'cpu.nave'. The closest is cpu.naive."),
    ((*SMALL, "--level", "L1:32768:8"), "--level: 'L1:32768:8' is not a level such as L1:32768:8:64:lru:wb."),
    ((*SMALL, "--level", "L1:x:8:64"), "--level: the size of L1 is 'x', not a whole number from 1 to 17\u202f179"),
    ((*SMALL, "--level", "L1:4096:0:64"), "--level: the number of ways of L1 is '0', not a whole number from 1 to 65\u202f536."),
    ((*SMALL, "--level", "L1:4096:1:48"), "--level: the line size of L1, 48 bytes, is not a power of two."),
    ((*SMALL, "--level", "L1:4000:1:64"), "--level: the size of L1, 4000 bytes, is not a multiple of 1 ways of 64 bytes."),
    ((*SMALL, "--level", "L1:4096:1:64:mru"), "--level: 'mru' of L1 is not one of lru, plru, fifo, wb, wt."),
    ((*SMALL, "--level", "L1:384:6:64:plru"), "--level: L1 has 6 ways; a tree of bits (plru) needs 1, 2, 4, 8, 16, 32 or 64."),
    ((*SMALL, *L1, *L1), "--level: there are two levels called L1."),
    ((*SMALL, *L1, "--level", "L2:65536:8:32"), "--level: the lines of L2 are shorter than those of L1."),
    ((*SMALL, *L1, "--preset", "scaled"), "--level and --preset exclude each other."),
    (("cpu.numpy", "--n", "8"), "cpu.numpy is a library's routine: there is no source whose accesses could be counted."),
    (("gpu.naive", "--n", "8"), "gpu.naive does not run on one processor; the cache model is for variants that do."),
    (("cpu.naive", "--n", "1000000"), "1\u202f000\u202f000 × 1\u202f000\u202f000 needs"),
])  # fmt: skip
def test_wrong_input_is_refused_in_one_line(tilescope: CommandLine, arguments: tuple[str, ...], reason: str) -> None:
    assert tilescope.refused("cache", *arguments, "--json").startswith(f"tilescope: {reason}")
