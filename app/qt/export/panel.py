"""The export panel: the picture at the left, the options at the right. It lies over the window until it is closed; nothing waits."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QProgressBar, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.export.choice import What
from app.core.export.sizes import PictureSize
from app.core.stage_model import StageModel
from app.qt.binding import bind
from app.qt.export.desk import ExportDesk, Progress
from app.qt.export.figure import picture_of_page
from app.qt.export.options import ExportOptions
from app.qt.export.preview import Preview
from app.qt.export.saving import path_with
from app.qt.look import Look
from app.qt.rest import Rest
from app.qt.widgets.labels import label, reason_label, show_reason
from app.qt.widgets.overlay import Overlay
from kernels.messages import Message, message

_WIDEST, _HIGHEST, _BAR, _GAP = 1120, 640, 48, 8
_OPTIONS = 372
_SOON_MS = 120


class ExportPanel(Overlay):
    """Draws its preview a moment after the last change, and never while the stage plays."""

    def __init__(self, look: Look, over: QWidget, desk: ExportDesk, stage: StageModel) -> None:
        super().__init__(look, over, partial(_place, look))
        self.desk = desk
        self.preview = Preview(look)
        self.options = ExportOptions(look, desk)
        self.reason = reason_label(look)
        self.save = QPushButton(look.icon("save", look.theme.ink_text), look.text(message("Save as…")))
        self.save.setProperty("primary", "true")
        self.save.clicked.connect(self._ask_and_save)
        self.cancel = QPushButton(look.icon("square", look.theme.t1), look.text(message("Cancel")))
        self.cancel.clicked.connect(desk.cancel)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self.bar.setAccessibleName(look.text(message("Pictures drawn")))
        self.count = label(look, "", "small", rank=2)
        self.told = label(look, "", "small", rank=2)
        self._arrange()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self.draw)
        bind(self, desk.choice, lambda _choice: self._changed())
        bind(self, desk.name, lambda _name: self._changed())
        for field in desk.redrawn_by:
            bind(self, field, lambda _shown: self._offer())
        bind(self, desk.progress, self._show_progress)
        bind(self, desk.told, self._show_told)
        Rest(self, stage, lambda _picture: self._changed())

    def toggle(self) -> None:
        """Open, or close where it is open."""
        if not self.isHidden():
            self.leave()
            return
        self.desk.prepare()
        self.desk.told.value = None
        self.options.show_choice(self.desk.choice.value)
        self.open(message("Export"), self.save)
        self._changed()

    def draw(self) -> None:
        """Draw the preview, and say why nothing can be written."""
        if self.isHidden():
            return
        reason, what = self.desk.refusal(), self.desk.choice.value.what
        show_reason(self.reason, self.look, reason)
        self.save.setEnabled(reason is None)
        if what in (What.CURVES, What.MEASUREMENTS):
            self.preview.say(self.look.text(_ABOUT[what]))
            return
        picture = self.desk.report() if what is What.REPORT else self._drawn_scene()
        if isinstance(picture, Message):
            self.preview.say(self.look.text(picture))
            self.save.setEnabled(False)
        else:
            self.preview.show_image(picture)

    def _drawn_scene(self) -> QImage | Message:
        look, size = self.desk.page, self.desk.choice.value.size
        scene = self.desk.scene(look)
        if isinstance(scene, Message):
            return scene
        image = picture_of_page(scene, PictureSize(size.width, size.height), look)
        scene.close()
        return image

    def _changed(self) -> None:
        if not self.isHidden():
            self._soon.start()

    def _offer(self) -> None:
        """The stage shows something of another kind."""
        if not self.isHidden():
            self.options.show_choice(self.desk.choice.value)
            self._changed()

    def _arrange(self) -> None:
        for button in (self.save, self.cancel):
            button.setFont(self.look.theme.font("body"))
        self.told.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.count, 1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        side = QVBoxLayout()
        side.setSpacing(8)
        side.addWidget(self._scrolled(), 1)
        for part in (self.reason, self.told, self.bar):
            side.addWidget(part)
        side.addLayout(buttons)
        holder = QWidget()
        holder.setLayout(side)
        holder.setFixedWidth(self.look.px(_OPTIONS))
        side.setContentsMargins(0, 0, 6, 0)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.preview, 1)
        row.addWidget(holder)
        self.column.addLayout(row, 1)

    def _scrolled(self) -> QScrollArea:
        """The options, which large type may make higher than the window."""
        area = QScrollArea()
        area.setWidget(self.options)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return area

    def _show_progress(self, progress: Progress | None) -> None:
        running = progress is not None
        focused = self.save.hasFocus() or self.cancel.hasFocus()
        for part in (self.bar, self.cancel, self.count):
            part.setVisible(running)
        self.save.setVisible(not running)
        if focused:
            (self.cancel if running else self.save).setFocus()
        if progress is not None:
            self.bar.setRange(0, progress.total)
            self.bar.setValue(progress.drawn)
            self.count.setText(self.look.text(message("{done} of {total} pictures", done=progress.drawn, total=progress.total)))

    def _show_told(self, told: Message | None) -> None:
        self.told.setText("" if told is None else self.look.text(told))
        self.told.setVisible(told is not None)

    def _ask_and_save(self) -> None:
        suggested = self.desk.suggestion()
        kind = f"{suggested.suffix[1:].upper()} (*{suggested.suffix})"
        name, _ = QFileDialog.getSaveFileName(self, self.look.text(message("Export")), str(suggested), kind)
        if name:
            path = path_with(Path(name), (suggested.suffix,))
            if isinstance(path, Path):
                self.desk.save(path)
            else:
                self.desk.told.value = path


_ABOUT = {
    What.CURVES: message("The times that the chart shows, with where each is from: a row for each point."),
    What.MEASUREMENTS: message("All times that were measured here for this operation: a row for each point."),
}


def _place(look: Look, area: QRect) -> QRect:
    bar = look.px(_BAR)
    width, height = min(look.px(_WIDEST), area.width() - 2 * _GAP), min(look.px(_HIGHEST), area.height() - bar - 2 * _GAP)
    return QRect(area.right() - width - _GAP, bar + _GAP, width, height)
