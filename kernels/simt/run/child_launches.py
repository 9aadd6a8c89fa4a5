"""Launches that the threads of a kernel make: what each asks for, and the error that the thread gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.base.types import Location

TAIL, FIRE_AND_FORGET = 3, 4
"""cudaStreamTailLaunch and cudaStreamFireAndForget."""
_FIRST_HANDLE = 0x7000
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
    turn: int = 0
    """Its place among the launches of its grid."""
    after: int = 0
    """Which of these are done when it begins: the bit of each one's turn."""

    def is_after(self, other: ChildLaunch) -> bool:
        """Say whether another launch of the grid is done when it begins."""
        return bool(self.after >> other.turn & 1)


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
        self._handles = _FIRST_HANDLE
        self._streams: dict[tuple[int, int], int] = {}
        """By block and stream, what is done where the stream goes on, as bits."""
        self._events: dict[int, int] = {}
        """What is done where an event has come."""

    @property
    def unasked(self) -> list[Location]:
        """Launches that failed, and whose thread has not asked for the error."""
        return list(dict.fromkeys(self._unasked.values()))

    def add(self, launch: ChildLaunch) -> None:
        """Take a launch, or give its thread an error."""
        refused = self._refuse(launch, len(self.made))
        if refused is None:
            stream, turn = (launch.number, launch.stream), len(self.made)
            before = 0 if launch.stream == FIRE_AND_FORGET else self._streams.get(stream, 0)
            self._streams[stream] = before | 1 << turn
            self.made.append(replace(launch, turn=turn, after=before))
            return
        self.refused.append((launch, refused))
        self.fail(launch.number, launch.lane, refused[0])
        self._unasked[launch.number, launch.lane] = launch.location

    def fail(self, number: int, lane: int, error: int) -> None:
        """Give a thread of a block an error."""
        self._errors[number, lane] = error

    def last_error(self, number: int, lane: int, *, forget: bool) -> int:
        """The last error of a thread of a block, which has now asked for it."""
        self._unasked.pop((number, lane), None)
        found = self._errors.get((number, lane), 0)
        if forget:
            self._errors.pop((number, lane), None)
        return found

    def handle(self) -> int:
        """Make the handle of a stream, or of an event."""
        self._handles += 0x10
        return self._handles

    def record(self, event: int, number: int, stream: int) -> None:
        """Have an event come where a stream of a block is now."""
        self._events[event] = self._streams.get((number, stream), 0)

    def wait(self, number: int, stream: int, event: int) -> None:
        """Have a stream of a block go on when an event has come; one that was not recorded is no reason to wait."""
        self._streams[number, stream] = self._streams.get((number, stream), 0) | self._events.get(event, 0)
