"""Geometry of the view of a pipeline: a row for each track; where these would be too low to read, tracks of one kind share one."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from app.core.gpu_view.synchronisation.pipeline import PipelinePicture
from app.core.gpu_view.synchronisation.tracks import Doing, Group, groups_of
from app.qt.gpu_view.drawing import sentence_height
from kernels.base.values import dataclass

MARGIN, HEAD, LEGEND = 12.0, 22.0, 20.0
LOW_ROW = 14.0
"""The height of a row from which on its name can be read."""
ONE_LEGEND_FROM = 1100.0
"""Width of a view with room for the legend in one line."""
_LABEL, _WIDE_LABEL, _WIDE_FROM = 70.0, 210.0, 760.0
_BARRIER_LABEL, _GUARD_LABEL, _GUARD_FROM = 90.0, 156.0, 480.0
"""The names, with the numbers of barriers, and with what these are for; the width of a view with room for that."""
_GUARDS_LABEL = 204.0
"""The same where several barriers together have a name."""
_STAGE_SHARE, _LOW_STAGE_SHARE, _TALLEST = 2.0, 1.3, 160.0
"""A stage's track is so many times as high as a warp's; where that one would be low, fewer times; the most of a stage's."""
_TOGETHER, _WARPS_TOGETHER = 0.25, 0.45
"""Share of a row that each of several tracks has which stand together; of warps, whose stretches are of more kinds."""
_GAP = 6.0
"""Between the stages and all else."""


@dataclass(frozen=True, slots=True, eq=False)
class PipelineGeometry:
    """Place of each track, without its name, and of each name, with the tracks that it is of; and what occurs in them."""

    rows: tuple[QRectF, ...]
    names: tuple[tuple[QRectF, Group], ...]
    kinds: frozenset[Doing]
    """Of the stretches of all tracks."""

    @property
    def joined(self) -> frozenset[int]:
        """The tracks that stand together with others: too low for words."""
        return frozenset(number for _, each in self.names if each.stop > each.first + 1 for number in range(each.first, each.stop))

    @property
    def left(self) -> float:
        return self.rows[0].left()

    @property
    def right(self) -> float:
        return self.rows[0].right()

    @property
    def bottom(self) -> float:
        return self.rows[-1].bottom()


def legend_height(width: float) -> float:
    """The room of the legend."""
    return LEGEND if width >= ONE_LEGEND_FROM else 2 * LEGEND - 2


def lay_out(width: float, height: float, shown: PipelinePicture) -> PipelineGeometry:
    """The places. Where a row of its own for each track would be too low, those of one kind stand together, none left out."""
    room, stages, count = height - HEAD - sentence_height(width) - legend_height(width) - 16, len(shown.stages.names), len(shown.tracks)
    groups = tuple(Group(each.short, each.long, number, number + 1) for number, each in enumerate(shown.tracks))
    share, heights = _STAGE_SHARE, [1.0] * count
    if room / (stages * share + count - stages) < LOW_ROW:
        share = _LOW_STAGE_SHARE
    if room / (stages * share + count - stages) < LOW_ROW:
        groups, share = groups_of(shown.tracks), 1.0
        heights = [height for each in groups for height in _heights(each, shown)]
    heights[:stages] = [share] * stages
    unit = min(room / sum(heights), _TALLEST / _STAGE_SHARE)
    left = MARGIN + _label(width, shown, together=len(groups) < count)
    rows, top = list[QRectF](), HEAD
    for number, each in enumerate(heights):
        top += _GAP if number == stages else 0
        rows.append(QRectF(left, top, width - MARGIN - left, each * unit))
        top += each * unit
    names = tuple((QRectF(MARGIN, rows[each.first].top(), left - 8 - MARGIN, rows[each.stop - 1].bottom() - rows[each.first].top()), each)
                  for each in groups)  # fmt: skip
    return PipelineGeometry(tuple(rows), names, frozenset(bar.doing for track in shown.tracks for bar in track.bars))


def _heights(group: Group, shown: PipelinePicture) -> list[float]:
    """Of a group's tracks, in rows: together one at least, for the name."""
    count = group.stop - group.first
    share = _TOGETHER if shown.tracks[group.first].warp is None else _WARPS_TOGETHER
    return [max(1 / count, share)] * count


def _label(width: float, shown: PipelinePicture, *, together: bool) -> float:
    if width >= _WIDE_FROM:
        return _WIDE_LABEL
    if not any(track.guard is not None for track in shown.tracks):
        return _LABEL
    if together:
        return _GUARDS_LABEL if width >= _GUARD_FROM else _GUARD_LABEL
    return _GUARD_LABEL if width >= _GUARD_FROM else _BARRIER_LABEL
