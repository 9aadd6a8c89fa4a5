"""Which matrix's values an array holds: read from where its elements come from, or else from its name."""

from __future__ import annotations

from collections.abc import Mapping

from kernels.simt.trace import Site, Trace
from kernels.simt.types import Space


def letters_of(trace: Trace, arguments: Mapping[str, str]) -> tuple[str, ...]:
    """For each allocation "A", "B" or "C", or "" where that is not known. `arguments` gives those of the arguments."""
    letters = [arguments.get(each.name, "") if each.space is Space.GLOBAL else "" for each in trace.allocations]
    known = set(arguments.values())
    for number, allocation in enumerate(trace.allocations):
        if allocation.space is Space.SHARED:
            letters[number] = _source(trace, number, letters) or _of_name(allocation.name, known)
    return tuple(letters)


def _source(trace: Trace, number: int, letters: list[str]) -> str:
    """The matrix that is loaded on a line that stores to the array."""
    stores = [site for site in trace.sites if site.operation == "store" and site.space is Space.SHARED and site.allocation == number]
    lines = {_place(site) for site in stores}
    loads = [site for site in trace.sites if site.operation == "load" and site.space is Space.GLOBAL and _place(site) in lines]
    return next((letters[site.allocation] for site in loads if site.allocation >= 0 and letters[site.allocation]), "")


def _place(site: Site) -> tuple[str, int]:
    return site.location.file, site.location.line


def _of_name(name: str, known: set[str]) -> str:
    """As, A_tile, sA and tileB name their matrix by a capital that stands at an end of a word."""
    for letter in sorted(known):
        for position, character in enumerate(name):
            after = name[position + 1 : position + 2]
            if character == letter and (not after.isalpha() or after.islower()) and not name[:position].endswith(tuple(known)):
                return letter
    return ""
