"""Matrix instructions as they were executed: which ones a step is, and the operands of each."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from app.core.gpu_view.frame import Frame, frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.shared.fragments import FragmentsPicture, Operand, operand_of, part_of
from kernels.analysis.columns import Bools, Ints
from kernels.base.messages import Message, message
from kernels.simt.base.fragments import GROUP_ROWS, WARP_ROWS, WARPGROUP_WARPS, matrix_map, mma_maps, wgmma_maps
from kernels.simt.base.instructions import GroupProduct, Product, product_of
from kernels.simt.trace.events import Event, Happening
from kernels.simt.trace.trace import WARP, Site

NOTHING_HERE = message("This step is no matrix instruction.")
UNSPECIFIED = message(
    "CUDA does not say which lane holds which element of a wmma fragment: it may differ between GPUs, and no program can count on it. "
    "Of mma.sync it is specified."
)
MOST_COLUMNS = 16
"""Of D of wgmma: each 8 columns are held alike, and so few can be read where there is little room."""
_MATRICES = re.compile(r"(ldmatrix|stmatrix)\.x([124])(\.trans)?")


def multiplies_matrices(index: LaunchIndex) -> bool:
    """Whether instructions of a whole warp on matrices were executed."""
    moves = any(site.tile or is_matrix_move(site) for site in index.trace.sites)
    return moves or any(each.kind is Happening.PRODUCT for each in index.trace.events)


def is_matrix_move(site: Site) -> bool:
    """Whether a site is ldmatrix or stmatrix."""
    return _MATRICES.fullmatch(site.function) is not None


def instructions_at(index: LaunchIndex, frame: Frame) -> tuple[str, ...]:
    """The names of the matrix instructions of a step: its own, also where tensor cores read for it, and the products that its warp makes
    before its next step."""
    own = (frame.site.function,) if is_matrix_move(frame.site) or product_of(frame.site.function) is not None else ()
    return tuple(dict.fromkeys((*own, *index.once(_Products).after(frame))))


class _Instructions:
    """The steps of a launch that are matrix instructions themselves, or behind which a warp multiplies."""

    def __init__(self, index: LaunchIndex) -> None:
        own: Bools = np.array([is_matrix_move(site) or product_of(site.function) is not None for site in index.trace.sites], np.bool_)
        steps = np.flatnonzero(own[index.trace.rows.site[index.record.order.row]])
        self.steps = np.union1d(steps, index.once(_Products).steps())


def next_instruction(index: LaunchIndex, step: int) -> int | None:
    """The next step that is a matrix instruction, behind the last one the last; None where no step is one."""
    steps = index.once(_Instructions).steps
    return int(steps[min(int(np.searchsorted(steps, step)), len(steps) - 1)]) if len(steps) else None


class _Products:
    """The products of a launch by block and warp."""

    def __init__(self, index: LaunchIndex) -> None:
        self._rank = index.record.order.rank
        self._block = index.trace.rows.block
        self._found: dict[tuple[int, int], list[Event]] = {}
        warps: Bools = np.any(index.trace.masks.reshape(len(index.trace.masks), -1, WARP), axis=2)
        for event in index.trace.events:
            if event.kind is Happening.PRODUCT:
                for warp in np.flatnonzero(warps[event.mask]).tolist():
                    self._found.setdefault((event.block, warp), []).append(event)

    def after(self, frame: Frame) -> tuple[str, ...]:
        """The instructions that a frame's warp executes after the frame's access, before its next one; before its first access too."""
        events = self._found.get((frame.block_number, frame.warp), ())
        if not events:
            return ()
        rows = np.flatnonzero((self._rank[:, frame.warp] >= 0) & (self._block == frame.block_number))
        place = int(np.searchsorted(rows, frame.row))
        until = int(rows[place + 1]) if place + 1 < len(rows) else len(self._rank)
        since = frame.row + 1 if place else 0
        first, last = (bisect_left(events, row, key=lambda each: each.row) for row in (since, until + 1))
        return tuple(each.name for each in events[first:last])

    def steps(self) -> Ints:
        """The steps after which a warp multiplies before its next one; its first step where it has multiplied before that."""
        found = [np.empty(0, np.int64)]
        for (block, warp), events in self._found.items():
            rows = np.flatnonzero((self._rank[:, warp] >= 0) & (self._block == block))
            if len(rows):
                before = np.searchsorted(rows, [each.row for each in events]) - 1
                found.append(self._rank[rows[np.maximum(before, 0)], warp])
        return np.unique(np.concatenate(found))


def fragments_picture(index: LaunchIndex, frame: Frame, thread: int | None, chosen: int = 0) -> FragmentsPicture | Message:
    """The operands of one of a frame's instructions, with the selected lane; or why there is nothing to see."""
    names = instructions_at(index, frame)
    if not names:
        return UNSPECIFIED if frame.site.tile else _nothing_here(index, frame.step)
    lane = thread - frame.first_thread if thread is not None and 0 <= thread - frame.first_thread < WARP else None
    name = names[chosen % len(names)]
    product = product_of(name)
    if product is not None:
        if isinstance(product, GroupProduct):
            return _group_picture(names, name, product, frame, lane)
        return FragmentsPicture(names, name, _product(product), 0, lane, message("D = A × B + C: each lane holds these elements."))
    moves = _MATRICES.fullmatch(name)
    assert moves is not None
    operands = _matrices(int(moves[2]), transposed=bool(moves[3]))
    sentence = {
        "ldmatrix": message("A row is 16 bytes, at the address that one lane gives; its elements go to the lanes that stand in it."),
        "stmatrix": message("A row is 16 bytes, at the address that one lane gives; its elements come from the lanes that stand in it."),
    }[moves[1]]
    givers = tuple(_givers(number, frame.lanes.address.tolist()) for number in range(len(operands)))
    return FragmentsPicture(names, name, operands, 0, lane, sentence, givers=givers)


def _nothing_here(index: LaunchIndex, step: int) -> Message:
    """That a step is no matrix instruction, and which one is; of wmma, none of whose steps is shown, why."""
    other = next_instruction(index, step)
    if other is None:
        return UNSPECIFIED if any(site.tile for site in index.trace.sites) else NOTHING_HERE
    name = instructions_at(index, frame_at(index, other))[0]
    if other < step:
        return message("This step is no matrix instruction. The last one was step {step}: {name}.", step=other + 1, name=name)
    return message("This step is no matrix instruction. The next one is step {step}: {name}.", step=other + 1, name=name)


def _group_picture(names: tuple[str, ...], name: str, product: GroupProduct, frame: Frame, lane: int | None) -> FragmentsPicture:
    """The sums of wgmma that the frame's warp holds, as far as their columns are not the same again."""
    rank = frame.warp % WARPGROUP_WARPS
    sums = _group_sums(product)[rank]
    said = message("Warp {rank} of the warpgroup holds rows {first} to {last} of D, 64 × {columns}; A and B lie in shared memory.",
                   rank=rank, first=sums.row, last=sums.row + WARP_ROWS - 1, columns=product.n)  # fmt: skip
    more = message("Columns 0 to {last} are shown: each 8 columns are held alike.", last=sums.shape[1] - 1) if sums.left_out else None
    first_lane = rank * WARP
    return FragmentsPicture(names, name, (sums,), first_lane, None if lane is None else first_lane + lane, said, more)


@cache
def _group_sums(product: GroupProduct) -> tuple[Operand, ...]:
    """The rows of D of each warp of a warpgroup, up to `MOST_COLUMNS` columns of them."""
    _, sums = wgmma_maps(product.n, product.left, 16 if product.sums == "f16" else 32)
    whole = operand_of("D", "C", "d", product.sums, sums)
    shown = min(product.n, MOST_COLUMNS)
    firsts = (rank * WARP_ROWS for rank in range(WARPGROUP_WARPS))
    parts = ((first, part_of(whole, "D", slice(first, first + WARP_ROWS), slice(0, shown))) for first in firsts)
    return tuple(replace(part, row=first, left_out=product.n - shown) for first, part in parts)


@cache
def _product(product: Product) -> tuple[Operand, ...]:
    """A, B and the sums of mma.sync."""
    a, b, d = mma_maps(product.m, product.n, product.k, product.left, product.sum_bits)
    return (
        operand_of("A", "A", "a", product.left, a),
        operand_of("B", "B", "b", product.right, b),
        operand_of("C, D", "C", "c", product.sums, d),
    )


@cache
def _matrices(count: int, *, transposed: bool) -> tuple[Operand, ...]:
    """The matrices of ldmatrix or stmatrix, each of which is a register."""
    whole = operand_of("", "", "", "b16", matrix_map(count, transposed=transposed))
    rows = (slice(number * GROUP_ROWS, (number + 1) * GROUP_ROWS) for number in range(count))
    return tuple(part_of(whole, f"r{number}", each) for number, each in enumerate(rows))


def _givers(number: int, addresses: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The lanes that give the addresses of a matrix's rows, and these."""
    return tuple((lane, addresses[lane]) for lane in range(number * GROUP_ROWS, (number + 1) * GROUP_ROWS))
