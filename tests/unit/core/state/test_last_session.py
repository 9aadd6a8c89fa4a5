"""A program that ended without being closed leaves what it showed, and the next start offers it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.base.background import BackgroundTasks
from app.core.base.files.orphan_files import OwnFile, orphans
from app.core.session.session import Session, Workspace
from app.core.stage.draft_backup import DraftBackup
from app.core.state.last_session import EVERY_S, LastSession, session_from
from app.core.state.states import States
from tests.whole_models import models_of

PROGRAM = """
import sys, time
from pathlib import Path
from app.core.base.files.orphan_files import OwnFile

own = OwnFile(Path(sys.argv[1]))
number = 0
while True:
    number += 1
    assert own.write(str(number) * 50_000) is None
    if number == 1:
        print("ready", flush=True)
"""


class Program:
    """What of a running program keeps what it shows; with a clock of its own."""

    def __init__(self, folder: Path) -> None:
        self.session, self.background_tasks, self.now = Session("gpu.tiled"), BackgroundTasks(), 0.0
        models = models_of(self.session)
        self.stage = models.stage
        self.drafts = DraftBackup(self.session.draft_editor, folder / "drafts", self.background_tasks, lambda: self.now)
        states = States(models, lambda: True, self.background_tasks, None)
        self.last = LastSession(states, self.drafts, folder / "sessions", self.background_tasks, lambda: self.now)
        self.drafts.start()
        self.last.start()
        self.live()

    def live(self) -> None:
        """For so long that everything is kept."""
        for _ in range(2):
            for thread in tuple(self.background_tasks._threads):
                thread.join(5)
            self.background_tasks.tick()
            self.now += EVERY_S
            self.drafts.tick()
            self.last.tick()
        self.background_tasks.join(5)
        self.background_tasks.tick()

    def killed(self) -> None:
        """It is gone with all that it had not written; the system takes its locks back."""
        for own in (self.last._file, self.drafts._file):
            assert own is not None
            own.close(keep=True)


def test_what_was_shown_is_offered_after_the_program_was_killed(tmp_path: Path) -> None:
    first = Program(tmp_path)
    assert first.last.offered.value is None
    assert first.session.set_stage_parameter("tile", 8) is None
    first.stage.alone.value = 2
    first.session.show_workspace(Workspace.TIMING)
    first.live()
    first.killed()
    second = Program(tmp_path)
    offered = second.last.offered.value
    assert offered is not None
    second.last.restore()
    assert second.session.stage.value == first.session.stage.value
    assert (second.stage.alone.value, second.session.workspace.value) == (2, Workspace.TIMING)
    assert second.last.offered.value is None
    second.live()
    second.last.finish()
    assert Program(tmp_path).last.offered.value is None


def test_it_can_be_refused_and_is_not_offered_again(tmp_path: Path) -> None:
    first = Program(tmp_path)
    first.killed()
    second = Program(tmp_path)
    assert second.last.offered.value is not None
    shown = second.session.stage.value
    second.last.dismiss()
    second.live()
    assert second.session.stage.value == shown
    second.last.finish()
    assert not list((tmp_path / "sessions").iterdir())
    assert Program(tmp_path).last.offered.value is None


def test_after_an_end_in_order_nothing_is_offered_also_if_the_offer_was_not_answered(tmp_path: Path) -> None:
    Program(tmp_path).killed()
    second = Program(tmp_path)
    assert second.last.offered.value is not None
    second.last.finish()
    assert Program(tmp_path).last.offered.value is None


def test_what_was_accepted_is_offered_again_if_the_program_was_killed_before_it_was_written(tmp_path: Path) -> None:
    first = Program(tmp_path)
    assert first.session.set_stage_parameter("tile", 8) is None
    first.live()
    first.killed()
    second = Program(tmp_path)
    second.last.restore()
    second.killed()
    for left in second.last._left:
        left.let_be()
    third = Program(tmp_path)
    assert third.last.offered.value is not None
    assert third.last.offered.value.shown.stage.parameters["tile"] == 8
    third.last.restore()
    third.live()
    assert len(list((tmp_path / "sessions").glob("*.json"))) == 1  # the third's own


def test_what_was_shown_is_offered_after_an_end_without_closing_also_what_was_not_written_yet(tmp_path: Path) -> None:
    first = Program(tmp_path)
    assert first.session.set_stage_parameter("tile", 8) is None
    first.live()
    assert first.session.set_stage_parameter("tile", 4) is None
    first.last.leave()
    first.last.finish()
    offered = Program(tmp_path).last.offered.value
    assert offered is not None
    assert offered.shown.stage.parameters["tile"] == 4


def test_an_offer_that_was_not_answered_stands_after_an_end_without_closing(tmp_path: Path) -> None:
    first = Program(tmp_path)
    assert first.session.set_stage_parameter("tile", 8) is None
    first.last.leave()
    second = Program(tmp_path)
    second.last.leave()
    second.last.finish()
    offered = Program(tmp_path).last.offered.value
    assert offered is not None
    assert offered.shown.stage.parameters["tile"] == 8


def test_two_programs_leave_each_other_alone(tmp_path: Path) -> None:
    first = Program(tmp_path)
    second = Program(tmp_path)
    assert second.last.offered.value is None
    first.last.finish()
    second.killed()
    third, fourth = Program(tmp_path), Program(tmp_path)
    assert third.last.offered.value is not None
    assert fourth.last.offered.value is None  # it is the third that asks


def test_the_edited_text_comes_back_with_its_launch_and_its_place(tmp_path: Path) -> None:
    first = Program(tmp_path)
    assert first.session.draft_editor.edit_copy() is None
    first.session.draft_editor.change_text("// 改过\n")
    first.live()
    first.killed()
    second = Program(tmp_path)
    second.last.restore()
    assert second.session.draft_editor.shown == first.session.draft_editor.shown
    assert second.drafts.offered.value is None
    assert len(list((tmp_path / "drafts").glob("*.json"))) == 1  # the second's own


def test_a_program_that_is_killed_before_it_was_asked_anything_leaves_what_the_one_before_left(tmp_path: Path) -> None:
    first = Program(tmp_path)
    assert first.session.set_stage_parameter("tile", 8) is None
    first.live()
    first.killed()
    second = Program(tmp_path)
    second.live()
    second.killed()
    for left in second.last._left:
        left.let_be()
    third = Program(tmp_path)
    assert third.last.offered.value is not None
    assert third.last.offered.value.shown.stage.parameters["tile"] == 8


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": "tilescope session 1"}', '{"format": "tilescope session 2"}'])
def test_what_is_no_session_is_set_aside_and_told(tmp_path: Path, text: str) -> None:
    assert session_from(text) is None
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "999999999.json").write_text(text, encoding="utf-8")
    program = Program(tmp_path)
    assert program.last.offered.value is None
    (aside,) = folder.glob("*unreadable*")
    assert aside.read_text(encoding="utf-8") == text
    assert str(program.last.notice.value) == f"{folder / '999999999.json'} could not be understood. It is kept as {aside}."


def test_a_place_that_cannot_be_written_is_told_and_harms_nothing(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("in the way", encoding="utf-8")
    program = Program(tmp_path)
    assert "sessions cannot be written" in str(program.last.notice.value)
    program.last.finish()


def test_the_file_of_a_process_with_the_same_number_is_not_written_over(tmp_path: Path) -> None:
    """As in a container, where every program has the same number."""
    (tmp_path / f"{os.getpid()}.json").write_text("left", encoding="utf-8")
    own = OwnFile(tmp_path)
    assert own.write("mine") is None
    found = orphans(tmp_path, lambda text: text)
    assert [left.content for left in found.left] == ["left"]
    own.remove()


def test_a_program_killed_in_the_middle_of_writing_leaves_a_whole_file(tmp_path: Path) -> None:
    running = subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    time.sleep(0.3)
    assert not orphans(tmp_path, str).left  # it still runs
    running.kill()
    running.wait()
    running.stdout.close()
    (left,) = orphans(tmp_path, str).left
    assert left.content == left.content[: len(left.content) // 50_000] * 50_000
    left.give_up()


def test_the_place_in_time_alone_is_no_answer_to_the_offer(tmp_path: Path) -> None:
    Program(tmp_path).killed()
    second = Program(tmp_path)
    before = second.last._written
    assert before is not None
    second.last._written = replace(before, place=replace(before.place, time=7.0))
    second.live()
    assert len(list((tmp_path / "sessions").glob("*.json"))) == 1
