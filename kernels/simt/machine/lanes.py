"""The lanes that execute together, and which of them are active."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.trace.trace import WARP

Bits = npt.NDArray[np.bool_]
_MASK_BYTES = 11
"""Of each lane of a mask: its flag here and in the trace, its place among the active ones."""


class Mask:
    """A set of lanes, interned: equal sets are the same object. Never changed. False when empty."""

    __slots__ = ("active", "count", "first", "full", "id", "indices")

    def __init__(self, active: Bits, number: int) -> None:
        self.active = active
        self.indices = np.flatnonzero(active)
        self.count = len(self.indices)
        self.full = self.count == len(active)
        self.first = int(self.indices[0]) if self.count else 0
        self.id = number
        """Counts the masks of a launch (in warp mode: of one warp's place in the block)."""

    def __bool__(self) -> bool:
        return self.count > 0


class Masks:
    """All masks of one lane count, by content."""

    def __init__(self, lanes: int) -> None:
        self._lanes = lanes
        self._by_content: dict[bytes, Mask] = {}
        self.none = self.intern(np.zeros(lanes, np.bool_))

    def intern(self, active: Bits) -> Mask:
        """The mask of exactly these lanes."""
        key = active.tobytes()
        found = self._by_content.get(key)
        if found is None:
            found = Mask(np.frombuffer(key, np.bool_), len(self._by_content))
            self._by_content[key] = found
        return found

    def part(self, mask: Mask, chosen: Bits) -> Mask:
        """Return the mask of some of a mask's lanes; `chosen` has one flag for each of its indices."""
        if chosen.all():
            return mask
        active = np.zeros(self._lanes, np.bool_)
        active[mask.indices] = chosen
        return self.intern(active)

    def where(self, condition: bool | Bits | np.bool_, mask: Mask) -> Mask:
        """The lanes of `mask` where the condition holds."""
        if isinstance(condition, np.ndarray):
            return self.intern(condition if mask.full else condition & mask.active)
        return mask if condition else self.none

    def minus(self, mask: Mask, other: Mask) -> Mask:
        """The lanes of `mask` that are not in `other`."""
        if not other.count:
            return mask
        return self.none if other is mask else self.intern(mask.active & ~other.active)

    def union(self, mask: Mask, other: Mask) -> Mask:
        """The lanes of either."""
        if not other.count or other is mask:
            return mask
        return other if not mask.count else self.intern(mask.active | other.active)

    def both(self, mask: Mask, other: Mask) -> Mask:
        """The lanes of both."""
        return mask if other is mask else self.intern(mask.active & other.active)

    @property
    def bytes(self) -> int:
        """About what they take in memory."""
        return len(self._by_content) * self._lanes * _MASK_BYTES

    def all(self) -> list[Mask]:
        """Return all masks in the order of their ids."""
        return list(self._by_content.values())


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A block's threads as lanes: thread indices by lane; `exists` is False where the last warp has no thread."""

    block: Dim3
    lanes: int
    x: npt.NDArray[np.uint32]
    y: npt.NDArray[np.uint32]
    z: npt.NDArray[np.uint32]
    exists: Bits


def shape(block: Dim3) -> Shape:
    """Lane l is thread l: x runs fastest, then y, then z; rounded up to whole warps."""
    threads = block[0] * block[1] * block[2]
    lanes = -(-threads // WARP) * WARP
    index = np.arange(lanes)
    exists = index < threads
    axes = index % block[0], index // block[0] % block[1], index // (block[0] * block[1])
    x, y, z = ((axis * exists).astype(np.uint32) for axis in axes)
    return Shape(block, lanes, x, y, z, exists)


class Lanes:
    """Lanes that execute in lock step: a whole block, or the warp that begins at lane `start` of one."""

    def __init__(self, shape: Shape, masks: Masks, block: Dim3, block_number: int, start: int, count: int) -> None:
        mine = slice(start, start + count)
        self.count = count
        self.start = start
        self.masks = masks
        self.block = block
        """The block's index in the grid."""
        self.block_number = block_number
        """The block's place among those executed."""
        self.x, self.y, self.z = shape.x[mine], shape.y[mine], shape.z[mine]
        self.lane = np.arange(count, dtype=np.uint32) % np.uint32(WARP)
        self.number = np.arange(start, start + count, dtype=np.int64)
        """Their places in the block."""
        self.all = masks.intern(shape.exists[mine])
        """The lanes that have a thread."""
        self.live = self.all
        """Those that have not returned."""

    def leave(self, mask: Mask) -> None:
        """End these threads."""
        self.live = self.masks.minus(self.live, mask)

    def alive(self, mask: Mask) -> Mask:
        """Return the lanes of a mask that have not ended."""
        return self.masks.both(mask, self.live)

    def thread(self, lane: int) -> Dim3:
        """The thread index of a lane."""
        return int(self.x[lane]), int(self.y[lane]), int(self.z[lane])
