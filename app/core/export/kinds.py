"""Which file is which kind of export, by its ending, and in which colours pictures are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.core.inputs import shown
from kernels.messages import Message, message

FIGURES = (".png", ".svg", ".pdf")
SCALED = (".png",)
"""Those that have pixels: the others are as sharp at any scale."""
CLIPS = (".webp", ".apng", ".gif", ".mp4")
TABLES = (".csv", ".json")
REPORTS = (".html", ".md", ".pdf")
COLOURS = ("light", "dark", "print")
"""`print` is for paper: white ground, dark lines, hatches beside colours."""


def ending_of(name: str, path: Path, endings: Sequence[str]) -> str | Message:
    """The ending of a file's name, in small letters, or why it is none of those that are written. `name` is what the file is called."""
    ending = path.suffix.lower()
    if ending in endings:
        return ending
    return message("{name}: '{text}' must end in {endings}.", name=name, text=shown(path.name), endings=", ".join(endings))
