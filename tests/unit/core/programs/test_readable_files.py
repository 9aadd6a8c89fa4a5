"""What programs may read is kept between two starts; what another file holds allows nothing."""

from __future__ import annotations

from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.programs.readable_files import FORMAT, ReadableFiles

PROGRAM = Path("/course/own.cu")


def test_what_was_allowed_is_kept_and_what_was_withdrawn_is_not(tmp_path: Path) -> None:
    file = tmp_path / "readable.json"
    first = ReadableFiles(file, BackgroundTasks())
    first.allow(PROGRAM, frozenset({"a.txt", "data/b.txt"}))
    first.finish()
    second = ReadableFiles(file, BackgroundTasks())
    second.read_now()
    assert second.of(PROGRAM) == {"a.txt", "data/b.txt"}
    assert second.of(PROGRAM.with_name("other.cu")) == frozenset()
    second.withdraw(PROGRAM)
    second.finish()
    assert "a.txt" not in file.read_text(encoding="utf-8")


def test_what_is_not_understood_allows_nothing(tmp_path: Path) -> None:
    file = tmp_path / "readable.json"
    file.write_text(f'{{"format": "{FORMAT}", "programs": {{"/course/own.cu": "*", "/b.cu": [1, null, "x"], "/c.cu": {{}}}}}}')
    found = ReadableFiles(file, BackgroundTasks())
    found.read_now()
    assert dict(found.entries.value) == {"/b.cu": frozenset({"x"})}
