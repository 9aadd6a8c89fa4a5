"""The program's icon in the forms of Windows and macOS, drawn from the one that the window has."""

from __future__ import annotations

import io
import os
from pathlib import Path

from bundle.edition import BUNDLES, ROOT

SIZES = (16, 24, 32, 48, 64, 128, 256)
LARGEST = 1024
SOURCE = ROOT / "resources" / "icons" / "tilescope.svg"


def write_icons(folder: Path = BUNDLES) -> tuple[Path, Path]:
    """Write tilescope.ico and tilescope.icns into the folder, and return them."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    picture = Image.open(io.BytesIO(_drawn(LARGEST)))
    windows, macos = folder / "tilescope.ico", folder / "tilescope.icns"
    picture.save(windows, sizes=[(size, size) for size in SIZES])
    picture.save(macos)
    return windows, macos


def _drawn(size: int) -> bytes:
    """The icon as a PNG file."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QIODevice, Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(SOURCE)).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # declared as bytes, taken as text
    return bytes(buffer.data().data())
