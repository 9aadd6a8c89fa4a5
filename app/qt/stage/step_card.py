"""The step card: where the trace stands in the source, what the step does, its facts, and what comes next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMargins, QObject, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.core.base.observable import Field
from app.core.compare.pairing import Pair
from app.core.compare.race_comparison import PLAY, RaceComparison
from app.core.gpu_view.index import LaunchIndex
from app.core.inspector.finding_rows import FindingRow, finding_rows, out_of_bounds
from app.core.stage.model import AnyPicture, GpuPicture, Shown, StageModel
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.widgets.answer_first import TOLD_BY_COUNTS
from app.qt.widgets.labels import ElidedLabel, SteadyLabel, label
from app.qt.widgets.terms import term_tip
from kernels.base.messages import Message, message

MOST_FACTS = 4
_FACTS_FROM, _BRIEF_FROM, _SENTENCE_FROM, _ANYTHING_FROM = 480, 300, (200, 240), 220
"""Pixels at zoom 100 %: of height; of height; of width or height; of height."""
_MARGINS = QMargins(14, 12, 14, 12)


class StepCard(QWidget):
    """Tells the step of a stage model in words. Its height does not change from step to step, but where one has a finding."""

    def __init__(self, look: Look, model: StageModel, races: RaceComparison | None = None) -> None:
        super().__init__()
        self._look = look
        self._model = model
        self._races = races
        self._always: FindingRow | None = None
        self._at_steps: dict[int, FindingRow] = {}
        self._fault: FindingRow | None = None
        self._low = False
        theme = look.theme
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._now = QLabel("› " + look.text(message("now")))
        self._now.setFont(theme.font("label"))
        self._now.setFixedHeight(look.px(22))
        colours = f"color: {theme.now_text.name()}; background: {theme.now_bg.name()}"
        self._now.setStyleSheet(f"{colours}; border-radius: {look.px(11)}px; padding: 0 9px")
        self._place = SteadyLabel(theme.font("section"), wrapped=True)
        self.sentence = SteadyLabel(theme.font("sentence"), lines=2)
        self.fault = label(look, "", "small")
        self.fault.setProperty("tone", "bad")
        self.fault.setWordWrap(True)
        self.fault.hide()
        self.play = QPushButton(look.text(PLAY))
        """Where the step races."""
        self.play.setFont(theme.font("small"))
        self.play.clicked.connect(self._play_race)
        self.play.hide()
        self._came_of_it = label(look, "", "small", rank=2)
        self._came_of_it.setWordWrap(True)
        self._came_of_it.hide()
        self._facts = [(self._label("body", rank="2"), self._label("section")) for _ in range(MOST_FACTS + 1)]
        self._build()
        bind(self, model.shown, self._take_findings)
        bind(self, model.told, self._show)
        bind(self, model.asking, lambda _asked: self._show_fault(model.told.value))
        if races is not None:
            bind(self, races.told, lambda _told: self._show_race())

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGINS)
        column.setSpacing(8)
        self._head = QWidget()
        head = QHBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(10)
        head.addWidget(self._now, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._place, 1)
        column.addWidget(self._head)
        column.addWidget(self.sentence)
        column.addWidget(self.fault)
        column.addWidget(self.play, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._came_of_it)
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(self._facts):
            grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1)
        self._grid = QWidget()
        self._grid.setLayout(grid)
        grid.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._grid)
        self.brief = ElidedLabel()
        """The facts in a line, where there is no room for a row each."""
        self.brief.setFont(self._look.theme.font("small"))
        self.brief.setProperty("rank", "2")
        self.brief.hide()
        column.addWidget(self.brief)

    def fit(self, room: QSize) -> None:
        """Say the facts in a line where there is only so much room for the source and this card, and no place: its line is marked in the
        source; then not even them; where there is hardly any, no sentence; where lines of the source would have none, all but what is
        wrong is left out."""
        wide, high = map(self._look.px, _SENTENCE_FROM)
        low = room.height() < self._look.px(_ANYTHING_FROM)
        self._low = low
        self._show_race()
        column = self.layout()
        assert column is not None
        column.setContentsMargins(QMargins() if low else _MARGINS)
        rows = room.height() >= self._look.px(_FACTS_FROM)
        for part in (self._head, self._grid):
            set_shown(part, rows)
        set_shown(self.brief, not rows and room.height() >= self._look.px(_BRIEF_FROM))
        set_shown(self.sentence, not low and (room.width() >= wide or room.height() >= high))

    def _take_findings(self, shown: Shown | None) -> None:
        """What the launch does that no step of it may stands there at every step, any other finding at its own."""
        rows = finding_rows(shown) if isinstance(shown, LaunchIndex) else ()
        self._always = out_of_bounds(shown) if isinstance(shown, LaunchIndex) else None
        self._at_steps = {row.step: row for row in reversed(rows) if row.step is not None and row.severe}
        self._show_fault(self._model.told.value)

    def _show_fault(self, picture: AnyPicture | None) -> None:
        fault = self._at_steps.get(picture.frame.step, self._always) if isinstance(picture, GpuPicture) else self._always
        if self._model.asking.value & TOLD_BY_COUNTS:  # it may be the answer
            fault = None
        if fault is self._fault:
            return
        self._fault = fault
        self.fault.setVisible(fault is not None)
        self._show_race()
        if fault is None:
            return
        self.fault.setText("⚠ " + self._look.text(message("{kind}: {sentence}", kind=fault.kind, sentence=fault.sentence)))
        if fault.step is not None:
            self.fault.setCursor(Qt.CursorShape.PointingHandCursor)
            self.fault.setToolTip(self._look.text(message("Go to step {step}", step=fault.step + 1)) + " (F)")

    def _show_race(self) -> None:
        """Offer the schedule that breaks what is told, and tell what came of looking for it."""
        race = None if self._fault is None else self._fault.race
        told = None if self._races is None else self._races.told.value
        mine = told is not None and told.finding == race
        set_shown(self.play, self._races is not None and race is not None and not self._low)
        set_shown(self._came_of_it, mine and race is not None and not self._low)
        self._came_of_it.setText(self._look.text(told.sentence) if told is not None and mine else "")

    def _play_race(self) -> None:
        if self._races is not None and self._fault is not None and self._fault.race is not None:
            self._races.play(self._fault.race)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on what is told of every step goes to the one that does it."""
        pressed = self.fault.isVisible() and self.fault.geometry().contains(event.position().toPoint())
        if pressed and self._fault is not None and self._fault.step is not None:
            self._model.timeline.scrub(self._fault.step)
        else:
            super().mousePressEvent(event)

    def _label(self, role: str, rank: str = "1") -> SteadyLabel:
        made = SteadyLabel(self._look.theme.font(role), wrapped=rank == "1")
        made.setProperty("rank", rank)
        made.setSizePolicy(QSizePolicy.Policy.Ignored if rank == "1" else QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        return made

    def _show(self, picture: AnyPicture | None) -> None:
        self._show_fault(picture)
        self.setEnabled(picture is not None)
        self._now.setVisible(picture is not None)
        description = None if picture is None else picture.description
        self._place.setText(self._look.text(description.place) if description else "")
        self.sentence.setText(self._look.text(description.sentence) if description else "")
        facts: list[tuple[Message, Message]] = []
        if picture is not None:
            facts = [*picture.description.facts[:MOST_FACTS], (message("Next"), picture.description.coming)]
        for number, (name, value) in enumerate(self._facts):
            known = number < len(facts)
            name.setText(self._look.text(facts[number][0]) if known else "")
            name.setToolTip(term_tip(self._look, facts[number][0]) if known else "")
            value.setText(self._look.text(facts[number][1]) if known else "")
        said = (self._look.text(message("{setting}: {value}", setting=name, value=value)) for name, value in facts)
        self.brief.setText(" · ".join(said))


class StepLine(QWidget):
    """The sentence of the step in a line of its own, where its card does not say it. Of two launches that are compared none is said."""

    def __init__(self, look: Look, model: StageModel, card: StepCard, pair: Field[Pair | None]) -> None:
        super().__init__()
        self._look, self._model, self._pair = look, model, pair
        self._in_card = False
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sentence = SteadyLabel(look.theme.font("section"), wrapped=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGINS.left(), 4, _MARGINS.right(), 0)
        row.addWidget(self.sentence)
        card.sentence.installEventFilter(self)
        bind(self, model.told, lambda _picture: self._show())
        bind(self, pair, lambda _pair: self._show())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the card, whatever it is that has hidden it."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._in_card = event.type() is QEvent.Type.Show
            self._show()
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        picture = None if self._model.picture.value is None else self._model.told.value  # which has its end a moment later
        said = picture is not None and not self._in_card and self._pair.value is None
        self.sentence.setText(self._look.text(picture.description.sentence) if picture is not None and said else "")
        set_shown(self, said)
