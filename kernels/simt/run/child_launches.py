"""Launches that the threads of a kernel make: what each asks for, and the error that the thread gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kernels.base.messages import Message
from kernels.simt.base.launch import Dim3
from kernels.simt.base.types import Location

TAIL, FIRE_AND_FORGET = 3, 4
"""cudaStreamTailLaunch and cudaStreamFireAndForget."""
_FIRST_STREAM = 0x7000
Refused = tuple[int, Message]
"""The number of CUDA's error, and why."""
Refuse = Callable[["ChildLaunch", int], Refused | None]
"""Given a launch, and how many its grid has made before."""


@dataclass(frozen=True, slots=True)
class ChildLaunch:
    """A launch by a thread, which begins once its grid has ended. `arguments` are the scalars and pointers of all parameters; `number` is
    the launching block among those executed, `lane` the thread in it; before it the block had met `epoch` times, its warp `warp_epoch`
    times since, and `row` accesses had been recorded."""

    entry: str
    location: Location
    grid: Dim3
    block: Dim3
    shared_bytes: int
    stream: int
    arguments: tuple[int | float | bool, ...]
    by: tuple[Dim3, Dim3]
    """The block and the thread that launch."""
    number: int
    lane: int
    row: int
    epoch: int
    warp_epoch: int


def _nothing_refused(_launch: ChildLaunch, _made: int) -> Refused | None:
    return None


class ChildLaunches:
    """Launches of one grid, in the order in which they were made. What `refuse` has something against gives its thread an error."""

    def __init__(self, refuse: Refuse = _nothing_refused) -> None:
        self.made: list[ChildLaunch] = []
        self.refused: list[tuple[ChildLaunch, Refused]] = []
        self._refuse = refuse
        self._errors: dict[tuple[int, int], int] = {}
        """The last error of each thread."""
        self._unasked: dict[tuple[int, int], Location] = {}
        self._streams = _FIRST_STREAM

    @property
    def unasked(self) -> list[Location]:
        """Launches that failed, and whose thread has not asked for the error."""
        return list(dict.fromkeys(self._unasked.values()))

    def add(self, launch: ChildLaunch) -> None:
        """Take a launch, or give its thread an error."""
        refused = self._refuse(launch, len(self.made))
        if refused is None:
            self.made.append(launch)
            return
        self.refused.append((launch, refused))
        self._errors[launch.number, launch.lane] = refused[0]
        self._unasked[launch.number, launch.lane] = launch.location

    def last_error(self, number: int, lane: int, *, forget: bool) -> int:
        """The last error of a thread of a block, which has now asked for it."""
        self._unasked.pop((number, lane), None)
        found = self._errors.get((number, lane), 0)
        if forget:
            self._errors.pop((number, lane), None)
        return found

    def stream(self) -> int:
        """The handle of a new stream."""
        self._streams += 0x10
        return self._streams
