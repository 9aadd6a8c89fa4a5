"""What another editor saves is taken over; where both were changed nothing is lost without a question."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.base.background import BackgroundTasks
from app.core.base.observable import Field
from app.core.session.draft_editor import DraftEditor
from app.core.session.session import Session
from app.core.stage.file_watch import TOLD_S, FileWatch
from kernels.base.messages import Message

TEXT = "__global__ void one(float* x) { x[0] = 1; }\n"
OTHER = TEXT.replace("= 1", "= 2")


class Desk:
    """A draft of a file, and the watch on it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "mine.cu"
        self.path.write_text(TEXT, encoding="utf-8")
        self.editor: DraftEditor = Session().draft_editor
        assert self.editor.open_file(self.path) is None
        self.told: Field[list[Message]] = Field([])
        self.withdrawn: list[Message] = []
        self.now = 0.0
        self._tasks = BackgroundTasks()
        self.watch = FileWatch(self.editor, self._tasks, self.told.value.append, self.withdrawn.append, lambda: self.now)
        self.look()

    @property
    def text(self) -> str:
        draft = self.editor.draft.value
        assert draft is not None
        return draft.text

    @property
    def changed(self) -> bool:
        draft = self.editor.draft.value
        assert draft is not None
        return draft.changed

    @property
    def offered(self) -> str | None:
        return self.watch.offered.value

    def save(self, text: str) -> None:
        """Save it in another editor, and let the watch see it."""
        self.path.write_text(text, encoding="utf-8")
        self.look()

    def look(self) -> None:
        self.now += 1.0
        self.watch.tick()
        end = time.monotonic() + 20
        while self.watch._looking:
            assert time.monotonic() < end
            self._tasks.tick()
            time.sleep(0.001)

    def end(self) -> None:
        self._tasks.join(5.0)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.end()


def test_a_saved_file_is_taken_over_and_told(desk: Desk) -> None:
    desk.save(OTHER)
    assert (desk.text, desk.changed) == (OTHER, False)
    assert len(desk.told.value) == 1
    desk.look()
    assert len(desk.told.value) == 1


def test_what_was_said_of_a_file_that_was_taken_over_goes_after_a_while(desk: Desk) -> None:
    desk.save(OTHER)
    desk.look()
    assert desk.withdrawn == []
    desk.now += TOLD_S
    desk.look()
    desk.look()
    assert desk.withdrawn == desk.told.value


def test_it_goes_too_where_the_file_was_closed_meanwhile(desk: Desk) -> None:
    desk.save(OTHER)
    desk.editor.close()
    desk.now += TOLD_S
    desk.look()
    assert desk.withdrawn == desk.told.value


@pytest.mark.parametrize(("answer", "text"), [(FileWatch.accept, OTHER), (FileWatch.dismiss, TEXT + "// mine")])
def test_where_both_were_changed_one_is_asked(desk: Desk, answer: Callable[[FileWatch], None], text: str) -> None:
    desk.editor.change_text(TEXT + "// mine")
    desk.save(OTHER)
    assert (desk.offered, desk.text) == (OTHER, TEXT + "// mine")
    answer(desk.watch)
    desk.look()
    assert desk.offered is None
    assert (desk.text, desk.changed) == (text, text != OTHER)


def test_the_same_change_in_both_is_no_question(desk: Desk) -> None:
    desk.editor.change_text(OTHER)
    desk.save(OTHER)
    assert desk.watch.offered.value is None
    assert not desk.changed


def test_a_file_that_is_gone_for_a_moment_or_is_no_text_changes_nothing(desk: Desk) -> None:
    desk.path.unlink()
    desk.look()
    desk.path.write_bytes(b"\xff\xfe")
    desk.look()
    assert (desk.text, desk.changed, desk.watch.offered.value) == (TEXT, False, None)
    desk.save(OTHER)
    assert desk.text == OTHER


@pytest.mark.parametrize("typed", ["", "// mine"])
def test_an_older_text_of_the_file_that_is_opened_over_it_is_compared_with_the_file(desk: Desk, typed: str) -> None:
    older = desk.editor.draft.value
    assert older is not None
    desk.save(OTHER)
    desk.editor.take(replace(older, text=older.text + typed))  # as a recent state does
    desk.look()
    assert (desk.text, desk.offered) == ((TEXT + typed, OTHER) if typed else (OTHER, None))


def test_a_question_about_one_text_is_none_about_another(desk: Desk, tmp_path: Path) -> None:
    desk.editor.change_text(TEXT + "// mine")
    desk.save(OTHER)
    assert desk.offered == OTHER
    second = tmp_path / "second.cu"
    second.write_text(TEXT, encoding="utf-8")
    desk.editor.open_file(second)
    assert desk.offered is None


def test_a_draft_without_a_file_is_not_watched(desk: Desk) -> None:
    desk.editor.change_text("mine")
    desk.save(OTHER)
    desk.editor.close()
    desk.look()
    assert desk.watch.offered.value is None
