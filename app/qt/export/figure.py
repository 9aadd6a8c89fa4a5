"""One page as a file."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage, QPainter

from app.core.export.sizes import PictureSize
from app.core.export.whole_file import not_written, whole_file
from app.qt.export.devices import image_for, pdf_painter, svg_painter
from app.qt.export.outlines import outlined
from app.qt.export.page import paint_page, sources_text
from app.qt.export.scenes import Scene
from app.qt.look import Look
from kernels.messages import Message

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
    try:
        with whole_file(path) as made:
            _WRITERS[path.suffix.lower()](made, scene, size, look)
    except OSError as error:
        return not_written(path, error)
    return None


def _write_png(path: Path, scene: Scene, size: PictureSize, look: Look) -> None:
    image = picture_of_page(scene, size, look)
    image.setText("Title", look.text(scene.words.title))
    image.setText("Source", sources_text(scene.words, look))
    image.setDevicePixelRatio(1)
    image.setDotsPerMeterX(round(size.scale * 96 / 0.0254))
    image.setDotsPerMeterY(round(size.scale * 96 / 0.0254))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]  # declared as bytes, taken as text
        raise OSError(path.name)
    path.write_bytes(buffer.data().data())


def _write_svg(path: Path, scene: Scene, size: PictureSize, look: Look) -> None:
    words = scene.words
    with svg_painter(path, size, look.text(words.title), sources_text(words, look)) as painter:
        paint_page(painter, scene.widget, words, size, look)
    drawn = outlined(path.read_text(encoding="utf-8"))
    sized = _SIZE.sub(f'width="{size.width}" height="{size.height}"', drawn, count=1)  # Qt rounds it to millimetres
    path.write_text(sized, encoding="utf-8", newline="")


def _write_pdf(path: Path, scene: Scene, size: PictureSize, look: Look) -> None:
    with pdf_painter(path, size, look.text(scene.words.title)) as painter:
        paint_page(painter, scene.widget, scene.words, size, look)


_WRITERS = {".png": _write_png, ".svg": _write_svg, ".pdf": _write_pdf}
