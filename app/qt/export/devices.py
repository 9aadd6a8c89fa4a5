"""What a page is drawn on. Every device says how many of its own points make one of the page, and painters draw as finely as that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QBuffer, QMarginsF, QRect, QSize, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPaintDevice, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from app.core.export.sizes import PictureSize

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


class _Svg(QSvgGenerator):
    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        answer = ratio_metric(metric, FINE)
        return super().metric(metric) if answer is None else answer


class _Pdf(QPdfWriter):
    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        answer = ratio_metric(metric, FINE)
        return super().metric(metric) if answer is None else answer


def image_for(size: PictureSize) -> QImage:
    """An image to draw a page on."""
    image = QImage(QSize(*size.pixels), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(size.scale)
    return image


@contextmanager
def svg_painter(out: QBuffer, size: PictureSize, title: str, about: str) -> Iterator[QPainter]:
    """Draws an SVG into a buffer that is open."""
    made = _Svg()
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
