"""How everything on the screen looks and reads: theme and language, given to each panel when it is built."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QIcon

from app.core.i18n import Translator
from app.qt.icons import icon
from app.qt.theme import Theme
from kernels.messages import Message


@dataclass(frozen=True, slots=True)
class Look:
    """A theme and a language. Panels are built for one look and built anew for another."""

    theme: Theme
    translator: Translator

    def text(self, message: Message) -> str:
        """The message in the chosen language."""
        return self.translator.text(message)

    def icon(self, name: str, colour: QColor | None = None, size: int = 16) -> QIcon:
        """An icon in the given colour, by default that of second-rank text."""
        return icon(name, colour or self.theme.t2, size)
