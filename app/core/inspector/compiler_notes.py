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
_ELSEWHERE = {
    "load": message(
        "The machine code has no reads of {text} on line {line}. On line {other} it has {count}, the text {written}: the compiler can have"
        " merged them there."
    ),
    "store": message(
        "The machine code has no writes of {text} on line {line}. On line {other} it has {count}, the text {written}: the compiler can have"
        " merged them there."
    ),
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
        return None if generic else _nothing_there(index, code, place, text)
    widest = max(widths)
    if widest <= width:
        return None
    return message(
        "The compiler joins accesses to {text} on line {line}: {count} of {bytes} bytes each.",
        text=text, line=line, count=widths[widest], bytes=widest,
    )  # fmt: skip


def _nothing_there(index: LaunchIndex, code: Counter[tuple[int, str, str, int]], place: tuple[int, str, str], text: str) -> Message | None:
    """That accesses are gone, unless another line has more of the kind than its text: of branches merged into one access the machine
    code names one line, which need not be one of theirs. Nothing where accesses of the kind are on no line, or where lines have more of
    them than are gone, as of a loop that was unrolled.
    """
    line, *kind = place
    made: Counter[int] = Counter()
    for (at, *what, _), count in code.items():
        if what == kind:
            made[at] += count
    if 0 in made:
        return None
    written = Counter(s.location.line for s in index.trace.sites if [s.operation, str(s.space)] == kind and _compared(s))
    more = {at: made[at] - written[at] for at in made if made[at] > written[at]}
    if not more:
        return Message(_GONE[place[1], place[2]].template, (("text", text), ("line", line)))
    if sum(more.values()) > sum((written - made).values()):
        return None
    other = max(more, key=lambda at: more[at])
    values = (("text", text), ("line", line), ("other", other), ("count", made[other]), ("written", written[other]))
    return Message(_ELSEWHERE[place[1]].template, values)
