"""What a player plays, step by step, with its words, spots and facts: the stage, the page of a whole program, a still picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtWidgets import QWidget

from app.core.base.observable import Field
from app.core.export.display_list import Spot, StepWords
from app.core.export.picture_text import text_of_program, without_moment
from app.core.inspector.finding_rows import finding_rows
from app.core.lesson_metrics.metric import Source
from app.core.programs.page import ProgramPage, event_of
from app.core.programs.sentences import clock_sentence, finding_text, place, sentence
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.compare.stage import CompareStage
from app.qt.export.export_view import ExportView, TracedExportView, backdrop
from app.qt.export.figure import sources_text
from app.qt.gpu_view.view import GpuView
from app.qt.programs.page import ProgramCanvas
from app.qt.views.view import StageView
from kernels.base.messages import Message, message
from kernels.catalogue.catalogue import find
from kernels.simt.trace.trace import WARP

Facts = dict[str, Any]
"""What is said of all steps: `title`, `source` (its lines), `sources` (where it comes from), `findings` (text, step from 0 on or None), and
`range`: which steps these are, where there are more."""


class Played(Protocol):
    """Interface of what is played, in one look."""

    @property
    def widget(self) -> QWidget: ...

    def show(self, step: int) -> None:
        """Show a step."""

    def words(self) -> StepWords:
        """What is said of the step that is shown."""

    def spots(self) -> list[list[Spot]]:
        """Where something of the step is said, in each view."""

    def facts(self, shown: range) -> Facts:
        """What is said of these steps."""

    def close(self) -> None:
        """Release the widget."""


class PlayedStage:
    """Animation of the stage, or two launches beside each other."""

    def __init__(self, look: Look, exported: TracedExportView, notes: Sequence[Message] = ()) -> None:
        """`notes` are said above the findings."""
        self._look, self._exported, self._notes = look, exported, notes
        self._compared = exported.widget.findChild(CompareStage)
        """Two launches beside each other; the words and the source of a step are those of the right one."""

    @property
    def widget(self) -> QWidget:
        return self._exported.widget

    def show(self, step: int) -> None:
        self._exported.show(float(step))

    def words(self) -> StepWords:
        model, text = self._exported.model, self._look.text
        picture = model.picture.value
        assert picture is not None
        number, steps = self._look.translator.number, model.timeline.extent.value.steps
        line = picture.index.site(picture.frame.step).location if isinstance(picture, GpuPicture) else None
        shown = (line.line if not line.file else 0) if line is not None else getattr(picture.frame, "line", 0)
        where = f"{number(picture.frame.step + 1)} / {number(steps)}"
        title = picture.description.title
        if self._compared is not None:
            title = message("On the right: {what}", what=title)
        return StepWords(where, text(title), text(picture.description.sentence), self._verdicts(), shown)

    def _verdicts(self) -> tuple[str, ...]:
        """What each view in sight says of the step, with its name."""
        verdicts = [(self._named(view), view.verdict(view.picture)) for view in self._views()]
        told = (message("{kind}: {sentence}", kind=name, sentence=said.text) for name, said in verdicts if said is not None)
        return tuple(map(self._look.text, told))

    def _named(self, view: StageView[Any]) -> Message:
        """Heading of a view, of two launches with its side."""
        heading = view.heading(view.picture)
        if self._compared is None:
            return heading
        on_left = self._compared.left.isAncestorOf(view)
        return message("{view} on the left", view=heading) if on_left else message("{view} on the right", view=heading)

    def spots(self) -> list[list[Spot]]:
        return [list(self._spots_of(view)) for view in self._views()]

    def _views(self) -> list[StageView[Any]]:
        views = self.widget.findChildren(StageView)
        return [view for view in views if view.isVisibleTo(self.widget) and view.picture is not None]

    def _spots_of(self, view: StageView[Any]) -> Iterator[Spot]:
        corner = view.mapTo(self.widget, QPoint(0, 0))
        for area in view.spots(view.picture):
            inside = area & QRectF(view.rect())
            said = None if inside.isEmpty() else view.tip_at(inside.center(), view.picture)
            if said is not None:
                left, top = corner.x() + inside.left(), corner.y() + inside.top()
                yield Spot((left, top, inside.width(), inside.height()), self._look.text(said), _lane_at(view, inside.center()))

    def facts(self, shown: range) -> Facts:
        look, words = self._look, self._exported.words
        return {
            "title": look.text(words.title), "source": source_of(self._exported.model),
            "sources": sources_text(without_moment(words), look), "notes": [look.text(note) for note in self._notes],
            "findings": self._findings(shown), "range": self._range(shown),
        }  # fmt: skip

    def _range(self, shown: range) -> str:
        """Which of how many steps are there; "" for all."""
        number, steps = self._look.translator.number, self._exported.model.timeline.extent.value.steps
        if len(shown) == steps:
            return ""
        said = message("Steps {first}–{last} of {all}", first=number(shown.start + 1), last=number(shown.stop), all=number(steps))
        return self._look.text(said)

    def _findings(self, shown: range) -> list[Facts]:
        picture = self._exported.model.picture.value
        if not isinstance(picture, GpuPicture) or self._exported.model.asking.value:
            return []
        return [
            {"text": self._look.text(row.sentence), "step": row.step - shown.start if row.step is not None and row.step in shown else None}
            for row in finding_rows(picture.index)
        ]

    def close(self) -> None:
        self._exported.close()


def _lane_at(view: StageView[Any], point: QPointF) -> int:
    """The lane that is at a point, of the warp that runs; -1 for none."""
    if not isinstance(view, GpuView) or view.picture is None:
        return -1
    thread = view.selection_at(point, view.picture).thread
    return thread % WARP if thread is not None and thread // WARP == view.picture.frame.warp else -1


def source_of(model: StageModel) -> Sequence[str]:
    """The lines of the text that is executed."""
    picture = model.picture.value
    if isinstance(picture, GpuPicture):
        return picture.index.subject.text.splitlines()
    variant = find(picture.index.trace.variant_id) if picture is not None else None
    return variant.source_text.splitlines() if variant is not None else []


class PlayedProgram:
    """Page of a whole program, event by event. It moves the page that it is given."""

    def __init__(self, look: Look, page: ProgramPage, asking: Field[frozenset[Source]]) -> None:
        """`asking` are the sources that a question of a lesson asks for."""
        self._look, self._page, self._asking = look, page, asking
        self._canvas = ProgramCanvas(look, page, asking)
        self._widget = backdrop(look, self._canvas)

    @property
    def widget(self) -> QWidget:
        return self._widget

    def show(self, step: int) -> None:
        self._page.select(step)

    def words(self) -> StepWords:
        frame, text = self._page.frame.value, self._look.text
        assert frame is not None
        begin = 0 if frame.selected == 0 else frame.run.events[frame.selected - 1].output
        printed = frame.run.stdout[begin : frame.event.output].rstrip()
        output = (text(message("The program prints: {text}", text=printed)),) if printed else ()
        said = text(clock_sentence(frame, self._canvas.device))
        return StepWords(text(place(frame)), text(sentence(frame)), said, output, frame.cells[frame.selected].line or 0)

    def spots(self) -> list[list[Spot]]:
        layout, text = self._canvas.placement, self._look.text
        areas = [] if layout is None else [*layout.cells.values(), *layout.boxes.values()]
        told = ((area, self._canvas.tip_at(area.center())) for area in areas)
        return [[Spot((area.x(), area.y(), area.width(), area.height()), text(said)) for area, said in told if said is not None]]

    def facts(self, shown: range) -> Facts:
        frame, look, draft = self._page.frame.value, self._look, self._page.session.draft_editor.shown
        assert frame is not None
        words = text_of_program(message("Program") if draft is None else draft.title, frame, self._canvas.device)
        events = [(look.text(finding_text(each)), event_of(frame.run, each)) for each in frame.run.findings]
        findings = [
            {"text": said, "step": event - shown.start if event is not None and event in shown else None}
            for said, event in events
            if Source.PROGRAM not in self._asking.value
        ]
        source = draft.text.splitlines() if draft is not None else []
        return {"title": look.text(words.title), "source": source, "sources": sources_text(words, look), "notes": [], "findings": findings}

    def close(self) -> None:
        self._widget.deleteLater()


class PlayedStill:
    """Still picture: of times, or of a real run."""

    def __init__(self, look: Look, exported: ExportView) -> None:
        self._look, self._exported = look, exported

    @property
    def widget(self) -> QWidget:
        return self._exported.widget

    def show(self, step: int) -> None:
        pass

    def words(self) -> StepWords:
        words, text = self._exported.words, self._look.text
        caption = "" if words.caption is None else text(words.caption)
        return StepWords("", text(words.title), caption, (), 0)

    def spots(self) -> list[list[Spot]]:
        return []

    def facts(self, _shown: range) -> Facts:
        words = self._exported.words
        title, sources = self._look.text(words.title), sources_text(words, self._look)
        return {"title": title, "source": [], "sources": sources, "notes": [], "findings": []}

    def close(self) -> None:
        self._exported.close()
