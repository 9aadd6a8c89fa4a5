"""Access sites of a launch that follows a schedule with stores that are seen late, or loads of old values."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from kernels.simt.base.types import Space
from kernels.simt.machine.access import AccessSite
from kernels.simt.machine.faults import Faults
from kernels.simt.machine.lanes import Mask, Masks
from kernels.simt.machine.log import AccessLog, Base
from kernels.simt.machine.memory import Memory
from kernels.simt.machine.site_plans import SiteSpec, Vector
from kernels.simt.machine.weak_memory import HeldStore, Places, WeakMemory


class WeakSite(AccessSite):
    """Site that asks before each access what memory is to show."""

    def __init__(self, spec: SiteSpec, memory: Memory, log: AccessLog, faults: Faults, masks: Masks, weak: WeakMemory) -> None:
        super().__init__(spec, memory, log, faults, masks)
        self._weak = weak
        self._seen = spec.site.space in (Space.GLOBAL, Space.SHARED)
        """Whether others see what it accesses."""

    def load(self, base: Base, offset: int, mask: Mask) -> Vector:
        """Load as `load_each` does."""
        return self.load_each(base, offset, mask)[0]

    def load_each(self, base: Base, offset: int, mask: Mask) -> list[Vector]:
        """The items that the lanes are shown."""
        if not mask or not self._seen:
            return super().load_each(base, offset, mask)
        places, row = self._arrive(base, offset, mask), self._log.count
        found = super().load_each(base, offset, mask)
        older = self._older(base, offset, mask, places)
        if self.spec.site.volatile:
            self._weak.synchronised(self.spec.site, places)
        if older is None:
            self._weak.saw((self.spec.number, base.id, mask.id, offset), places)
            return found
        older, missed = older
        self._weak.read(row, older, missed)
        items = older.view(self.spec.dtype)
        for leaf, loaded in enumerate(found):
            found[leaf] = np.array(loaded)
            found[leaf][mask.indices] = items[:, leaf]
        return found

    def store(self, base: Base, offset: int, mask: Mask, *values: Any) -> None:
        """Store now, or later."""
        if not mask or not self._seen:
            super().store(base, offset, mask, *values)
            return
        late = self._weak.holds(self.spec.site)
        if late is None:
            self._store(base, offset, mask, values, self._arrive(base, offset, mask), None)
        else:
            places = self._places(base, offset, mask)
            kept = tuple(np.array(each) if isinstance(each, np.ndarray) else each for each in values)
            self._weak.hold(places, late, partial(self._store, base, offset, mask, kept, places))

    def atomic(self, base: Base, offset: int, mask: Mask, update: Callable[..., Vector], operands: tuple[Vector, ...]) -> Vector:
        """Update what the lanes are shown."""
        if not mask or not self._seen:
            return super().atomic(base, offset, mask, update, operands)
        places, addresses = self._arrive(base, offset, mask), self._addresses(self._select(base, mask), offset)
        before = self._faults.held(self.spec, addresses, mask)
        older = self._older(base, offset, mask, places)
        if older is not None and not self._changes(older[0], mask, update, operands):
            older = None
        if older is None:
            self._weak.saw((self.spec.number, base.id, mask.id, offset), places)
        else:
            self._weak.read(self._log.count, *older)
            self._faults.put(self.spec, addresses, mask, older[0])
        found = super().atomic(base, offset, mask, update, operands)
        self._weak.wrote(places, before, None)
        self._weak.synchronised(self.spec.site, places)
        return found

    def _arrive(self, base: Base, offset: int, mask: Mask) -> Places:
        places = self._places(base, offset, mask)
        self._weak.arrive(places)
        return places

    def _places(self, base: Base, offset: int, mask: Mask) -> Places:
        return self._weak.places(self.spec.site, self._addresses(self._select(base, mask), offset)[mask.indices])

    def _older(self, base: Base, offset: int, mask: Mask, places: Places) -> Any:
        """The bytes of old values that the lanes are shown, and the first rows that they do not see; None where all see what there is."""
        old = self._weak.old(self.spec.site)
        if old is None:
            return None
        found = self._faults.held(self.spec, self._addresses(self._select(base, mask), offset), mask)
        missed = self._weak.older(places, found, old, excluding=self.spec.site.operation == "atomic")
        return None if missed is None else (found, missed)

    def _changes(self, older: Any, mask: Mask, update: Callable[..., Vector], operands: tuple[Vector, ...]) -> bool:
        """Whether an update of old values leaves others there: else it does no more than read."""
        before = older.view(self.spec.dtype)[:, 0]
        return bool((np.asarray(update(before, *(each[mask.indices] for each in operands)), before.dtype) != before).any())

    def _store(self, base: Base, offset: int, mask: Mask, values: tuple[Any, ...], places: Places, held: HeldStore | None) -> None:
        before = self._faults.held(self.spec, self._addresses(self._select(base, mask), offset), mask)
        super().store(base, offset, mask, *values)
        self._weak.wrote(places, before, held)
        if self.spec.site.volatile:
            self._weak.synchronised(self.spec.site, places)
