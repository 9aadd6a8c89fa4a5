"""The ladder: every variant of the operation in teaching order, grouped by device, those that cannot run with their reason."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.core.session import Session, StageChoice, TimingChoice, Workspace
from app.core.shares import percent_text
from app.core.workbench import Workbench
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.widgets.labels import label
from kernels import catalog
from kernels.devices import Availability, DeviceStatus
from kernels.messages import message
from kernels.spec import Device, Operation, Variant

_GROUPS = {
    Device.CPU: (message("CPU"), "cpu"),
    Device.GPU: (message("GPU"), "gpu"),
    Device.MPI: (message("MPI"), "network"),
}
WIDE, RAIL = 248, 52


class RungButton(QAbstractButton):
    """One rung: its number, its name, and its share of the best library as a bar and a number."""

    def __init__(self, look: Look, variant: Variant, rail: bool) -> None:
        super().__init__()
        self._look = look
        self._variant = variant
        self._rail = rail
        self._share: float | None = None
        self._hovered = False
        self.setCheckable(True)
        self.setText(look.text(variant.title))
        self.setToolTip(f"{look.text(variant.title)} ({variant.id})\n{look.text(variant.idea)}")
        self.setAccessibleName(f"{variant.rung} {look.text(variant.title)}")
        self.setAccessibleDescription(look.text(variant.idea))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(RAIL if self._rail else 180, 30)

    def show_share(self, share: float | None) -> None:
        """Show the share of the best library of this device (0 to 1), or none."""
        if share != self._share:
            self._share = share
            self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        if self.isChecked() or self._hovered:
            painter.fillRect(area, theme.bg3)
        if self.isChecked():
            painter.fillRect(QRectF(0, 0, 3, area.height()), theme.ink)
        if self.hasFocus():
            painter.setPen(theme.ink)
            painter.drawRect(area.adjusted(1, 1, -2, -2))
        painter.setPen(theme.t1 if self.isChecked() else theme.t3)
        painter.setFont(theme.font("small"))
        number = QRectF(0, 0, area.width() if self._rail else 34, area.height())
        painter.drawText(number, Qt.AlignmentFlag.AlignCenter, str(self._variant.rung))
        if not self._rail:
            self._paint_name(painter, area)

    def _paint_name(self, painter: QPainter, area: QRectF) -> None:
        theme = self._look.theme
        share = "" if self._share is None else percent_text(100 * self._share)
        painter.drawText(area.adjusted(0, 0, -12, 0), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, share)
        painter.setFont(theme.font("section" if self.isChecked() else "body"))
        painter.setPen(theme.t1)
        room = area.adjusted(36, 0, -58 if share else -8, 0)
        name = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        if self._share is not None:
            length = (area.width() - 48) * min(1.0, self._share)
            painter.fillRect(QRectF(36, area.height() - 3, max(2.0, length), 2), theme.line2)


class LadderPanel(QWidget):
    """The left panel. In the timing workspace each rung has a box to tick."""

    def __init__(self, look: Look, workbench: Workbench, rail: bool) -> None:
        super().__init__()
        self._look = look
        self._workbench = workbench
        self._session: Session = workbench.session
        self._rungs: dict[str, RungButton] = {}
        self._boxes: dict[str, QCheckBox] = {}
        self._reasons: dict[Device, QLabel] = {}
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(RAIL if rail else WIDE)
        self._rail = rail
        self._operation = self._session.operation
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the rung that has the focus
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(self._rungs_of(self._operation))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._area)
        bind(self, self._session.stage, self._show_stage)
        bind(self, self._session.timing, self._show_timing)
        bind(self, self._session.workspace, self._show_workspace)
        bind(self, workbench.devices, self._show_devices)
        bind(self, workbench.shares, self._show_shares)

    def _rungs_of(self, operation: Operation) -> QWidget:
        """The groups of one operation. They replace those that were there before."""
        self._rungs, self._boxes, self._reasons = {}, {}, {}
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(0)
        for device, (title, icon) in _GROUPS.items():
            rungs = [variant for variant in catalog.of(operation) if variant.device is device]
            if rungs:
                column.addLayout(self._heading(device, look_icon=icon, text=self._look.text(title)))
            for variant in rungs:
                column.addLayout(self._row(variant))
            column.addSpacing(10)
        column.addStretch(1)
        return content

    def _heading(self, device: Device, look_icon: str, text: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(18 if self._rail else 14, 6, 8, 4)
        row.setSpacing(8)
        picture = QLabel()
        picture.setPixmap(self._look.icon(look_icon).pixmap(16, 16))
        picture.setToolTip(text)
        row.addWidget(picture)
        reason = label(self._look, "", "caption", rank=3)
        self._reasons[device] = reason
        if not self._rail:
            row.addWidget(label(self._look, text, "label", rank=2))
        row.addWidget(reason, 1)
        return row

    def _row(self, variant: Variant) -> QHBoxLayout:
        rung = RungButton(self._look, variant, self._rail)
        rung.clicked.connect(lambda: self._session.choose_variant(variant))
        box = QCheckBox()
        box.setAccessibleName(self._look.text(message("Measure {variant}", variant=variant.title)))
        box.toggled.connect(lambda ticked: self._session.tick(variant, ticked))
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addSpacing(4 if self._rail else 12)
        row.addWidget(box)
        row.addWidget(rung, 1)
        self._rungs[variant.id] = rung
        self._boxes[variant.id] = box
        return row

    def _show_stage(self, stage: StageChoice) -> None:
        if stage.variant.operation is not self._operation:
            self._operation = stage.variant.operation
            self._area.setWidget(self._rungs_of(self._operation))
            self._show_timing(self._session.timing.value)
            self._show_workspace(self._session.workspace.value)
            self._show_devices(self._workbench.devices.value)
            self._show_shares(self._workbench.shares.value)
        for identifier, rung in self._rungs.items():
            rung.setChecked(identifier == stage.variant.id)

    def _show_timing(self, timing: TimingChoice) -> None:
        for identifier, box in self._boxes.items():
            box.setChecked(identifier in timing.ticked)

    def _show_workspace(self, workspace: Workspace) -> None:
        for box in self._boxes.values():
            box.setVisible(workspace is Workspace.TIMING)

    def _show_devices(self, devices: Mapping[Device, DeviceStatus]) -> None:
        for device, where in self._reasons.items():
            status = devices[device]
            absent = not status.ready and status.availability is not Availability.PROBING and not self._rail
            where.setText(self._look.text(message("not available")) if absent else "")
            where.setToolTip(self._look.text(status.reason) if status.reason else status.name)

    def _show_shares(self, shares: Mapping[str, float]) -> None:
        for identifier, rung in self._rungs.items():
            rung.show_share(shares.get(identifier))
