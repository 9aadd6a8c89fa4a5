"""Kept files name their format; one that does not is somebody's to look at, and never written over."""

from __future__ import annotations

from pathlib import Path

from app.core.reading.documents import json_value
from app.core.reading.fields import BadFile
from app.core.source_files import LARGEST_FILE, read_source, set_aside
from kernels.messages import Message


def aside_unless(file: Path, file_format: str, largest: int = LARGEST_FILE) -> Message | None:
    """Set a file aside that is not of this format; returns what is to be said of it, None where all is well or there is no file."""
    if not file.exists():
        return None
    text = read_source(file, largest)
    try:
        content = None if isinstance(text, Message) else json_value(text)
    except BadFile:
        content = None
    return None if isinstance(content, dict) and content.get("format") == file_format else set_aside(file)
