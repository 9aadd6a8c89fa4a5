"""Figure export: one page, with its title above and its caption and sources below, as PNG, SVG or PDF.

Text in an SVG becomes outlines: the program's fonts are on no other machine, and others are wider or lack the characters. Each device says
how many of its own points make one of the page, and painters draw as finely as that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

from PySide6.QtCore import QBuffer, QCoreApplication, QEvent, QIODevice, QMarginsF, QPoint, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPageLayout, QPageSize, QPaintDevice, QPainter, QPainterPath, QPdfWriter, QPixmap
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from app.core.base.files.atomic_write import atomic_file, not_written
from app.core.export.kinds import SMALLEST, PictureSize
from app.core.export.picture_text import PictureText
from app.qt.base.look import Look
from app.qt.export.export_view import ExportView
from app.qt.views.view import StageView
from kernels.base.messages import Message, message

_TEXT = re.compile(r"<text ([^>]*)>(.*?)</text>", re.DOTALL)
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_DEFINITIONS = "<defs>"
_KEPT = ("fill", "fill-opacity", "stroke")
_PLACES = 2
"""Decimals of coordinates, which are in pixels of the page."""


def outlined(svg: str) -> str:
    """Return an SVG without text elements. What is written several times is defined once; each use still says what it reads."""
    shapes: dict[tuple[str, ...], tuple[str, str]] = {}

    def use(found: re.Match[str]) -> str:
        given, text = dict(_ATTRIBUTE.findall(found[1])), found[2]
        key = (text, given["font-family"], given["font-size"], given["font-weight"], given.get("font-style", ""))
        if key not in shapes:
            shapes[key] = f"t{len(shapes)}", _path(unescape(text), font_of(*key[1:]))
        kept = " ".join(f'{name}="{given[name]}"' for name in _KEPT if name in given)
        label = text.replace('"', "&quot;")
        return f'<use xlink:href="#{shapes[key][0]}" x="{given["x"]}" y="{given["y"]}" {kept} aria-label="{label}"/>'

    drawn = _TEXT.sub(use, svg)
    defined = "".join(f'\n<path id="{name}" fill-rule="nonzero" d="{path}"/>' for name, path in shapes.values())
    return drawn.replace(_DEFINITIONS, _DEFINITIONS + defined, 1)


def font_of(families: str, size: str, weight: str, style: str) -> QFont:
    """The font that an SVG of Qt names."""
    font = QFont()
    font.setFamilies([family.strip(" '\"") for family in families.split(",")])
    font.setPixelSize(max(1, round(float(size))))
    font.setWeight(QFont.Weight(int(weight)) if int(weight) in set(map(int, QFont.Weight)) else QFont.Weight.Normal)
    font.setItalic(style == "italic")
    font.setFeature(QFont.Tag("tnum"), 1)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _path(text: str, font: QFont) -> str:
    """The outlines of a line of text whose baseline begins at the origin."""
    shape = QPainterPath()
    shape.addText(0, 0, font, text)
    return outline(shape)


def outline(shape: QPainterPath, decimals: int = _PLACES) -> str:
    """A shape as SVG writes it."""
    parts: list[str] = []
    points: list[str] = []
    for number in range(shape.elementCount()):
        element = shape.elementAt(number)
        point = f"{_short(element.x, decimals)} {_short(element.y, decimals)}"
        if element.type is QPainterPath.ElementType.MoveToElement:
            parts.append(f"M{point}")
        elif element.type is QPainterPath.ElementType.LineToElement:
            parts.append(f"L{point}")
        else:
            points.append(point)
            if len(points) == 3:  # two points that bend the line, and its end
                parts.append("C" + " ".join(points))
                points.clear()
    return "".join(parts)


def _short(number: float, decimals: int) -> str:
    text = f"{number:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


FINE = 4
"""Points of a vector format to one of the page: as fine as parts of a picture are drawn that are images even there."""
_POINTS = 72 / 96
"""Of a page in one pixel: 96 pixels are an inch."""
_Metric = QPaintDevice.PaintDeviceMetric


def ratio_metric(metric: QPaintDevice.PaintDeviceMetric, ratio: float) -> int | None:
    """A device's answer to a question about its ratio; None for other questions."""
    match metric:
        case _Metric.PdmDevicePixelRatio:
            return round(ratio)
        case _Metric.PdmDevicePixelRatioScaled:
            return round(ratio * QPaintDevice.devicePixelRatioFScale())
        case _Metric.PdmDevicePixelRatioF_EncodedA | _Metric.PdmDevicePixelRatioF_EncodedB:
            return QPaintDevice.encodeMetricF(metric, ratio)
        case _:
            return None


class FineSvg(QSvgGenerator):
    """SVG with `ratio` points to one of the page."""

    def __init__(self, ratio: int) -> None:
        super().__init__()
        self._ratio = ratio

    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        answer = ratio_metric(metric, self._ratio)
        return super().metric(metric) if answer is None else answer


class _Pdf(QPdfWriter):
    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        answer = ratio_metric(metric, FINE)
        return super().metric(metric) if answer is None else answer


def image_for(size: PictureSize) -> QImage:
    """Return an image to draw a page on."""
    image = QImage(QSize(*size.pixels), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(size.scale)
    return image


@contextmanager
def svg_painter(out: QBuffer, size: PictureSize, title: str, about: str) -> Iterator[QPainter]:
    """Draws an SVG into a buffer that is open."""
    made = FineSvg(FINE)
    made.setOutputDevice(out)
    made.setSize(QSize(size.width, size.height))
    made.setViewBox(QRect(0, 0, size.width * FINE, size.height * FINE))
    made.setTitle(title)
    made.setDescription(about)
    with _drawing(made) as painter:
        yield painter


@contextmanager
def pdf_painter(out: QBuffer, size: PictureSize, title: str) -> Iterator[QPainter]:
    """Draws a PDF of one page as large as the picture into a buffer that is open."""
    made = _Pdf(out)
    made.setTitle(title)
    made.setCreator("Tilescope")
    made.setResolution(96 * FINE)
    page = QPageSize(QSizeF(size.width * _POINTS, size.height * _POINTS), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    made.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    with _drawing(made) as painter:
        yield painter


@contextmanager
def _drawing(device: QPaintDevice) -> Iterator[QPainter]:
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    try:
        yield painter
    finally:
        painter.end()


_MARGIN, _TITLE, _CAPTION, _SOURCE = 14, 34, 46, 22
_BETWEEN = " · "
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_CAPTION_ROLES = ("reading", "body", "small", "caption")
"""From the type that is wanted down to the smallest, for captions that are long."""


def body_of(size: PictureSize) -> QRect:
    """Where the picture stands. It is the same for every picture of a clip."""
    return QRect(0, _TITLE, size.width, size.height - _TITLE - _CAPTION - _SOURCE - 6)


def paint_page(painter: QPainter, widget: QWidget, words: PictureText, size: PictureSize, look: Look) -> None:
    """Draw the page at the painter's origin."""
    theme, body = look.theme, body_of(size)
    painter.fillRect(QRect(0, 0, size.width, size.height), theme.bg1)
    for view in widget.findChildren(StageView):
        view.drawn_at = painter.device().devicePixelRatioF()
    if widget.size() != body.size():
        settle(widget, body.size())
    painter.save()
    painter.translate(body.topLeft())
    widget.render(painter, QPoint(0, 0))
    painter.restore()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    _paint_title(painter, words, size, look)
    below = QRectF(_MARGIN, body.bottom() + 6, size.width - 2 * _MARGIN, _CAPTION)
    if words.caption is not None:
        _paint_caption(painter, look.text(words.caption), below, look)
    _paint_sources(painter, words, QRectF(_MARGIN, size.height - _SOURCE - 2, size.width - 2 * _MARGIN, _SOURCE), look)
    painter.restore()


def sources_text(words: PictureText, look: Look) -> str:
    """Return the last line of a page, which says where it comes from."""
    return _BETWEEN.join(look.text(source) for source in words.sources)


def settle(widget: QWidget, size: QSize) -> None:
    """Give it its size, and draw it once for nothing: only then do axes know how wide their numbers are, and lay themselves out."""
    widget.resize(size)
    widget.render(QPixmap(size))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


def _paint_title(painter: QPainter, words: PictureText, size: PictureSize, look: Look) -> None:
    theme = look.theme
    row = QRectF(_MARGIN, 0, size.width - 2 * _MARGIN, _TITLE)
    text, font = look.text(words.title), theme.font("sentence")
    painter.setFont(font)
    painter.setPen(theme.t1)
    metrics = QFontMetricsF(font)
    painter.drawText(row, _LEFT, metrics.elidedText(text, Qt.TextElideMode.ElideRight, row.width()))
    if words.aside is None:
        return
    left = metrics.horizontalAdvance(text) + 14
    aside = QFontMetricsF(theme.font("body"))
    painter.setFont(theme.font("body"))
    painter.setPen(theme.t2)
    if left < row.width() - 60:
        painter.drawText(
            row.adjusted(left, 1, 0, 0), _LEFT, aside.elidedText(look.text(words.aside), Qt.TextElideMode.ElideRight, row.width() - left)
        )


def _paint_caption(painter: QPainter, text: str, area: QRectF, look: Look) -> None:
    """Paint the caption in the largest type that fits."""
    for role in _CAPTION_ROLES:
        font = look.theme.font(role)
        if QFontMetricsF(font).boundingRect(QRectF(0, 0, area.width(), 1000), _WRAPPED, text).height() <= area.height():
            break
    painter.setFont(font)
    painter.setPen(look.theme.t1)
    painter.drawText(area, _WRAPPED, text)


def _paint_sources(painter: QPainter, words: PictureText, area: QRectF, look: Look) -> None:
    """The version at the right, whole; before it as much as there is room for."""
    theme = look.theme
    font = theme.font("caption")
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(theme.t3)
    last = look.text(words.sources[-1])
    width = metrics.horizontalAdvance(last)
    painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, last)
    before = _BETWEEN.join(look.text(source) for source in words.sources[:-1])
    painter.drawText(area, _LEFT, metrics.elidedText(before, Qt.TextElideMode.ElideRight, area.width() - width - 16))
    painter.setPen(theme.line)
    painter.drawLine(area.topLeft(), area.topRight())


_DOTS_PER_METRE = 96 / 0.0254
_SIZE = re.compile(r'width="[^"]*" height="[^"]*"')


def picture_of_page(exported: ExportView, size: PictureSize, look: Look) -> QImage:
    """Return the page as an image."""
    image = image_for(size)
    painter = QPainter(image)
    paint_page(painter, exported.widget, exported.words, size, look)
    painter.end()
    return image


def write_figure(path: Path, exported: ExportView, size: PictureSize, look: Look) -> Message | None:
    """Write the page as PNG, SVG or PDF, by the file's ending. Returns why that cannot be; then there is no file."""
    least, body = exported.widget.minimumSizeHint(), body_of(size)
    if least.width() > body.width() or least.height() > body.height():
        return message("What is on the picture needs at least {least_width} × {least_height}, not {width} × {height}.",
                       least_width=max(least.width(), SMALLEST[0]),
                       least_height=max(least.height() + size.height - body.height(), SMALLEST[1]),
                       width=size.width, height=size.height)  # fmt: skip
    content = _MAKERS[path.suffix.lower()](exported, size, look)
    try:
        with atomic_file(path) as made:
            made.write_bytes(content)
    except OSError as error:
        return not_written(path, error)
    return None


def _png(exported: ExportView, size: PictureSize, look: Look) -> bytes:
    image = picture_of_page(exported, size, look)
    image.setText("Title", look.text(exported.words.title))
    image.setText("Source", sources_text(exported.words, look))
    image.setDevicePixelRatio(1)
    image.setDotsPerMeterX(round(size.scale * _DOTS_PER_METRE))
    image.setDotsPerMeterY(round(size.scale * _DOTS_PER_METRE))
    out = _opened()
    image.save(out, "PNG")  # type: ignore[call-overload]  # declared as bytes, taken as text
    return bytes(out.data().data())


def _svg(exported: ExportView, size: PictureSize, look: Look) -> bytes:
    out, words = _opened(), exported.words
    with svg_painter(out, size, look.text(words.title), sources_text(words, look)) as painter:
        paint_page(painter, exported.widget, words, size, look)
    drawn = outlined(bytes(out.data().data()).decode("utf-8"))
    return _SIZE.sub(f'width="{size.width}" height="{size.height}"', drawn, count=1).encode()  # Qt rounds it to millimetres


def _pdf(exported: ExportView, size: PictureSize, look: Look) -> bytes:
    out = _opened()
    with pdf_painter(out, size, look.text(exported.words.title)) as painter:
        paint_page(painter, exported.widget, exported.words, size, look)
    return bytes(out.data().data())


def _opened() -> QBuffer:
    out = QBuffer()
    out.open(QIODevice.OpenModeFlag.WriteOnly)
    return out


_MAKERS = {".png": _png, ".svg": _svg, ".pdf": _pdf}
