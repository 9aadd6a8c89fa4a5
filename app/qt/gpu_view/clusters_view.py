"""The view of clusters: what the shared memory of each block holds, who has sent it, and who waits at the cluster's barrier."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter

from app.core.base.picture_parts import Table, Verdict
from app.core.frames.views import View
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.synchronisation.cluster_transfers import Transfer
from app.core.gpu_view.synchronisation.clusters import (
    ClustersPicture,
    clusters_brief,
    clusters_fact,
    clusters_picture,
    clusters_sentence,
    clusters_table,
    clusters_verdict,
    element_of,
    transfer_words,
)
from app.core.stage.model import GpuPicture
from app.qt.gpu_view.clusters_geometry import ClustersGeometry, lay_out
from app.qt.gpu_view.clusters_painter import paint_blocks, paint_legend, paint_places, paint_time, paint_way
from app.qt.gpu_view.drawing import unbroken, write_instead, write_sentence
from app.qt.gpu_view.view import GpuView, of_one_moment
from kernels.base.messages import Message, message


class ClustersView(GpuView):
    """Blocks side by side, places of shared memory one below the other, the time below. A press goes to where a transfer began."""

    title = View.CLUSTERS.title
    _known: tuple[tuple[object, ...], ClustersPicture | Message] | None = None

    def shown(self, picture: GpuPicture) -> ClustersPicture | Message:
        """What is drawn for a picture, or why nothing is."""
        key = picture.index, picture.frame.step, self.model.selection.element
        if self._known is None or self._known[0] != key:
            self._known = key, clusters_picture(picture.index, picture.frame, self.model.selection.element)
        return self._known[1]

    def place(self, shown: ClustersPicture) -> ClustersGeometry:
        """Where everything is."""
        return lay_out(self.width(), self.height(), shown)

    def alike(self, before: GpuPicture, after: GpuPicture) -> bool:
        return of_one_moment(before, after)

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        shown, theme = self.shown(picture), self.look.theme
        if isinstance(shown, Message):
            write_instead(painter, QRectF(self.rect()), theme, self.look.text(shown))
            return
        place = self.place(shown)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        paint_blocks(painter, place, self.look)
        paint_places(painter, place, self.look)
        paint_way(painter, place, self.look)
        if place.tracks is not None:
            paint_time(painter, place, self.look)
        paint_legend(painter, place, self.look)
        said = clusters_sentence(shown), clusters_brief(shown)
        write_sentence(painter, place.sentence, theme, *(unbroken(self.look.text(each)) for each in said))

    # ------------------------------------------------------------ words

    def fact(self, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        return None if isinstance(shown, Message) else clusters_fact(picture.index, shown)

    def verdict(self, picture: GpuPicture) -> Verdict | None:
        shown = self.shown(picture)
        return None if isinstance(shown, Message) else clusters_verdict(shown)

    def detail(self, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        return shown if isinstance(shown, Message) else clusters_sentence(shown)

    def table(self, picture: GpuPicture) -> Table:
        shown = self.shown(picture)
        return Table((), ()) if isinstance(shown, Message) else clusters_table(shown)

    # ------------------------------------------------------------ pointing

    def transfer_at(self, point: QPointF, shown: ClustersPicture) -> Transfer | None:
        """The transfer that has filled the place under a point, or that is there in the time."""
        place = self.place(shown)
        found = place.at(point)
        return place.transfer_at(point) if found is None else shown.held.get(found)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        shown = None if self.picture is None else self.shown(self.picture)
        found = self.transfer_at(event.position(), shown) if isinstance(shown, ClustersPicture) else None
        if found is None or event.button() is not Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self.model.timeline.scrub(found.start)

    def selection_at(self, point: QPointF, picture: GpuPicture) -> Selection:
        shown = self.shown(picture)
        found = self.place(shown).at(point) if isinstance(shown, ClustersPicture) else None
        return NOTHING if found is None or isinstance(shown, Message) else self._selected(picture, shown, found[0])

    def tip_at(self, point: QPointF, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        if isinstance(shown, Message):
            return None
        found = self.transfer_at(point, shown)
        if found is None:
            return None
        told = {"line": found.line, "first": found.start + 1, "last": found.stop}
        return message("{transfer} Line {line}, steps {first} to {last}.", transfer=transfer_words(shown.cluster, found), **told)

    def tip(self, selection: Selection, picture: GpuPicture) -> Message | None:
        shown = clusters_picture(picture.index, picture.frame, selection.element)
        return None if isinstance(shown, Message) or shown.chosen is None else clusters_sentence(shown)

    def moved(self, selection: Selection, across: int, down: int, picture: GpuPicture) -> Selection:
        """From place to place."""
        shown = clusters_picture(picture.index, picture.frame, selection.element)
        if isinstance(shown, Message) or not shown.cluster.places:
            return NOTHING
        number = 0 if shown.chosen is None else (shown.chosen + across + down) % len(shown.cluster.places)
        return self._selected(picture, shown, number)

    def _selected(self, picture: GpuPicture, shown: ClustersPicture, number: int) -> Selection:
        element = element_of(picture.index, shown.cluster, number)
        return NOTHING if element is None else Selection(element=element)
