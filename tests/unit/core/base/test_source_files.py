"""Files of the user are read whole or refused, and written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from app.core.base.files.atomic_write import write_whole
from app.core.base.files.text_files import LARGEST_FILE, read_source


def test_a_text_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    assert write_whole(path, "// 改过\r\nint x;\n") is None
    assert read_source(path) == "// 改过\r\nint x;\n"
    assert [each.name for each in tmp_path.iterdir()] == ["a.cu"]


def test_what_is_no_text_says_why(tmp_path: Path) -> None:
    assert "There is no file" in str(read_source(tmp_path / "none.cu"))
    assert "is a folder, not a file." in str(read_source(tmp_path))
    (tmp_path / "large.cu").write_bytes(b" " * (LARGEST_FILE + 1))
    assert "is larger than" in str(read_source(tmp_path / "large.cu"))
    (tmp_path / "binary.cu").write_bytes(b"int x;\n\xff")
    assert "line 2 has a byte that does not belong." in str(read_source(tmp_path / "binary.cu"))


def test_a_file_in_a_folder_that_may_not_be_searched_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "stat", refuse)
    assert str(read_source(tmp_path / "a.cu")).endswith("cannot be read: Permission denied.")


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.cu"
    path.write_text("old", encoding="utf-8")

    def refuse(_made: Path, _target: Path) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    assert "could not be written: Permission denied." in str(write_whole(path, "new"))
    assert [(each.name, each.read_text(encoding="utf-8")) for each in tmp_path.iterdir()] == [("a.cu", "old")]
