"""Geometry of the view of shared memory: a function of its size, of what rows are shown, and of nothing else."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF

from app.core.gpu_view.shared.banks import Part
from kernels.analysis.banks import BANKS
from kernels.base.values import dataclass

NUMBERS_FROM = 13.0
"""Width of a column with room for a number of two digits."""
LANES_FROM = 13.5
"""Diameter of a token with room for a number of two digits; above smaller ones stand some of the numbers."""
WIDE, TALL = 540.0, 560.0
ONE_LINE, _ONE_LINE_FROM = 20.0, 700.0
"""The height of a sentence in one line, and the width that it takes where no caption says half of it."""
_LARGEST_TOKEN = 18.0
_HIGHEST_ROW, _WIDEST_COLUMN = 22.0, 40.0
_FOLD, _THIN_FOLD, _MOST_FOLDS = 16.0, 2.0, 6
_ARRAY_GAP = 5.0
_BANK_LINE, _STRIP = 15.0, 15.0
LANE_LINE, _LANE_LINE_FROM = 13.0, 170.0
"""The height of the numbers above the tokens, and that of a view with room for them."""
_CAPTION = 70.0
_MOST_GUTTER = 0.24
"""Of the width."""


@dataclass(frozen=True, slots=True, eq=False)
class Geometry:
    """Geometry of the banks. `left` is where bank 0 begins; `column` and `row` are the size of a word, in whole device pixels."""

    ratio: float
    width: float
    left: float
    column: float
    row: float
    caption: QRectF | None
    token_line: float
    """The middle of the tokens."""
    lane_line: float | None
    """The top of the lanes' numbers, where these stand above the tokens."""
    bank_line: float
    """The top of the banks' numbers."""
    tops: tuple[tuple[Part, float, float], ...]
    """The parts of the memory with their top and height."""
    strip: QRectF | None
    words: QRectF

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What pictures of its parts are kept by."""
        return (self.left, self.column, self.row, self.token_line, self.bank_line, self.tops, self.strip is None)

    @property
    def token(self) -> float:
        """The diameter of a token."""
        return min(self.column - 1, _LARGEST_TOKEN)

    @property
    def numbered(self) -> bool:
        """Whether there is a number for each bank."""
        return self.column >= NUMBERS_FROM

    @property
    def grid(self) -> QRectF:
        """Place of all words."""
        top = self.bank_line + _BANK_LINE
        bottom = max((begin + height for _, begin, height in self.tops), default=top)
        return QRectF(self.left, top, BANKS * self.column, bottom - top)

    @property
    def curves(self) -> tuple[float, float]:
        """Heights between which the curves lead: below the tokens, above the banks."""
        return self.token_line + self.token / 2, self.bank_line - 1

    def middle(self, column: float) -> float:
        """The middle of a lane's or a bank's column."""
        return self.left + (column + 0.5) * self.column

    def word(self, word: int) -> QRectF | None:
        """The cell of a word; None where its row is folded."""
        row, bank = divmod(word, BANKS)
        for part, top, _ in self.tops:
            if part.start <= row < part.stop and not part.folded:
                return QRectF(self.left + bank * self.column, top + (row - part.start) * self.row, self.column, self.row)
        return None

    def word_at(self, point: QPointF) -> int | None:
        """The word under a point."""
        bank = self.column_at(point)
        for part, top, height in self.tops:
            if bank is not None and not part.folded and top <= point.y() < top + height:
                return (part.start + int((point.y() - top) / self.row)) * BANKS + bank
        return None

    def row_at(self, point: QPointF) -> int | None:
        """The row of words that a point in the gutter is beside."""
        for part, top, height in self.tops if point.x() < self.left else ():
            if not part.folded and top <= point.y() < top + height:
                return part.start + int((point.y() - top) / self.row)
        return None

    def column_at(self, point: QPointF) -> int | None:
        """The bank, or in the tokens' line the lane, whose column a point is in."""
        column = math.floor((point.x() - self.left) / self.column)
        return column if 0 <= column < BANKS else None


def lay_out(size: QSizeF, ratio: float, parts: Sequence[Part], others: Sequence[Part] | None = None, gutter: float = 0.0) -> Geometry:
    """The places. What there is no room for is left out: first the caption, then the strip, then the sentence.

    `gutter` is how wide names at the left are; they get that up to a part of the width. `others` are the parts of another memory that
    stands beside this one: rows are then as high on both sides, and there is no caption.
    """
    width, height = size.width(), size.height()
    wide = width >= WIDE
    left, right = _whole(max(66.0 if wide else 44.0, min(gutter, _MOST_GUTTER * width)), ratio), 12.0
    column = _whole(min((width - left - right) / BANKS, _WIDEST_COLUMN), ratio)
    left += max(0.0, _whole((width - left - right - BANKS * column) / 2, ratio))
    caption = QRectF(16, 10, width - 32, _CAPTION - 10) if wide and height >= TALL and others is None else None
    top, token = _CAPTION if caption is not None else 4.0, min(column - 1, _LARGEST_TOKEN)
    lane_line = top if token < LANES_FROM and height >= _LANE_LINE_FROM else None
    top += 0.0 if lane_line is None else LANE_LINE
    one_line = wide and (caption is not None or width >= _ONE_LINE_FROM)
    strip, words = (_STRIP if height >= 170 else 0.0), (0.0 if height < 120 else ONE_LINE if one_line else 36.0 if wide else 52.0)
    fixed = top + token + _BANK_LINE + (strip + 8 if strip else 0) + words + 8
    shortest = 10.0 if height < 200 else 22.0 if height < TALL else 56.0
    both = (parts, others or parts)
    row = min(_row_height(each, height - fixed - shortest, column, ratio) for each in both)
    used = max(_total(each, row) for each in both)
    curves = min(max(height - fixed - used, shortest), max(shortest, height * 0.13))
    token_line, bank_line = top + token / 2 + 2, _whole(top + token + curves, ratio)
    places, bottom = _stack(parts, bank_line + _BANK_LINE, row)
    strip_place = QRectF(left, bottom + 8, BANKS * column, strip) if strip else None
    below = bottom + 4 + (strip + 6 if strip else 0)
    sentence = QRectF(left if wide else 10, below, width - (left if wide else 10) - 10, words)
    return Geometry(ratio, width, left, column, row, caption, token_line, lane_line, bank_line, places, strip_place, sentence)


def _row_height(parts: Sequence[Part], room: float, column: float, ratio: float) -> float:
    """The height of a row, so that all parts have room."""
    rows = sum(part.rows for part in parts if not part.folded)
    row = min((room - _total(parts, 0.0)) / max(rows, 1), _HIGHEST_ROW, column)
    return max(_whole(row, ratio), 1 / ratio)


def _total(parts: Sequence[Part], row: float) -> float:
    """The height of all parts, with rows of this height."""
    return sum(0.0 if part.folded else part.rows * row for part in parts) + sum(_extra(parts, number) for number in range(len(parts)))


def _stack(parts: Sequence[Part], top: float, row: float) -> tuple[tuple[tuple[Part, float, float], ...], float]:
    places = []
    for number, part in enumerate(parts):
        extra = _extra(parts, number)
        height = extra if part.folded else part.rows * row
        places.append((part, top if part.folded else top + extra, height))
        top += height if part.folded else height + extra
    return tuple(places), top


def _extra(parts: Sequence[Part], number: int) -> float:
    """The height of a folded part, or the gap above one that follows another directly."""
    if parts[number].folded:
        return _FOLD if sum(part.folded for part in parts) <= _MOST_FOLDS else _THIN_FOLD
    return _ARRAY_GAP if number and not parts[number - 1].folded else 0.0


def _whole(length: float, ratio: float) -> float:
    """The next smaller length of whole device pixels."""
    return math.floor(length * ratio) / ratio
