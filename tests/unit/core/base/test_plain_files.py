"""A pipe, a socket or a device that is named as a file is refused in words: reading one would wait, or never end."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import refuse_file
from app.core.base.files.text_files import read_source
from app.core.timing.recordings import kept_recordings
from kernels.base.plain_file import NotPlainError, open_plain
from kernels.measure.store import ResultStore
from kernels.simt.run.arguments import load_array
from tests.command_line import CommandLine

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="there are no such files"),
    pytest.mark.timeout(60),
]
KINDS = ("a pipe", "a socket", "a device", "a folder")


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], Path]]:
    """Makes what is no regular file, of a kind, with a name."""
    monkeypatch.chdir(tmp_path)  # a socket's whole name must be short
    sockets: list[socket.socket] = []

    def made(kind: str, name: str) -> Path:
        path = tmp_path / name
        if kind == "a pipe":
            os.mkfifo(path)
        elif kind == "a socket":
            sockets.append(socket.socket(socket.AF_UNIX))
            sockets[-1].bind(name)
        elif kind == "a device":
            path.symlink_to("/dev/zero")
        else:
            path.mkdir()
        return path

    yield made
    for each in sockets:
        each.close()


Make = Callable[[str, str], Path]


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setattr("app.cli.window.require_qt", lambda: None)
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_neither_read_nor_written(make: Make, kind: str) -> None:
    path = make(kind, "a.cu")
    said = f"{path} is {kind}, not a file."
    assert str(read_source(path)) == said
    assert str(load_array(path)) == said
    assert str(refuse_file(path)) == said
    assert str(write_whole(path, "text")) == said
    assert sorted(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("kind", KINDS[:3])
@pytest.mark.parametrize(("command", "name"), [
    ("trace", "a.cu"), ("open", "a.cu"), ("open", "a.tilescope"), ("open", "a.attempt"), ("import", "a.json"),
    ("counters gpu.tiled --n 32 --ncu", "a.csv"), ("check", "a.attempt"), ("export figure b.png --source", "a.cu"),
])  # fmt: skip
def test_commands_say_what_it_is(tilescope: CommandLine, make: Make, command: str, name: str, kind: str) -> None:
    path = make(kind, name)
    answer = tilescope(*command.split(), path)
    assert answer.status == 2, answer
    assert f"{name} is {kind}, not a file." in answer.err + answer.out


@pytest.mark.parametrize("kind", KINDS[:3])
def test_a_history_that_is_no_file_is_set_aside_and_a_new_one_begun(make: Make, tmp_path: Path, kind: str) -> None:
    path = make(kind, "results.sqlite")
    with closing(ResultStore.open(path)) as store:
        assert "a new one has been started" in str(store.notice)
        assert path.is_file()
    assert len(list(tmp_path.glob("results.unreadable-*.sqlite"))) == 1


def test_an_imported_recording_that_is_none_any_more_is_told(make: Make, tmp_path: Path) -> None:
    make("a pipe", "a.json")
    results, problems = kept_recordings(tmp_path)
    assert results == ()
    assert [str(each) for each in problems] == [f"{tmp_path / 'a.json'} is a pipe, not a file."]


def test_what_takes_the_place_of_a_file_meanwhile_does_not_wait_either(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, file = make("a pipe", "pipe"), tmp_path / "file"
    file.write_text("text", encoding="utf-8")
    looked = file.stat()
    monkeypatch.setattr(Path, "stat", lambda _path: looked)
    with pytest.raises(NotPlainError):
        open_plain(pipe)


def test_a_link_to_a_file_is_one(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("int x;", encoding="utf-8")
    (tmp_path / "link.cu").symlink_to(tmp_path / "a.cu")
    assert read_source(tmp_path / "link.cu") == "int x;"
