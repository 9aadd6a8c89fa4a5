"""What was made of each challenge: kept in a small file, read and written in the background."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.core.challenges.challenge import Attempt
from app.core.challenges.result import three_sizes
from app.core.errands import Errands
from app.core.observable import Field
from app.core.places import prepare
from app.core.reading.fields import BadFile, Table
from app.core.source_files import LARGEST_FILE, read_source, write_whole
from kernels.messages import Message
from kernels.simt.launch import refuse_shape

FORMAT = "tilescope challenges 1"
LARGEST = 16 * LARGEST_FILE
"""Bytes of the file, which has a text for each challenge."""
MOST_HINTS = 100


@dataclass(frozen=True, slots=True)
class Record:
    """Of one challenge: whether it was ever solved, how many hints were looked at, and what was last made of it."""

    solved: bool = False
    hints: int = 0
    attempt: Attempt | None = None

    def after(self, attempt: Attempt, hints: int, *, solved: bool) -> Record:
        """With what has become of it since."""
        return Record(self.solved or solved, max(self.hints, hints), attempt)


Records = Mapping[str, Record]


class ChallengeProgress:
    """`records` by the ids of challenges. Until the file is read nothing is written over it."""

    def __init__(self, file: Path | None, errands: Errands) -> None:
        """Without a file nothing is kept."""
        self.records: Field[Records] = Field({})
        self._file = file
        self._errands = errands
        self._asked = self._loaded = self._writing = False
        self._written: Records = {}
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Keep nothing from now on: a picture of a challenge is no attempt at it."""
        self._file, self._loaded = None, False

    def load(self) -> None:
        """Read the file in the background, unless that was asked for before."""
        if self._file is not None and not self._asked:
            file, self._asked = self._file, True
            self._errands.send("challenges", lambda: read_records(file), self._take)

    def of(self, challenge_id: str) -> Record:
        """What is known of a challenge."""
        return self.records.value.get(challenge_id, Record())

    def note(self, attempt: Attempt, hints: int, *, solved: bool) -> None:
        """Take over what was made of a challenge."""
        self.load()
        self.records.value = {
            **self.records.value,
            attempt.challenge: self.of(attempt.challenge).after(attempt, hints, solved=solved),
        }

    def tick(self) -> None:
        """Have the file written if there is something new. Never waits."""
        records = self.records.value
        if self._loaded and not self._writing and records != self._written:
            self._writing = True
            self._errands.send("challenges", lambda: self._write(records), lambda _failure: self._done(records))

    def finish(self) -> None:
        """Write what is not written yet, now."""
        if self._file is None or not self.records.value:
            return
        if not self._loaded:
            self._take(read_records(self._file))
        if self.records.value != self._written:
            self._write(self.records.value)

    def _take(self, kept: Records) -> None:
        """What was noted meanwhile is newer than what was kept."""
        if not self._loaded:
            self._loaded, self._written = True, kept
            self.records.value = {**kept, **{key: _joined(kept.get(key), record) for key, record in self.records.value.items()}}

    def _write(self, records: Records) -> Message | None:
        assert self._file is not None
        with self._lock:
            return prepare(self._file.parent) or write_whole(self._file, text_of(records))

    def _done(self, records: Records) -> None:
        self._writing, self._written = False, records


def text_of(records: Records) -> str:
    """The file's text."""
    challenges = {key: _fields(record) for key, record in sorted(records.items())}
    return json.dumps({"format": FORMAT, "challenges": challenges}, ensure_ascii=False, indent=1) + "\n"


def read_records(file: Path) -> dict[str, Record]:
    """What a file holds; nothing where it is not there, and without what in it cannot be understood."""
    text = read_source(file, LARGEST)
    try:
        content: Any = {} if isinstance(text, Message) else json.loads(text)
    except (ValueError, RecursionError):
        return {}
    kept = content.get("challenges") if isinstance(content, dict) else None
    return {key: _record(key, value) for key, value in kept.items()} if isinstance(kept, dict) else {}


def _fields(record: Record) -> dict[str, object]:
    fields: dict[str, object] = {"solved": record.solved, "hints": record.hints}
    if record.attempt is not None:
        fields |= {"text": record.attempt.text, "grid": list(record.attempt.grid), "block": list(record.attempt.block)}
    return fields


def _record(challenge_id: str, value: Any) -> Record:
    try:
        table = Table(value if isinstance(value, dict) else {})
        record = Record(table.flag("solved", default=False), table.whole("hints", 0, MOST_HINTS, 0))
        if "text" not in table:
            return record
        text, grid, block = table.text("text", longest=LARGEST_FILE), three_sizes(table, "grid"), three_sizes(table, "block")
    except BadFile:
        return Record()
    return record if refuse_shape(grid, block) is not None else replace(record, attempt=Attempt(challenge_id, text, grid, block))


def _joined(kept: Record | None, record: Record) -> Record:
    return record if kept is None else replace(record, solved=kept.solved or record.solved, hints=max(kept.hints, record.hints))
