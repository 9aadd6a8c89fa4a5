"""`tilescope check-edges`: its table, its JSON and what it returns, of a kernel, of a variant and of a whole program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.launches.whole_programs import SIZE_IN_ARGUMENTS

KERNEL = """__global__ void twice(const float* a, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) c[i] = a[i] * 2;
}
"""
LAUNCH = ("--grid", "2", "--block", "64", "--arg", "a=100:random", "--arg", "c=100", "--arg", "n=100")


@pytest.fixture
def command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def kernel(tmp_path: Path) -> str:
    (tmp_path / "k.cu").write_text(KERNEL, encoding="utf-8")
    return str(tmp_path / "k.cu")


def test_the_smallest_that_fails_is_told_with_the_command_that_shows_it(command_line: CommandLine, kernel: str) -> None:
    answer = command_line("check-edges", kernel, *LAUNCH)
    assert answer.status == 3
    assert f"{kernel}: Fails with n = 1, line 3: a[i] reaches element 1 of a, which has 1." in answer.out
    assert "--grid 1,1,1 --block 64,1,1 --arg a=1:random --arg c=1 --arg n=1" in answer.out
    found = command_line("check-edges", kernel, *LAUNCH, "--json").json
    assert found["smallest"]["sizes"] == {"n": 1}
    assert found["smallest"]["trust"][0]["exact"]["blocks_traced"] == 1
    assert "Trust, n = 1: Exact: 1 of 1 blocks" in answer.out
    assert [each["fails"] for each in found["tried"] if each["sizes"] == {"n": 64}] == [False]
    again = command_line(*found["command"].split()[1:])
    assert again.status == 3
    assert "out-of-bounds" in again.out


def test_a_race_is_told_with_both_lines_and_variables_stay_as_given(command_line: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        """__constant__ int far;
__global__ void k(const int* to, int* out) {
    out[to[threadIdx.x]] = threadIdx.x;
    if (threadIdx.x == 0) out[64] = out[far];
}
""",
        encoding="utf-8",
    )
    launch = ("--grid", "1", "--block", "64", "--arg", "to=64:arange", "--arg", "out=65", "--arg", "far=0")
    found = command_line("check-edges", str(path), *launch, "--json").json
    races = [{each["line"], each["other_line"]} for each in found["smallest"]["findings"] if each["kind"] == "data-race"]
    assert {3} in races
    assert "--arg far=0" in found["command"]


def test_what_works_is_said_with_how_much_was_tried(command_line: CommandLine) -> None:
    answer = command_line("check-edges", "gpu.tiled", "--n", "32", "--tile", "8", "--json")
    assert answer.status == 0
    found = answer.json
    assert not found["fails"]
    assert found["compared"]
    assert found["verdict"] == f"Works with everything tried: {len(found['tried'])}."
    assert {"M": 9, "N": 8, "K": 8} in [each["sizes"] for each in found["tried"]]


def test_a_kernel_whose_right_results_are_unknown_is_not_said_to_work(command_line: CommandLine, tmp_path: Path) -> None:
    """It sums whole tiles only: wrong with every n that 32 does not divide, and no access, race or barrier shows it."""
    path = tmp_path / "k.cu"
    path.write_text(
        """
__global__ void sum(const float* a, float* c, int n) {
    float s = 0;
    for (int t = 0; t < n / 32; t++) s += a[t * 32 + threadIdx.x];
    if (threadIdx.x < n) c[threadIdx.x] = s;
}
""",
        encoding="utf-8",
    )
    launch = ("--grid", "1", "--block", "32", "--arg", "a=64:random", "--arg", "c=64", "--arg", "n=64")
    answer = command_line("check-edges", str(path), *launch)
    assert "Whether the results are right is not known." in answer.out
    assert "works" not in answer.out.lower()


def test_a_program_is_tried_with_other_words(command_line: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "p.cu"
    path.write_text(SIZE_IN_ARGUMENTS, encoding="utf-8")
    answer = command_line("check-edges", str(path), "--json", "--", "64")
    assert answer.status == 3
    found = answer.json
    assert found["smallest"]["words"] == ["1"]
    assert [each["line"] for each in found["smallest"]["trust"]] == ["Exact: 1 of 1 blocks"]
    outcomes = {each["words"][0]: each["fails"] for each in found["tried"]}
    assert (outcomes["0"], outcomes["31"], outcomes["32"]) == (None, True, False)
    refused = command_line("check-edges", str(path))
    assert refused.status == 2
    assert "The program takes no size on its command line" in refused.err
    assert "atoi(argv[1])" in refused.err, "what can be done about it"


def test_what_has_no_meaning_is_refused(command_line: CommandLine, kernel: str) -> None:
    assert command_line("check-edges", kernel, *LAUNCH, "--mode", "warp").status == 2
    assert "--grid" in command_line("check-edges", kernel).err
