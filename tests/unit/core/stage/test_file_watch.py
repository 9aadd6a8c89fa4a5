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


class WatchedDraft:
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
def watched(tmp_path: Path) -> Iterator[WatchedDraft]:
    made = WatchedDraft(tmp_path)
    yield made
    made.end()


def test_a_saved_file_is_taken_over_and_told(watched: WatchedDraft) -> None:
    watched.save(OTHER)
    assert (watched.text, watched.changed) == (OTHER, False)
    assert len(watched.told.value) == 1
    watched.look()
    assert len(watched.told.value) == 1


def test_what_was_said_of_a_file_that_was_taken_over_goes_after_a_while(watched: WatchedDraft) -> None:
    watched.save(OTHER)
    watched.look()
    assert watched.withdrawn == []
    watched.now += TOLD_S
    watched.look()
    watched.look()
    assert watched.withdrawn == watched.told.value


def test_it_goes_too_where_the_file_was_closed_meanwhile(watched: WatchedDraft) -> None:
    watched.save(OTHER)
    watched.editor.close()
    watched.now += TOLD_S
    watched.look()
    assert watched.withdrawn == watched.told.value


@pytest.mark.parametrize(("answer", "text"), [(FileWatch.accept, OTHER), (FileWatch.dismiss, TEXT + "// mine")])
def test_where_both_were_changed_one_is_asked(watched: WatchedDraft, answer: Callable[[FileWatch], None], text: str) -> None:
    watched.editor.change_text(TEXT + "// mine")
    watched.save(OTHER)
    assert (watched.offered, watched.text) == (OTHER, TEXT + "// mine")
    answer(watched.watch)
    watched.look()
    assert watched.offered is None
    assert (watched.text, watched.changed) == (text, text != OTHER)


def test_the_same_change_in_both_is_no_question(watched: WatchedDraft) -> None:
    watched.editor.change_text(OTHER)
    watched.save(OTHER)
    assert watched.watch.offered.value is None
    assert not watched.changed


def test_a_file_that_is_gone_for_a_moment_or_is_no_text_changes_nothing(watched: WatchedDraft) -> None:
    watched.path.unlink()
    watched.look()
    watched.path.write_bytes(b"\xff\xfe")
    watched.look()
    assert (watched.text, watched.changed, watched.watch.offered.value) == (TEXT, False, None)
    watched.save(OTHER)
    assert watched.text == OTHER


@pytest.mark.parametrize("typed", ["", "// mine"])
def test_an_older_text_of_the_file_that_is_opened_over_it_is_compared_with_the_file(watched: WatchedDraft, typed: str) -> None:
    older = watched.editor.draft.value
    assert older is not None
    watched.save(OTHER)
    watched.editor.take(replace(older, text=older.text + typed))  # as a recent state does
    watched.look()
    assert (watched.text, watched.offered) == ((TEXT + typed, OTHER) if typed else (OTHER, None))


def test_a_question_about_one_text_is_none_about_another(watched: WatchedDraft, tmp_path: Path) -> None:
    watched.editor.change_text(TEXT + "// mine")
    watched.save(OTHER)
    assert watched.offered == OTHER
    second = tmp_path / "second.cu"
    second.write_text(TEXT, encoding="utf-8")
    watched.editor.open_file(second)
    assert watched.offered is None


def test_a_draft_without_a_file_is_not_watched(watched: WatchedDraft) -> None:
    watched.editor.change_text("mine")
    watched.save(OTHER)
    watched.editor.close()
    watched.look()
    assert watched.watch.offered.value is None
