"""The figures of a report, drawn as the chart of the timing workspace draws them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtGui import QImage

from app.core.export.sizes import PictureSize
from app.core.quantities import Quantity
from app.core.report.asked import Asked
from app.core.report.content import Figure
from app.core.session import Session
from app.core.timing import TimingModel
from app.qt.export.chart_scenes import StillScene, chart_scene
from app.qt.export.figure import picture_of_page, write_figure
from app.qt.look import Look
from kernels.messages import Message

SIZE = PictureSize(1000, 520)
SHARP = PictureSize(1000, 520, 2)
_NAME = re.compile(r'(\bid="|href="#|url\(#)([\w-]+)')
"""Of a part of an SVG, where it is defined and where it is used."""


class Figures:
    """Draws what a report asks for; None where there is nothing to draw."""

    def __init__(self, asked: Asked, look: Look) -> None:
        self._asked = asked
        self._look = look
        self._drawn = 0

    def svg(self, figure: Figure) -> str | None:
        """The element, without what stands before it in a file. Several may stand in one document: their names differ."""
        scene = self._scene(figure)
        if scene is None:
            return None
        with TemporaryDirectory() as folder:
            file = Path(folder) / "figure.svg"
            reason = write_figure(file, scene, SIZE, self._look)
            text = None if reason is not None else file.read_text(encoding="utf-8")
        scene.close()
        if text is None:
            return None
        self._drawn += 1
        return _NAME.sub(rf"\1f{self._drawn}-\2", text[text.index("<svg") :])

    def image(self, figure: Figure) -> QImage | None:
        """The same in pixels."""
        scene = self._scene(figure)
        if scene is None:
            return None
        image = picture_of_page(scene, SHARP, self._look)
        scene.close()
        return image

    def _scene(self, figure: Figure) -> StillScene | None:
        session, model = Session(), TimingModel()
        session.choose_operation(self._asked.choice.operation)
        session.timing.value = replace(self._asked.choice, axis=figure.axis)
        model.add(self._asked.provenance, self._asked.results.rows(self._asked.provenance))
        model.shown.value = frozenset((self._asked.provenance,))
        model.quantity.value = Quantity(figure.quantity)
        scene = chart_scene(self._look, session, model)
        return None if isinstance(scene, Message) else scene
