"""Files of what the program remembers: several programs keep the same one, and one that is damaged is never written over."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.base.background import BackgroundTasks
from app.core.lessons.progress import FORMAT, Course, LessonProgress, read_progress

PROGRAM = """
import sys
from pathlib import Path
from app.core.base.background import BackgroundTasks
from app.core.lessons.progress import Course, LessonProgress

tasks = BackgroundTasks()
progress = LessonProgress(Path(sys.argv[1]), tasks)
for number in range(int(sys.argv[3])):
    progress.put(f"{sys.argv[2]} {number}", Course("at"))
    progress.put("both", Course("at", frozenset({f"{sys.argv[2]} {number}"})))
    tasks.join(5)
    progress.tick()
    tasks.tick()
tasks.join(5)
progress.finish()
"""


class Program:
    """What of a program keeps progress."""

    def __init__(self, file: Path) -> None:
        self.background_tasks = BackgroundTasks()
        self.progress = LessonProgress(file, self.background_tasks)
        self.progress.load()
        self.live()

    def live(self) -> None:
        for _ in range(2):
            for thread in tuple(self.background_tasks._threads):
                thread.join(5)
            self.background_tasks.tick()
            self.progress.tick()


def course(*done: str) -> Course:
    return Course("at", frozenset(done))


def test_two_programs_lose_nothing_of_each_other(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    first, second = Program(file), Program(file)
    first.progress.put("a", course("1"))
    first.live()
    second.progress.put("b", course("1"))
    second.progress.put("a", course("2"))
    second.live()
    first.progress.put("c", course("1"))
    first.live()
    everything = {"a": course("1", "2"), "b": course("1"), "c": course("1")}
    assert read_progress(file) == everything
    assert first.progress.courses.value == everything


def test_what_one_program_takes_back_stays_taken_back(tmp_path: Path) -> None:
    """A question that was answered rightly and then wrongly is no conflict with oneself."""
    file = tmp_path / "lessons.json"
    program = Program(file)
    right = replace(course("1"), right=frozenset({"1"}))
    program.progress.put("a", right)
    program.live()
    program.progress.put("a", course("1"))
    program.live()
    assert read_progress(file) == {"a": course("1")}


def test_two_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    file, many = tmp_path / "lessons.json", 15
    running = [subprocess.Popen([sys.executable, "-c", PROGRAM, str(file), name, str(many)]) for name in ("one", "two")]
    assert [each.wait(60) for each in running] == [0, 0]
    courses = read_progress(file)
    keys = {f"{name} {number}" for name in ("one", "two") for number in range(many)}
    assert courses.keys() == keys | {"both"}
    assert {f"{name} {many - 1}" for name in ("one", "two")} <= courses["both"].done


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[1]", b'{"format": "tilescope progress 99"}', b"[" * 100_000])
def test_a_damaged_file_is_set_aside_and_told(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "lessons.json"
    file.write_bytes(content)
    program = Program(file)
    (aside,) = tmp_path.glob("lessons.unreadable-*.json")
    assert str(program.progress.failure.value) == f"{file} could not be understood. It is kept as {aside}."
    program.progress.put("a", course("1"))
    program.live()
    assert aside.read_bytes() == content
    assert read_progress(file) == {"a": course("1")}


def test_a_file_that_is_damaged_while_the_program_runs_is_not_written_over_either(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    program = Program(file)
    program.progress.put("a", course("1"))
    program.live()
    file.write_bytes(b"damaged")
    program.progress.put("b", course("1"))
    program.live()
    (aside,) = tmp_path.glob("lessons.unreadable-*.json")
    assert aside.read_bytes() == b"damaged"
    assert read_progress(file) == {"a": course("1"), "b": course("1")}


def test_a_file_that_cannot_be_set_aside_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied", str(path))

    file = tmp_path / "lessons.json"
    file.write_bytes(b"damaged")
    monkeypatch.setattr(Path, "rename", refuse)
    program = Program(file)
    program.progress.put("a", course("1"))
    program.live()
    assert file.read_bytes() == b"damaged"
    assert "is left as it is" in str(program.progress.failure.value)


def test_a_program_that_was_stopped_while_it_held_the_file_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.core.base.files import json_store
    from kernels.base.file_lock import FileLock

    monkeypatch.setattr(json_store, "LOCK_WAIT_S", 0.1)
    file = tmp_path / "lessons.json"
    lock = FileLock(file.with_suffix(".lock"))
    assert lock.take()
    program = Program(file)
    program.progress.put("a", course("1"))
    begin = time.monotonic()
    program.live()
    assert time.monotonic() - begin < 2
    assert json.loads(file.read_text(encoding="utf-8"))["format"] == FORMAT
    lock.release()
