"""Progress in challenges: what was made of each, kept in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.core.base.background import BackgroundTasks
from app.core.base.files.documents import kept_object
from app.core.base.files.fields import BadFile, Table
from app.core.base.files.json_store import Form, JsonStore
from app.core.base.files.text_files import LARGEST_FILE
from app.core.challenges.challenge import Attempt
from kernels.base.values import dataclass
from kernels.simt.run.launchable import refuse_shape

FORMAT = "tilescope challenges 1"
LARGEST = 16 * LARGEST_FILE
"""Bytes of the file, which has a text for each challenge."""
MOST_HINTS = 100


@dataclass(frozen=True, slots=True)
class Record:
    """Record of one challenge: whether it was ever solved, how many hints were looked at, and what was last made of it."""

    solved: bool = False
    hints: int = 0
    attempt: Attempt | None = None

    def after(self, attempt: Attempt, hints: int, *, solved: bool) -> Record:
        """Return the record with a later attempt: solved once stays solved, and hints never decrease."""
        return Record(self.solved or solved, max(self.hints, hints), attempt)


Records = Mapping[str, Record]


class ChallengeProgress(JsonStore[Record]):
    """Progress in all challenges, kept in a file; `records` are by the challenges' ids."""

    def __init__(self, file: Path | None, background_tasks: BackgroundTasks) -> None:
        """Without a file nothing is kept."""
        super().__init__(file, background_tasks, Form("challenges", FORMAT, read_records, text_of, _joined, LARGEST))
        self.records = self.entries

    def of(self, challenge_id: str) -> Record:
        """What is known of a challenge."""
        return self.records.value.get(challenge_id, Record())

    def note(self, attempt: Attempt, hints: int, *, solved: bool) -> None:
        """Take over what was made of a challenge."""
        self.put(attempt.challenge, self.of(attempt.challenge).after(attempt, hints, solved=solved))


def text_of(records: Records) -> str:
    """Return the text of the file of records."""
    challenges = {key: _fields(record) for key, record in sorted(records.items())}
    return json.dumps({"format": FORMAT, "challenges": challenges}, ensure_ascii=False, indent=1) + "\n"


def read_records(file: Path) -> dict[str, Record]:
    """What a file holds; nothing where it is not there, and without what in it cannot be understood."""
    kept = kept_object(file, LARGEST).get("challenges")
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
        text, grid, block = table.text("text", longest=LARGEST_FILE), table.dim3("grid"), table.dim3("block")
    except BadFile:
        return Record()
    return record if refuse_shape(grid, block) is not None else replace(record, attempt=Attempt(challenge_id, text, grid, block))


def _joined(kept: Record, record: Record) -> Record:
    return replace(record, solved=kept.solved or record.solved, hints=max(kept.hints, record.hints))
