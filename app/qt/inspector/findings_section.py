"""The findings of the shown launch, each with the way to the step that it shows at."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.core.compare.race_comparison import PLAY, RaceComparison, Told
from app.core.gpu_view.index import LaunchIndex
from app.core.inspector.finding_rows import FindingRow, checked_text, finding_rows, next_finding
from app.core.stage.model import Shown, StageModel
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.inspector.section import Section
from app.qt.widgets.labels import label
from kernels.analysis.trust import Trust, trust_text, trust_tip
from kernels.base.messages import message
from kernels.simt.trace.trace import Finding

MOST_ROWS = 8
_ICON = 16


class FindingsSection(Section):
    """Rebuilt for each trace; most have none. `go` is called with the step of a finding."""

    def __init__(self, look: Look, stage: StageModel, races: RaceComparison, go: Callable[[int], object]) -> None:
        super().__init__(look, message("Findings of this launch"))
        self.be_a_stop()
        self._stage = stage
        self._races = races
        self._go = go
        self._rows: tuple[FindingRow, ...] = ()
        self.made_anew = False
        """Whether its buttons were made anew, which so come last in the order of the tab key."""
        self._list = QVBoxLayout()
        self._list.setSpacing(10)
        self._checked = label(look, "", "small", rank=2)
        self._checked.setWordWrap(True)
        self.trust = label(look, "", "small", rank=2)
        self.trust.setWordWrap(True)
        self.column.addLayout(self._list)
        self.column.addWidget(self._checked)
        self.column.addWidget(self.trust)
        bind(self, stage.shown, self._show)

    def go_to_next(self) -> bool:
        """Go to the step of the next finding, from the last to the first; False where there is none."""
        launch = isinstance(self._stage.shown.value, LaunchIndex)  # what is listed may be of one that is gone
        step = next_finding(self._rows, self._stage.timeline.position.value.step) if launch else None
        if step is not None:
            self._go(step)
        return step is not None

    def _show(self, shown: Shown | None) -> None:
        if not isinstance(shown, LaunchIndex) or self._races.playing:
            return
        rows = finding_rows(shown)
        found = sum(row.severe for row in rows)
        self.remark.setText(self.look.text(message("✓ none")) if not found else self.look.translator.number(found))
        self._checked.setText(self.look.text(checked_text(shown)))
        self._checked.setVisible(not found)
        self._show_trust(shown.record.trust)
        if rows != self._rows:
            self._rows = rows
            self._rebuild()

    def _show_trust(self, found: Trust) -> None:
        """One line, with a mark where something that is modelled may decide the kernel's way; the rest is its tip."""
        said = self.look.text(trust_text(found))
        self.trust.setText(f"⚠ {said}" if found.reaches else said)
        tip = self.look.paragraph(self.look.text(each) for each in trust_tip(found))
        self.trust.setToolTip(f"<p>{escape(tip)}</p>")
        self.trust.setAccessibleDescription(tip)

    def _rebuild(self) -> None:
        self.made_anew = True
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row in self._rows[:MOST_ROWS]:
            self._list.addWidget(_Entry(self.look, row, self._go, self._races))
        left = len(self._rows) - MOST_ROWS
        if left > 0:
            self._list.addWidget(label(self.look, message("And more: {count}.", count=left), "small", rank=3))


class _Entry(QWidget):
    """Icon and kind, the sentence, the places, and a button."""

    def __init__(self, look: Look, row: FindingRow, go: Callable[[int], object], races: RaceComparison) -> None:
        super().__init__()
        theme = look.theme
        icon = QLabel()
        icon.setPixmap(look.icon("triangle-alert", theme.bad if row.severe else theme.t2).pixmap(_ICON, _ICON))
        kind = label(look, row.kind, "section")
        if row.severe:
            kind.setProperty("tone", "bad")
        count = label(look, "" if row.count == 1 else f"× {look.translator.number(row.count)}", "small", rank=3)
        head = QHBoxLayout()
        head.setSpacing(6)
        for widget in (icon, kind):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(count)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(head)
        for sentence, rank in ((row.sentence, 1), (row.places, 2)):
            if sentence is not None:
                text = label(look, sentence, "small", rank=rank)
                text.setWordWrap(True)
                column.addWidget(text)
        if row.step is not None:
            step = row.step
            said = message("Go to step {step}", step=step + 1)
            if row.line is not None:
                said = message("Go to step {step}, line {line}", step=step + 1, line=row.line)
            button = QPushButton(look.text(said))
            button.setFont(theme.font("small"))
            button.clicked.connect(lambda _=False: go(step))
            line = QHBoxLayout()
            line.addWidget(button)
            line.addStretch(1)
            column.addLayout(line)
        if row.race is not None:
            self._add_schedules(look, column, row.race, races)

    def _add_schedules(self, look: Look, column: QVBoxLayout, race: Finding, races: RaceComparison) -> None:
        """The button that plays a race, and what came of it."""
        button = QPushButton(look.text(PLAY))
        button.setFont(look.theme.font("small"))
        button.clicked.connect(lambda _=False: races.play(race))
        line = QHBoxLayout()
        line.addWidget(button)
        line.addStretch(1)
        column.addLayout(line)
        said = label(look, "", "small", rank=2)
        said.setWordWrap(True)
        column.addWidget(said)

        def show(told: Told | None) -> None:
            mine = told is not None and told.finding == race
            set_shown(said, mine)
            if told is not None and mine:
                said.setText("\n".join(look.text(each) for each in (told.sentence, told.chain) if each is not None))

        bind(self, races.told, show)
