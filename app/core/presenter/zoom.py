"""Which part of a picture is seen."""

from __future__ import annotations

from dataclasses import dataclass

FACTORS = (1.0, 2.0, 3.0, 4.0, 6.0)
"""Whole ones: cells of whole pixels stay so."""


@dataclass(frozen=True, slots=True)
class Zoom:
    """`x` and `y` are the corner of what is seen, in shares of the picture."""

    factor: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def closer(self, steps: int, x: float, y: float) -> Zoom:
        """Nearer by so many steps, or farther. What is at (x, y), in shares of what is seen, stays where it is."""
        place = min(max(FACTORS.index(self.factor) + steps, 0), len(FACTORS) - 1)
        factor = FACTORS[place]
        shift = 1 / self.factor - 1 / factor
        return Zoom(factor, _kept(self.x + x * shift, factor), _kept(self.y + y * shift, factor))

    def moved(self, across: float, down: float) -> Zoom:
        """Along by so many shares of what is seen, as far as the picture goes."""
        return Zoom(self.factor, _kept(self.x + across / self.factor, self.factor), _kept(self.y + down / self.factor, self.factor))


def _kept(corner: float, factor: float) -> float:
    return min(max(corner, 0.0), 1 - 1 / factor)
