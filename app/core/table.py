"""A view as a table of text: for readers of the screen, and for copying."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.messages import Message


@dataclass(frozen=True, slots=True)
class Table:
    """One row for each thing drawn. Cells are messages or plain text (numbers, names)."""

    titles: tuple[Message, ...]
    rows: tuple[tuple[Message | str, ...], ...]
