"""Colours and fonts by role: the two themes, as plain values that painters and panels are given."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from PySide6.QtGui import QColor, QFont

from app.core.workbench.window_arguments import THEMES
from kernels.base.spec import Device
from kernels.base.values import dataclass

UI_FAMILIES = ["Tilescope Sans", "Tilescope Sans SC", "Noto Sans SC", "Noto Sans CJK SC", "Microsoft YaHei UI", "PingFang SC"]
CODE_FAMILIES = ["Tilescope Mono", "Tilescope Sans SC", "Consolas", "Menlo", "DejaVu Sans Mono"]

FONT_ROLES: Mapping[str, tuple[float, bool, bool]] = {
    "caption": (11, False, False),
    "small": (12, False, False),
    "label": (12, True, False),
    "body": (13, False, False),
    "section": (13, True, False),
    "step": (14, True, False),
    "reading": (16, False, False),
    "fact": (16, True, False),
    "sentence": (17, True, False),
    "view_caption": (20, True, False),
    "hero": (30, True, False),
    "code": (12.5, False, True),
}
"""Role: size in pixels at zoom 100 %, semi-bold, fixed width."""

_LIGHT = {
    "bg0": "F1F3F6", "bg1": "FFFFFF", "bg2": "F8F9FB", "bg3": "E7EBF1", "line": "DDE2E9", "line2": "7F8B9C",
    "t1": "17202C", "t2": "445163", "t3": "5C697B", "ink": "17202C", "ink_text": "FFFFFF", "cell": "E9EDF2", "cell2": "DFE5EC",
    "a": "064686", "a_mid": "6F9FD2", "a_bg": "D2E3F6", "b": "9C5312", "b_mid": "E2A263", "b_bg": "FBE4C9",
    "c": "0B7269", "c_mid": "62B9AF", "c_bg": "CCEBE6", "now": "6A35DE", "now_bg": "EEE8FE", "now_text": "6A35DE",
    "bad": "980D3C", "bad_bg": "FBE1E9",
}  # fmt: skip
_DARK = {
    "bg0": "0E1218", "bg1": "151A22", "bg2": "11161D", "bg3": "242C38", "line": "2A333F", "line2": "6B788A",
    "t1": "E9EEF5", "t2": "B3BECC", "t3": "8E9BAC", "ink": "E9EEF5", "ink_text": "10151C", "cell": "1F2630", "cell2": "29323E",
    "a": "7DB9EA", "a_mid": "3E78AB", "a_bg": "17324C", "b": "F4AE58", "b_mid": "A8743A", "b_bg": "46301A",
    "c": "8CF2D8", "c_mid": "3F9C8A", "c_bg": "153F3A", "now": "9A84F4", "now_bg": "2A2352", "now_text": "C5B8FB",
    "bad": "F27089", "bad_bg": "4A1A2A",
}  # fmt: skip
_PLAIN_LIGHT = {
    "bg0": "FFFFFF", "bg1": "FFFFFF", "bg2": "FFFFFF", "bg3": "E7EBF1", "line": "6B7686", "line2": "000000",
    "t1": "000000", "t2": "000000", "t3": "000000", "ink": "000000",
}  # fmt: skip
_PLAIN_DARK = {
    "bg0": "000000", "bg1": "000000", "bg2": "000000", "bg3": "2A3340", "line": "8E9BAC", "line2": "FFFFFF",
    "t1": "FFFFFF", "t2": "FFFFFF", "t3": "FFFFFF", "ink": "FFFFFF", "ink_text": "000000",
}  # fmt: skip
"""High contrast: what differs from light and dark. Text and the borders of controls are ink, on plain ground."""
_WARPS_LIGHT = (
    ("D2EAFF", "89CBFF"), ("E3E3FF", "BDBBFF"), ("F2DFF6", "E3AEEF"), ("FAE1CD", "F5B57C"),
    ("EEE7CA", "D9C472"), ("DEECD1", "AED289"), ("D0EFE0", "7EDAB3"), ("CAEEF2", "65D8E4"),
)  # fmt: skip
_WARPS_DARK = (
    ("1F303E", "326893"), ("2C2B3F", "5E5B94"), ("362839", "7A5283"), ("3B2A1B", "885627"),
    ("332E19", "73621C"), ("28311F", "526D34"), ("1C3329", "237356"), ("163336", "00717C"),
)  # fmt: skip
_RAMPS_LIGHT = {
    Device.CPU: ("2389E2", "174EBA", "161D77", "060938"),
    Device.MPI: ("029E72", "02684A", "023D2A", "021D14"),
    Device.GPU: ("D27908", "9C4A00", "563000", "2A1900"),
}  # fmt: skip
_RAMPS_DARK = {
    Device.CPU: ("2D6FCD", "53A3F2", "A4D8FE", "E3F0FE"),
    Device.MPI: ("248160", "37B78A", "7DEABD", "DFFBEF"),
    Device.GPU: ("B2511E", "E78B30", "FCD176", "FFF1CC"),
}  # fmt: skip
_HEAT = ("440154", "472D7B", "3B528B", "2C728E", "21918C", "28AE80", "5EC962", "ADDC30", "FDE725")
"""Viridis: even steps of lightness, which also those see who do not tell red from green."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Theme: every colour by its token (see resources/help/glossary.md for what each stands for), and the fonts."""

    name: str
    bg0: QColor
    bg1: QColor
    bg2: QColor
    bg3: QColor
    line: QColor
    line2: QColor
    t1: QColor
    t2: QColor
    t3: QColor
    ink: QColor
    ink_text: QColor
    cell: QColor
    cell2: QColor
    a: QColor
    a_mid: QColor
    a_bg: QColor
    b: QColor
    b_mid: QColor
    b_bg: QColor
    c: QColor
    c_mid: QColor
    c_bg: QColor
    now: QColor
    now_bg: QColor
    now_text: QColor
    bad: QColor
    bad_bg: QColor
    ramps: Mapping[Device, tuple[QColor, ...]]
    """Curves and bars of each device: its lowest rung, one in the middle, its highest, and its libraries, farther from the ground the
    higher. `app.qt.charts.style.colour_of` has what lies between."""
    warps: tuple[tuple[QColor, QColor], ...]
    """For warp w, at w modulo 8: the tint of its threads, and their colour while it runs."""

    heat: tuple[QColor, ...]
    """For a heat map, from the least to the most: away from the background."""

    scale: float = 1.0
    """Of the type."""

    @property
    def dark(self) -> bool:
        return self.name.endswith("dark")

    @property
    def high_contrast(self) -> bool:
        return self.name.startswith("contrast")

    def matrix(self, name: str) -> tuple[QColor, QColor, QColor]:
        """Strong, middle and tint colour of matrix A, B or C; those without colour of any other array."""
        if name not in ("A", "B", "C"):
            return self.t2, self.line2, self.bg3
        return {"A": (self.a, self.a_mid, self.a_bg), "B": (self.b, self.b_mid, self.b_bg), "C": (self.c, self.c_mid, self.c_bg)}[name]

    def font(self, role: str) -> QFont:
        """The font of a role of `FONT_ROLES`, with figures of equal width."""
        return QFont(_font(role, self.scale))


@cache
def _font(role: str, scale: float) -> QFont:
    """Painters ask for fonts in every frame; making one takes about half a millisecond."""
    pixels, semi_bold, fixed = FONT_ROLES[role]
    font = QFont()
    font.setFamilies(CODE_FAMILIES if fixed else UI_FAMILIES)
    font.setPixelSize(round(pixels * scale))
    font.setWeight(QFont.Weight.DemiBold if semi_bold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


@lru_cache(maxsize=256)
def sized(role: str, pixels: int, weight: int | None = None) -> QFont:
    """The font of a role in a size of its own, for all who ask: not to be changed. What is changed looks for its glyphs anew, which takes
    longer than to write a word."""
    font = QFont(_font(role, 1.0))
    font.setPixelSize(pixels)
    if weight is not None:
        font.setWeight(QFont.Weight(weight))
    return font


def theme(name: str, scale: float = 1.0) -> Theme:
    """The theme of that name, one of THEMES (else "light"), its type `scale` times as large as at zoom 100 %."""
    dark, plain = name.endswith("dark"), name.startswith("contrast")
    values = (_DARK if dark else _LIGHT) | ((_PLAIN_DARK if dark else _PLAIN_LIGHT) if plain else {})
    tokens = {token: QColor(f"#{value}") for token, value in values.items()}
    ramps = {device: tuple(QColor(f"#{value}") for value in ramp) for device, ramp in (_RAMPS_DARK if dark else _RAMPS_LIGHT).items()}
    warps = tuple((QColor(f"#{tint}"), QColor(f"#{active}")) for tint, active in (_WARPS_DARK if dark else _WARPS_LIGHT))
    heat = tuple(QColor(f"#{value}") for value in (_HEAT if dark else reversed(_HEAT)))
    shown = name if name in THEMES else "light"
    return Theme(name=shown, scale=scale, ramps=ramps, warps=warps, heat=heat, **tokens)
