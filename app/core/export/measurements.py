"""The times that were measured here, as a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from app.core.whole_file import write_whole
from kernels.measure.export import csv_text, json_text
from kernels.measure.rows import Row
from kernels.messages import Message
from kernels.spec import Operation


def write_measurements(rows: Iterable[Row], operation: Operation, path: Path) -> Message | None:
    """Write those of an operation, as CSV or JSON by the file's ending. Returns why it could not be written."""
    own = [row.whole for row in rows if row.problem.operation is operation]
    return write_whole(path, json_text(own) if path.suffix.lower() == ".json" else csv_text(own))
