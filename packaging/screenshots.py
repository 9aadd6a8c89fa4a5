"""Draws the window in both languages, both themes and two sizes, and checks that each picture has its size. Run by `dev.py screenshots`."""

from __future__ import annotations

import itertools
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("en", "zh_CN")
THEMES = ("light", "dark")
SIZES = ((1280, 720), (1920, 1080))
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def picture_size(picture: Path) -> tuple[int, int]:
    """Width and height that a PNG file states; ValueError if it is none."""
    head = picture.read_bytes()[:24]
    if len(head) < 24 or not head.startswith(PNG_SIGNATURE):
        raise ValueError(f"{picture} is no PNG picture")
    width, height = struct.unpack(">II", head[16:24])
    return width, height


def draw(folder: Path, language: str, theme: str, size: tuple[int, int]) -> Path:
    """Make one picture with the command `tilescope screenshot`; exits with its status if that fails."""
    width, height = size
    picture = folder / f"tilescope-{language}-{theme}-{width}x{height}.png"
    picture.unlink(missing_ok=True)
    program = Path(sys.executable).with_name("tilescope")
    options = ["--size", f"{width}x{height}", "--lang", language, "--theme", theme]
    status = subprocess.run([program, "screenshot", picture, *options], check=False).returncode
    if status != 0:
        sys.exit(f"tilescope screenshot {picture.name} ended with status {status}")
    if picture_size(picture) != size:
        sys.exit(f"{picture} is {picture_size(picture)}, not {size}")
    return picture


def main(arguments: list[str]) -> int:
    """Draw all pictures into the folder named on the command line."""
    folder = Path(arguments[0]) if arguments else ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    for language, theme, size in itertools.product(LANGUAGES, THEMES, SIZES):
        print(draw(folder, language, theme, size), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
