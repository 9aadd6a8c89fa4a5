"""Notes where the machine code accesses memory otherwise than the text says: in words, line by line."""

from __future__ import annotations

from collections import Counter

from app.core.gpu_view.index import LaunchIndex
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.compiled.kernel import CompiledKernel
from kernels.simt.trace.trace import Site

_GONE = {
    ("load", "global"): message("The compiler has removed the reads of {text} on line {line}."),
    ("load", "shared"): message("The compiler has removed the reads of {text} on line {line}."),
    ("store", "global"): message("The compiler has removed the writes of {text} on line {line}."),
    ("store", "shared"): message("The compiler has removed the writes of {text} on line {line}."),
}


@dataclass(frozen=True, slots=True)
class CompilerNote:
    """A line whose accesses are not, in the machine code, of the width that the text has."""

    line: int
    sentence: Message


def compiler_notes(index: LaunchIndex, compiled: CompiledKernel) -> tuple[CompilerNote, ...]:
    """The lines that differ, in order. Instructions in the machine code are compared with places in the text, not executions."""
    code: Counter[tuple[int, str, str, int]] = Counter()
    for (line, access), count in compiled.accesses().items():
        code[line, access.operation, access.space, access.bytes] += count
    found = []
    for line, operation, space in dict.fromkeys(
        (site.location.line, site.operation, str(site.space)) for site in index.trace.sites if _compared(site)
    ):
        sentence = _sentence(index, code, (line, operation, space))
        if sentence is not None:
            found.append(CompilerNote(line, sentence))
    return tuple(sorted(found, key=lambda note: note.line))


def _compared(site: Site) -> bool:
    """Whether the machine code has a load or a store for the place: it has other instructions for barriers, copies in bulk and wgmma."""
    return not (site.location.file or site.barrier or site.copied or site.engine)


def _sentence(index: LaunchIndex, code: Counter[tuple[int, str, str, int]], place: tuple[int, str, str]) -> Message | None:
    line, operation, space = place
    if (operation, space) not in _GONE:
        return None
    sites = [s for s in index.trace.sites if (s.location.line, s.operation, str(s.space)) == place and _compared(s)]
    text, width = sites[0].text, max(site.bytes for site in sites)
    widths = {size: count for (at, what, where, size), count in code.items() if (at, what, where) == place}
    if not widths:
        generic = any((at, what, where) == (line, operation, "generic") for at, what, where, _ in code)
        return None if generic else Message(_GONE[operation, space].template, (("text", text), ("line", line)))
    widest = max(widths)
    if widest <= width:
        return None
    return message(
        "The compiler joins accesses to {text} on line {line}: {count} of {bytes} bytes each.",
        text=text, line=line, count=widths[widest], bytes=widest,
    )  # fmt: skip
