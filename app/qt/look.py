"""How everything on the screen looks and reads: theme and language, given to each panel when it is built."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from PySide6.QtGui import QColor, QIcon

from app.core.i18n import Translator
from app.qt.icons import icon
from app.qt.theme import Theme
from kernels.messages import Message, message


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
        """The same at zoom 100 %."""
        return self if self.theme.scale == 1.0 else replace(self, theme=replace(self.theme, scale=1.0))

    def paragraph(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other, with a space between them if the language writes one."""
        return self.text(message("{first} {other}", first="", other="")).join(sentences)

    def icon(self, name: str, colour: QColor | None = None, size: int = 16) -> QIcon:
        """An icon in the given colour, by default that of second-rank text; `size` in pixels at zoom 100 %."""
        return icon(name, colour or self.theme.t2, self.theme.t3, self.px(size))
