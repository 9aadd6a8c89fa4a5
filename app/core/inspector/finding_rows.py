"""The findings of a launch as a list: each in words, with the step it shows at; and what was looked for where there is none."""

from __future__ import annotations

from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.print_rows import thread_number
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import WARP, Finding

WARNING = message("Warning of the compiler")
_DEPENDS_ON_THE_LAUNCH = (
    FindingKind.OUT_OF_BOUNDS,
    FindingKind.DATA_RACE,
    FindingKind.UNINITIALISED_READ,
    FindingKind.MISALIGNED_ACCESS,
    FindingKind.ASYNCHRONOUS_ACCESS,
    FindingKind.DEADLOCK,
    FindingKind.BUDGET_EXCEEDED,
)
MEETING = 2
"""Threads of a finding that is of two accesses."""


@dataclass(frozen=True, slots=True)
class FindingRow:
    """Line of the list of findings. `step` is None where it belongs to none; `count` accesses are like it. `line` is of the shown text."""

    kind: Message
    sentence: Message
    places: Message | None
    """The lanes and lines."""
    step: int | None
    line: int | None
    count: int = 1
    severe: bool = True
    race: Finding | None = None
    """The finding, where it is a data race, whose schedules can be played."""


def finding_rows(index: LaunchIndex) -> tuple[FindingRow, ...]:
    """The findings by the step they show at, those without a step after them, then the compiler's remarks."""
    found = [_row(index, each) for each in index.record.findings]
    found.sort(key=lambda row: (row.step is None, row.step or 0))
    return (*found, *(_remark(each) for each in index.record.diagnostics if each.severity is not Severity.ERROR))


def next_finding(rows: tuple[FindingRow, ...], step: int) -> int | None:
    """The step of the first finding after `step`; of the first of all where none is later; None where there are none."""
    steps = [row.step for row in rows if row.step is not None]
    return next((each for each in steps if each > step), steps[0] if steps else None)


def out_of_bounds(index: LaunchIndex) -> FindingRow | None:
    """What is told as long as the launch reaches beyond an array; None where it does not."""
    return next((each for each in finding_rows(index) if each.kind == FindingKind.OUT_OF_BOUNDS.label), None)


def count_text(rows: tuple[FindingRow, ...]) -> Message | None:
    """How many findings there are; None where there is none."""
    found = sum(row.severe for row in rows)
    if not found:
        return None
    return message("1 finding") if found == 1 else message("{count} findings", count=found)


def checked_text(index: LaunchIndex) -> Message:
    """What was looked for."""
    traced = len(index.trace.blocks)
    grid = index.trace.grid
    return message(
        "{traced} of {blocks} blocks checked for data races, out-of-bounds access, divergent barriers, uninitialised reads and "
        "misaligned access.",
        traced=traced, blocks=grid[0] * grid[1] * grid[2],
    )  # fmt: skip


def _row(index: LaunchIndex, finding: Finding) -> FindingRow:
    step = None
    if finding.row >= 0 and finding.threads:
        step = index.record.order.step_of(finding.row, _place(index, finding.threads[0])[0])
    line = None if finding.location.file else finding.location.line
    sentence = finding.message
    if index.subject.guessed and finding.kind in _DEPENDS_ON_THE_LAUNCH:
        sentence = message("{sentence} The launch was guessed: this may be the guess, not the kernel.", sentence=sentence)
    race = finding if finding.kind is FindingKind.DATA_RACE else None
    return FindingRow(finding.kind.label, sentence, _places(index, finding), step, line, finding.count, race=race)


def _remark(diagnostic: Diagnostic) -> FindingRow:
    line = None if diagnostic.file else diagnostic.line
    place = None if line is None else message("Line {line}", line=line)
    return FindingRow(WARNING, diagnostic.message, place, None, line, severe=False)


def _places(index: LaunchIndex, finding: Finding) -> Message | None:
    """Where the threads of a finding are, and on which lines."""
    if not finding.threads:
        return None
    warp, lane = _place(index, finding.threads[0])
    block = "({}, {})".format(*finding.block[:2])
    first = message("Block {block}, warp {warp}, lane {lane}: line {line}.", block=block, warp=warp, lane=lane, line=finding.location.line)
    if finding.other is None or len(finding.threads) < MEETING:
        more = len(finding.threads) - 1
        return message("{place} So do {more} more lanes.", place=first, more=more) if more else first
    warp, lane = _place(index, finding.threads[1])
    block = "({}, {})".format(*(finding.other_block or finding.block)[:2])
    other = message("Block {block}, warp {warp}, lane {lane}: line {line}.", block=block, warp=warp, lane=lane, line=finding.other.line)
    return message("{first} {other}", first=first, other=other)


def _place(index: LaunchIndex, thread: tuple[int, int, int]) -> tuple[int, int]:
    """Warp and lane of a thread of a block."""
    return divmod(thread_number(index.trace.block, thread), WARP)
