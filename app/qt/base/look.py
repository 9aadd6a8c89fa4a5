"""Look of everything on the screen, theme and language, given to each panel when it is built, and icons in colours of the theme.

Icons come from resources/icons.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import pairwise

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.core.base.i18n import Translator
from app.qt.base.theme import Theme
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

_SCALES = (1.0, 1.5, 2.0, 3.0)


def icon(name: str, colour: QColor, disabled: QColor, size: int = 16) -> QIcon:
    """The icon `name`, sharp at the scales of all screens there are; `disabled` is its colour on a button that cannot be pressed."""
    result = QIcon()
    renderer = QSvgRenderer(QByteArray(_svg(name).replace("currentColor", colour.name()).encode()))
    for scale in _scales():
        drawn = _drawn(renderer, size, scale)
        result.addPixmap(drawn, QIcon.Mode.Normal)
        result.addPixmap(_tinted(drawn, disabled), QIcon.Mode.Disabled)
    return result


@cache
def _svg(name: str) -> str:
    return files("resources").joinpath("icons", f"{name}.svg").read_text(encoding="utf-8")


def _scales() -> tuple[float, ...]:
    """The usual scales up to that of the finest screen, and the largest: a screen that comes later has that one made smaller."""
    made = QGuiApplication.instance()
    finest = made.devicePixelRatio() if isinstance(made, QGuiApplication) else 1.0
    return (*(scale for below, scale in pairwise((0.0, *_SCALES[:-1])) if below < finest), _SCALES[-1])


def _drawn(renderer: QSvgRenderer, size: int, scale: float) -> QPixmap:
    pixmap = QPixmap(round(size * scale), round(size * scale))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


def _tinted(drawn: QPixmap, ink: QColor) -> QPixmap:
    """Return the drawing in another colour: quicker than drawing it again."""
    tinted = QPixmap(drawn)
    painter = QPainter(tinted)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(tinted.rect(), ink)
    painter.end()
    return tinted


@dataclass(frozen=True, slots=True)
class Look:
    """A theme and a language. Panels are built for one look and built anew for another."""

    theme: Theme
    translator: Translator

    def text(self, said: Message) -> str:
        """The message in the chosen language."""
        return self.translator.text(said)

    def px(self, pixels: float) -> int:
        """A length in pixels at zoom 100 %, as long as it is at this zoom. Hairlines and gaps within pictures are not zoomed."""
        return round(pixels * self.theme.scale)

    @property
    def unzoomed(self) -> Look:
        """The same look at zoom 100 %."""
        return self if self.theme.scale == 1.0 else replace(self, theme=replace(self.theme, scale=1.0))

    def paragraph(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other, with a space between them if the language writes one."""
        return self.text(message("{first} {other}", first="", other="")).join(sentences)

    def icon(self, name: str, colour: QColor | None = None, size: int = 16) -> QIcon:
        """An icon in the given colour, by default that of second-rank text; `size` in pixels at zoom 100 %."""
        return icon(name, colour or self.theme.t2, self.theme.t3, self.px(size))
