"""The lines of source that two launches differ in: where an array is declared, and what is being executed."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np

from app.core.launch.frame import Frame
from app.core.launch.index import LaunchIndex
from kernels.simt.types import Space

_TOKENS = re.compile(r"\w+|\s+|.")
Spans = tuple[tuple[int, int], ...]
"""Parts of a text, each from its first character to the one after its last."""


def executed_line(frame: Frame, index: LaunchIndex) -> str:
    """The line of the shown text that a frame executes; where that is of another file, the access alone."""
    lines = index.subject.text.splitlines()
    inside = not frame.site.location.file and 0 < frame.line <= len(lines)
    return lines[frame.line - 1].strip() if inside else frame.site.text


def declaration(frame: Frame, index: LaunchIndex) -> str:
    """The line that declares the array in shared memory that a frame accesses, with the values of its macros; "" for any other array."""
    reached = frame.lanes.allocation[frame.lanes.allocation >= 0]
    if frame.site.space is not Space.SHARED or not len(reached):
        return ""
    array = index.trace.allocations[int(np.bincount(reached).argmax())]
    return _declared(index.subject.text, array.name, tuple(index.subject.defines.items()))


@lru_cache(maxsize=32)
def _declared(text: str, name: str, defines: tuple[tuple[str, str | int], ...]) -> str:
    pattern, values = re.compile(rf"__shared__.*\b{re.escape(name)}\b"), dict(defines)
    found = next((line.strip() for line in text.splitlines() if pattern.search(line)), "")
    return re.sub(r"[A-Za-z_]\w*", lambda word: str(values.get(word[0], word[0])), found)


@lru_cache(maxsize=256)
def changed(text: str, other: str) -> Spans:
    """What of a text is not in the other one at its place, by words and signs."""
    own, theirs = _TOKENS.findall(text), _TOKENS.findall(other)
    starts = np.concatenate(([0], np.cumsum([len(token) for token in own], dtype=np.int64))).tolist()
    blocks = SequenceMatcher(None, own, theirs, autojunk=False).get_opcodes()
    return tuple((starts[first], starts[last]) for kind, first, last, _, _ in blocks if kind != "equal" and last > first)
