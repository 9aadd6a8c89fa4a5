"""Access sites: every load and store of the generated code goes through one of these, is recorded, and is checked.

The fast path: a site that meets the same base vector and mask again (a loop that walks by uniform offsets) only looks its offset up.
What was found inside, aligned and defined once stays so until the site is told to forget: when the block ends, or when an asynchronous
copy makes shared memory undefined again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.types import Space
from kernels.simt.machine.arithmetic import i64
from kernels.simt.machine.faults import Faults
from kernels.simt.machine.lanes import Mask, Masks
from kernels.simt.machine.log import AccessLog, Base
from kernels.simt.machine.memory import Memory, Region
from kernels.simt.machine.site_plans import Plan, SiteSpec, Vector, Views

Bytes = npt.NDArray[np.uint8]
_MASK64 = (1 << 64) - 1
_MOST_PLANS = 64
"""Plans remembered of one site: gathers make a new one each time."""
_MOST_OFFSETS = 2048
"""Offsets remembered of one plan."""


class AccessSite:
    """One place in the text that accesses memory of one space."""

    def __init__(self, spec: SiteSpec, memory: Memory, log: AccessLog, faults: Faults, masks: Masks) -> None:
        self.spec = spec
        self.item = spec.dtype.itemsize
        self.bytes = self.item * spec.leaves
        self._memory = memory
        self._log = log
        self._faults = faults
        self._masks = masks
        self._bits = np.dtype(f"u{self.item}")
        self._recorded = spec.site.space is not Space.REGISTER
        """Local memory is not traced."""
        self._append: Callable[[tuple[int, int]], None] = log.append if self._recorded else _unrecorded
        self._history = log.history if self._recorded else None
        self._plans: dict[tuple[int, int], Plan] = {}
        self._plan: Plan | None = None

    def forget(self) -> None:
        """What was defined need not be so any more: global and constant memory alone stay as they are."""
        if self.spec.site.space in (Space.GLOBAL, Space.CONSTANT):
            return
        for plan in self._plans.values():
            plan.forget()

    def forget_places(self) -> None:
        """No place needs to be in an array any more."""
        for plan in self._plans.values():
            plan.forget()

    def load(self, base: Base, offset: int, mask: Mask) -> Vector:
        """The item of every active lane; anything elsewhere."""
        plan = self._plan
        if plan is None or plan.base is not base or plan.mask is not mask:
            plan = self._select(base, mask)
        reads = plan.reads.get(offset)
        if reads is None:
            return self._load(plan, offset)[0]
        if self._recorded:
            self._append((plan.case, offset))
        return reads[0]()

    def load_each(self, base: Base, offset: int, mask: Mask) -> list[Vector]:
        """The items of a built-in vector, moved as one access."""
        plan = self._select(base, mask)
        reads = plan.reads.get(offset)
        if reads is None:
            return self._load(plan, offset)
        if self._recorded:
            self._append((plan.case, offset))
        return [read() for read in reads]

    def load_uniform(self, base: Base, offset: int, mask: Mask) -> Any:
        """The item at an address that is the same in all lanes, as a scalar."""
        return self.load(base, offset, mask)[mask.first]

    def store(self, base: Base, offset: int, mask: Mask, *values: Any) -> None:
        """Write one value for each leaf in the active lanes; of lanes at one address the last wins."""
        plan = self._plan
        if plan is None or plan.base is not base or plan.mask is not mask:
            plan = self._select(base, mask)
        views = plan.at.get(offset)
        if views is None:
            if not self._first_store(plan, offset, values):
                return
            views = plan.at[offset]
        row = self._log.count
        self._append((plan.case, offset))
        if not self._recorded:
            for view, value in zip(views, values, strict=True):
                view[plan.active_index] = value[mask.indices] if isinstance(value, np.ndarray) and value.ndim else value
        else:
            self._write(plan, views, values, row)

    def load_item(self, base: Base, offset: int, mask: Mask) -> Bytes:
        """The bytes that the only lane of a mask moves, whose address is the offset."""
        region = self._region_of(offset, defined=True)
        if region is None:
            return np.stack([each[mask.first] for each in self.load_each(base, offset, mask)]).view(np.uint8)
        self._append((self._select(base, mask).case, offset))
        start = offset - region.address
        return region.bytes[start : start + self.bytes].copy()

    def store_item(self, base: Base, offset: int, mask: Mask, data: Bytes) -> None:
        """Write what `load_item` gives."""
        region = self._region_of(offset, defined=False)
        if region is None:
            self.store(base, offset, mask, *data.view(self._bits))
            return
        start, row, plan = offset - region.address, self._log.count, self._select(base, mask)
        place = region.bytes[start : start + self.bytes]
        self._append((plan.case, offset))
        changed = bool((place != data).any())
        place[:] = data
        if region.defined is not None:
            region.defined[start : start + self.bytes] = True
        if self._history is not None:
            self._history.add(row, [place])
        self._log.stored(row, mask if changed else self._masks.none, self._masks.none)

    def update_item(self, base: Base, offset: int, mask: Mask, data: Bytes, change: Callable[[Vector, Vector], Vector]) -> None:
        """Update what `load_item` gives: by the bytes that are there and those that are given to the bytes that will be."""
        row = self._log.count
        region = self._region_of(offset, defined=True)
        self._append((self._select(base, mask).case, offset))
        if region is None:
            region = self._faults.item(self.spec, self._addresses(self._select(base, mask), offset), mask, row)
        if region is None:
            return
        start = offset - region.address
        place = region.bytes[start : start + self.bytes]
        place[:] = change(place.copy(), data)
        if region.defined is not None:
            region.defined[start : start + self.bytes] = True
        if self._history is not None:
            self._history.add(row, [place])

    def _region_of(self, address: int, *, defined: bool) -> Region | None:
        """The array that an item lies in, if nothing about it is wrong, nor undefined where that counts."""
        region = self.spec.region or self._memory.find(address)
        if region is None or region.stride:
            return None
        start = address - region.address
        if start < 0 or start + self.bytes > region.size or start % self.spec.alignment:
            return None
        if (
            region.defined is not None
            and (region.space is Space.GLOBAL or defined)
            and not region.defined[start : start + self.bytes].all()
        ):
            return None
        return region

    def atomic(self, base: Base, offset: int, mask: Mask, update: Callable[..., Vector], operands: tuple[Vector, ...]) -> Vector:
        """Read, update and write in every active lane, in lane order where addresses coincide; what was read."""
        plan = self._select(base, mask)
        row = self._log.count
        if mask:
            self._append((plan.case, offset))
        old = self._faults.atomic(self.spec, self._addresses(plan, offset), mask, update, operands, row)
        if mask:
            self._keep_held(plan, offset, row)
            if self.spec.dtype.kind in "iu" and self._recorded:
                lanes = mask.indices
                before = old[lanes]
                after = np.asarray(update(before, *(operand[lanes] for operand in operands)), before.dtype)
                self._log.updates.add(row, before, after)
        return old

    def check(self, base: Base, offset: int, count: int, mask: Mask) -> None:
        """An index (base + offset) must stay within its dimension of `count`."""
        if offset < 0 or offset + base.span >= count:
            self._faults.check_index(self.spec, base.vector + i64(offset), count, mask)

    def _write(self, plan: Plan, views: Views, values: tuple[Any, ...], row: int) -> None:
        """Write, and record which lanes changed what was there, and which lost against another lane."""
        mask, index, dtype = plan.mask, plan.active_index, self.spec.dtype
        changed = lost = np.zeros(mask.count, np.bool_)
        for view, value in zip(views, values, strict=True):
            new = np.asarray(value, dtype)
            if new.ndim and not mask.full:
                new = new[mask.indices]
            bits, memory = new.view(self._bits), view.view(self._bits)
            changed = changed | (memory.take(index) != bits)
            memory[index] = bits
            if not plan.distinct:
                lost = lost | (memory.take(index) != bits)
        if self._history is not None:
            self._history.add(row, [view.take(index) for view in views])
        self._log.stored(row, self._masks.part(mask, changed), self._masks.part(mask, lost) if not plan.distinct else self._masks.none)

    def _select(self, base: Base, mask: Mask) -> Plan:
        plan = self._plans.get((base.id, mask.id))
        if plan is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            plan = self._plans[base.id, mask.id] = self._new_plan(base, mask)
        self._plan = plan
        return plan

    def _new_plan(self, base: Base, mask: Mask) -> Plan:
        active = base.vector if mask.full else base.vector[mask.indices]
        low = int(active.min()) if mask else 0
        relative = np.where(mask.active, base.vector - low, 0)
        active_index = (active - low) // self.item
        storing = self.spec.site.operation == "store"
        return Plan(
            base, mask, self._log.case(self.spec.number, base, mask), low,
            span=int(active.max()) - low if mask else 0,
            aligned=not (relative % self.spec.alignment).any(),
            index=relative // self.item,
            active_index=active_index,
            distinct=storing and len(np.unique(active_index)) == mask.count,
        )  # fmt: skip

    def _load(self, plan: Plan, offset: int) -> list[Vector]:
        """The first or the second load from an offset: from many, as of a block's shared memory, there is no third."""
        views = plan.at.get(offset)
        if views is None:
            return self._first_load(plan, offset)
        self._append((plan.case, offset))
        reads = plan.reads[offset] = tuple(map(plan.read, views))
        return [read() for read in reads]

    def _first_load(self, plan: Plan, offset: int) -> list[Vector]:
        if not plan.mask:
            return [np.zeros(len(plan.index), self.spec.dtype)] * self.spec.leaves
        row = self._log.count
        self._append((plan.case, offset))
        opened = self._open(plan, offset)
        if opened is None:
            return self._faults.load(self.spec, self._addresses(plan, offset), plan.mask, row)
        views, shadows = opened
        if all(_all_defined(shadow, plan.active_index, self.item) for shadow in shadows):
            plan.at[offset] = views
        else:
            self._faults.report_undefined(self.spec, self._addresses(plan, offset), plan.mask, row)
        return [view.take(plan.index) for view in views]

    def _first_store(self, plan: Plan, offset: int, values: tuple[Any, ...]) -> bool:
        """Whether the fast path can go on: `plan.at` then knows the offset."""
        if not plan.mask:
            return False
        opened = self._open(plan, offset)
        if opened is None:
            row = self._log.count
            self._append((plan.case, offset))
            changed, lost = self._faults.store(self.spec, self._addresses(plan, offset), plan.mask, values, row)
            if self._recorded:
                self._log.stored(row, self._masks.intern(changed), self._masks.intern(lost))
            self._keep_held(plan, offset, row)
            return False
        self._define(plan.active_index, *opened)
        plan.at[offset] = opened[0]
        return True

    def _define(self, index: npt.NDArray[np.int64], views: Views, shadows: Views) -> None:
        """Mark items that are about to be written as defined; in global memory that nobody wrote they hold POISON until then."""
        for view, shadow in zip(views, shadows, strict=False):
            if self.spec.site.space is Space.GLOBAL:
                view.view(self._bits)[index] |= (shadow.take(index) ^ all_set(self.item)) * 0xFF
            shadow[index] = all_set(self.item)

    def _keep_held(self, plan: Plan, offset: int, row: int) -> None:
        """Keep what memory holds after a row that did not go the fast path."""
        if self._history is not None:
            self._history.add(row, [self._faults.held(self.spec, self._addresses(plan, offset), plan.mask)])

    def _open(self, plan: Plan, offset: int) -> tuple[Views, Views] | None:
        """Views of memory and of its shadow that begin at the least address, if all lanes are inside and aligned."""
        first = (offset + plan.low) & _MASK64
        region = self.spec.region or self._memory.find(first)
        if region is None or region.stride or not plan.aligned:
            return self._open_local(plan, first, region)
        return self._views(plan, first - region.address, region)

    def _open_local(self, plan: Plan, first: int, region: Region | None) -> tuple[Views, Views] | None:
        """Return the views of an access where each lane must stay in its own copy of local memory; None where one does not."""
        if region is None or not plan.aligned:
            return None
        start = first - region.address
        inside = plan.active_index * self.item + start - (plan.mask.indices + self._faults.first_lane) * region.stride
        if inside.min() < 0 or inside.max() + self.bytes > region.own:
            return None
        return self._views(plan, start, region)

    def _views(self, plan: Plan, start: int, region: Region) -> tuple[Views, Views] | None:
        if start < 0 or start + plan.span + self.bytes > region.size or (start - self.spec.within) % self.spec.alignment:
            return None
        if len(plan.at) > _MOST_OFFSETS:
            plan.forget()
        begin = start // self.item
        items = region.view(self.spec.dtype)
        views = tuple(items[begin + leaf :] for leaf in range(self.spec.leaves))
        if region.defined is None:
            return views, ()
        shadow = region.defined.view(f"u{self.item}")
        return views, tuple(shadow[begin + leaf :] for leaf in range(self.spec.leaves))

    def _addresses(self, plan: Plan, offset: int) -> npt.NDArray[np.int64]:
        """Byte addresses by lane."""
        return plan.base.vector + i64(offset)


def all_set(item: int) -> int:
    """The shadow of an item whose bytes are all defined."""
    return int.from_bytes(b"\x01" * item, "little")


def _all_defined(shadow: Vector, index: npt.NDArray[np.int64], item: int) -> bool:
    return bool((shadow.take(index) == all_set(item)).all())


def _unrecorded(_row: tuple[int, int]) -> None:
    """Local memory is not traced."""
