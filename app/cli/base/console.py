"""The console of a command: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import field
from io import TextIOWrapper
from typing import TextIO

from app.core.base.files.locations import Locations
from app.core.base.i18n import Translator
from kernels.base.messages import Message
from kernels.base.values import dataclass

_GAP = "  "


@dataclass(frozen=True, slots=True)
class Console:
    """A command's surroundings: the language, the environment, the folders and the two streams."""

    translator: Translator
    environment: Mapping[str, str]
    places: Locations
    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)

    def text(self, msg: Message) -> str:
        return self.translator.text(msg)

    def print(self, line: str) -> None:
        """Write one line of the result."""
        self.out.write(f"{line}\n")

    def print_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Write rows of cells as lines with straight columns."""
        for line in aligned(rows):
            self.print(line)

    def print_json(self, value: object) -> None:
        """The result as one JSON document; plain ASCII where the stream cannot carry more."""
        unicode = (self.out.encoding or "").lower().replace("-", "") == "utf8"
        self.print(json.dumps(value, ensure_ascii=not unicode, indent=2, allow_nan=False))

    def tell(self, line: str) -> None:
        """Write one line that is not part of the result."""
        self.err.write(f"{line}\n")
        self.err.flush()


def display_width(text: str) -> int:
    """Count the columns of a terminal that the text takes: Han characters and full-width punctuation take two."""
    return sum(0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Write rows of cells as lines with straight columns. Every row has as many cells as the first."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return [_GAP.join(cell + " " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def encode_anything(stream: TextIO | None) -> None:
    """Let a stream write `?` for what its encoding lacks, where it would raise an error."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")


def silence(stream: TextIO) -> None:
    """Send what is still to be flushed nowhere: whoever read the stream has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
