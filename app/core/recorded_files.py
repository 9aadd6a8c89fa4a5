"""The recordings that come with the program."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def recorded_files() -> list[Path]:
    """The recordings that come with the program; not those of orders of printing, which lie beside them."""
    folder = files("resources").joinpath("recorded")
    names = (entry.name for entry in folder.iterdir()) if folder.is_dir() else ()
    return [Path(str(folder.joinpath(name))) for name in sorted(names) if name.endswith(".json") and not name.startswith("hello_")]
