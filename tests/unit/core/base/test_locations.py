"""Where the program writes, on each system and when it must not."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from app.core.base.files.locations import find_places, prepare, refuse_file, settle_home

HOME = PurePosixPath("/home/ada")


def test_linux_follows_the_xdg_directories() -> None:
    places = find_places({}, "linux", HOME)
    assert places.store == Path("/home/ada/.local/share/tilescope/results.sqlite")
    assert places.settings_file == Path("/home/ada/.config/tilescope/settings.ini")
    assert places.numba_cache == Path("/home/ada/.cache/tilescope/numba")
    chosen = {"XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/s", "XDG_CACHE_HOME": "relative"}
    places = find_places(chosen, "linux", HOME)
    assert (places.data, places.settings) == (Path("/d/tilescope"), Path("/s/tilescope"))
    assert places.cache == Path("/home/ada/.cache/tilescope")


def test_macos_uses_the_library() -> None:
    places = find_places({"XDG_DATA_HOME": "/d"}, "darwin", PurePosixPath("/Users/ada"))
    assert places.data == Path("/Users/ada/Library/Application Support/tilescope")
    assert places.cache == Path("/Users/ada/Library/Caches/tilescope")


def test_windows_uses_the_local_application_data() -> None:
    home = PureWindowsPath("C:/Home/ada")
    assert find_places({}, "win32", home).data == Path(home / "AppData" / "Local" / "tilescope" / "data")
    assert find_places({"LOCALAPPDATA": "D:\\data"}, "win32", home).cache == Path(PureWindowsPath("D:/data/tilescope/cache"))


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_one_variable_moves_everything(platform: str, tmp_path: Path) -> None:
    places = find_places({"TILESCOPE_HOME": str(tmp_path)}, platform, HOME)
    assert {places.data.parent, places.settings.parent, places.cache.parent} == {tmp_path}
    assert len({places.data, places.settings, places.cache}) == 3


def test_a_folder_is_made_and_left_empty(tmp_path: Path) -> None:
    assert prepare(tmp_path / "a" / "b") is None
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    reason = prepare(tmp_path / "file" / "b")
    assert reason is not None
    assert str(tmp_path / "file" / "b") in str(reason)


def test_a_file_may_be_new_or_replaced_but_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "old").touch()
    assert refuse_file(tmp_path / "new") is None
    assert refuse_file(tmp_path / "old") is None
    assert str(refuse_file(tmp_path)) == f"{tmp_path} is a folder, not a file."
    assert str(refuse_file(tmp_path / "no" / "new")) == f"There is no folder {tmp_path / 'no'}."
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_a_user_without_a_home_has_one_that_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as for a user that the system does not know
    with pytest.raises(RuntimeError):
        Path.home()
    environment: dict[str, str] = {}
    settle_home(environment)
    places = find_places(environment, "linux", Path(environment["HOME"]))
    assert prepare(places.data) is not None
    assert prepare(places.numba_cache) is not None


def test_a_home_that_there_is_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    environment = {"HOME": str(tmp_path)}
    settle_home(environment)
    assert environment == {"HOME": str(tmp_path)}
