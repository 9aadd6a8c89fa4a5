"""Operands of wgmma in shared memory: where their elements are, the reads of them, and what is wrong with a descriptor."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt.base.swizzle import PIECE, MatrixDescriptor
from kernels.simt.base.windows import RANK_SHIFT, SHARED_WINDOW
from kernels.simt.intrinsics.clusters import member_of
from kernels.simt.trace.events import Happening
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import WARP

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Value

Ints = npt.NDArray[np.int64]
LEADING_AT, LEADING_BITS = 16, 0x3FFF
_RANK_AT = RANK_SHIFT - 4 - LEADING_AT
"""Where a rank comes to lie in the leading offset: an address stands without its 4 lowest bits in a descriptor."""
RANK_IN_DESCRIPTOR = message(
    "The block's rank has got into this descriptor: in a cluster it is the upper byte of an address of shared memory, and here part of the "
    "offset from one part of the operand to the next. Take it off: (address & 0x3FFFF) >> 4."
)


@dataclass(frozen=True, slots=True)
class Operand:
    """The left operand (0) or the right one (1) of a product: rows, or columns, by k elements of so many bits; `major` as in
    `MatrixDescriptor.addresses`."""

    number: int
    rows: int
    k: int
    bits: int
    transposed: bool

    @property
    def major(self) -> str:
        return "MN" if self.transposed else "K"

    def places(self, descriptor: int) -> Ints:
        """Where the elements are: rows x k, in shared memory."""
        return _places(int(descriptor), self.rows, self.k, self.bits, self.major)


@lru_cache(maxsize=4096)
def _places(bits: int, rows: int, k: int, element: int, major: str) -> Ints:
    return MatrixDescriptor.of(bits).addresses(rows, k, element, "MN" if major == "MN" else "K")


def by_warp(context: Context, value: Value) -> npt.NDArray[Any]:
    """What the first lane of each warp has."""
    return context.vector(value)[::WARP]


def read(context: Context, places: list[Ints], operand: Operand) -> None:
    """Record the reads of each warp's elements, 32 pieces of 16 bytes at a time, 8 rows (or steps of k) of one piece after the other."""
    step = PIECE * 8 // operand.bits
    pieces = [(each[:, ::step].T if operand.major == "K" else each[::step]).ravel() for each in places]
    for first in range(0, max(map(len, pieces)), WARP):
        addresses, lanes = np.zeros((len(pieces), WARP), np.int64), np.zeros((len(pieces), WARP), np.bool_)
        for warp, every in enumerate(pieces):
            some = every[first : first + WARP]
            addresses[warp, : len(some)], lanes[warp, : len(some)] = some, True
        context.load_bytes(addresses.ravel() + SHARED_WINDOW, PIECE, lanes.ravel())


def tell(context: Context, descriptors: Value, operand: Operand) -> None:
    """Note which operand has been read, once for each descriptor, and find what is wrong with that."""
    size = operand.rows, operand.k, operand.bits, int(operand.transposed)
    named, warps = by_warp(context, descriptors), np.flatnonzero(context.active[::WARP])
    for warp in warps[np.unique(named[warps], return_index=True)[1]].tolist():
        _find_rank(context, int(named[warp]), operand)
        context.note(Happening.OPERAND, value=int(named[warp]), other=operand.number, lane=warp * WARP, more=size)


def _find_rank(context: Context, descriptor: int, operand: Operand) -> None:
    """Find a leading offset that is that of the cluster's first block but for a rank, where something is read by it."""
    member = member_of(context)
    if member.cluster.alone:
        return
    of_ranks = member.cluster.offsets.setdefault((context.location, operand.number), {})
    named = descriptor >> LEADING_AT & LEADING_BITS
    of_ranks.setdefault(member.rank, set()).add(named)
    for rank, offsets in ({member.rank: {named}} if member.rank else of_ranks).items():
        above = rank << _RANK_AT
        for first in of_ranks.get(0, ()):
            for offset in offsets & {first | above, first + above} - {first}:
                right, wrong = (operand.places(descriptor & ~(LEADING_BITS << LEADING_AT) | each << LEADING_AT) for each in (first, offset))
                if not np.array_equal(right, wrong):
                    context.find(FindingKind.ASYNCHRONOUS_ACCESS, RANK_IN_DESCRIPTOR)
