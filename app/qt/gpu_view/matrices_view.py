"""The matrices: what the launch works on, what of it the step touches, and where the values go."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter

from app.core.base.picture_parts import Table, Verdict
from app.core.frames.matrix import Box
from app.core.frames.views import View
from app.core.gpu_view.arrays import ShownArray
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.matrices.elements import element_fact, element_text, lanes_table
from app.core.gpu_view.matrices.matrices import Matrices
from app.core.gpu_view.sectors import lane_ranges
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.shown_views import title_of
from app.core.gpu_view.subject import extent_text
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.gpu_view.view import GpuView
from app.qt.matrix.geometry import Layout, Lens, element_at, lay_out, lenses
from app.qt.matrix.painting import MatrixPainter
from kernels.base.messages import Message, message


class MatricesView(GpuView):
    """View of A, B and C, or of whatever arrays a kernel is given."""

    title = View.MATRICES.title
    _made: tuple[LaunchIndex, Matrices] | None = None
    _places: tuple[object, Layout] | None = None

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._painter = MatrixPainter(look)

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        matrices = self.matrices(picture)
        if matrices.arrays:
            shown = matrices.at(picture.frame, picture.highlight)
            self._painter.paint(painter, shown, picture.description, self.layout_of(picture))
            return
        painter.setFont(self.look.theme.font("sentence"))
        painter.setPen(self.look.theme.t2)
        area = QRectF(self.rect()).adjusted(24, 12, -24, -12)
        text = self.look.text(message("This kernel has no arrays in global memory."))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)

    def layout_of(self, picture: GpuPicture) -> Layout:
        """Where the arrays stand."""
        own, other = self.matrices(picture).arrangement, self.beside
        others = other.matrices(other.picture).arrangement if isinstance(other, MatricesView) and other.picture is not None else None
        key = own, others, self.size(), self.devicePixelRatioF()
        if self._places is None or self._places[0] != key:
            self._places = key, lay_out(QSizeF(self.size()), self.devicePixelRatioF(), own, others)
        return self._places[1]

    def matrices(self, picture: GpuPicture) -> Matrices:
        """The arrays of the launch."""
        if self._made is None or self._made[0] is not picture.index:
            self._made = picture.index, Matrices(picture.index)
        return self._made[1]

    def lenses_of(self, picture: GpuPicture) -> dict[str, Lens]:
        """The lenses, by array."""
        shown = self.matrices(picture).at(picture.frame)
        return lenses(self.layout_of(picture), shown.matrices)

    def heading(self, picture: GpuPicture) -> Message:
        return title_of(View.MATRICES, picture.index)

    def fact(self, picture: GpuPicture) -> Message | None:
        missed, pinned = picture.index.record.missed, self._pinned(picture)
        if pinned is not None:
            return pinned if missed is None else message("{first}; {other}", first=pinned, other=missed)
        said = missed or extent_text(picture.index.trace)
        if said is not None:
            return said
        (x, y, _), (across, down, _) = picture.frame.block, picture.index.trace.grid
        return message("block ({x}, {y}) of {across} × {down}", x=x, y=y, across=across, down=down)

    def brief(self, picture: GpuPicture) -> Message | None:
        if picture.index.record.missed is None:
            return None
        pinned, brief = self._pinned(picture), message("no product")
        return brief if pinned is None else message("{first}; {other}", first=pinned, other=brief)

    def _pinned(self, picture: GpuPicture) -> Message | None:
        """The pinned element: at a dot of some pixels nobody sees which it is."""
        pinned = self.model.pinned.value
        array = self._selected(pinned, picture)
        return None if array is None or pinned.element is None else element_fact(picture.index, array, pinned.element[1], picture.frame)

    def verdict(self, _picture: GpuPicture) -> Verdict | None:
        return None

    def detail(self, picture: GpuPicture) -> Message | None:
        return self.tip(self.model.pinned.value, picture)

    def selection_at(self, point: QPointF, picture: GpuPicture) -> Selection:
        found = element_at(point, self.layout_of(picture), self.lenses_of(picture))
        array = next((array for array in self._arrays(picture) if found is not None and array.name == found[0]), None)
        element = array.element_at(*found[1:]) if array is not None and found is not None else None
        return NOTHING if array is None or element is None else Selection(element=(array.allocation, element))

    def tip(self, selection: Selection, picture: GpuPicture) -> Message | None:
        array = self._selected(selection, picture)
        if array is None or selection.element is None:
            return None
        said = element_text(picture.index, array, selection.element[1], picture.frame)
        lanes = self.matrices(picture).lanes_of(picture.frame.step, array, selection.element[1])
        if len(lanes) == 1:
            return message("{tip}. In this step: lane {lane}.", tip=said, lane=lanes[0])
        return message("{tip}. In this step: lanes {lanes}.", tip=said, lanes=lane_ranges(lanes)) if lanes else said

    def spots(self, picture: GpuPicture) -> Iterator[QRectF]:
        """The elements that the step touches, in the lens too."""
        matrices, layout, seen = self.matrices(picture), self.layout_of(picture), self.lenses_of(picture)
        for array in matrices.arrays:
            for element in np.unique(matrices.touched(picture.frame.step, array)).tolist():
                row, column = divmod(element, array.columns)
                box = Box(row, column, 1, 1)
                yield layout.matrices[array.name].rect(box)
                if array.name in seen:
                    yield seen[array.name].rect(box)

    def moved(self, selection: Selection, across: int, down: int, picture: GpuPicture) -> Selection:
        array = self._selected(selection, picture)
        if array is None or selection.element is None:
            return self._first(picture)
        row, column = divmod(selection.element[1], array.columns)
        row, column = min(max(row + down, 0), array.rows - 1), min(max(column + across, 0), array.columns - 1)
        element = array.element_at(row, column)
        return selection if element is None else Selection(element=(array.allocation, element))

    def table(self, picture: GpuPicture) -> Table:
        return lanes_table(picture.index, self._arrays(picture), picture.frame)

    def _first(self, picture: GpuPicture) -> Selection:
        """The first element that the step touches, or else that there is."""
        matrices = self.matrices(picture)
        for array in matrices.arrays:
            touched = matrices.touched(picture.frame.step, array)
            if len(touched):
                return Selection(element=(array.allocation, int(touched[0])))
        return Selection(element=(matrices.arrays[0].allocation, 0)) if matrices.arrays else NOTHING

    def _selected(self, selection: Selection, picture: GpuPicture) -> ShownArray | None:
        if selection.element is None:
            return None
        return next((array for array in self._arrays(picture) if array.allocation == selection.element[0]), None)

    def _arrays(self, picture: GpuPicture) -> tuple[ShownArray, ...]:
        return self.matrices(picture).arrays
