"""Export panel: a small preview of the picture at the left, at the right the options that matter for what is chosen.

It lies over the window until it is closed; nothing waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QImage, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QProgressBar, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.export.choice import ENDINGS, KINDS, MOVING, SCALES, SIZES, ExportChoice, Of, What
from app.core.export.kinds import COLOURS, PictureSize, path_with
from app.core.stage.model import StageModel
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.base.refresh import IdleNotifier
from app.qt.export.controller import ExportController, Progress
from app.qt.export.figure import picture_of_page
from app.qt.export.preview import Preview
from app.qt.widgets.choice_box import ChoiceBox
from app.qt.widgets.fields import NumberField, TextField
from app.qt.widgets.labels import label, reason_label, show_reason
from app.qt.widgets.overlay import Overlay
from app.qt.widgets.segmented import Segmented
from kernels.base.messages import Message, message

T = TypeVar("T")
_SUBJECTS = {
    Of.STAGE: message("Stage"), Of.CURVES: message("Curves"), Of.LADDER: message("Ladder"), Of.USES: message("One use of the GPU"),
    Of.TUNING: message("Tuning"),
}  # fmt: skip
_COLOURS = dict(zip(COLOURS, (message("Light"), message("Dark"), message("Print")), strict=True))
_TIMES = {"first": message("From step"), "last": message("To step"), "rate": message("Pictures a second"),
          "speed": message("Steps a second")}  # fmt: skip


class ExportOptions(QWidget):
    """Shows the export controller's choice, and changes it."""

    def __init__(self, look: Look, controller: ExportController) -> None:
        super().__init__()
        self._look, self._controller = look, controller
        self._sizes = dict(_USUAL_SIZES)
        """The size of each kind that was looked at, or usually has one of its own."""
        self.what = Segmented(look, message("What is exported"), [(what, title, "") for what, title in KINDS.items()], self._choose_what)
        self.of = ChoiceBox[Of](look, message("What is drawn"), lambda of: self._set(replace(self._choice, of=of)))
        self.view = ChoiceBox[int](look, message("Views"), lambda view: self._set(replace(self._choice, view=view)))
        self.format = ChoiceBox[str](look, message("Format"), lambda ending: self._set(self._choice.ending_with(ending)))
        self.extent = ChoiceBox[tuple[int, int]](look, message("Size"), self._choose_size)
        self.scale = ChoiceBox[int](look, message("Scale"), self._choose_scale)
        self.colours = ChoiceBox[str](look, message("Colours"), lambda name: self._set(replace(self._choice, colours=name)))
        self.times = {name: NumberField(look, title, partial(self._choose_time, name)) for name, title in _TIMES.items()}
        self.name = TextField(look, look.text(message("Who signs")), "", controller.sign)
        boxes: tuple[QWidget, ...] = (self.of, self.view, self.format, self.extent, self.scale, self.colours)
        titles = (message("What is drawn"), message("Views"), message("Format"), message("Size"), message("Scale"), message("Colours"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.what)
        column.addSpacing(6)
        self._rows = {box: self._row(title, box) for title, box in zip(titles, boxes, strict=True)}
        for part in (*self._rows.values(), *self.times.values(), self.name):
            column.addWidget(part)
        column.addStretch(1)
        bind(self, controller.choice, self.show_choice)
        bind(self, controller.name, self.name.show_value)

    @property
    def _choice(self) -> ExportChoice:
        return self._controller.choice.value

    def show_choice(self, choice: ExportChoice) -> None:
        """Show what is chosen."""
        moving, figure = choice.what in MOVING, choice.what is What.FIGURE
        drawn, staged = moving or figure, moving or (figure and choice.of is Of.STAGE)
        for box, shown in (
            (self.of, figure),
            (self.view, staged and bool(self._controller.views)),
            (self.extent, drawn),
            (self.scale, choice.scaled),
            (self.colours, drawn and choice.what is not What.PLAYER),
        ):
            self._rows[box].setVisible(shown)
        for name, field in self.times.items():
            field.setVisible(moving if name in ("first", "last") else choice.what is What.CLIP)
        self.name.setVisible(choice.what is What.REPORT)
        self.what.show_choice(choice.what)
        self.of.show_choices(_listed(tuple(Of), [_SUBJECTS[of] for of in Of]), choice.of)
        views = self._controller.views
        self.view.show_choices(_listed(range(len(views)), views), choice.view)
        self.format.show_choices(
            [(ending, message("{ending}", ending=ending[1:].upper())) for ending in ENDINGS[choice.what]], choice.ending
        )
        self.extent.show_choices(
            [(each, message("{m} × {n}", m=each[0], n=each[1])) for each in SIZES], (choice.size.width, choice.size.height)
        )
        self.scale.show_choices([(each, _scaled(choice.size, each)) for each in SCALES], choice.size.scale)
        self.colours.show_choices(list(_COLOURS.items()), choice.colours)
        for name, field in self.times.items():
            field.show_value(getattr(choice, name))

    def _row(self, title: Message, box: QWidget) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label(self._look, title, rank=2), 1)
        row.addWidget(box)
        return made

    def _set(self, choice: ExportChoice) -> None:
        self._controller.choice.value = choice

    def _choose_what(self, what: What) -> None:
        """What moves is as large as a projector needs it; a figure as sharp as paper does."""
        self.forget_reasons()
        self._sizes[self._choice.what] = self._choice.size
        self._set(replace(self._choice, what=what, size=self._sizes.get(what, self._choice.size)))

    def _choose_size(self, size: tuple[int, int]) -> None:
        self._set(replace(self._choice, size=replace(self._choice.size, width=size[0], height=size[1])))

    def _choose_scale(self, scale: int) -> None:
        self._set(replace(self._choice, size=replace(self._choice.size, scale=scale)))

    def _choose_time(self, name: str, value: int) -> Message | None:
        """Refuse only what no other end or pace would make possible: the panel says what stands against them together."""
        reason = self._choice.refuse_time(name, value, self._controller.steps)
        if reason is None:
            self._set(replace(self._choice, **{name: value}))  # type: ignore[arg-type]  # each of the four is a whole number
        return reason

    def forget_reasons(self) -> None:
        """Let what was refused be over."""
        for field in self.times.values():
            field.forget_reason()


_USUAL_SIZES = {What.CLIP: PictureSize(1000, 562, 2), What.PLAYER: PictureSize(1000, 600)}


def _listed(values: Sequence[T], titles: Sequence[Message]) -> list[tuple[T, Message]]:
    return list(zip(values, titles, strict=True))


def _scaled(size: PictureSize, scale: int) -> Message:
    width, height = replace(size, scale=scale).pixels
    return message("{scale}×: a file of {width} × {height} pixels", scale=scale, width=width, height=height)


_WIDEST, _HIGHEST, _BAR, _GAP = 1120, 640, 48, 8
_OPTIONS, _EDGES = 456, 40
"""Width of the options at zoom 100 %, and what margins and the gap beside the preview take."""
_SOON_MS = 120


class ExportPanel(Overlay):
    """Draws its preview a moment after the last change, and never while the stage plays."""

    def __init__(self, look: Look, over: QWidget, controller: ExportController, stage: StageModel) -> None:
        super().__init__(look, over, partial(_place, look))
        self.controller = controller
        self.preview = Preview(look)
        self.options = ExportOptions(look, controller)
        self.reason = reason_label(look)
        self.left_out = label(look, "", "small", rank=2)
        self.save = QPushButton(look.icon("save", look.theme.ink_text), look.text(message("Save as…")))
        self.save.setProperty("primary", "true")
        self.save.clicked.connect(self._ask_and_save)
        self.cancel = QPushButton(look.icon("square", look.theme.t1), look.text(message("Cancel")))
        self.cancel.setToolTip(look.text(message("Cancel (Esc)")))
        self.cancel.clicked.connect(controller.cancel)
        self.examples = QPushButton(look.text(message("Page of examples…")))
        self.examples.setToolTip(look.text(message("Fourteen players, and a page that has them all, for the site of a course")))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self.count = label(look, "", "small", rank=2)
        self.told = label(look, "", "small", rank=2)
        self._arrange()
        self._timeline = stage.timeline
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self.draw)
        bind(self, controller.choice, lambda _choice: self._changed())
        bind(self, controller.name, lambda _name: self._changed())
        for field in controller.redrawn_by:
            bind(self, field, lambda _shown: self._offer())
        bind(self, controller.progress, self._show_progress)
        bind(self, controller.told, lambda _told: self._show_told())
        bind(self, controller.choice, lambda _choice: self._show_told())
        IdleNotifier(self, stage, lambda _picture: self._changed())

    def toggle(self) -> None:
        """Open, or close where it is open. The stage rests: a range that is chosen would move on with it."""
        if not self.isHidden():
            self.leave()
            return
        self._timeline.pause()
        self.controller.prepare()
        self.controller.told.value = None
        self.options.forget_reasons()
        self.options.show_choice(self.controller.choice.value)
        self.open(message("Export"), self.save)
        self._changed()

    def draw(self) -> None:
        """Draw the preview, and say why nothing can be written."""
        if self.isHidden():
            return
        reason, what = self.controller.refusal(), self.controller.choice.value.what
        self._offer_examples()
        show_reason(self.reason, self.look, reason)
        notes = (self.controller.begins_later, self.controller.left_out) if reason is None else ()
        self.left_out.setText("\n".join(self.look.text(note) for note in notes if note is not None))
        self.left_out.setVisible(bool(self.left_out.text()))
        self.save.setEnabled(reason is None)
        if what in (What.CURVES, What.MEASUREMENTS):
            self.preview.say(self.look.text(_ABOUT[what]))
            return
        picture = self.controller.report() if what is What.REPORT else self._drawn_view()
        if isinstance(picture, Message):
            self.preview.say(self.look.text(picture))
            self.save.setEnabled(False)
        else:
            self.preview.show_image(picture)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends what is being written; the next one closes the panel, as the cross does at once."""
        if event.key() == Qt.Key.Key_Escape and self.controller.progress.value is not None:
            self.controller.cancel()
        else:
            super().keyPressEvent(event)

    def _drawn_view(self) -> QImage | Message:
        look, size = self.controller.page, self.controller.choice.value.size
        exported = self.controller.exported(look)
        if isinstance(exported, Message):
            return exported
        image = picture_of_page(exported, PictureSize(size.width, size.height), look)
        exported.close()
        return image

    def _changed(self) -> None:
        if not self.isHidden():
            self._soon.start()

    def _offer(self) -> None:
        """The stage shows something of another kind."""
        if not self.isHidden():
            self.controller.prepare()
            self.options.show_choice(self.controller.choice.value)
            self._changed()

    def _arrange(self) -> None:
        for button in (self.save, self.cancel, self.examples):
            button.setFont(self.look.theme.font("body"))
        for said in (self.left_out, self.told):
            said.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.examples)
        buttons.addWidget(self.count, 1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        side = QVBoxLayout()
        side.setSpacing(8)
        side.addWidget(self._scrolled(), 1)
        for part in (self.reason, self.left_out, self.told, self.bar):
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the preview out where it would push options out of sight."""
        super().resizeEvent(event)
        set_shown(self.preview, event.size().width() >= self.look.px(_OPTIONS) + self.preview.minimumWidth() + _EDGES)

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
        # of the window, not of the application: a file dialog may still be the active window
        focused = self.window().focusWidget() in (self.save, self.cancel, self.examples)
        for part in (self.bar, self.cancel, self.count):
            part.setVisible(running)
        self.save.setVisible(not running)
        self._offer_examples()
        if focused:
            (self.cancel if running else self.save).setFocus()
        if progress is not None:
            self.count.setText(self.look.text(progress.said))
            self.bar.setAccessibleName(self.count.text())
            self.bar.setRange(0, progress.total)
            self.bar.setValue(progress.drawn)

    def _offer_examples(self) -> None:
        running = self.controller.progress.value is not None
        self.examples.setVisible(not running and self.controller.choice.value.what is What.PLAYER)

    def _show_told(self) -> None:
        """What was said of the kind that is chosen."""
        told = self.controller.told.value if self.controller.choice.value.what is self.controller.last else None
        self.told.setText("" if told is None else self.look.text(told))
        self.told.setVisible(told is not None)

    def _ask_and_save(self) -> None:
        suggested = self.controller.suggestion()
        kind = f"{suggested.suffix[1:].upper()} (*{suggested.suffix})"
        name, _ = QFileDialog.getSaveFileName(self, self.look.text(message("Export")), str(suggested), kind)
        if name:
            choice = self.controller.choice.value
            path = path_with(Path(name), (suggested.suffix, *ENDINGS[choice.what]))
            if isinstance(path, Path):
                self.controller.choice.value = choice.ending_with(path.suffix.lower())  # one that was typed chooses the format
                self.controller.save(path)
            else:
                self.controller.refuse(path)


_ABOUT = {
    What.CURVES: message("The times that the chart shows, with where each is from: a row for each point."),
    What.MEASUREMENTS: message("All times that were measured here for this operation: a row for each point."),
}


def _place(look: Look, area: QRect) -> QRect:
    bar = look.px(_BAR)
    width, height = min(look.px(_WIDEST), area.width() - 2 * _GAP), min(look.px(_HIGHEST), area.height() - bar - 2 * _GAP)
    return QRect(area.right() - width - _GAP, bar + _GAP, width, height)
