"""Commands with values that nobody means: each is refused in one sentence or performed; none fails by a mistake of ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.cli.base.errors import UNEXPECTED
from tests.command_line import CommandLine

EXAMPLES = int(os.environ.get("TILESCOPE_FUZZ_READERS", "60"))
OF_COMMANDS = {
    "occupancy": ("--cc", "--threads", "--registers", "--shared"),
    "ladder": ("--n", "--device"),
    "trace": ("--n", "--tile", "--grid", "--block", "--arg", "--kernel", "--define"),
    "counters": ("--n", "--ncu", "--tile"),
    "predict": ("--n", "--tile", "--gpu"),
    "import": (),
    "check": ("--csv",),
    "lessons": (),
    "list": (),
}
VALUES = st.one_of(
    st.text(st.characters(exclude_characters="\0/.~", exclude_categories=["Cs"]), max_size=12),
    st.integers().map(str),
    st.sampled_from(
        ["9" * 5000, "0" * 5000 + "x", "1e9", "-1", "0", "²", "9.0", "1,2,3,4", "64", "64:1:x2", "1:10:+0", "x=@/etc/passwd", "x="]
    ),
    st.sampled_from(["gpu.tiled", "gpu.nothing", "matmul", "hello", "/dev/null", "/nowhere/x.csv", "x" * 3000, "--", "-h", "--json"]),
)


@st.composite
def lines(draw: st.DrawFn) -> list[str]:
    """A command, what it is of, and some of its options with any values."""
    command = draw(st.sampled_from(sorted(OF_COMMANDS)))
    line = [command, *draw(st.lists(VALUES, max_size=2))]
    for option in draw(st.lists(st.sampled_from(OF_COMMANDS[command]), max_size=4)) if OF_COMMANDS[command] else ():
        line += [option, draw(VALUES)]
    return line


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=lines())
@example(line=["lessons", "\r"])
@example(line=["lessons", "a/\n/b"])
def test_none_fails_by_a_mistake_of_ours(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = CommandLine(tmp_path / "home", monkeypatch, capsys)(*line)
    assert answer.status in (0, 1, 2, 3), f"{answer.status} (of ours is {UNEXPECTED}): {answer.err}"
    assert "Traceback" not in answer.err + answer.out
    if answer.status == 2 and not answer.out:
        assert len(answer.err.splitlines()) == 1
