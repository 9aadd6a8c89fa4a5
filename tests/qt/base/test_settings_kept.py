"""Settings that are damaged are set aside, and those of two programs at once do not lose each other's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.session.draft import LaunchSettings, draft_of
from app.core.session.session import Session
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop


@pytest.mark.parametrize("content", [bytes(range(256)), b"\0" * 400, b"no settings\nat all", b"[look]\nlanguage=zh_CN\n[sta"])
def test_a_damaged_file_is_set_aside_and_new_settings_begun(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.ini"
    path.write_bytes(content)
    settings = Settings(path)
    (aside,) = tmp_path.glob("settings.unreadable-*.ini")
    assert str(settings.notice) == f"{path} could not be understood. It is kept as {aside}."
    settings.save_text("look/theme", "dark")
    del settings
    assert aside.read_bytes() == content
    again = Settings(path)
    assert (again.notice, again.text("look/theme")) == (None, "dark")


def test_one_that_cannot_be_set_aside_is_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied", str(path))

    path = tmp_path / "settings.ini"
    path.write_bytes(b"damaged")
    monkeypatch.setattr(Path, "rename", refuse)
    settings = Settings(path)
    settings.save_text("look/theme", "dark")
    del settings
    assert path.read_bytes() == b"damaged"


def test_the_window_says_it(tmp_path: Path) -> None:
    path = tmp_path / "settings.ini"
    path.write_bytes(b"damaged")
    settings = Settings(path)
    desktop = Desktop(WindowArguments("en", "light", None, (1280, 720)), None, settings)
    assert settings.notice is not None
    assert desktop.workbench.activity.value == settings.notice
    desktop.window.close()
    desktop.window.deleteLater()


def test_how_files_were_launched_is_kept_and_what_is_damaged_left_out(tmp_path: Path) -> None:
    path, file = tmp_path / "settings.ini", tmp_path / "mine.cu"
    settings, editor = Settings(path), Session().draft_editor
    settings.keep_files(editor)
    launched = LaunchSettings("scale", "", (3, 1, 1), (16, 1, 1), 0, {"n": "40", "in": "40:random"}, {}, frozenset({"block"}))
    editor.take(replace(draft_of(file, "..."), settings=launched))
    again = Session().draft_editor
    settings.keep_files(again)
    assert again.launches.value == {file: launched}
    kept = json.loads(settings.text("files/launches") or "")
    settings.save_text("files/launches", json.dumps(kept | {str(tmp_path / "other.cu"): {"grid": [0, 1, 1]}}))
    settings.keep_files(again)
    assert again.launches.value == {file: launched}
