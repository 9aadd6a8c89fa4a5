"""What a driven window says on its standard output: one event a line, from whatever thread."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """One line: a word, when it was said by the steady clock, and what."""

    word: str
    at: float
    what: Any


def say(word: str, what: object = None) -> None:
    """Say it in one write: threads speak at the same time, and a pipe keeps a line together that is written at once."""
    line = f"{word} {json.dumps({'at': time.monotonic(), 'what': what})}\n"
    os.write(sys.stdout.fileno(), line.encode())


def events(stream: Iterable[str]) -> Iterator[Said]:
    """All that is said until the stream ends. What else stands on it is passed over: a library's word, a line cut by a kill."""
    for line in stream:
        event = _event(line)
        if event is not None:
            yield event


def _event(line: str) -> Said | None:
    word, _, rest = line.partition(" ")
    try:
        content = json.loads(rest)
        return Said(word, content["at"], content["what"]) if line.endswith("\n") else None
    except (ValueError, TypeError, KeyError):
        return None
