"""The box that says what the data shows, in sentences."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from app.core.curves import Provenance
from app.core.insights.rules import Insight
from app.qt.look import Look
from app.qt.widgets.labels import label
from kernels.messages import Message, message


class InsightBox(QWidget):
    """A heading and one paragraph a sentence; it scrolls where there is little room."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._shown: tuple[Insight, ...] | None = None
        self._lines = QVBoxLayout()
        self._lines.setContentsMargins(14, 0, 14, 10)
        self._lines.setSpacing(8)
        inner = QWidget()
        inner.setLayout(self._lines)
        scroll = QScrollArea()
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setAccessibleName(look.text(message("What the data shows")))
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        heading = label(look, message("What the data shows"), "section")
        heading.setContentsMargins(14, 10, 14, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(heading)
        column.addWidget(scroll, 1)
        self.show_insights(())

    def show_insights(self, insights: tuple[Insight, ...]) -> None:
        """Replace the sentences, each group under the machine that it speaks of."""
        if insights == self._shown:
            return
        self._shown = insights
        while (item := self._lines.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        said = None
        for insight in insights:
            if (insight.provenance, insight.machine) != said:
                said = insight.provenance, insight.machine
                self._lines.addWidget(label(self._look, _source(insight), "caption", rank=3))
            self._lines.addWidget(self._paragraph(insight.sentence))
        if not insights:
            self._lines.addWidget(self._paragraph(message("Sentences appear here when two rungs were timed at the same n.")))
        self._lines.addStretch(1)

    def _paragraph(self, sentence: Message) -> QLabel:
        paragraph = label(self._look, sentence, "body")
        paragraph.setWordWrap(True)
        paragraph.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return paragraph


def _source(insight: Insight) -> Message:
    if insight.provenance is Provenance.MEASURED:
        return message("measured here, {machine}", machine=insight.machine) if insight.machine else message("measured here")
    return message("recorded on {machine}", machine=insight.machine) if insight.machine else message("recorded")
