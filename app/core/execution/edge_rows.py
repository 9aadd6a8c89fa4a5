"""Rows of a search for edges: what was tried, what happened, on which line; of a kernel's launches and of a program's runs alike."""

from __future__ import annotations

from collections.abc import Sequence

from kernels.analysis.trust import Trust
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.exploration.edge_cases import Tried, TriedProgram, edge_text, smallest

AnyTried = Tried | TriedProgram


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One launch or run. `fails` is None where nothing can be said of it; `line` 0: there is none."""

    title: Message
    fails: bool | None
    kind: str = ""
    line: int = 0
    said: Message | None = None


def row_of(tried: AnyTried) -> EdgeRow:
    """What happened in one, by the first of its findings."""
    if isinstance(tried, TriedProgram):
        return _row_of_program(tried)
    title = edge_text(tried.edge)
    if tried.findings:
        first = tried.findings[0]
        return EdgeRow(title, fails=True, kind=first.kind, line=first.location.line, said=first.message)
    return EdgeRow(title, None if tried.reason is not None else False, said=tried.reason)


def _row_of_program(tried: TriedProgram) -> EdgeRow:
    title = message("{words}", words=" ".join(tried.edge.arguments))
    if not tried.fails:
        return EdgeRow(title, None if tried.reason is not None else False, said=tried.reason)
    if not tried.findings:
        return EdgeRow(title, fails=True, kind="status", said=message("The exit status is {status}.", status=tried.status))
    first = tried.findings[0]
    return EdgeRow(title, fails=True, kind=first.wrong.value, line=first.location.line, said=first.message)


def trusts_of(tried: AnyTried) -> tuple[Trust, ...]:
    """How far each launch can be trusted that was executed."""
    if isinstance(tried, TriedProgram):
        return tried.trusts
    return () if tried.trust is None else (tried.trust,)


def failing(tried: Sequence[AnyTried]) -> AnyTried | None:
    """The smallest that fails; None where none does."""
    launches = [each for each in tried if isinstance(each, Tried)]
    return smallest(launches) if launches else next((each for each in tried if each.fails), None)


def edge_outcome(row: EdgeRow, *, compared: bool) -> Message:
    """What came of one, behind its mark. Only where results were `compared` with right ones is it known to work."""
    if row.fails is None:
        return message("not known")
    if row.fails:
        return message("fails")
    return message("works") if compared else message("no findings")


def verdict_text(tried: Sequence[AnyTried], planned: int, *, compared: bool) -> Message:
    """What came of a search in one sentence. It claims nothing beyond what was tried."""
    found = failing(tried)
    if found is not None:
        row = row_of(found)
        if not row.line:
            return message("Fails with {size}: {problem}", size=row.title, problem=row.said or "")
        return message("Fails with {size}, line {line}: {problem}", size=row.title, line=row.line, problem=row.said or "")
    judged = sum(row_of(each).fails is False for each in tried)
    if judged == planned:
        works = message("Works with everything tried: {count}.", count=judged)
        unknown = message("No findings with everything tried: {count}. Whether the results are right is not known.", count=judged)
    else:
        works = message("Works with {judged} of {count}; of the others nothing can be said.", judged=judged, count=planned)
        unknown = message(
            "No findings with {judged} of {count}; of the others nothing can be said. Whether the results are right is not known.",
            judged=judged, count=planned,
        )  # fmt: skip
    return works if compared else unknown
