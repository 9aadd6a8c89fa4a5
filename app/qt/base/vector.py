"""Test for vector graphics: lines stay lines in SVG and PDF, where an image in their place would not be as good."""

from __future__ import annotations

from PySide6.QtGui import QPaintEngine, QPainter

_LINES = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def is_vector(painter: QPainter) -> bool:
    """Whether what is drawn can be enlarged without end."""
    return painter.paintEngine().type() in _LINES
