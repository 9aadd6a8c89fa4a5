"""Writes a report with its figures, by the file's ending."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMarginsF, QSizeF, QUrl
from PySide6.QtGui import QImage, QPageSize, QPdfWriter, QTextDocument

from app.core.export.whole_file import not_written, whole_file
from app.core.places import refuse_file
from app.core.report.asked import Asked
from app.core.report.content import Figure, Report
from app.core.report.html import html_text
from app.core.report.markdown import markdown_text
from app.core.source_files import write_whole
from app.qt.look import Look
from app.qt.report.figures import Figures
from kernels.messages import Message

ENDINGS = (".html", ".md", ".pdf")
_DPI = 96
_MARGIN_MM = 18.0
_IMAGE_WIDTH = 600


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


def _write_markdown(path: Path, report: Report, figures: Figures, look: Look) -> Message | None:
    failed: list[Message] = []
    written: list[str] = []

    def beside(figure: Figure) -> str | None:
        drawn = figures.svg(figure)
        if drawn is None:
            return None
        file = path.with_name(f"{path.stem}-{len(written) + 1}.svg")
        reason = write_whole(file, drawn)
        if reason is not None:
            failed.append(reason)
        written.append(file.name)
        return file.name

    text = markdown_text(report, look.translator, beside)
    return failed[0] if failed else write_whole(path, text)


def _write_pdf(path: Path, report: Report, figures: Figures, look: Look) -> Message | None:
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
    try:
        with whole_file(path) as made:
            _print(document, made, look.text(report.title))
    except OSError as error:
        return not_written(path, error)
    return None


def _print(document: QTextDocument, path: Path, title: str) -> None:
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM))
    writer.setResolution(_DPI)
    writer.setTitle(title)
    document.setPageSize(QSizeF(writer.width(), writer.height()))
    document.print_(writer)
