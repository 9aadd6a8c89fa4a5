"""Remarks of libclang as far as they concern kernels, as `Diagnostic`s with lines and columns in characters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from kernels.simt.frontend.clang import ClangDiagnostic, Cursor, Extent, TranslationUnit, extent, position
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.frontend.reach import Reach, kind
from kernels.simt.frontend.remarks import OF_HOST, worded
from kernels.simt.frontend.sources import SourceTexts

WARNING, ERROR = 2, 3
MOST_REMARKS = 200
_KERNEL_WORD = re.compile(rb"(?m)^(?![ \t]*(?:#|//|\*))[^\n]*?\b__global__\b")
_MEANT = (
    ("is used uninitialized whenever", re.compile(rb"shfl\w*\s*\([^;{}]*\Z")),
    ("loop has empty body", re.compile(rb"\bwhile\s*\([^;{}]*\batomic\w*\s*\([^;{}]*\Z")),
)
"""Remarks on what is in order in a kernel, by what stands before the place: a lane without a value that takes part in a shuffle from one
that has it, and waiting for what another thread changes."""
_STRAY_CALL = re.compile(rb"[A-Za-z_]\w*[ \t]*\((?:[^()\n]|\([^()\n]*\))*\)(?=[ \t\r]*\n(?!\s*[{:]))")


class Lines:
    """Lines and columns in characters, both counted from 1, by byte offsets of the texts."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._texts = texts
        self._starts = cache(self._line_starts)

    def _line_starts(self, file: str) -> list[int]:
        return [0, *(found.end() for found in re.finditer(rb"\n", self._texts[file]))]

    def place(self, file: str, offset: int) -> tuple[int, int]:
        starts = self._starts(file)
        line = bisect_right(starts, offset)
        before = self._texts[file][starts[line - 1] : offset]
        return line, len(before.decode(errors="replace")) + 1

    def characters(self, part: Extent) -> range:
        """A stretch in characters from the beginning of its file."""
        text = self._texts[part.file]
        start = len(text[: part.start].decode(errors="replace"))
        return range(start, start + len(text[part.start : part.end].decode(errors="replace")))


def remarks(
    unit: TranslationUnit, sources: SourceTexts, lines: Lines, used: Callable[[], Reach], kernels: tuple[Cursor, ...] | None
) -> tuple[Diagnostic, ...]:
    """The warnings and errors within what is `used`, which is asked for only if there are any. With `kernels` (all that were found), also
    those where a kernel was written but not found."""
    noted = [each for each in unit.diagnostics if each.severity >= WARNING and not _meant(each, sources)]
    if not noted:
        return ()
    errors = [_own_position(each, sources) for each in noted if each.severity >= ERROR]
    reached, lost = used(), _lost(unit, sources, kernels, errors) if kernels is not None else ()
    found: dict[Diagnostic, None] = {}
    for remark in noted:
        file, offset = _own_position(remark, sources)
        relevant = reached.holds(file, offset) or any(part.holds(file, offset) for part in lost)
        if sources.shown_file(file) is None or not relevant or len(found) >= MOST_REMARKS:
            continue
        severity = Severity.ERROR if remark.severity >= ERROR else Severity.WARNING
        line, column = lines.place(file, offset)
        notes, own = _notes(remark, sources)
        found[Diagnostic(line, column, severity, worded(str(remark.spelling), notes, own=own), sources.shown_file(file) or "")] = None
    return tuple(sorted(found, key=lambda each: (each.file, each.line, each.column)))


def _notes(remark: ClangDiagnostic, sources: SourceTexts) -> tuple[tuple[str, ...], bool]:
    """The notes on what a remark is about, and whether that stands in the program: where a function of the host is its own, those of the
    library that share its name are not meant."""
    found = [(str(note.spelling), position(note.location)[0] in sources.texts) for note in remark.children]
    own = tuple(text for text, here in found if here and not text.startswith("expanded from macro"))
    if any(OF_HOST in text or text.endswith("declared here") for text in own):
        return own, True
    return tuple(text for text, _ in found if not text.startswith("expanded from macro")), False


def stray_calls(unit: TranslationUnit, file: str, text: bytes) -> tuple[Extent, ...]:
    """Macros of headers that are not here, called on lines of their own at file scope: `REGISTER(x)`. libclang takes each, and the function
    that follows, for one broken declaration."""
    broken = ("unknown type name", "a type specifier is required", "C++ requires a type specifier")
    offsets = (
        at for each in unit.diagnostics if each.spelling.startswith(broken) for name, at, _ in [position(each.location)] if name == file
    )
    found = (_STRAY_CALL.match(text, text.rfind(b"\n", 0, at) + 1) for at in offsets)
    return tuple(Extent(file, each.start(), each.end()) for each in found if each is not None)


def _meant(remark: ClangDiagnostic, sources: SourceTexts) -> bool:
    """Whether a remark is on an idiom: libclang thinks of one thread. Where a note says what it is about, that is its place."""
    for words, before in _MEANT:
        if words in remark.spelling:
            notes = [note for note in remark.children if "use occurs here" in note.spelling]
            places = [position(each.location) for each in notes or [remark]]
            return all(before.search(sources.texts.get(file, b"")[max(at - 400, 0) : at]) for file, at, _ in places)
    return False


def _own_position(remark: ClangDiagnostic, sources: SourceTexts) -> tuple[str, int]:
    """Where a remark stands; one on the prelude stands where the program made libclang look there, and one on the beginning of the line
    that follows the text at its end: there ends what is not closed."""
    places = [position(each.location) for each in (remark, *remark.children)]
    file, offset, _ = next((place for place in places if place[0] in sources.texts), places[0])
    if file in sources.texts and 0 <= offset - len(sources.texts[file]) <= len(b"\n\n"):
        offset = len(sources.texts[file].rstrip())
    return file, offset


def _lost(
    unit: TranslationUnit, sources: SourceTexts, kernels: tuple[Cursor, ...], errors: Sequence[tuple[str, int]]
) -> tuple[Extent, ...]:
    """Where `__global__` is written but libclang found no kernel: from there to the next kernel or declaration. Where no error stands
    there, what swallowed the kernel begins before it: from the end of the kernel before."""
    found = [extent(cursor) for cursor in kernels]
    starts = sorted({*(part.start for part in found), *_declared(unit, sources.main)})
    text = sources.texts[sources.main]
    lost = []
    for word in _KERNEL_WORD.finditer(text):
        at = word.end()
        if not any(part.file == sources.main and part.start <= at <= part.end for part in found):
            following = bisect_right(starts, at)
            part = Extent(sources.main, word.start(), starts[following] - 1 if following < len(starts) else len(text))
            if not any(part.holds(file, offset) for file, offset in errors):
                before = max((each.end for each in found if each.file == sources.main and each.end <= part.start), default=0)
                part = replace(part, start=before)
            lost.append(part)
    return tuple(lost)


def _declared(unit: TranslationUnit, file: str) -> Iterator[int]:
    """Where the declarations of a file begin."""
    for cursor in unit.cursor.get_children():
        part = extent(cursor) if kind(cursor) else None
        if part is not None and part.file == file:
            yield part.start
