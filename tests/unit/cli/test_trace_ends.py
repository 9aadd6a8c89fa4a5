"""What a kernel says of itself: assertions that fail, traps, and variables without a value, as diagnostics and in the exit status."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine

ARGUMENTS = ("--grid", "2", "--block", "8", "--arg", "x=16:arange", "--json")


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The exit status and the JSON document of a kernel with this body."""
    command = CommandLine(tmp_path / "home", monkeypatch, capsys)

    def traced(body: str, *options: str) -> tuple[int, dict[str, Any]]:
        file = tmp_path / "kernel.cu"
        file.write_text(f"#include <cassert>\n__global__ void f(int* x)\n{{\n    int t = threadIdx.x;\n{body}\n}}\n", encoding="utf-8")
        answer = command("trace", file, "--kernel", "f", *ARGUMENTS, *options)
        return answer.status, answer.json

    return traced


@pytest.mark.parametrize(
    ("body", "column", "reason"),
    [
        ("    assert(x[t] != 2);", 5, "The assertion x[t] != 2 does not hold: a GPU would end the launch here."),
        ("    if (x[t] == 2) __trap();", 20, "__trap(): a GPU would end the launch here."),
    ],
)
@pytest.mark.parametrize("mode", ["block", "warp"])
def test_what_ends_a_launch_is_an_error_that_names_the_threads(document: Any, body: str, column: int, reason: str, mode: str) -> None:
    status, found = document(body, "--mode", mode)
    assert status == 3
    assert found["findings"] == []
    message = f"{reason} Block (0, 0, 0), threads: (2, 0, 0)."
    assert found["diagnostics"] == [{"line": 5, "column": column, "severity": "error", "message": message}]
    assert [(each["block"], each["thread"]) for each in found["printed"]] == [([0, 0, 0], [2, 0, 0]), ([1, 0, 0], [2, 0, 0])]


def test_an_assertion_that_holds_is_not_told(document: Any) -> None:
    status, found = document("    assert(x[t] < 8);")
    assert (status, found["diagnostics"], found["printed"]) == (0, [], [])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("    int s;\n    x[t] = s + 1;", "s has no value yet when it is used here."),
        ("    int s;\n    if (t) s = 1;\n    x[t] = s;", "s has no value yet when it is used here."),
        ("    int s = s + 1;\n    x[t] = s;", "s has no value yet when it is used here."),
    ],
)
def test_a_variable_without_a_value_is_a_warning(document: Any, body: str, message: str) -> None:
    status, found = document(body)
    assert status == 0
    assert [(each["severity"], each["message"]) for each in found["diagnostics"]] == [("warning", message)]


@pytest.mark.parametrize("body", ["    int s;\n    s = t;\n    x[t] = s;", "    int s[2];\n    s[0] = 1;\n    x[t] = s[0];"])
def test_a_variable_with_one_is_not(document: Any, body: str) -> None:
    assert document(body)[1]["diagnostics"] == []


@pytest.mark.parametrize(
    "body",
    [
        "    int s;\n    if (t == 0) s = 7;\n    s = __shfl_sync(~0u, s, 0);\n    x[t] = s;",
        "    static __shared__ int lock;\n    while (atomicCAS(&lock, 1, 0) == 1); x[t] = 2;",
    ],
)
def test_idioms_of_many_threads_are_not_remarked_on(document: Any, body: str) -> None:
    assert document(body)[1]["diagnostics"] == []


def test_a_loop_that_ends_too_early_in_the_text_is_a_warning(document: Any) -> None:
    _, found = document("    int s = 0;\n    while (s++ < t); { x[t] = 2; }")
    assert [each["line"] for each in found["diagnostics"]] == [6]
