"""Section of the caches: which ones the stage shows, what their misses were, and whether the tiles fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy

from app.core.cpu_view.addresses import WorkingSet, bytes_text, working_set
from app.core.cpu_view.cache_counters import kinds_text
from app.core.cpu_view.cache_sentences import preset_title
from app.core.cpu_view.index import TraceIndex
from app.core.session.choices import CacheChoice
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.cpu_view.cache_painter import line_colour
from app.qt.inspector.section import Section
from app.qt.matrix.cells import readable_on
from app.qt.widgets.choice_box import PlainBox
from app.qt.widgets.labels import label
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import Message, message
from kernels.cachesim.geometry import Replacement
from kernels.cachesim.presets import PRESETS

_REPLACEMENTS = {
    None: message("own policy"), Replacement.LRU: message("LRU"), Replacement.PLRU: message("tree-PLRU"), Replacement.FIFO: message("FIFO"),
}  # fmt: skip


class CacheSection(Section):
    """Choosers, what to know of the model, kinds of misses, and the working set of a tile step."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__(look, message("Caches"))
        self._session = workbench.session
        self._stage = workbench.stage
        self._study = workbench.studies.caches
        self.presets = self._box(message("Caches"), [(name, preset_title(name)) for name in PRESETS], self._choose_preset)
        self.replacements = self._box(message("Which line leaves a full set"), list(_REPLACEMENTS.items()), self._choose_replacement)
        self.levels = self._box(message("Level"), [], self._choose_level)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.levels, 1)
        row.addWidget(self.replacements, 1)
        self._note, self._kinds, self._fits = (label(look, "", "small", rank=rank) for rank in (3, 2, 2))
        self.bar = WorkingSetBar(look)
        self.column.addWidget(self.presets)
        self.column.addLayout(row)
        for text in (self._note, self._kinds):
            text.setWordWrap(True)
            self.column.addWidget(text)
        self._fits.setWordWrap(True)
        self.column.addWidget(self.bar)
        self.column.addWidget(self._fits)
        bind(self, self._session.caches, self._show_choice)
        bind(self, self._stage.cache_level, self.levels.setCurrentIndex)
        bind(self, self._stage.shown, lambda _shown: self._show_working_set())
        bind(self, self._study.counts, lambda _counts: self._show_kinds())
        bind(self, self._stage.caches_missing, lambda _reason: self._show_kinds())

    def _box(self, name: Message, choices: Sequence[tuple[object, Message]], chosen: Callable[[int], None]) -> QComboBox:
        box = PlainBox(self.look)
        box.setFont(self.look.theme.font("body"))
        box.setAccessibleName(self.look.text(name))
        box.setToolTip(self.look.text(name))
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for value, title in choices:
            box.addItem(self.look.text(title), value)
        box.activated.connect(chosen)
        return box

    def _choose_preset(self, place: int) -> None:
        self._session.caches.value = CacheChoice(self.presets.itemData(place), self._session.caches.value.replacement)

    def _choose_replacement(self, place: int) -> None:
        self._session.caches.value = CacheChoice(self._session.caches.value.preset, list(_REPLACEMENTS)[place])

    def _choose_level(self, place: int) -> None:
        self._stage.cache_level.value = place

    def _show_choice(self, choice: CacheChoice) -> None:
        hierarchy = choice.hierarchy
        self.presets.setCurrentIndex(self.presets.findData(choice.preset))
        self.replacements.setCurrentIndex(list(_REPLACEMENTS).index(choice.replacement))
        self.levels.clear()
        for level in hierarchy.levels:
            said = message("{level}: {size}", level=level.name, size=bytes_text(level.size))
            self.levels.addItem(self.look.text(said))
        self._stage.cache_level.value = min(self._stage.cache_level.value, len(hierarchy.levels) - 1)
        self.levels.setCurrentIndex(self._stage.cache_level.value)
        self._note.setText("" if hierarchy.note is None else self.look.text(hierarchy.note))
        self._note.setVisible(hierarchy.note is not None)
        self._show_working_set()

    def _show_kinds(self) -> None:
        """The misses by their reasons, or why the stage has no caches."""
        counts = self._study.counts.value
        said = self._stage.caches_missing.value or (None if counts is None else kinds_text(counts))
        self._kinds.setText("" if said is None else self.look.text(said))
        self._kinds.setVisible(said is not None)

    def _show_working_set(self) -> None:
        shown = self._stage.shown.value
        level = self._session.caches.value.hierarchy.levels[0]
        found = working_set(shown, level) if isinstance(shown, TraceIndex) else None
        self.bar.show_set(found)
        self._fits.setText("" if found is None else self.look.text(found.words))
        self._fits.setVisible(found is not None)


class WorkingSetBar(Zoomed):
    """The lines of a tile step by matrix, against what the nearest cache holds, which a mark stands for."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._shown: WorkingSet | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self.grown(QSize(200, 24))

    def show_set(self, found: WorkingSet | None) -> None:
        """Draw it; hide where there is none."""
        self._shown = found
        self.setAccessibleName("" if found is None else self._look.text(found.words))
        self.setVisible(found is not None)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, found, theme = self.painter(), self._shown, self._look.theme
        if found is None:
            return
        whole = max(found.bytes, found.level.size)
        painter.fillRect(QRectF(0, 2, self.width(), 18), theme.bg3)
        x, edge = 0.0, self.width() * found.level.size / whole
        painter.setFont(theme.font("label"))
        for name, lines in found.lines:
            part = QRectF(x, 2, self.width() * lines * found.level.line / whole, 18)
            fill = line_colour(name, 1, theme)
            painter.fillRect(part, fill)
            painter.setPen(readable_on(fill, theme))
            painter.drawText(_beside(part, edge), Qt.AlignmentFlag.AlignCenter, name)
            x += part.width()
        painter.fillRect(QRectF(min(edge, self.width() - 2), 0, 2, 22), theme.ink if found.fits else theme.bad)


def _beside(part: QRectF, edge: float) -> QRectF:
    """The part, or what is larger of its two where an edge goes through it."""
    if not part.left() < edge < part.right():
        return part
    left, right = part.adjusted(0, 0, edge - part.right(), 0), part.adjusted(edge - part.left(), 0, 0, 0)
    return max(left, right, key=QRectF.width)
