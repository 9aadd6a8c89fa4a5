"""wgmma: a warpgroup multiplies matrices that the tensor cores read from shared memory themselves, in groups that are waited for.

Each warp computes its 16 rows of D. Shared memory is read when the instruction is issued: what the tensor cores do later cannot be seen by
a program that waits as it must, and one that does not wait is told so. In a trace each warp reads its rows of A, the first one B.
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt.base.fragments import BITS, WARP_ROWS, WARPGROUP_WARPS, LaneMap, wgmma_maps
from kernels.simt.base.instructions import WGMMA, GroupProduct
from kernels.simt.intrinsics.matrices import NUMBERS, multiplied, spread, stacked
from kernels.simt.intrinsics.wgmma_operands import Operand, by_warp, read, tell
from kernels.simt.trace.events import Happening
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import WARP

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value

Ints = npt.NDArray[np.int64]
_MOST_WARPS = 32
NOT_WAITED_FOR = message(
    "This reads a sum of wgmma whose group has not been waited for (wgmma.wait_group): what it holds is not known yet."
)
NO_FENCE = message("No wgmma.fence stands before this: the registers of the product may not have been written yet.")


@dataclass(slots=True, eq=False)
class Groups:
    """The products of some warps that execute together: those not committed yet, then the groups that are not waited for."""

    open: int = 0
    committed: list[int] = field(default_factory=list)
    """Products of each group."""
    count: int = 0
    """Groups so far."""
    fenced: bool = False


def groups_of(context: Context) -> Groups:
    """The products of the warps that execute together."""
    every: dict[int, Groups] = context.state.setdefault("wgmma groups", {})
    return every.setdefault(context.geometry.start, Groups())


@dataclass(slots=True, eq=False)
class _Sums:
    """What the products of a warp add to, which is not to be read yet: variables with a first element and a count."""

    named: tuple[int, int, int] | None = None
    open: list[tuple[int, int, int]] = field(default_factory=list)
    groups: list[list[tuple[int, int, int]]] = field(default_factory=list)

    def commit(self) -> None:
        self.groups.append(self.open)
        self.open = []

    def wait(self, left: int) -> None:
        self.groups = self.groups[-left:] if left else []

    def pending(self, variable: int, element: int) -> bool:
        """Whether an element has not been waited for."""
        every = [*self.open, *(each for group in self.groups for each in group)]
        return any(number == variable and first <= element < first + count for number, first, count in every)


def _sums(context: Context) -> list[_Sums]:
    """Those of the active warps, in order."""
    every: dict[int, _Sums] = context.state.setdefault("wgmma sums", {})
    return [every.setdefault(int(warp), _Sums()) for warp in _own_warps(context)[context.active.reshape(-1, WARP).any(axis=1)]]


def _name_sums(context: Context, variable: Value, first: Value, count: Value) -> None:
    """Keep where the products that follow add to."""
    named = [context.vector(each)[::WARP][context.active.reshape(-1, WARP).any(axis=1)].tolist() for each in (variable, first, count)]
    for each, *place in zip(_sums(context), *named, strict=True):
        each.named = (place[0], place[1], place[2])


def _use_sums(context: Context, variable: Value, element: Value) -> None:
    """Find what is read too early."""
    if not any(each.open or any(each.groups) for each in _sums(context)):
        return
    named, active = (context.vector(each) for each in (variable, element)), context.active.reshape(-1, WARP)
    firsts = np.flatnonzero(active.any(axis=1)) * WARP + active[active.any(axis=1)].argmax(axis=1)
    numbers, elements = ([int(each[lane]) for lane in firsts] for each in named)
    early = [sums.pending(*asked) for sums, *asked in zip(_sums(context), numbers, elements, strict=True)]
    context.find_in(
        FindingKind.ASYNCHRONOUS_ACCESS, NOT_WAITED_FOR, [lane for lane, is_early in zip(firsts.tolist(), early, strict=True) if is_early]
    )


def _fence(context: Context, named: Value) -> None:
    context.join_warp(named)
    groups_of(context).fenced = True


def _commit(context: Context, named: Value) -> None:
    context.join_warp(named)
    groups = groups_of(context)
    context.note(Happening.GROUP_COMMITTED, value=groups.count)
    for each in _sums(context):
        each.commit()
    groups.committed.append(groups.open)
    groups.open, groups.count = 0, groups.count + 1


def _wait(context: Context, named: Value, left: Value) -> None:
    context.join_warp(named)
    groups, kept = groups_of(context), int(np.max(left))
    groups.committed = groups.committed[-kept:] if kept else []
    for each in _sums(context):
        each.wait(kept)
    _waits(context)[_own_warps(context)[context.active[::WARP]]] += 1
    context.note(Happening.GROUP_WAITED, value=kept)


def _waits(context: Context) -> Ints:
    """How often each warp of the block has waited for groups: no warp goes on before the others of its warpgroup have read, too."""
    waits: Ints = context.state.setdefault("wgmma waits", np.zeros(_MOST_WARPS, np.int64))
    return waits


def _own_warps(context: Context) -> Ints:
    return np.asarray((context.geometry.start + np.arange(0, context.lanes, WARP)) // WARP)


def _test(context: Context) -> Value:
    """Whether all warps of the warpgroup have waited as often as the own one."""
    waits, own = _waits(context), _own_warps(context)
    least = waits.reshape(-1, WARPGROUP_WARPS).min(axis=1)
    return np.repeat(least[own // WARPGROUP_WARPS] >= waits[own], WARP)


def _multiply(
    context: Context, named: Value, keeps: Value, scale_a: Value, scale_b: Value, trans_a: Value, trans_b: Value, right: Value,
    *registers: Value, shape: GroupProduct,
) -> Any:  # fmt: skip
    context.join_warp(named)
    count = shape.registers[0]
    bits, groups = BITS[shape.left], groups_of(context)
    if not groups.fenced:
        context.find(FindingKind.ASYNCHRONOUS_ACCESS, NO_FENCE)
    sums = np.dtype(np.uint32) if shape.sums == "f16" else np.dtype(NUMBERS[shape.sums])
    a_map, d_map = wgmma_maps(shape.n, shape.left, 16 if shape.sums == "f16" else 32)
    start = _of_warp(d_map).elements(stacked(context, registers[:count], sums)).view(NUMBERS[shape.sums])
    start = np.where(by_warp(context, keeps)[:, None, None], start, np.zeros(1, start.dtype))
    ranks = (context.geometry.start // WARP + np.arange(context.lanes // WARP)) % WARPGROUP_WARPS
    if len(registers) > count + 1:
        left = _of_warp(a_map).elements(stacked(context, registers[count:], np.uint32))
    else:
        one = Operand(0, 64, shape.k, bits, bool(np.max(trans_a)))
        own = [slice(rank * WARP_ROWS, (rank + 1) * WARP_ROWS) for rank in ranks]
        left_places = [one.places(each)[rows] for each, rows in zip(by_warp(context, registers[count]), own, strict=True)]
        read(context, left_places, one)
        tell(context, registers[count], one)
        left = np.stack([context.peek(each, bits) for each in left_places])
    other = Operand(1, shape.n, shape.k, bits, bool(np.max(trans_b)))
    right_places = [other.places(each) for each in by_warp(context, right)]
    read(context, [each if rank == 0 else each[:0] for each, rank in zip(right_places, ranks, strict=True)], other)
    tell(context, right, other)
    columns = np.stack([context.peek(each, bits) for each in right_places]).swapaxes(1, 2)
    groups.open += 1
    for each in _sums(context):
        each.open += [each.named] if each.named is not None else []
    context.note(Happening.PRODUCT, value=sum(groups.committed) + groups.open)
    total = multiplied(_signed(left, scale_a), _signed(columns, scale_b), start, (shape.left, shape.right))
    return spread(_of_warp(d_map).pack(np.ascontiguousarray(total)).view(sums))


@lru_cache(maxsize=256)
def _of_warp(group: LaneMap) -> LaneMap:
    """The part of a warpgroup's map that its first warp holds: the others' rows lie below."""
    inside = slice(0, WARP_ROWS)
    return LaneMap(group.bits, group.row[:WARP], group.column[:WARP], group.lane[inside], group.register[inside], group.part[inside])


def _signed(elements: npt.NDArray[Any], scale: Value) -> npt.NDArray[Any]:
    """Elements as they are, or with the other sign."""
    if int(np.max(scale)) >= 0:
        return elements
    return np.asarray(elements ^ elements.dtype.type(1 << (8 * elements.itemsize - 1)))


def _set_registers(context: Context, named: Value, count: Value) -> None:
    context.join_warp(named)
    context.note(Happening.REGISTERS, value=int(np.max(count)))


def functions() -> dict[str, Function]:
    """Return the instructions by the names of their calls."""
    table: dict[str, Function] = {f"wgmma.{name}": partial(_multiply, shape=shape) for name, shape in WGMMA.items()}
    return {
        **table,
        "wgmma.fence": _fence,
        "wgmma.commit_group": _commit,
        "wgmma.wait_group": _wait,
        "wgmma.sums": _name_sums,
        "wgmma.used": _use_sums,
        "wgmma.test_wait": _test,
        "setmaxnreg": _set_registers,
    }
