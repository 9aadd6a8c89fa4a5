"""Preview of a picture that is exported."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.qt.base.look import Look
from kernels.base.messages import message

_EDGE = 8


class Preview(QWidget):
    """Shows an image as large as there is room, or a sentence in its place."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._image: QImage | None = None
        self._said = ""
        self.setAccessibleName(look.text(message("Preview")))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(320, 240))

    @property
    def image(self) -> QImage | None:
        """What is shown."""
        return self._image

    def show_image(self, image: QImage) -> None:
        """Show an image."""
        self._image, self._said = image, ""
        self.update()

    def say(self, text: str) -> None:
        """Say why there is none."""
        self._image, self._said = None, text
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.bg3)
        room = QRectF(self.rect()).adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        if self._image is None:
            painter.setFont(theme.font("body"))
            painter.setPen(theme.t2)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._said)
        else:
            ratio = self.devicePixelRatioF()
            small = self._image.scaled(
                (room.size() * ratio).toSize(), Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            small.setDevicePixelRatio(ratio)
            left = room.left() + (room.width() - small.width() / ratio) / 2
            top = room.top() + (room.height() - small.height() / ratio) / 2
            painter.drawImage(QRectF(left, top, small.width() / ratio, small.height() / ratio), small)
        painter.end()
