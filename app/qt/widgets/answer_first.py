"""Numbers that wait for an answer: while a question is open they give way to a sentence that says why."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QLabel, QWidget

from app.core.base.observable import Field
from app.core.lesson_metrics.metric import Source
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.widgets.labels import label
from kernels.base.messages import message

ANSWER_FIRST = message("Answer the question of the lesson first (Lessons): what it asks could be read here.")
TOLD_BY_COUNTS = frozenset({Source.LAUNCH, Source.CACHES, Source.TEAM})
"""What counting while executing tells."""
TOLD_BY_TIMES = frozenset({Source.RECORDED})


def answer_first(look: Look, asking: Field[frozenset[Source]], parts: Mapping[QWidget, frozenset[Source]]) -> QLabel:
    """The sentence that stands in the place of `parts` while one of the sources is asked for that they tell numbers of.

    Nobody else may show or hide these parts.
    """
    note = label(look, ANSWER_FIRST, "body", rank=2)
    note.setWordWrap(True)
    note.setContentsMargins(16, 10, 16, 10)

    def show(asked: frozenset[Source]) -> None:
        for part, told in parts.items():
            set_shown(part, not asked & told)
        set_shown(note, any(asked & told for told in parts.values()))

    bind(note, asking, show)
    return note
