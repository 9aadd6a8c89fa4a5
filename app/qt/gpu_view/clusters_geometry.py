"""Where things are in the view of clusters: a column for each block, a row for each place of shared memory, below them the time."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from app.core.gpu_view.synchronisation.cluster_transfers import Transfer, place_number
from app.core.gpu_view.synchronisation.clusters import ClustersPicture
from app.qt.gpu_view.drawing import sentence_height
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

MARGIN, LEGEND, GAP = 12.0, 20.0, 6.0
HEAD, LOW_HEAD, STEP_NUMBER = 46.0, 22.0, 18.0
_LABEL, _WIDE_LABEL, _WIDE_FROM = 98.0, 130.0, 600.0
_ROW, _TALLEST, _TRACK, _TALLEST_TRACK = 22.0, 120.0, 13.0, 24.0
_SPARE_TRACK, _SPARE_HEAD = 40.0, 30.0
"""What a track and the boxes of the blocks grow by at most where few places leave room."""
_TIME_FROM = 290.0
"""Pixels of height for the time below the blocks."""


@dataclass(frozen=True, slots=True, eq=False)
class ClustersGeometry:
    """Places of what a picture shows; `rows` are the numbers of the places of shared memory that there is room for."""

    picture: ClustersPicture
    width: float
    label: float
    head: QRectF
    rows: tuple[int, ...]
    row: float
    tracks: QRectF | None
    """The time, without the names of its tracks; None where there is no room."""
    sentence: QRectF

    def column(self, rank: int) -> QRectF:
        """The box of a block at the top of its column."""
        wide = (self.width - 2 * MARGIN - self.label) / len(self.picture.cluster.blocks)
        return QRectF(MARGIN + self.label + rank * wide + GAP / 2, self.head.top(), wide - GAP, self.head.height())

    def cell(self, number: int, rank: int) -> QRectF | None:
        """A place of a block's shared memory; None where it is not shown."""
        if number not in self.rows:
            return None
        column, top = self.column(rank), self.head.bottom() + GAP + self.rows.index(number) * self.row
        return QRectF(column.left(), top, column.width(), self.row - 3)

    def at(self, point: QPointF) -> tuple[int, int] | None:
        """The place and the block under a point."""
        for number in self.rows:
            for rank in range(len(self.picture.cluster.blocks)):
                cell = self.cell(number, rank)
                if cell is not None and cell.adjusted(-GAP / 2, -1, GAP / 2, 2).contains(point):
                    return number, rank
        return None

    @property
    def part(self) -> Message | None:
        """Which of the places have room, where not all do."""
        count = len(self.picture.cluster.places)
        if len(self.rows) == count:
            return None
        return message("{first}–{last} of {count}", first=self.rows[0] + 1, last=self.rows[-1] + 1, count=count)

    @property
    def above(self) -> QRectF:
        """The room above the names of the places."""
        return QRectF(MARGIN, self.head.top(), self.label - 8, self.head.height())

    def track(self, rank: int) -> QRectF:
        """The track of a block in the time."""
        assert self.tracks is not None
        high = (self.tracks.height() - STEP_NUMBER) / len(self.picture.cluster.blocks)
        return QRectF(self.tracks.left(), self.tracks.top() + STEP_NUMBER + rank * high, self.tracks.width(), high)

    def x(self, step: float) -> float:
        """Where a step is in the time."""
        assert self.tracks is not None
        start, stop = self.picture.window
        return self.tracks.left() + min(max((step - start) / (stop - start), 0.0), 1.0) * self.tracks.width()

    def transfer_at(self, point: QPointF) -> Transfer | None:
        """The transfer in the time that begins nearest to a point."""
        if self.tracks is None or not self.tracks.adjusted(-4, 0, 4, 0).contains(point):
            return None
        start, stop = self.picture.window
        shown = (each for each in self.picture.cluster.transfers if start <= each.start < stop)
        near = min(shown, key=lambda each: abs(self.x(each.start + 0.5) - point.x()), default=None)
        return near if near is not None and abs(self.x(near.start + 0.5) - point.x()) <= 8 else None


def lay_out(width: float, height: float, picture: ClustersPicture) -> ClustersGeometry:
    """Place all: of the places of shared memory the part in which the last transfer is, where there is no room for all."""
    blocks, places = len(picture.cluster.blocks), len(picture.cluster.places)
    label = _WIDE_LABEL if width >= _WIDE_FROM else _LABEL
    below = sentence_height(width)
    bottom = height - below - LEGEND - 6
    high = min(max(bottom * 0.3, blocks * _TRACK), blocks * _TALLEST_TRACK) + STEP_NUMBER if height >= _TIME_FROM else 0.0
    head = QRectF(MARGIN, 6, width - 2 * MARGIN, HEAD if height >= _TIME_FROM else LOW_HEAD)
    room = max(bottom - high - head.bottom() - 2 * GAP, _ROW)
    most = max(int(room / _ROW), 1)
    last = picture.last
    first = 0 if last is None or places <= most else place_number(picture.cluster.places, last.address) // most * most
    rows = tuple(range(places)[first : first + most])
    row = min(room / max(len(rows), 1), _TALLEST)
    spare = room - len(rows) * row
    if high:
        longer, taller = min(spare, blocks * _SPARE_TRACK), min(max(spare - blocks * _SPARE_TRACK, 0.0), _SPARE_HEAD)
        high += longer
        head = QRectF(head.left(), head.top() + (spare - longer - taller) / 2, head.width(), head.height() + taller)
    tracks = QRectF(MARGIN + label, head.bottom() + 2 * GAP + len(rows) * row, width - 2 * MARGIN - label, high) if high else None
    sentence = QRectF(MARGIN, height - below - 4, width - 2 * MARGIN, below)
    return ClustersGeometry(picture, width, label, head, rows, row, tracks, sentence)
