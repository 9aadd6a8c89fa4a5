"""One page as a file."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage, QPainter

from app.core.export.sizes import PictureSize
from app.core.whole_file import not_written, whole_file
from app.qt.export.devices import image_for, pdf_painter, svg_painter
from app.qt.export.outlines import outlined
from app.qt.export.page import paint_page, sources_text
from app.qt.export.scenes import Scene
from app.qt.look import Look
from kernels.messages import Message

_DOTS_PER_METRE = 96 / 0.0254
_SIZE = re.compile(r'width="[^"]*" height="[^"]*"')


def picture_of_page(scene: Scene, size: PictureSize, look: Look) -> QImage:
    """The page as an image."""
    image = image_for(size)
    painter = QPainter(image)
    paint_page(painter, scene.widget, scene.words, size, look)
    painter.end()
    return image


def write_figure(path: Path, scene: Scene, size: PictureSize, look: Look) -> Message | None:
    """Write the page as PNG, SVG or PDF, by the file's ending. Returns why that cannot be; then there is no file."""
    content = _MAKERS[path.suffix.lower()](scene, size, look)
    try:
        with whole_file(path) as made:
            made.write_bytes(content)
    except OSError as error:
        return not_written(path, error)
    return None


def _png(scene: Scene, size: PictureSize, look: Look) -> bytes:
    image = picture_of_page(scene, size, look)
    image.setText("Title", look.text(scene.words.title))
    image.setText("Source", sources_text(scene.words, look))
    image.setDevicePixelRatio(1)
    image.setDotsPerMeterX(round(size.scale * _DOTS_PER_METRE))
    image.setDotsPerMeterY(round(size.scale * _DOTS_PER_METRE))
    out = _opened()
    image.save(out, "PNG")  # type: ignore[call-overload]  # declared as bytes, taken as text
    return bytes(out.data().data())


def _svg(scene: Scene, size: PictureSize, look: Look) -> bytes:
    out, words = _opened(), scene.words
    with svg_painter(out, size, look.text(words.title), sources_text(words, look)) as painter:
        paint_page(painter, scene.widget, words, size, look)
    drawn = outlined(bytes(out.data().data()).decode("utf-8"))
    return _SIZE.sub(f'width="{size.width}" height="{size.height}"', drawn, count=1).encode()  # Qt rounds it to millimetres


def _pdf(scene: Scene, size: PictureSize, look: Look) -> bytes:
    out = _opened()
    with pdf_painter(out, size, look.text(scene.words.title)) as painter:
        paint_page(painter, scene.widget, scene.words, size, look)
    return bytes(out.data().data())


def _opened() -> QBuffer:
    out = QBuffer()
    out.open(QIODevice.OpenModeFlag.WriteOnly)
    return out


_MAKERS = {".png": _png, ".svg": _svg, ".pdf": _pdf}
