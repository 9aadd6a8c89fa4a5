"""Writes a report with its figures, by the file's ending."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter, QTextDocument

from app.core.places import refuse_file
from app.core.report.asked import Asked
from app.core.report.content import Figure, Report
from app.core.report.html import html_text
from app.core.report.markdown import markdown_text
from app.core.whole_file import not_written, whole_file, write_whole
from app.qt.look import Look
from app.qt.report.figures import Figures
from app.qt.report.paging import keep_titles
from kernels.messages import Message

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
        with whole_file(path) as made:
            made.write_bytes(_printed(document, look.text(report.title)))
    except OSError as error:
        return not_written(path, error)
    return None


def _printed(document: QTextDocument, title: str) -> bytes:
    """In memory: a writer of PDF that fills a disk does not say so."""
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
