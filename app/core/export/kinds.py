"""Kinds of export by a file's ending, and the limits on size and length: more would fill a disk or the memory before anyone has looked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.core.base.parsing import shown
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

FIGURES = (".png", ".svg", ".pdf")
SCALED = (".png",)
"""Those that have pixels: the others are as sharp at any scale."""
CLIPS = (".webp", ".apng", ".gif", ".mp4")
TABLES = (".csv", ".json")
REPORTS = (".html", ".md", ".pdf")
PLAYERS = (".html",)
COLOURS = ("light", "dark", "print")
"""`print` is for paper: white ground, dark lines, hatches beside colours."""


def ending_of(name: str, path: Path, endings: Sequence[str]) -> str | Message:
    """The ending of a file's name, in small letters, or why it is none of those that are written. `name` is what the file is called."""
    ending = path.suffix.lower()
    if ending in endings:
        return ending
    return message("{name}: '{text}' must end in {endings}.", name=name, text=shown(path.name), endings=", ".join(endings))


def path_with(path: Path, endings: Sequence[str]) -> Path | Message:
    """The file with the first of these endings where it has none of them.

    The dialog asks before a file is replaced, but only about the name that was typed: one that is completed here replaces nothing.
    """
    if path.suffix.lower() in endings:
        return path
    completed = path.with_name(path.name + endings[0])
    return (
        message("{path} is there already: choose it by its whole name to replace it.", path=str(completed))
        if completed.exists()
        else completed
    )


SMALLEST, LARGEST = (640, 360), (7680, 4320)
"""Width and height of a figure before it is scaled: on less, no view can be read."""
LARGEST_CLIP = (3840, 2160)
LARGEST_SCALE = 8
MOST_PIXELS = 1 << 27
"""Of a figure: half a gigabyte while it is drawn."""
MOST_FRAMES = 3000
MOST_CLIP_PIXELS = 1 << 32
"""Of all pictures of a clip."""
MOST_PLAYER_STEPS = 3000
LARGEST_PLAYER = (2560, 1440)
RATES = (1, 60)
"""Pictures in a second."""
FASTEST_GIF = 50
"""A GIF tells its times in hundredths of a second, and takes a shorter one than two of them for none."""


@dataclass(frozen=True, slots=True)
class PictureSize:
    """Size of a picture. `width` and `height` say how much is on the picture; every one of these becomes `scale` pixels, so that type stays
    in proportion."""

    width: int = 1600
    height: int = 900
    scale: int = 1

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.width * self.scale, self.height * self.scale


def refuse_figure(size: PictureSize) -> Message | None:
    """Why a figure cannot be of this size, or None."""
    width, height = size.pixels
    if width * height > MOST_PIXELS:
        return message("{width} × {height} pixels are {count} in all; a figure may have {most}.",
                       width=width, height=height, count=width * height, most=MOST_PIXELS)  # fmt: skip
    return None


def refuse_clip(size: PictureSize, frames: int, rate: int, ending: str) -> Message | None:
    """Why a clip cannot have so many pictures of this size, or None."""
    width, height = size.pixels
    if width > LARGEST_CLIP[0] or height > LARGEST_CLIP[1]:
        return message("{width} × {height} pixels are too many for a clip; at most {across} × {down}.",
                       width=width, height=height, across=LARGEST_CLIP[0], down=LARGEST_CLIP[1])  # fmt: skip
    if frames > MOST_FRAMES:
        return message("The clip would have {count} pictures; at most {most}. Choose a shorter range, or more steps a second.",
                       count=frames, most=MOST_FRAMES)  # fmt: skip
    if frames * width * height > MOST_CLIP_PIXELS:
        return message("{count} pictures of {width} × {height} pixels are {all} pixels in all; at most {most}.",
                       count=frames, width=width, height=height, all=frames * width * height, most=MOST_CLIP_PIXELS)  # fmt: skip
    if ending == ".gif" and rate > FASTEST_GIF:
        return message("A GIF shows at most {most} pictures a second, not {rate}.", most=FASTEST_GIF, rate=rate)
    return None


def refuse_player(size: PictureSize, steps: int) -> Message | None:
    """Why a player cannot have so many steps of this size, or None."""
    if size.width > LARGEST_PLAYER[0] or size.height > LARGEST_PLAYER[1]:
        return message("{width} × {height} pixels are too many for a player; at most {across} × {down}.",
                       width=size.width, height=size.height, across=LARGEST_PLAYER[0], down=LARGEST_PLAYER[1])  # fmt: skip
    if steps > MOST_PLAYER_STEPS:
        return message("The player would have {count} steps; at most {most}. Choose a shorter range.", count=steps, most=MOST_PLAYER_STEPS)
    return None
