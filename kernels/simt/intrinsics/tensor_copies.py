"""Copies of boxes of a tensor (cp.async.bulk.tensor) by a tensor map: which element lies where is the map's, and so is what lies outside.

A map is as the prelude's `cuTensorMapEncodeTiled` makes it: 16 words of address, kinds, sizes, strides in bytes, box; NVIDIA's own bits are
not told to anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt.base.swizzle import SPANS, box_addresses
from kernels.simt.base.windows import SHARED_WINDOW
from kernels.simt.intrinsics.bulk import Pieces, issue, issue_store, pieces_of
from kernels.simt.trace.finding_kinds import FindingKind

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value

ALIGNED = 128
MAP_BYTES = 128
_ELEMENT_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)
"""By the number of the data type, as CUtensorMapDataType counts them."""
_NO_MAP = message("No tensor map stands here: make it with cuTensorMapEncodeTiled, and pass it as const __grid_constant__ CUtensorMap.")
_RANK = message("The tensor map has another number of dimensions than the instruction.")
_PLACE = message("A copy of a box needs an address in shared memory that is a multiple of 128.")
_START = message("A copy of a box begins at a multiple of 16 bytes in the tensor's rows: the first coordinate is at none.")
_NEGATIVE = message("A box that is stored begins within the tensor, or behind it: no coordinate may be negative.")
_SHAPE = message("A row of the box must be a multiple of 16 bytes, and not longer than the span of its swizzle.")


@dataclass(frozen=True, slots=True)
class TensorMap:
    """A tensor in global memory and the box of it that a copy moves; the innermost dimension first."""

    address: int
    element: int
    """Bytes."""
    span: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    """Bytes, the innermost one too."""
    box: tuple[int, ...]

    @staticmethod
    def of(data: npt.NDArray[np.uint8]) -> TensorMap | None:
        """Read the 128 bytes; None where they are no map."""
        words = np.ascontiguousarray(data).view(np.uint64).tolist()
        rank, kind, swizzle = words[1] & 0xFF, words[1] >> 8 & 0xFF, words[1] >> 16 & 0xFF
        if not 1 <= rank <= 5 or kind >= len(_ELEMENT_BYTES) or swizzle >= len(SPANS):
            return None
        element = _ELEMENT_BYTES[kind]
        return TensorMap(
            words[0], element, SPANS[swizzle], tuple(words[2 : 2 + rank]), (element, *words[7 : 6 + rank]),
            tuple(word & 0xFFFFFFFF for word in words[11 : 11 + rank]),
        )  # fmt: skip

    @property
    def row_bytes(self) -> int:
        """Of a row of the box."""
        return self.box[0] * self.element

    def rows(self, start: Sequence[int]) -> list[tuple[int, int, int]]:
        """Of each row of a box that begins at `start`: where its elements within the tensor are, and which bytes of the row they are."""
        outer = np.indices(tuple(reversed(self.box[1:]))).reshape(len(self.box) - 1, -1)[::-1].T if len(self.box) > 1 else [()]
        first, last = max(start[0], 0), min(start[0] + self.box[0], self.sizes[0])
        found = []
        for place in outer:
            at = [begin + int(each) for begin, each in zip(start[1:], place, strict=True)]
            inside = all(0 <= each < size for each, size in zip(at, self.sizes[1:], strict=True)) and last > first
            address = self.address + sum(each * stride for each, stride in zip([first, *at], self.strides, strict=True))
            skipped = (first - start[0]) * self.element
            found.append((address, skipped, skipped + (last - first) * self.element) if inside else (0, 0, 0))
        return found

    def places(self, start: int) -> npt.NDArray[np.int64]:
        """Where each byte of the box lies in shared memory: rows x bytes of a row."""
        first = box_addresses(start, self.box, self.element, self.span).reshape(-1, self.box[0])
        return (first[:, :, None] + np.arange(self.element)).reshape(len(first), -1)


def _prepared(context: Context, lane: int, map_address: int, shared: int, start: list[int], *, stores: bool) -> TensorMap | None:
    """The map, if all is as the instruction needs it: an H200 stops with an illegal instruction where a box begins where it must not."""
    data = context.bytes_at(map_address, MAP_BYTES)
    found = None if data is None else TensorMap.of(data)
    reason = None
    if found is None:
        reason = _NO_MAP
    elif len(found.box) != len(start):
        reason = _RANK
    elif shared % ALIGNED:
        reason = _PLACE
    elif found.row_bytes % 16 or (found.span and found.row_bytes > found.span):
        reason = _SHAPE
    elif start[0] * found.element % 16:
        reason = _START
    elif stores and min(start) < 0:
        reason = _NEGATIVE
    if reason is None:
        return found
    context.find_in(FindingKind.MISALIGNED_ACCESS, reason, [lane])
    return None


def _shared_pieces(places: npt.NDArray[np.int64]) -> tuple[Pieces, npt.NDArray[np.int64]]:
    """The pieces of shared memory that a box takes, and for each byte of them, in order, which of the box it is."""
    order = np.argsort(places, axis=None, kind="stable")
    first, count = int(places.min()), places.size
    if int(places.max()) - first + 1 == count:
        return pieces_of(first, count), order
    return [(int(each), 16) for each in places.ravel()[order][::16]], order


def _load(context: Context, target: Value, tensor_map: Value, barrier: Value, receivers: Value, *coordinates: Value) -> None:
    vectors = [context.vector(each).astype(np.int64) for each in (target, tensor_map, barrier, receivers, *coordinates)]
    for lane in context.mask.indices.tolist():
        to, where, on, blocks, *start = (int(each[lane]) for each in vectors)
        found = _prepared(context, lane, where, to - SHARED_WINDOW, start, stores=False)
        if found is None:
            continue
        assert context.call is not None
        rows = found.rows(start)
        box = np.zeros((len(rows), found.row_bytes), np.uint8)
        for row, (address, first, last) in zip(box, rows, strict=True):
            if last > first:
                row[first:last] = context.read_pieces(context.call, pieces_of(address, last - first), lane)
        pieces, order = _shared_pieces(found.places(to))
        told = [each for pair in zip(start, found.box, strict=True) for each in pair]
        issue(context, lane, pieces, box.ravel()[order], on, blocks, (found.address, found.element, found.span, *told))


def _store(context: Context, source: Value, tensor_map: Value, *coordinates: Value) -> None:
    vectors = [context.vector(each).astype(np.int64) for each in (source, tensor_map, *coordinates)]
    for lane in context.mask.indices.tolist():
        where, map_address, *start = (int(each[lane]) for each in vectors)
        found = _prepared(context, lane, map_address, where - SHARED_WINDOW, start, stores=True)
        if found is None:
            continue
        assert context.call is not None
        pieces, order = _shared_pieces(found.places(where))
        box = np.empty(order.size, np.uint8)
        box[order] = context.read_pieces(context.call, pieces, lane)
        targets: Pieces = []
        parts: list[Any] = []
        for row, (address, first, last) in zip(box.reshape(-1, found.row_bytes), found.rows(start), strict=True):
            targets += pieces_of(address, last - first)
            parts.append(row[first:last])
        if targets:
            issue_store(context, lane, targets, np.concatenate(parts))


def functions() -> dict[str, Function]:
    """Return the copies by the names of their calls."""
    return {"cp.async.bulk.tensor.shared": _load, "cp.async.bulk.tensor.global": _store}
