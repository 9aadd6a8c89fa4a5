"""Colours as they are measured: contrast by WCAG 2.2, differences by CIE 1976, and what those see who lack one kind of cone."""

from __future__ import annotations

import math
from collections.abc import Sequence

Colour = tuple[float, float, float]
"""Red, green and blue of sRGB, each from 0 to 1."""

MACHADO: dict[str, tuple[Colour, Colour, Colour]] = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""G. M. Machado, M. M. Oliveira, L. A. F. Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE
Transactions on Visualization and Computer Graphics 15 (6), 2009: the matrices for a severity of 1, applied to linear RGB."""
_WHITE = (0.95047, 1.0, 1.08883)
_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of WCAG: from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def seen(colour: Colour, vision: str) -> Colour:
    """A colour as it is seen with a vision of MACHADO; any other vision sees it as it is."""
    if vision not in MACHADO:
        return colour
    red, green, blue = (min(max(value, 0.0), 1.0) for value in _times(MACHADO[vision], _linear(colour)))
    return _gamma(red), _gamma(green), _gamma(blue)


def difference(one: Colour, other: Colour) -> float:
    """ΔE of CIE 1976: about 2 is as little as can be told."""
    return math.dist(_lab(one), _lab(other))


def _luminance(colour: Colour) -> float:
    return _times(_XYZ, _linear(colour))[1]


def _linear(colour: Colour) -> list[float]:
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in colour]


def _gamma(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def _times(matrix: Sequence[Colour], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _lab(colour: Colour) -> tuple[float, float, float]:
    x, y, z = (_root(value / white) for value, white in zip(_times(_XYZ, _linear(colour)), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116
