"""Writer of a report with its figures, by the file's ending; figures are drawn as the chart of the timing workspace draws them.

Pages begin anew so that no heading and no title of a table is left behind at the foot of one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter, QTextBlock, QTextBlockFormat, QTextCursor, QTextDocument, QTextFormat

from app.core.base.files.atomic_write import atomic_file, not_written, write_whole
from app.core.base.files.locations import refuse_file
from app.core.export.kinds import PictureSize
from app.core.report.content import Asked, Figure, Report
from app.core.report.written import html_text, markdown_text
from app.core.results.quantities import Quantity
from app.core.session.session import Session
from app.core.timing.model import TimingModel
from app.qt.base.look import Look
from app.qt.export.exported_charts import ExportedWidget, chart_view
from app.qt.export.figure import picture_of_page, write_figure
from kernels.base.messages import Message


def keep_titles(document: QTextDocument) -> None:
    """Let a title that would stand alone at the end of a page begin the next one. The document has its page's size already."""
    block = document.begin()
    while block.isValid():
        if _is_title(block) and _page(document, _area(document, block).top()) != _page(document, _end_of_next(document, block)):
            _begin_page(block)
            document.markContentsDirty(0, document.characterCount())  # else what follows keeps places of before
        block = block.next()


def _is_title(block: QTextBlock) -> bool:
    """A heading, or what stands right before a table."""
    if block.blockFormat().headingLevel():
        return True
    return bool(block.text().strip()) and not _in_table(block) and block.next().isValid() and _in_table(block.next())


def _in_table(block: QTextBlock) -> bool:
    return QTextCursor(block).currentTable() is not None


def _end_of_next(document: QTextDocument, block: QTextBlock) -> float:
    """How far down goes what must not be parted from a title: further titles, and the begin of what these are above."""
    following = block.next()
    while following.isValid() and (_is_title(following) or not following.text().strip()) and following.next().isValid():
        following = following.next()
    return _area(document, following).bottom() if following.isValid() else _area(document, block).bottom()


def _area(document: QTextDocument, block: QTextBlock) -> QRectF:
    return document.documentLayout().blockBoundingRect(block)


def _page(document: QTextDocument, height: float) -> int:
    return int(height // document.pageSize().height())


def _begin_page(block: QTextBlock) -> None:
    breaks = QTextBlockFormat()
    breaks.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
    QTextCursor(block).mergeBlockFormat(breaks)


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
        exported = self._exported(figure)
        if exported is None:
            return None
        with TemporaryDirectory() as folder:
            file = Path(folder) / "figure.svg"
            reason = write_figure(file, exported, SIZE, self._look)
            text = None if reason is not None else file.read_text(encoding="utf-8")
        exported.close()
        if text is None:
            return None
        self._drawn += 1
        return _NAME.sub(rf"\1f{self._drawn}-\2", text[text.index("<svg") :])

    def image(self, figure: Figure) -> QImage | None:
        """Return the figure in pixels; None where it cannot be drawn."""
        exported = self._exported(figure)
        if exported is None:
            return None
        image = picture_of_page(exported, SHARP, self._look)
        exported.close()
        return image

    def _exported(self, figure: Figure) -> ExportedWidget | None:
        session, model = Session(), TimingModel()
        session.choose_operation(self._asked.choice.operation)
        session.timing.value = replace(self._asked.choice, axis=figure.axis)
        model.add(self._asked.provenance, self._asked.results.rows(self._asked.provenance))
        model.shown.value = frozenset((self._asked.provenance,))
        model.quantity.value = Quantity(figure.quantity)
        exported = chart_view(self._look, session, model)
        return None if isinstance(exported, Message) else exported


_DPI = 96
_MARGIN_MM = 18.0
_IMAGE_WIDTH = 600
_MM_PER_INCH = 25.4


def write_report(path: Path, report: Report, asked: Asked, look: Look) -> Message | None:
    """Write it; returns why it cannot be written. The figures of a Markdown file lie beside it."""
    reason = refuse_file(path)
    if reason is not None:
        return reason
    figures = Figures(asked, look)
    if path.suffix.lower() == ".html":
        return write_whole(path, html_text(report, look.translator, figures.svg))
    if path.suffix.lower() == ".md":
        return _write_markdown(path, report, figures, look)
    return _write_pdf(path, report, figures, look)


def first_page(report: Report, asked: Asked, look: Look) -> QImage:
    """The first page of the PDF as an image."""
    document = _document(report, Figures(asked, look), look)
    size = QPageSize(QPageSize.PageSizeId.A4).sizePixels(_DPI)
    margin = _MARGIN_MM * _DPI / _MM_PER_INCH
    page = QRectF(0, 0, size.width() - 2 * margin, size.height() - 2 * margin)
    document.setPageSize(page.size())
    keep_titles(document)
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.translate(margin, margin)
    document.drawContents(painter, page)
    painter.end()
    return image


def _write_markdown(path: Path, report: Report, figures: Figures, look: Look) -> Message | None:
    """The text comes last: where a figure could not be written there is none, and no other figure is left."""
    drawn: dict[Path, str] = {}

    def beside(figure: Figure) -> str | None:
        svg = figures.svg(figure)
        if svg is None:
            return None
        file = path.with_name(f"{path.stem}-{len(drawn) + 1}.svg")
        drawn[file] = svg
        return quote(file.name)

    drawn[path] = markdown_text(report, look.translator, beside)
    written: list[Path] = []
    for file, text in drawn.items():
        was_there = file.exists()
        reason = write_whole(file, text)
        if reason is not None:
            for each in written:
                each.unlink(missing_ok=True)
            return reason
        if not was_there:
            written.append(file)
    return None


def _document(report: Report, figures: Figures, look: Look) -> QTextDocument:
    """Text stays text; figures are pixels, which the document lays out by itself."""
    document, images = QTextDocument(), list[QImage]()

    def placed(figure: Figure) -> str | None:
        image = figures.image(figure)
        if image is None:
            return None
        images.append(image)
        return f'<img src="figure:{len(images)}" width="{_IMAGE_WIDTH}">'

    html = html_text(report, look.translator, placed)
    for number, image in enumerate(images, start=1):
        document.addResource(int(QTextDocument.ResourceType.ImageResource.value), QUrl(f"figure:{number}"), image)
    document.setDefaultFont(look.theme.font("body"))
    document.setHtml(html)
    return document


def _write_pdf(path: Path, report: Report, figures: Figures, look: Look) -> Message | None:
    document = _document(report, figures, look)
    try:
        with atomic_file(path) as made:
            made.write_bytes(_printed(document, look.text(report.title)))
    except OSError as error:
        return not_written(path, error)
    return None


def _printed(document: QTextDocument, title: str) -> bytes:
    """Print the document into memory: a writer of PDF that fills a disk does not say so."""
    out = QBuffer()
    out.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(out)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM))
    writer.setResolution(_DPI)
    writer.setTitle(title)
    document.setPageSize(QSizeF(writer.width(), writer.height()))
    keep_titles(document)
    document.print_(writer)
    return bytes(out.data().data())
