"""Questions about paths that somebody typed: a name that the system does not even look for, such as one too long, is of nothing."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path


def is_folder(path: Path | Traversable) -> bool:
    """Whether there is such a folder, as far as one may look."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_file(path: Path | Traversable) -> bool:
    """Whether there is such a file, as far as one may look."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is anything of this name, as far as one may look."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
