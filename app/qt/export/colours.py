"""The colours of an exported picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtGui import QColor

from app.qt.theme import Theme, theme

PRINT = "print"
_PAPER = {
    "bg0": "FFFFFF", "bg1": "FFFFFF", "bg2": "FFFFFF", "bg3": "E3E6EB", "line": "C3CAD4", "line2": "566273",
    "t1": "000000", "t2": "1F2937", "t3": "374151", "ink": "000000", "ink_text": "FFFFFF", "cell": "F4F5F7", "cell2": "ECEEF1",
    "a": "06376A", "a_bg": "BFD6EF", "b": "7A3E08", "b_mid": "C98A4B", "b_bg": "F3CFA3", "c": "05625B", "c_mid": "55A79D", "c_bg": "A9DBD3",
    "now": "4B1FB8", "now_text": "4B1FB8", "bad": "7D0530",
}  # fmt: skip
"""What differs from the light theme: white ground, lines and text as dark as paper wants them.

What a cell does is told by its lightness, in steps that are far enough apart for a printer without colours: idle, in the band, done, now.
"""


def export_theme(colours: str) -> Theme:
    """The theme of one of `app.core.export.kinds.COLOURS`."""
    if colours != PRINT:
        return theme(colours)
    tokens: dict[str, Any] = {token: QColor(f"#{value}") for token, value in _PAPER.items()}
    return replace(theme("light"), name=PRINT, **tokens)
