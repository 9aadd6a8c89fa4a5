"""What is said of a draft below its text: places with sentences."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.messages import Message
from kernels.simt.frontend.diagnostics import Diagnostic, Severity


@dataclass(frozen=True, slots=True)
class Remark:
    """One row. `place` is "16:9", with the file before it where it is not the shown text; `line` 0: there is no place to go to."""

    place: str
    sentence: Message
    severe: bool
    line: int = 0
    column: int = 0


def remarks_of(diagnostics: tuple[Diagnostic, ...], reason: Message | None, *further: Message | None) -> tuple[Remark, ...]:
    """What keeps the draft from being executed, what the compiler says of it, and what else there is to say."""
    rows = [] if reason is None else [Remark("", reason, severe=True)]
    for each in diagnostics:
        place = f"{each.line}:{each.column}"
        severe = each.severity is Severity.ERROR
        if each.file:
            rows.append(Remark(f"{each.file}:{place}", each.message, severe))
        else:
            rows.append(Remark(place, each.message, severe, each.line, each.column))
    return (*rows, *(Remark("", each, severe=False) for each in further if each is not None))
