"""What a file dialog's answer becomes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kernels.messages import Message, message


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
