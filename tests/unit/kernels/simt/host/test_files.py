"""Files beside a program: which are read, what is refused, and that C's functions do with them what those of this machine do."""

from __future__ import annotations

import ctypes
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.simt.base.types import Location
from kernels.simt.host import files
from kernels.simt.host.arena import Arena, Home
from kernels.simt.host.c_library import SERVICES
from kernels.simt.host.data_files import LARGEST_FILE, Closed, opened
from kernels.simt.host.machine import Call, Machine
from kernels.simt.host.process import Programs
from kernels.simt.host.result import DataFile, ProgramJob, ProgramRun, Wrong

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the C library of Linux is the one that is followed")
HERE = Location(1, 1)
MAIN = (
    '#include <cstdio>\n#include <fstream>\n#include <iostream>\nint main() {{\n    puts("before");\n    {line}\n    puts("after");\n}}\n'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program's folder with a file, a folder, links and what is none of these; a file above it."""
    made = tmp_path / "course"
    (made / "data").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (made / "a.txt").write_text("here")
    (made / "data" / "b.txt").write_text("inner")
    (made / "link.txt").symlink_to("a.txt")
    (made / "out.txt").symlink_to(tmp_path / "secret.txt")
    (made / "up").symlink_to(tmp_path)
    os.mkfifo(made / "pipe")
    return made


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a.txt", b"here"), ("./data//b.txt", b"inner"), ("none.txt", Closed.MISSING), ("none/a.txt", Closed.MISSING), ("", Closed.MISSING),
        ("a.txt/b", Closed.MISSING), ("../secret.txt", Closed.OUTSIDE), ("data/../a.txt", Closed.OUTSIDE), ("/etc/passwd", Closed.OUTSIDE),
        ("a\0b", Closed.OUTSIDE), ("link.txt", Closed.LINK), ("out.txt", Closed.LINK), ("up/secret.txt", Closed.LINK),
        ("data", Closed.NO_FILE), (".", Closed.NO_FILE), ("pipe", Closed.NO_FILE), ("x" * 5000, Closed.UNREADABLE),
    ],
)  # fmt: skip
def test_only_files_in_the_folder_are_read(folder: Path, name: str, found: bytes | Closed) -> None:
    job = ProgramJob("", folder / "own.cu", readable=None)
    assert opened(job, name) == found
    if isinstance(found, bytes):
        assert opened(replace(job, readable=frozenset()), name) is Closed.NOT_ALLOWED
        assert opened(replace(job, readable=frozenset({"other.txt"})), name) is Closed.NOT_ALLOWED
        assert opened(replace(job, readable=frozenset({"a.txt", "data/b.txt"})), name) == found
    else:
        assert opened(replace(job, readable=frozenset({name})), name) is found


def test_a_text_without_a_folder_has_no_files() -> None:
    assert opened(ProgramJob("", readable=None), "README.md") is Closed.NO_FOLDER


def test_a_file_may_have_so_many_bytes(tmp_path: Path) -> None:
    job = ProgramJob("", tmp_path / "own.cu", readable=None)
    (tmp_path / "large").touch()
    os.truncate(tmp_path / "large", LARGEST_FILE)
    found = opened(job, "large")
    assert isinstance(found, bytes)
    assert len(found) == LARGEST_FILE
    os.truncate(tmp_path / "large", LARGEST_FILE + 1)
    assert opened(job, "large") is Closed.TOO_LARGE


def test_a_link_that_takes_a_files_place_after_it_was_looked_at_is_not_followed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look = os.stat

    def swapped(name: str, **where: object) -> os.stat_result:
        found: os.stat_result = look(name, **where)  # type: ignore[arg-type]
        if name == "a.txt":
            (folder / "a.txt").unlink()
            (folder / "a.txt").symlink_to(folder.parent / "secret.txt")
        return found

    monkeypatch.setattr(os, "stat", swapped)
    assert opened(ProgramJob("", folder / "own.cu", readable=None), "a.txt") is Closed.UNREADABLE


def ran(line: str, folder: Path, readable: frozenset[str] | None) -> ProgramRun:
    text = MAIN.format(line=line)
    outcome = Programs().run(ProgramJob(text, folder / "own.cu", readable=readable))
    assert isinstance(outcome, ProgramRun), outcome
    return outcome


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('fopen("a.txt", "r");', "fopen wants to read a.txt, which is not allowed yet."),
        ('std::ifstream in("./a.txt");', "std::ifstream wants to read ./a.txt, which is not allowed yet."),
        ('fopen("../secret.txt", "r");', "fopen may not read ../secret.txt: only files in the program's own folder are read."),
        ('fopen("out.txt", "rb");', "fopen may not read out.txt: a symbolic link leads to it."),
        ('std::ifstream in("data");', "std::ifstream may not read data: it is no regular file."),
        ('fopen("new.txt", "w");', "fopen opens new.txt for writing: a program writes no files here."),
        ('fopen("a.txt", "r+b");', "fopen opens a.txt for writing: a program writes no files here."),
        ('std::ofstream out("new.txt"); out << 1;', "std::ofstream opens new.txt for writing: a program writes no files here."),
        ('std::fstream both("a.txt");', "std::ofstream opens a.txt for writing: a program writes no files here."),
    ],
)
def test_what_may_not_be_opened_ends_the_program_with_the_reason(folder: Path, line: str, reason: str) -> None:
    before = sorted(folder.iterdir())
    done = ran(line, folder, frozenset())
    assert (done.stdout, done.status) == ("before\n", 1)
    assert [(each.wrong, each.location.line, str(each.message)) for each in done.findings] == [(Wrong.REFUSED, 6, reason)]
    assert [(each.name, each.bytes) for each in done.files] == ([("a.txt", None)] if "allowed yet" in reason else [])
    assert sorted(folder.iterdir()) == before


def test_a_file_that_is_not_there_is_the_programs_own_matter(folder: Path) -> None:
    line = (
        'if (!fopen("no.txt", "r")) perror("no.txt"); if (!std::ifstream("no.txt")) puts("none"); if (!fopen("a.txt", "x")) puts("mode");'
    )
    done = ran(line, folder, frozenset())
    assert (done.stdout, done.status, done.findings, done.files) == ("before\nnone\nmode\nafter\n", 0, (), ())


def test_what_was_read_is_told_but_not_what_is_in_it(folder: Path) -> None:
    done = ran('FILE* f = fopen("data/b.txt", "r"); fclose(f); std::ifstream in("data/b.txt");', folder, frozenset({"data/b.txt"}))
    assert done.files == (DataFile("data/b.txt", Location(6, 15), 5),)
    assert "inner" not in repr(done)


@pytest.mark.parametrize(
    ("line", "wrong", "words"),
    [
        ("fclose(f); fgetc(f);", Wrong.AFTER_FREE, "fgetc: f was closed in line 6."),
        ("fclose(f); fclose(f);", Wrong.AFTER_FREE, "fclose: f was closed in line 6."),
        ('fprintf(f, "x");', Wrong.REFUSED, "fprintf writes to a stream that is only read."),
        ("char c; fwrite(&c, 1, 1, f);", Wrong.REFUSED, "fwrite writes to a stream that is only read."),
        ("char few[2]; fread(few, 1, 4, f);", Wrong.OUT_OF_BOUNDS, ""),
        ("fgetc(stdout);", Wrong.REFUSED, "fgetc reads from a stream that is only written."),
        ('FILE* g = fopen("none", "r"); fgetc(g);', Wrong.NULL, "fgetc: the pointer is null."),
    ],
)
def test_what_is_done_wrong_with_a_file_is_found(folder: Path, line: str, wrong: Wrong, words: str) -> None:
    done = ran(f'FILE* f = fopen("a.txt", "r"); {line}', folder, None)
    (found,) = done.findings
    assert (found.wrong, found.location.line) == (wrong, 6)
    assert words in str(found.message)


# ------------------------------------------------------------ against the C library of this machine

LIBC = ctypes.CDLL(None)
LIBC.fopen.restype = ctypes.c_void_p
CONTENTS = st.lists(st.sampled_from([b"1", b"-2 ", b"x", b"\n", b" ", b",", b"0x1f", b"3.5e1", b"word", b"\0", b"\xff"]), max_size=12)
STEPS = st.one_of(
    st.tuples(st.sampled_from(["fgetc", "feof", "ftell", "rewind", "clearerr", "ferror"])),
    st.tuples(st.just("fgets"), st.integers(2, 6)),
    st.tuples(st.just("fread"), st.integers(1, 3), st.integers(0, 4)),
    st.tuples(st.just("fseek"), st.integers(-4, 12), st.integers(0, 3)),
    st.tuples(st.just("fscanf"), st.sampled_from(["%d", " %d,", "%s", "%3s", "%c", "%x", "%f", "%[a-z]", "x%d", "%*s%d"])),
)


class Ours:
    """A file that the machine has open."""

    def __init__(self, path: Path) -> None:
        job = ProgramJob("", path.parent / "own.cu", readable=None)
        self.machine = Machine(job, Arena(1 << 24, 1 << 28), lambda _s, _d: None, lambda _p: None, open_file=partial(opened, job))
        self.buffer, self.text, self.errno = (self._room(64) for _ in range(3))
        self._put(self.text, path.name.encode())
        mode = self._room(4)
        self._put(mode, b"r")
        self.file = files.open_file(self.machine, Call("fopen", (self.text, mode, self.errno), "iii", HERE))

    def _room(self, size: int) -> int:
        found = self.machine.arena.allocate(Home.KEPT, size, HERE)
        assert found is not None
        return found.address

    def _put(self, address: int, data: bytes) -> None:
        self.machine.arena.view(address, len(data) + 1)[:] = memoryview(data + b"\0")

    def do(self, name: str, *given: int | str) -> tuple[int, bytes]:
        """Perform a step: what is returned, and the buffer."""
        self.machine.arena.view(self.buffer, 64)[:] = 0
        if isinstance(given[0] if given else 0, str):
            self._put(self.text, str(given[0]).encode())
        values: tuple[int, ...] = {
            "fgets": (self.buffer, *given, self.file),
            "fread": (self.buffer, *given, self.file),
            "fseek": (self.file, *given),
            "fscanf": (self.file, self.text, self.buffer),
        }.get(name, (self.file,))  # type: ignore[assignment]
        answer = SERVICES[name](self.machine, Call(name, values, "i" * len(values), HERE))
        return int(answer or 0), self.machine.arena.view(self.buffer, 64).tobytes()


def theirs(file: int, name: str, *given: int | str) -> tuple[int, bytes]:
    """Perform a step with the library of this machine."""
    buffer, handle = ctypes.create_string_buffer(64), ctypes.c_void_p(file)
    values = {
        "fgets": (buffer, *given, handle),
        "fread": (buffer, *given, handle),
        "fseek": (handle, *(ctypes.c_long(each) if isinstance(each, int) else each for each in given[:1]), *given[1:]),
        "fscanf": (handle, *(str(each).encode() for each in given), buffer),
    }.get(name, (handle,))
    return int(getattr(LIBC, name)(*values)), buffer.raw


@settings(max_examples=150, deadline=None)
@given(contents=CONTENTS, steps=st.lists(STEPS, max_size=12))
def test_a_file_is_read_as_by_the_c_library(
    tmp_path_factory: pytest.TempPathFactory, contents: list[bytes], steps: list[tuple[str, int] | tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("c") / "data.txt"
    path.write_bytes(b"".join(contents))
    ours, file = Ours(path), LIBC.fopen(str(path).encode(), b"r")
    try:
        for step in steps:
            (mine, read), (wanted, there) = ours.do(*step), theirs(file, *step)
            if step[0] in ("feof", "fgets", "rewind", "clearerr"):
                mine, wanted = (0, 0) if step[0] in ("rewind", "clearerr") else (bool(mine), bool(wanted))
            assert (mine, read) == (wanted, there), step
            assert ours.do("ftell")[0] == theirs(file, "ftell")[0], step
            assert bool(ours.do("feof")[0]) == bool(theirs(file, "feof")[0]), step
    finally:
        LIBC.fclose(ctypes.c_void_p(file))
