"""Display lists of a widget, recorded: what its painters draw, as values, in the order drawn.

Painters draw into an SVG that nobody sees, and its elements are read back: Qt tells every outline, brush, pen and line of text there.
Text becomes glyphs, since the program's fonts are on no other machine. Coordinates are in pixels of the widget.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from xml.etree import ElementTree

import numpy as np
from PySide6.QtCore import QBuffer, QIODevice, QPoint, QRect
from PySide6.QtGui import QFont, QImage, QPainter, QRawFont, QTextLayout
from PySide6.QtWidgets import QWidget

from app.core.export.display_list import Fill, Glyphs, Mark, Matrix, Raster, Stroke
from app.qt.export.figure import FineSvg, font_of, outline
from app.qt.views.view import StageView

FINE = 2
"""Pixels of an image to one of the widget, along each side."""
GLYPH_SIZE = 100
"""Pixels of the font that outlines of glyphs are told in."""
_SVG = "{http://www.w3.org/2000/svg}"
_NAME = "{http://www.w3.org/1999/xlink}href"
_Attributes = Mapping[str, str]
_Placed = tuple[tuple[str, float, float], ...]


class DisplayRecorder:
    """Recorder of what widgets draw. What text looks like is worked out once for each text and font."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, ...], tuple[float, _Placed]] = {}
        self._glyphs: dict[tuple[str, str, int, int], str] = {}
        self._hatches: dict[str, tuple[str, str]] = {}
        """Of each pattern of the drawing its colour and its pixels."""

    def record(self, widget: QWidget) -> tuple[Mark, ...]:
        """What the widget, laid out at its size, draws now. Raises ValueError for an element that no painter of ours draws."""
        for view in widget.findChildren(StageView):
            view.drawn_at = FINE
        out, device = QBuffer(), FineSvg(FINE)
        out.open(QIODevice.OpenModeFlag.WriteOnly)
        device.setOutputDevice(out)
        device.setSize(widget.size())
        device.setViewBox(QRect(0, 0, widget.width() * FINE, widget.height() * FINE))
        painter = QPainter(device)
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        widget.render(painter, QPoint(0, 0))
        painter.end()
        drawn = ElementTree.fromstring(bytes(out.data().data()))
        self._hatches = {f"url(#{each.attrib['id']})": _hatch(drawn, each) for each in drawn.iter(f"{_SVG}pattern")}
        return tuple(self._marks(drawn, {}))

    def _marks(self, element: ElementTree.Element, given: _Attributes) -> Iterator[Mark]:
        """Those of an element and all in it; `given` is what it inherits."""
        attributes = {**given, **element.attrib}
        name = element.tag.rpartition("}")[2]
        if name == "text":
            yield from self._text(element.text or "", attributes)
        elif name == "image":
            yield _raster(attributes)
        elif name in _OUTLINES:
            colour, hatch = self._hatches.get(attributes.get("fill", ""), (attributes.get("fill", "none"), ""))
            yield from _drawn(_OUTLINES[name](attributes), {**attributes, "fill": colour}, hatch)
        elif name in ("svg", "g"):
            for child in element:
                yield from self._marks(child, attributes)
        elif name not in ("title", "desc", "defs"):
            raise ValueError(f"an element {name} in a drawing")

    def _text(self, text: str, attributes: _Attributes) -> Iterator[Mark]:
        colour = _colour(attributes, "fill")
        if colour is None or not text.strip():
            return
        key = (text, *(attributes[each] for each in ("font-family", "font-size", "font-weight", "font-style")))
        if key not in self._lines:
            self._lines[key] = self._shaped(text, font_of(*key[1:]))
        size, glyphs = self._lines[key]
        x, y = float(attributes["x"]), float(attributes["y"])
        placed = tuple((shape, round(x + across, 2), round(y + down, 2)) for shape, across, down in glyphs)
        yield Glyphs(colour, _matrix(attributes), size / GLYPH_SIZE, placed)

    def _shaped(self, text: str, font: QFont) -> tuple[float, _Placed]:
        """The size of a font, and the glyphs of a line of text whose baseline begins at the origin."""
        layout = QTextLayout(text, font)
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        base = line.ascent()
        found: list[tuple[str, float, float]] = []
        for run in layout.glyphRuns():
            raw = run.rawFont()
            for index, at in zip(run.glyphIndexes(), run.positions(), strict=True):
                shape = self._glyph(raw, index)
                if shape:
                    found.append((shape, at.x(), at.y() - base))
        return float(font.pixelSize()), tuple(found)

    def _glyph(self, raw: QRawFont, index: int) -> str:
        """The outline of a glyph at `GLYPH_SIZE`."""
        key = (raw.familyName(), raw.styleName(), raw.weight(), index)
        if key not in self._glyphs:
            large = QRawFont(raw)
            large.setPixelSize(GLYPH_SIZE)
            self._glyphs[key] = outline(large.pathForGlyph(index), decimals=0)
        return self._glyphs[key]


def _hatch(drawn: ElementTree.Element, pattern: ElementTree.Element) -> tuple[str, str]:
    """The colour of a pattern, and its pixels as `Fill.hatch` has them: those of the mask that the pattern's square is seen through."""
    (square,) = pattern
    masks = (each for each in drawn.iter(f"{_SVG}mask") if f"url(#{each.attrib['id']})" == square.attrib["mask"])
    rows = [0] * 8
    for dot in next(masks):
        x, y, width, height = (int(dot.attrib[name]) for name in ("x", "y", "width", "height"))
        for row in range(y, y + height):
            rows[row] |= sum(128 >> column for column in range(x, x + width))
    return square.attrib["fill"], bytes(rows).hex()


def _drawn(path: str, attributes: _Attributes, hatch: str) -> Iterator[Mark]:
    matrix = _matrix(attributes)
    fill, stroke = _colour(attributes, "fill"), _colour(attributes, "stroke")
    if fill is not None:
        yield Fill(fill, path, matrix, attributes.get("fill-rule", "nonzero") == "evenodd", hatch)
    if stroke is not None:
        dashes = attributes.get("stroke-dasharray", "none")
        width = float(attributes.get("stroke-width", "1"))
        if attributes.get("vector-effect") == "non-scaling-stroke":
            width /= FINE * (abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5 or 1.0)
        yield Stroke(
            stroke, path, matrix, round(width, 2), attributes.get("stroke-linecap", "butt"),
            attributes.get("stroke-linejoin", "miter"), () if dashes == "none" else tuple(map(float, dashes.split(","))),
        )  # fmt: skip


def _raster(attributes: _Attributes) -> Raster:
    image = QImage.fromData(base64.b64decode(attributes[_NAME].partition(",")[2])).convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())[:, : 4 * image.width()]
    pixels = np.ascontiguousarray(rows).view(">u4").astype(np.uint32)
    x, y, width, height = (float(attributes[each]) for each in ("x", "y", "width", "height"))
    return Raster(pixels, (x, y, width, height), _matrix(attributes), float(attributes.get("opacity", "1")))


def _colour(attributes: _Attributes, name: str) -> str | None:
    """A paint as #rrggbbaa; None where nothing is painted, or nothing of it can be seen."""
    paint = attributes.get(name, "none")
    opacity = float(attributes.get(f"{name}-opacity", "1")) * float(attributes.get("opacity", "1"))
    alpha = round(255 * opacity)
    if paint == "none" or alpha == 0:
        return None
    return f"{'#000000' if paint == 'black' else paint}{alpha:02x}"


def _matrix(attributes: _Attributes) -> Matrix:
    """The way from an element's pixels to the widget's."""
    text = attributes.get("transform")
    if text is None:
        return (1 / FINE, 0, 0, 1 / FINE, 0, 0)
    numbers = [round(float(each) / FINE, 4) for each in text[text.index("(") + 1 : text.index(")")].split(",")]
    a, b, c, d, e, f = numbers
    return a, b, c, d, e, f


def _rectangle(attributes: _Attributes) -> str:
    x, y, width, height = (float(attributes[each]) for each in ("x", "y", "width", "height"))
    return f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}Z"


def _corners(attributes: _Attributes) -> str:
    return "M" + "L".join(attributes["points"].split())


def _ellipse(attributes: _Attributes) -> str:
    x, y = float(attributes["cx"]), float(attributes["cy"])
    across, down = (float(attributes[name] if name in attributes else attributes["r"]) for name in ("rx", "ry"))
    half = f"a{across:g} {down:g} 0 1 0"
    return f"M{x - across:g} {y:g}{half} {2 * across:g} 0{half} {-2 * across:g} 0Z"


_OUTLINES: Mapping[str, Callable[[_Attributes], str]] = {
    "rect": _rectangle,
    "circle": _ellipse,
    "ellipse": _ellipse,
    "path": lambda attributes: attributes["d"].strip(),
    "polyline": _corners,
    "polygon": lambda attributes: _corners(attributes) + "Z",
}
