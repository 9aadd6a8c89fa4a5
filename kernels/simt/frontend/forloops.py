"""Which part of a for statement is which: libclang drops those that are left out."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.simt.frontend.clang import Cursor, position


@dataclass(frozen=True, slots=True)
class ForParts:
    """The cursors of `for (init; condition; step) body`, None for what is left out."""

    init: Cursor | None
    condition: Cursor | None
    step: Cursor | None
    body: Cursor


def for_parts(statement: Cursor) -> ForParts:
    """The parts of a FOR_STMT, told apart by the tokens between them; of one that a macro makes, by their number and order."""
    *header, body = list(statement.get_children())
    if len(header) == 3:
        return ForParts(header[0], header[1], header[2], body)
    ends = _semicolons(statement)
    slots: list[Cursor | None] = [None, None, None]
    for part in header:
        slots[sum(end < position(part.extent.start)[1] for end in ends)] = part
    return ForParts(slots[0], slots[1], slots[2], body)


def _semicolons(statement: Cursor) -> list[int]:
    """The byte offsets of the two `;` of the header."""
    depth, found = 0, []
    for token in statement.get_tokens():
        spelling = token.spelling
        depth += (spelling in "([{") - (spelling in ")]}")
        if spelling == ";" and depth == 1:
            found.append(position(token.location)[1])
            if len(found) == 2:
                break
    return found
