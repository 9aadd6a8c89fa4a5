"""Numbers for what an access names: the line of source it comes from, and the array it goes to."""

from __future__ import annotations

from collections.abc import Sequence

from kernels.base.values import dataclass
from kernels.cachesim.stream import MOST_ARRAYS, MOST_PLACES


class NotInstrumentable(Exception):
    """The kernel does what the cache model does not know. The text, in English, says what and where."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a source file, relative to the package `kernels`."""

    source: str
    line: int


class Numbering:
    """Gives numbers to places and arrays as they are met; the matrices of the problem come first."""

    def __init__(self, matrices: Sequence[str]) -> None:
        self._arrays = {name: number for number, name in enumerate(matrices)}
        self._places: dict[SourceLine, int] = {}

    @property
    def arrays(self) -> tuple[str, ...]:
        """Names by number."""
        return tuple(self._arrays)

    @property
    def places(self) -> tuple[SourceLine, ...]:
        """Places by number."""
        return tuple(self._places)

    def array(self, name: str) -> int:
        """The number of the arrays that the source calls `name`."""
        return _within(self._arrays.setdefault(name, len(self._arrays)), MOST_ARRAYS, "names of arrays")

    def place(self, source: str, line: int) -> int:
        """The number of a line that touches memory."""
        return _within(self._places.setdefault(SourceLine(source, line), len(self._places)), MOST_PLACES, "lines that touch memory")


def _within(number: int, most: int, what: str) -> int:
    if number >= most:
        raise NotInstrumentable(f"more than {most} {what}")
    return number
