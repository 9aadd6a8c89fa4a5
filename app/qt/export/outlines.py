"""Text in an SVG as outlines: the program's fonts are on no other machine, and others are wider or lack the characters."""

from __future__ import annotations

import re
from html import unescape

from PySide6.QtGui import QFont, QPainterPath

_TEXT = re.compile(r"<text ([^>]*)>(.*?)</text>", re.DOTALL)
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_DEFINITIONS = "<defs>"
_KEPT = ("fill", "fill-opacity", "stroke")
_PLACES = 2
"""Decimals of coordinates, which are in pixels of the page."""


def outlined(svg: str) -> str:
    """The same picture without text elements. What is written several times is defined once; each use still says what it reads."""
    shapes: dict[tuple[str, ...], tuple[str, str]] = {}

    def use(found: re.Match[str]) -> str:
        given, text = dict(_ATTRIBUTE.findall(found[1])), found[2]
        key = (text, given["font-family"], given["font-size"], given["font-weight"], given.get("font-style", ""))
        if key not in shapes:
            shapes[key] = f"t{len(shapes)}", _path(unescape(text), _font(*key[1:]))
        kept = " ".join(f'{name}="{given[name]}"' for name in _KEPT if name in given)
        label = text.replace('"', "&quot;")
        return f'<use xlink:href="#{shapes[key][0]}" x="{given["x"]}" y="{given["y"]}" {kept} aria-label="{label}"/>'

    drawn = _TEXT.sub(use, svg)
    defined = "".join(f'\n<path id="{name}" fill-rule="nonzero" d="{path}"/>' for name, path in shapes.values())
    return drawn.replace(_DEFINITIONS, _DEFINITIONS + defined, 1)


def _font(families: str, size: str, weight: str, style: str) -> QFont:
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
    parts: list[str] = []
    points: list[str] = []
    for number in range(shape.elementCount()):
        element = shape.elementAt(number)
        point = f"{_short(element.x)} {_short(element.y)}"
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


def _short(number: float) -> str:
    return f"{number:.{_PLACES}f}".rstrip("0").rstrip(".")
