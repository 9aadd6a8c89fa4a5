"""What the steps of a launch are for, as strips of colours."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QColor, QImage, QPixmap

from app.core.launch.index import LaunchIndex
from app.core.launch.strip import FILLS, Code, Codes, Shares, detail, overview, shares
from app.qt.theme import Theme


def draw_overview(index: LaunchIndex, size: QSizeF, ratio: float, theme: Theme) -> QPixmap:
    """All steps, side by side; what they are for is told by how much of the height they fill, too."""
    width = round(size.width() * ratio)
    if index.steps > width:
        image = _mixed(shares(index, 0, index.steps, width, by_warp=False) * FILLS[:, None, :], theme)
    else:
        codes = overview(index, width)
        image = _image(np.where(FILLS[:, codes], codes, Code.NOTHING).astype(np.uint8), theme)
    return _stretched(image, size, ratio)


def draw_detail(index: LaunchIndex, steps: tuple[int, int], size: QSizeF, ratio: float, theme: Theme) -> QPixmap:
    """The steps from the first to before the second, a row for each warp; rows of less than a pixel share one."""
    width = round(size.width() * ratio)
    if steps[1] - steps[0] > width:
        image = _mixed(shares(index, *steps, width, by_warp=True), theme)
    else:
        image = _image(detail(index, *steps, width), theme)
    return _stretched(image, size, ratio)


def _mixed(found: Shares, theme: Theme) -> QImage:
    """Where several steps share a pixel, the mean of their colours: what alternates quickly is one calm tone."""
    colours = np.array([(colour.red(), colour.green(), colour.blue()) for colour in _colours(theme)], np.float32)
    ground = 1.0 - found.sum(axis=2, keepdims=True)
    pixels = np.rint(found @ colours + ground * colours[Code.NOTHING]).astype(np.uint8)
    rows, columns, _ = pixels.shape
    return QImage(pixels.tobytes(), columns, rows, 3 * columns, QImage.Format.Format_RGB888)


def _image(codes: Codes, theme: Theme) -> QImage:
    """Codes as colours."""
    image = QImage(codes.tobytes(), codes.shape[1], codes.shape[0], codes.shape[1], QImage.Format.Format_Indexed8)
    image.setColorTable([colour.rgb() for colour in _colours(theme)])
    return image


def _stretched(image: QImage, size: QSizeF, ratio: float) -> QPixmap:
    pixmap = QPixmap.fromImage(image.scaled(round(size.width() * ratio), max(round(size.height() * ratio), 1)))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def _colours(theme: Theme) -> tuple[QColor, ...]:
    chosen = {
        Code.NOTHING: theme.bg2, Code.LOAD_A: theme.a_mid, Code.LOAD_B: theme.b_mid, Code.LOAD: theme.line2,
        Code.COMPUTE: theme.c_bg, Code.STORE: theme.c,
    }  # fmt: skip
    return tuple(chosen[code] for code in Code)
