"""Base of the two views of the caches: they need the caches of the picture, and say why there are none."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from app.core.base.picture_parts import Table, Verdict
from app.core.cpu_view.caches import StageCaches
from app.core.stage.model import Picture
from app.qt.views.view import StageView
from kernels.base.messages import Message, message

_AT_WORK = message(
    "The cache model is at work. The first look at a kernel takes some seconds: it is compiled together with what notes its accesses."
)


class CachedView(StageView[Picture]):
    """Subclasses draw where there are caches."""

    def paint_caches(self, painter: QPainter, picture: Picture, caches: StageCaches) -> None:
        """Draw the picture."""
        raise NotImplementedError

    def caches_fact(self, picture: Picture, caches: StageCaches) -> Message | None:
        """One fact for the header."""
        raise NotImplementedError

    def caches_brief(self, picture: Picture, caches: StageCaches) -> Message:
        """Return the fact of the header where there is little room: which level it is."""
        return message("{text}", text=caches.levels[picture.level].name)

    def caches_verdict(self, picture: Picture, caches: StageCaches) -> Verdict | None:
        """The badge in the header."""
        raise NotImplementedError

    def caches_table(self, picture: Picture, caches: StageCaches) -> Table:
        """The picture as text."""
        raise NotImplementedError

    def paint(self, painter: QPainter, picture: Picture) -> None:
        if picture.caches is not None:
            self.paint_caches(painter, picture, picture.caches)
            return
        painter.setFont(self.look.theme.font("body"))
        painter.setPen(self.look.theme.t3)
        text = self.look.text(self.model.caches_missing.value or _AT_WORK)
        painter.drawText(QRectF(self.rect()).adjusted(14, 8, -14, -8), Qt.TextFlag.TextWordWrap, text)

    def fact(self, picture: Picture) -> Message | None:
        return None if picture.caches is None else self.caches_fact(picture, picture.caches)

    def brief(self, picture: Picture) -> Message | None:
        return None if picture.caches is None else self.caches_brief(picture, picture.caches)

    def verdict(self, picture: Picture) -> Verdict | None:
        return None if picture.caches is None else self.caches_verdict(picture, picture.caches)

    def table(self, picture: Picture) -> Table:
        return Table((), ()) if picture.caches is None else self.caches_table(picture, picture.caches)
