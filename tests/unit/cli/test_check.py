"""`tilescope check` and `tilescope challenges`: honest attempts, dishonest ones, and files that are none."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import app.cli.check as command
from app.core.challenges.challenge import Attempt, Challenge
from app.core.challenges.library import challenge_of
from app.core.challenges.progress import Record, text_of
from app.core.challenges.result import written
from tests.command_line import CommandLine

SECRET = "a_word_that_only_the_other_file_has"
HEAD = 'extern "C" __global__ void doubled(const float* A, float* C, int rows, int columns)\n{\n'


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def challenge(name: str) -> Challenge:
    found = challenge_of(name)
    assert found is not None
    return found


def given(name: str = "uncoalesced") -> Attempt:
    return Attempt.of(challenge(name), challenge(name).given)


def hand_in(file: Path, attempt: Attempt, name: str = "") -> str:
    file.parent.mkdir(exist_ok=True)
    file.write_text(written(attempt, name), encoding="utf-8")
    return str(file)


def solved(name: str = "bank-conflict") -> Attempt:
    attempt = given(name)
    return replace(attempt, text=attempt.text.replace("tile[TILE][TILE];", "tile[TILE][TILE + 1];"))


def test_a_folder_is_checked_into_a_table(tilescope: CommandLine, tmp_path: Path) -> None:
    folder, table = tmp_path / "list", tmp_path / "list.csv"
    hand_in(folder / "a.attempt", solved(), "李雷")
    hand_in(folder / "b.attempt", given(), '=HYPERLINK("x")')
    (folder / "c.attempt").write_text("{", encoding="utf-8")
    (folder / "notes.txt").write_text("no attempt", encoding="utf-8")
    answer = tilescope("check", str(folder), "--csv", str(table))
    assert answer.status == 2
    assert "a.attempt: A column that lies in one bank (李雷): Solved." in answer.out
    assert "✗ At most 4 sectors an access: It is 32 sectors now." in answer.out
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["name"], row["challenge"], row["solved"], row["targets_met"]) for row in rows] == [
        ("李雷", "bank-conflict", "yes", "2"), ("'=HYPERLINK(\"x\")", "uncoalesced", "no", "0"), ("", "", "no", "0"),
    ]  # fmt: skip
    assert rows[2]["remarks"].startswith("Line 1, column 2: this is no JSON")


def test_chinese_lines_have_chinese_punctuation(tilescope: CommandLine, tmp_path: Path) -> None:
    solves, fails = hand_in(tmp_path / "a.attempt", solved(), "李雷"), hand_in(tmp_path / "b.attempt", given())
    none = tmp_path / "c.attempt"
    none.write_text("{", encoding="utf-8")
    out = tilescope("check", solves, fails, str(none), "--lang", "zh_CN").out
    assert "一列（李雷）：已解决。" in out
    for folder in (str(tmp_path), "A[", "a.attempt", "b.attempt", "c.attempt"):
        out = out.replace(folder, "")
    assert [each for each in (": ", " (", "):") if each in out] == []


def test_the_status_tells_solved_from_unsolved(tilescope: CommandLine, tmp_path: Path) -> None:
    right, wrong = hand_in(tmp_path / "right.attempt", solved()), hand_in(tmp_path / "wrong.attempt", given("bank-conflict"))
    answer = tilescope("check", right, "--json")
    assert answer.status == 0
    assert answer.json[0]["solved"] is True
    assert answer.json[0]["targets"][0] == {"target": "banks", "met": True, "numbers": {"ways": 1}}
    assert tilescope("check", right, wrong).status == 1


def test_what_a_file_says_of_its_own_success_is_refused(tilescope: CommandLine, tmp_path: Path) -> None:
    boasting = {**json.loads(written(given(), "Ada")), "solved": True}
    file = tmp_path / "boasting.attempt"
    file.write_text(json.dumps(boasting), encoding="utf-8")
    answer = tilescope("check", str(file))
    assert answer.status == 2
    assert "solved" in answer.out


WRONG: dict[str, Any] = {
    "a list": [],
    "another format": {"format": "tilescope state 1"},
    "a text that is a number": {"text": 7},
    "a challenge that is a path": {"challenge": "../../../etc/passwd"},
    "a challenge that is a list": {"challenge": ["uncoalesced"]},
    "a grid of two": {"grid": [1, 1]},
    "a grid of texts": {"grid": ["1", "1", "1"]},
    "no blocks": {"grid": [0, 1, 1]},
    "more blocks than there are": {"grid": [10**30, 1, 1]},
    "a block that is too large": {"block": [2048, 1, 1]},
    "part of a thread": {"block": [1.5, 1, 1]},
    "hints beyond measure": {"hints": 10**9},
    "a long name": {"name": "x" * 10_000},
    "a field that nobody knows": {"run": "rm -rf /"},
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_file_is_refused_with_a_reason(tilescope: CommandLine, tmp_path: Path, change: Any) -> None:
    file = tmp_path / "wrong.attempt"
    content = {**json.loads(written(given())), **change} if isinstance(change, dict) else change
    file.write_text(json.dumps(content), encoding="utf-8")
    answer = tilescope("check", str(file))
    assert answer.status == 2
    assert len(answer.out.strip()) > len(str(file)) + 10
    assert "Traceback" not in answer.out + answer.err


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"[" * 100_000, b'{"format": NaN}', b"x" * ((1 << 20) + 1), b"null", b'{"format": "tilescope attempt 99"}'],
    ids=["empty", "no text", "nested", "no number", "too large", "null", "a later version"],
)
def test_any_bytes_are_refused_with_a_reason(tilescope: CommandLine, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "bytes.attempt"
    file.write_bytes(content)
    answer = tilescope("check", str(file))
    assert answer.status == 2
    assert "Traceback" not in answer.out + answer.err


def test_names_are_harmless_on_a_terminal(tilescope: CommandLine, tmp_path: Path) -> None:
    answer = tilescope("check", hand_in(tmp_path / "a.attempt", given(), "\x1b[2J\nSolved."))
    assert "\x1b" not in answer.out
    assert "\nSolved." not in answer.out


def test_a_folder_without_attempts_and_a_file_that_is_not_there(tilescope: CommandLine, tmp_path: Path) -> None:
    assert tilescope("check", str(tmp_path)).status == 2
    answer = tilescope("check", str(tmp_path / "none.attempt"))
    assert answer.status == 2
    assert "There is no file" in answer.out


def test_a_table_is_not_written_where_it_cannot_be(tilescope: CommandLine, tmp_path: Path) -> None:
    file = hand_in(tmp_path / "a.attempt", given())
    for name in ("table.txt", "none/table.csv"):
        assert tilescope("check", file, "--csv", str(tmp_path / name)).status == 2
    assert not (tmp_path / "table.txt").exists()


def test_a_kernel_that_never_ends_is_stopped_and_the_next_is_checked(tilescope: CommandLine, tmp_path: Path) -> None:
    endless = hand_in(tmp_path / "a.attempt", replace(given(), text=HEAD + "    for (;;);\n}\n"))
    answer = tilescope("check", endless, hand_in(tmp_path / "b.attempt", solved()))
    assert answer.status == 1
    assert "The execution was stopped before its end" in answer.out
    assert answer.out.count(": Solved.") == 1


def test_a_process_that_takes_too_long_is_ended(tilescope: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "DEADLINE_S", 2)
    growing = hand_in(tmp_path / "a.attempt", replace(given(), text=HEAD + "    for (;;) C[0] += A[0];\n}\n"))
    answer = tilescope("check", growing)
    assert answer.status == 1
    assert "2 s and was stopped" in answer.out


HOSTILE = {
    "more memory than a thread has": (HEAD + "    float x[1 << 28]; x[rows] = A[0]; C[0] = x[columns];\n}\n", "bytes of every thread"),
    "more shared memory than there is": (HEAD + "    __shared__ float x[1 << 28]; x[threadIdx.x] = A[0];\n}\n", "static shared memory"),
    "calls without end": ("__device__ int f(int x) { return f(x + 1); }\n" + HEAD + "    C[0] = f(1);\n}\n", "calls itself"),
    "nested too deeply": (HEAD + "    float x = " + "(" * 5000 + "1" + ")" * 5000 + ";\n}\n", "Line 3, column"),
    "no kernel": ("int x;\n", "There is no kernel"),
    "another kernel": ('extern "C" __global__ void other(float* C) { C[0] = 1.0f; }\n', "doubled"),
    "other parameters": ('extern "C" __global__ void doubled(float* C) { C[0] = 1.0f; }\n', "doubled"),
    "assembly that no GPU knows": (HEAD + '    asm volatile("conquer.all;");\n}\n', "Line 3, column"),
    "assembly that ends the launch": (HEAD + '    asm volatile("trap;");\n}\n', "elements are wrong"),
}


def test_hostile_texts_get_a_verdict(tilescope: CommandLine, tmp_path: Path) -> None:
    files = [hand_in(tmp_path / f"{number}.attempt", replace(given(), text=text)) for number, (text, _) in enumerate(HOSTILE.values())]
    answer = tilescope("check", *files, "--json")
    assert answer.status == 1
    for (name, (_, word)), entry in zip(HOSTILE.items(), answer.json, strict=True):
        assert entry["solved"] is False, name
        assert word in json.dumps(entry), (name, entry)
        assert "Traceback" not in json.dumps(entry)


@pytest.mark.parametrize("name", ["uncoalesced", "low-occupancy"])
def test_other_files_are_not_read_out(tilescope: CommandLine, tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(f"{SECRET} = 1\n", encoding="utf-8")
    includes = [f'#include "{secret}"\n', '#include "secret.txt"\n', '#include "/dev/zero"\n']
    attempt = given(name)
    files = [hand_in(tmp_path / f"{number}.attempt", replace(attempt, text=line + attempt.text)) for number, line in enumerate(includes)]
    answer = tilescope("check", *files)
    assert answer.status == 1
    assert SECRET not in answer.out + answer.err


def test_a_grid_as_large_as_cuda_knows_solves_nothing(tilescope: CommandLine, tmp_path: Path) -> None:
    answer = tilescope("check", hand_in(tmp_path / "a.attempt", replace(given("rounded-down"), grid=(2**31 - 1, 1, 1))))
    assert answer.status == 1
    assert "blocks were executed" in answer.out or "✗" in answer.out


def test_challenges_are_listed_with_what_was_made_of_them(tilescope: CommandLine, tmp_path: Path) -> None:
    kept = tmp_path / "home" / "data" / "challenges.json"
    kept.parent.mkdir(parents=True)
    kept.write_text(text_of({"race": Record(solved=True, hints=1), "uncoalesced": Record(attempt=given())}), encoding="utf-8")
    found = {entry["id"]: entry for entry in tilescope("challenges", "--json").json}
    assert (found["race"]["solved"], found["race"]["hints_seen"]) == (True, 1)
    assert (found["uncoalesced"]["solved"], found["uncoalesced"]["begun"]) == (False, True)
    assert not found["bank-conflict"]["begun"]
    assert "Solved; hints seen: 1" in tilescope("challenges").out
