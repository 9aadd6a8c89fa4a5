"""Qt's own texts in the program's language: file dialogs, buttons of questions, menus of text fields. What is copied from Qt's labels."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QClipboard
from PySide6.QtWidgets import QApplication, QLabel, QTableView

from app.core.base.i18n import Translator, plain_text
from kernels.base.messages import Message, message

LEFT_OUT: Mapping[tuple[str, str], Message] = {
    ("QFileDialog", "&Look in:"): message("&Look in:"),
    ("QFileDialog", "Files of &type:"): message("Files of &type:"),
    ("QAbstractFileIconProvider", "Folder"): message("Folder"),
    ("QAbstractFileIconProvider", "Drive"): message("Drive"),
}
"""By Qt's context and English text: what its catalogues do not have, since the English was changed after it was translated."""


class QtTexts(QTranslator):
    """Qt's catalogue of a language, with what it leaves out. English needs none."""

    def __init__(self) -> None:
        super().__init__()
        self._texts = Translator("en")

    def speak(self, texts: Translator) -> None:
        """Take over a language: what stands on the screen changes with it."""
        self._texts = texts
        QCoreApplication.removeTranslator(self)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if self.load(QLocale(texts.language), "qtbase", "_", folder):
            QCoreApplication.installTranslator(self)

    def translate(self, context: str, sourceText: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """Find a text; None leaves it English."""
        found = super().translate(context, sourceText, disambiguation or None, n)
        left_out = None if found else LEFT_OUT.get((context, sourceText))
        return self._texts.text(left_out) if left_out is not None else found or None


def copy_plainly(clipboard: QClipboard) -> None:
    """Make what was just copied from a label or a table plain. What is copied elsewhere, as from a text that is edited, stays as it is."""
    if not isinstance(QApplication.focusWidget(), QLabel | QTableView):
        return
    copied = clipboard.text()
    if (plain := plain_text(copied)) != copied:
        clipboard.setText(plain)
