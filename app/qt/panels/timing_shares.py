"""Bars: the share of the best library that each ticked variant reaches."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.core.curves import Provenance
from app.core.shares import Share, Shares, percent_text
from app.qt.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.zoomed import Zoomed
from kernels.messages import message

_ROW = 25
_BAR = 11


class SharesSection(QWidget):
    """A heading that names the base, and one bar a variant."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._base = label(look, "", "caption", rank=3)
        self._bars = ShareBars(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 10)
        column.setSpacing(4)
        column.addWidget(label(look, message("Share of the best library"), "section"))
        column.addWidget(self._base)
        column.addWidget(self._bars)

    def show_shares(self, shares: Shares | None, slots: Mapping[str, int | None]) -> None:
        """Show the shares, or nothing at all where no library was timed."""
        self.setVisible(shares is not None)
        if shares is None:
            return
        text = message("n = {n}, library = 100 %", n=shares.n)
        if shares.provenance is not Provenance.MEASURED:
            text = message("recorded, {base}", base=text)
        self._base.setText(self._look.text(text))
        self._bars.show_shares(shares.shares, slots)


class ShareBars(Zoomed):
    """Painted bars with names before and numbers behind them."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._shares: tuple[Share, ...] = ()
        self._slots: Mapping[str, int | None] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(look.text(message("Share of the best library")))

    def sizeHint(self) -> QSize:
        return self.grown(QSize(260, _ROW * len(self._shares)))

    def show_shares(self, shares: tuple[Share, ...], slots: Mapping[str, int | None]) -> None:
        """Replace the bars; `slots` gives each variant's colour."""
        if (shares, slots) == (self._shares, self._slots):
            return
        self._shares, self._slots = shares, slots
        self.setAccessibleDescription("\n".join(f"{self._name(share)} {percent_text(share.percent)}" for share in shares))
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = self.painter()
        names, numbers = theme.font("body"), theme.font("section")
        metrics = QFontMetricsF(names)
        left = min(max((metrics.horizontalAdvance(self._name(share)) for share in self._shares), default=0.0), self.width() * 0.45) + 12
        wide = QFontMetricsF(numbers)
        right = self.width() - max((wide.horizontalAdvance(percent_text(share.percent)) for share in self._shares), default=0.0) - 8
        full = max(100.0, *(share.percent for share in self._shares)) if self._shares else 100.0
        for i, share in enumerate(self._shares):
            row = QRectF(0, i * _ROW, self.width(), _ROW)
            bar = QRectF(left, row.center().y() - _BAR / 2, right - left, _BAR)
            painter.fillRect(bar, theme.cell)
            slot = self._slots.get(share.key.variant_id)
            painter.fillRect(
                QRectF(bar.topLeft(), bar.bottomLeft()).adjusted(0, 0, bar.width() * share.percent / full, 0),
                theme.t3 if slot is None else theme.series[slot][1],
            )
            painter.setPen(theme.t1)
            painter.setFont(names)
            name = metrics.elidedText(self._name(share), Qt.TextElideMode.ElideRight, left - 10)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, name)
            painter.setFont(numbers)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, percent_text(share.percent))
        painter.end()

    def _name(self, share: Share) -> str:
        return self._look.text(share.key.variant.title)
