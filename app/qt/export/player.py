"""Player of a range of the timeline: what painters draw at each step, recorded in a light and a dark theme, as a page for a browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize

from app.core.base.files.atomic_write import write_whole
from app.core.base.i18n import Translator
from app.core.export.choice import Range
from app.core.export.clips.encoding import CANCELLED
from app.core.export.display_list import PackedScene, StepWords
from app.core.export.kinds import PictureSize
from app.core.export.picture_text import without_moment
from app.core.export.player_page import player_page, words_of_player
from app.core.inspector.finding_rows import finding_rows
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.export.display_recorder import DisplayRecorder
from app.qt.export.figure import settle, sources_text
from app.qt.export.scenes import TracedScene, export_theme
from app.qt.views.view import StageView
from kernels.base.messages import Message
from kernels.catalogue.catalogue import find

THEMES = ("light", "dark")


class PlayerDrawing:
    """Draws a player in small portions, a step at a time."""

    def __init__(
        self, path: Path, scene_of: Callable[[Look], TracedScene], chosen: Range, size: PictureSize, translator: Translator
    ) -> None:
        """`scene_of` makes the scene in a look; `size` is that of the drawing, without the source and the words beside it."""
        self._path, self._chosen = path, chosen
        self._looks = [Look(export_theme(name), translator) for name in THEMES]
        self._scenes = [scene_of(look) for look in self._looks]
        for scene in self._scenes:
            settle(scene.widget, QSize(size.width, size.height))
        self._recorder, self._packed = DisplayRecorder(), PackedScene(size.width, size.height)
        self.total = chosen.last - chosen.first + 1
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
        if self.drawn == self.total:
            self._end(write_whole(self._path, self._page()))
            return
        time = float(self._chosen.first + self.drawn)
        for scene in self._scenes:
            scene.show(time)
        light, dark = (self._recorder.record(scene.widget) for scene in self._scenes)
        self._packed.add(light, dark, self._words())
        self.drawn += 1

    def cancel(self) -> None:
        """Stop; no file is left."""
        if not self.done:
            self._end(CANCELLED)

    def _words(self) -> StepWords:
        scene, look = self._scenes[0], self._looks[0]
        picture = scene.model.picture.value
        assert picture is not None
        steps = scene.model.timeline.extent.value.steps
        place = f"{look.translator.number(picture.frame.step)} / {look.translator.number(steps)}"
        line = picture.index.site(picture.frame.step).location if isinstance(picture, GpuPicture) and picture.frame.step < steps else None
        number = (line.line if not line.file else 0) if line is not None else getattr(picture.frame, "line", 0)
        story = picture.story
        return StepWords(place, look.text(story.title), look.text(story.sentence), self._verdicts(), number)

    def _verdicts(self) -> tuple[str, ...]:
        """What each view in sight says of the step, with its name."""
        widget, text = self._scenes[0].widget, self._looks[0].text
        views = (view for view in widget.findChildren(StageView) if view.isVisibleTo(widget) and view.picture is not None)
        verdicts = [(view.heading(view.picture), view.verdict(view.picture)) for view in views]
        return tuple(f"{text(name)}: {text(said.text)}" for name, said in verdicts if said is not None)

    def _page(self) -> str:
        scene, look = self._scenes[0], self._looks[0]
        title = look.text(scene.words.title)
        packed = self._packed.packed(
            title=title, first=self._chosen.first, words=words_of_player(look.translator), source=source_of(scene.model),
            findings=self._findings(scene.model, look), sources=sources_text(without_moment(scene.words), look),
        )  # fmt: skip
        return player_page(title, packed, look.translator)

    def _findings(self, model: StageModel, look: Look) -> list[dict[str, Any]]:
        """What is wrong with the launch, with the step of the player that shows it, counted from 0; None where none does."""
        picture = model.picture.value
        if not isinstance(picture, GpuPicture):
            return []
        shown = range(self._chosen.first, self._chosen.last + 1)
        return [
            {"text": look.text(row.sentence), "step": row.step - shown.start if row.step is not None and row.step in shown else None}
            for row in finding_rows(picture.index)
        ]

    def _end(self, reason: Message | None) -> None:
        self.reason, self.done = reason, True
        for scene in self._scenes:
            scene.close()


def source_of(model: StageModel) -> Sequence[str]:
    """The lines of the text that is executed."""
    picture = model.picture.value
    if isinstance(picture, GpuPicture):
        return picture.index.subject.text.splitlines()
    variant = find(picture.index.trace.variant_id) if picture is not None else None
    return variant.source_text.splitlines() if variant is not None else []
