"""What the arrays of a launch are: matrices that were declared, else what its accesses show; and whose values shared memory holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from app.core.base.picture_parts import MatrixRole
from kernels.analysis.operands import operands
from kernels.simt.base.types import Space
from kernels.simt.trace.contents import INITIAL, WRITTEN, Contents
from kernels.simt.trace.trace import Site, Trace

Roles = Mapping[int, MatrixRole]
"""By allocation. A letter is that of an operand; a matrix of which only the shape is known has none."""
_RIGHT = 0.9
_MOST = 1 << 20
"""Elements of an array whose values are looked through."""


def roles_of_arrays(trace: Trace, contents: Contents, declared: tuple[MatrixRole, ...]) -> Roles:
    """The declared roles; where these are but shapes that a user has said, those that the accesses show as well."""
    names = {each.name: number for number, each in reversed(list(enumerate(trace.allocations)))}
    said = {names[role.name]: role for role in declared if role.name in names}
    if any(role.letter for role in said.values()):
        return said
    shown = operands(trace, contents, {number: role.columns for number, role in said.items()})
    found = {each.allocation: MatrixRole(trace.allocations[each.allocation].name, each.letter, each.rows, each.columns) for each in shown}
    return {**found, **{number: role for number, role in said.items() if number not in found or not found[number].letter}}


def letters_of(trace: Trace, contents: Contents, roles: Roles, *, declared: bool) -> tuple[str, ...]:
    """For each allocation "A", "B" or "C", or "" where that is not known. `declared`: the text names its tiles as the catalogue does."""
    letters = [roles[number].letter if number in roles else "" for number in range(len(trace.allocations))]
    known = {letter for letter in letters if letter}
    for number, allocation in enumerate(trace.allocations):
        if allocation.space is Space.SHARED and known:
            by_line = _sources(trace, number, letters)
            if declared:
                letters[number] = next(iter(by_line), "") or _of_name(allocation.name, known)
            else:
                letters[number] = _of_values(contents, number, roles) or (by_line[0] if len(set(by_line)) == 1 else "")
    return tuple(letters)


def _sources(trace: Trace, number: int, letters: list[str]) -> list[str]:
    """The matrices that are loaded on lines that store to the array."""
    stores = [site for site in trace.sites if site.operation == "store" and site.space is Space.SHARED and site.allocation == number]
    lines = {_place(site) for site in stores}
    loads = [site for site in trace.sites if site.operation == "load" and site.space is Space.GLOBAL and _place(site) in lines]
    return [letters[site.allocation] for site in loads if site.allocation >= 0 and letters[site.allocation]]


def _place(site: Site) -> tuple[str, int]:
    return site.location.file, site.location.line


def _of_values(contents: Contents, number: int, roles: Roles) -> str:
    """The only matrix that holds the values which a block leaves in a shared array."""
    held = contents.window(number, np.arange(contents.scalars(number)), contents.end)
    values = np.unique(held.values[held.state == WRITTEN])
    values = values[values != 0]
    fitting = [
        role.letter
        for source, role in roles.items()
        if role.letter and len(values) and contents.scalars(source) <= _MOST and np.isin(values, _begun(contents, source)).mean() >= _RIGHT
    ]
    return fitting[0] if len(fitting) == 1 else ""


def _begun(contents: Contents, allocation: int) -> npt.NDArray[Any]:
    """The values of an array before the launch."""
    seen = contents.window(allocation, np.arange(contents.scalars(allocation)), 0)
    values: npt.NDArray[Any] = seen.values[seen.state == INITIAL]
    return values


def _of_name(name: str, known: set[str]) -> str:
    """As, A_tile, sA and tileB, as the catalogue's texts call them: by a capital that stands at an end of a word."""
    for letter in sorted(known):
        for position, character in enumerate(name):
            after = name[position + 1 : position + 2]
            if character == letter and (not after.isalpha() or after.islower()) and not name[:position].endswith(tuple(known)):
                return letter
    return ""
