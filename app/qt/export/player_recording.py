"""Players: what painters draw at each step, recorded in a light and a dark theme, as a page for a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize

from app.core.base.files.atomic_write import write_whole
from app.core.base.i18n import Translator
from app.core.export.clips.encoding import CANCELLED
from app.core.export.display_list import PackedScene
from app.core.export.kinds import PictureSize
from app.core.export.player_page import LONGEST_LINK, player_page, words_of_player
from app.qt.base.look import Look
from app.qt.export.display_recorder import DisplayRecorder
from app.qt.export.export_view import export_theme
from app.qt.export.figure import settle
from app.qt.export.played import Played
from kernels.base.messages import Message

THEMES = ("light", "dark")


class Recording:
    """Pages of a player while its chapters are recorded. `size` is that of the drawing, without the source and the words beside it."""

    def __init__(self, size: PictureSize, translator: Translator) -> None:
        self.size, self.translator = size, translator
        self.looks = tuple(Look(export_theme(name), translator) for name in THEMES)
        self.recorder, self.packed = DisplayRecorder(), PackedScene(size.width, size.height)

    def page(self, title: str, **more: object) -> str:
        """The page of all chapters."""
        packed = self.packed.packed(title=title, words=words_of_player(self.translator), **more)
        return player_page(title, packed, self.translator)


class Chapter:
    """Steps that are played after each other, recorded one at a time."""

    def __init__(self, recording: Recording, played_in: Callable[[Look], Played], steps: range) -> None:
        """`played_in` makes what is played in a look."""
        self._recording, self._steps = recording, steps
        self._played = [played_in(look) for look in recording.looks]
        for each in self._played:
            settle(each.widget, QSize(recording.size.width, recording.size.height))
        self._drawn = 0

    @property
    def done(self) -> bool:
        """Whether all steps are recorded."""
        return self._drawn == len(self._steps)

    def step(self) -> None:
        """Record the next step."""
        for each in self._played:
            each.show(self._steps[self._drawn])
        light, dark = (self._recording.recorder.record(each.widget) for each in self._played)
        self._recording.packed.add(light, dark, self._played[0].words(), self._played[0].spots())
        self._drawn += 1

    def end(self, link: str, at: int) -> tuple[int, str]:
        """End the chapter, which is opened at step `at`; `link` shows the same in the program. Returns its number and its title."""
        facts = self._played[0].facts(self._steps)
        shown = link if len(link) <= LONGEST_LINK else ""
        number = self._recording.packed.end_chapter(first=self._steps.start, at=at - self._steps.start, link=shown, **facts)
        self.close()
        return number, str(facts["title"])

    def close(self) -> None:
        """Release what is played."""
        for each in self._played:
            each.close()


class PlayerDrawing:
    """Draws a player of one chapter in small portions, a step at a time."""

    def __init__(
        self, path: Path, played_in: Callable[[Look], Played], steps: range, size: PictureSize, translator: Translator, link: str
    ) -> None:
        """`played_in` and `link` as in a chapter."""
        self._path, self._link, self._first = path, link, steps.start
        self._recording = Recording(size, translator)
        self._chapter = Chapter(self._recording, played_in, steps)
        self.total = len(steps)
        self.drawn = 0
        self.done = False
        self.reason: Message | None = None
        """Why there is no file, when it is `done`."""

    @property
    def waiting(self) -> bool:
        """Whether there is nothing to draw now: never."""
        return False

    def step(self) -> None:
        """Draw the next step; after the last the page is written."""
        if not self._chapter.done:
            self._chapter.step()
            self.drawn += 1
            return
        _, title = self._chapter.end(self._link, self._first)
        self.reason, self.done = write_whole(self._path, self._recording.page(title)), True

    def cancel(self) -> None:
        """Stop; no file is left."""
        if not self.done:
            self.reason, self.done = CANCELLED, True
            self._chapter.close()
