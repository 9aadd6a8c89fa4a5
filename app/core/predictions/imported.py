"""The counters of a variant's launches in a file of the user's, which Nsight Compute has written."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from app.core.inputs import shown
from app.core.predictions.counters import METRICS, Measured, measured
from app.core.predictions.ncu_csv import LARGEST_PROFILE, Profiled, read_ncu
from app.core.source_files import read_source
from kernels.messages import Message, message


def imported_counters(path: Path, entries: Iterable[str]) -> Measured | Message:
    """The counters of the kernels with these names, the first launch of each; or why the file does not have them."""
    text = read_source(path, LARGEST_PROFILE)
    if isinstance(text, Message):
        return text
    profiled = read_ncu(text)
    if isinstance(profiled, Message):
        return message("{path}: {problem}", path=str(path), problem=profiled)
    first: dict[str, Profiled] = {}
    for launch in profiled:
        first.setdefault(launch.name, launch)
    chosen = []
    for entry in entries:
        if entry not in first:
            return message(
                "{path} has no launch of {kernel}; it has {others}.", path=str(path), kernel=entry, others=shown(", ".join(first), 200)
            )
        chosen.append(first[entry].metrics)
    found = measured(chosen)
    if not found:
        return message("{path} has none of the metrics that are predicted, such as {metric}.", path=str(path), metric=METRICS[0])
    return found
