"""Makes the bundled fonts in resources/fonts: subsets of Inter, JetBrains Mono and Noto Sans SC (all SIL OFL 1.1).

Run where Debian's fonts-inter, fonts-jetbrains-mono and fonts-noto-cjk and the Python package fonttools are installed. The families are
renamed, so that a font of the same name on the user's machine can never take their place and pictures are the same everywhere.
"""

from __future__ import annotations

from pathlib import Path

from fontTools import subset  # type: ignore[import-not-found, unused-ignore]
from fontTools.ttLib import TTFont  # type: ignore[import-not-found, unused-ignore]

TARGET = Path(__file__).resolve().parent.parent / "resources" / "fonts"
FONTS = Path("/usr/share/fonts")
LATIN = [
    *range(0x20, 0x17F),
    *range(0x370, 0x400),
    *range(0x2000, 0x2070),
    *range(0x2070, 0x20A0),
    *range(0x2190, 0x2300),
    *range(0x25A0, 0x2760),
]


def gb2312() -> list[int]:
    """Code points of all characters of GB 2312, and the punctuation that Chinese text uses."""
    points = set(range(0x3000, 0x3030)) | set(range(0xFF00, 0xFFF0))
    for row in range(0xA1, 0xF8):
        for cell in range(0xA1, 0xFF):
            text = bytes((row, cell)).decode("gb2312", errors="ignore")
            points.update(map(ord, text))
    return sorted(points)


def make(source: Path, family: str, style: str, points: list[int], features: list[str], number: int = -1) -> None:
    """Write one subset under a new family name."""
    options = subset.Options(
        layout_features=features,
        hinting=False,
        name_IDs=[0, 1, 2, 4, 6, 13, 14],
        notdef_outline=True,
        drop_tables=["DSIG", "vhea", "vmtx", "VORG"],
    )
    font = TTFont(source, fontNumber=number)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=points)
    subsetter.subset(font)
    names = font["name"]
    for name_id, value in (
        (1, family),
        (2, style),
        (4, f"{family} {style}"),
        (6, f"{family}-{style}".replace(" ", "")),
        (16, None),
        (17, None),
    ):
        names.removeNames(nameID=name_id)
        if value:
            names.setName(value, name_id, 3, 1, 0x409)
    target = TARGET / f"{family}-{style}".replace(" ", "")
    font.save(target.with_suffix(".otf" if "CFF " in font else ".ttf"))


def main() -> None:
    """Make every bundled font."""
    TARGET.mkdir(parents=True, exist_ok=True)
    kern = ["kern", "mark", "mkmk", "ccmp", "tnum"]
    for style, weight in (("Regular", "Regular"), ("Bold", "SemiBold")):
        make(FONTS / f"opentype/inter/Inter-{weight}.otf", "Tilescope Sans", style, LATIN, kern)
        make(FONTS / f"truetype/jetbrains-mono/JetBrainsMono-{weight}.ttf", "Tilescope Mono", style, LATIN, ["mark", "mkmk", "ccmp"])
        chinese = FONTS / f"opentype/noto/NotoSansCJK-{style}.ttc"
        make(chinese, "Tilescope Sans SC", style, gb2312(), [], number=2)  # 2 is Simplified Chinese in the collection


if __name__ == "__main__":
    main()
