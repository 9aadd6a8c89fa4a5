"""The rungs of a ladder that a hall can read."""

from __future__ import annotations

from dataclasses import replace

from app.core.ladder.picture import Ladder, Rung

MOST_RUNGS = 7


def readable(ladder: Ladder, chosen: str) -> Ladder:
    """The ladder with few rungs: the chosen one, the one that it improves on, its library, and then those nearest to it."""
    rung = ladder.rung(chosen)
    if rung is None or len(ladder.rungs) <= MOST_RUNGS:
        return replace(ladder, rungs=ladder.rungs[:MOST_RUNGS])
    place = ladder.rungs.index(rung)

    def distance(other: Rung) -> tuple[int, int]:
        needed = other.variant in (rung.variant, rung.base) or (other.variant.library and other.variant.precision == rung.variant.precision)
        return 0 if needed else 1, abs(ladder.rungs.index(other) - place)

    kept = sorted(ladder.rungs, key=distance)[:MOST_RUNGS]
    return replace(ladder, rungs=tuple(each for each in ladder.rungs if each in kept))
