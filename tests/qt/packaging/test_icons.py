"""The program's icon in the forms of other systems."""

from __future__ import annotations

from pathlib import Path

import pytest
from bundle.icons import SIZES, write_icons
from PIL import Image


@pytest.mark.usefixtures("qapp")
def test_both_forms_have_all_sizes_and_the_colours_of_the_window(tmp_path: Path) -> None:
    windows, macos = write_icons(tmp_path)
    with Image.open(windows) as picture:
        assert {(size, size) for size in SIZES} <= picture.info["sizes"]
        assert picture.convert("RGBA").getpixel((picture.width // 4, picture.height // 4)) == (0x06, 0x46, 0x86, 255)
    with Image.open(macos) as picture:
        assert max(picture.info["sizes"])[0] >= 512
