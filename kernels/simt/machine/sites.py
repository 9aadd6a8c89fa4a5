"""The access sites of a launch: of generated code, of calls of CUDA functions, and of pointers that may reach several spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.layout import scalar_dtype
from kernels.simt.base.types import ThreadScope
from kernels.simt.base.windows import LOCAL_WINDOW, SHARED_WINDOW
from kernels.simt.frontend.declared_functions import BLOCK_SCOPE, KNOWN, SYSTEM_SCOPE, Known
from kernels.simt.ir import Call, Location, Pointer, Scalar, Space
from kernels.simt.machine.access import AccessSite
from kernels.simt.machine.arithmetic import i64
from kernels.simt.machine.faults import Faults
from kernels.simt.machine.lanes import Lanes, Mask, Masks
from kernels.simt.machine.log import AccessLog, Base
from kernels.simt.machine.memory import Memory, Region
from kernels.simt.machine.site_plans import SiteSpec, Vector
from kernels.simt.machine.weak_memory import WeakMemory
from kernels.simt.machine.weak_sites import WeakSite
from kernels.simt.trace.trace import WARP, Site

ALIGNED = 16
"""Bytes that a wider access need be aligned to."""
_SPACES = (Space.GLOBAL, Space.SHARED, Space.REGISTER)


class Sites:
    """Makes and numbers access sites."""

    def __init__(self, memory: Memory, log: AccessLog, faults: Faults, masks: Masks) -> None:
        self.memory = memory
        self._log = log
        self._faults = faults
        self._masks = masks
        self._sites: list[AccessSite] = []
        self.table: list[Site] = []
        """As in `Trace.sites`."""
        self.weak: WeakMemory | None = None
        """What sites that are added from now on ask before they access memory."""

    def add(self, spec: SiteSpec) -> AnySite:
        """A site as the generator describes it; its number is given here."""
        if spec.region is None:
            return AnywhereSite(spec, self._add, self._masks)
        return self._add(spec)

    def turn(self, lanes: Lanes) -> None:
        """The rows that follow are of these lanes."""
        self._faults.lanes = lanes
        self._log.turn(lanes.start // WARP)

    def forget(self) -> None:
        """A new block begins."""
        for site in self._sites:
            site.forget()

    def forget_places(self) -> None:
        """An allocation is gone."""
        for site in self._sites:
            site.forget_places()

    def undefine(self, addresses: npt.NDArray[np.int64], size: int) -> None:
        """`size` bytes at each of these places in shared memory count as not written; places that cannot be written stay as they are."""
        for region, which in self.memory.find_each(addresses).items():
            if region.space is Space.SHARED and region.defined is not None:
                start = addresses[which] - region.address
                good = (start + size <= region.size) & (start % size == 0)
                region.defined[start[good, None] + np.arange(size)] = False
        for site in self._sites:
            if site.spec.site.space is Space.SHARED:
                site.forget()

    def _add(self, spec: SiteSpec) -> AccessSite:
        given = replace(spec, number=len(self.table)), self.memory, self._log, self._faults, self._masks
        site = AccessSite(*given) if self.weak is None else WeakSite(*given, self.weak)
        self.table.append(spec.site)
        self._sites.append(site)
        return site


class AnywhereSite:
    """A site whose pointer may point into any space: one access site for each space that it meets."""

    def __init__(self, spec: SiteSpec, add: Callable[[SiteSpec], AccessSite], masks: Masks) -> None:
        self._spec = spec
        self._add = add
        self._masks = masks
        self._sites: dict[Space, AccessSite] = {}

    def load(self, base: Base, offset: int, mask: Mask) -> Vector:
        """Load as `AccessSite.load` does."""
        return self.load_each(base, offset, mask)[0]

    def load_each(self, base: Base, offset: int, mask: Mask) -> list[Vector]:
        """Load as `AccessSite.load_each` does."""
        result = [np.zeros(len(base.vector), self._spec.dtype)] * self._spec.leaves
        for part, (site, lanes) in enumerate(self._parts(base, offset, mask)):
            loaded = site.load_each(base, offset, lanes)
            result = loaded if not part else [np.where(lanes.active, new, old) for new, old in zip(loaded, result, strict=True)]
        return result

    def load_uniform(self, base: Base, offset: int, mask: Mask) -> Any:
        """Load as `AccessSite.load_uniform` does."""
        return self.load(base, offset, mask)[mask.first]

    def store(self, base: Base, offset: int, mask: Mask, *values: Any) -> None:
        """Store as `AccessSite.store` does."""
        for site, lanes in self._parts(base, offset, mask):
            site.store(base, offset, lanes, *values)

    def load_item(self, base: Base, offset: int, mask: Mask) -> npt.NDArray[np.uint8]:
        """Load as `AccessSite.load_item` does."""
        return self._of_item(offset).load_item(base, offset, mask)

    def store_item(self, base: Base, offset: int, mask: Mask, data: npt.NDArray[np.uint8]) -> None:
        """Store as `AccessSite.store_item` does."""
        self._of_item(offset).store_item(base, offset, mask, data)

    def update_item(
        self, base: Base, offset: int, mask: Mask, data: npt.NDArray[np.uint8], change: Callable[[Vector, Vector], Vector]
    ) -> None:
        """Update as `AccessSite.update_item` does."""
        self._of_item(offset).update_item(base, offset, mask, data, change)

    def _of_item(self, address: int) -> AccessSite:
        return self._site(_SPACES[(address >= SHARED_WINDOW) + (address >= LOCAL_WINDOW)])

    def atomic(self, base: Base, offset: int, mask: Mask, update: Callable[..., Vector], operands: tuple[Vector, ...]) -> Vector:
        """Update as `AccessSite.atomic` does."""
        result = np.zeros(len(base.vector), self._spec.dtype)
        for site, lanes in self._parts(base, offset, mask):
            result = np.where(lanes.active, site.atomic(base, offset, lanes, update, operands), result)
        return result

    def check(self, base: Base, offset: int, count: int, mask: Mask) -> None:
        """Check as `AccessSite.check` does."""
        self._site(Space.GLOBAL).check(base, offset, count, mask)

    def _parts(self, base: Base, offset: int, mask: Mask) -> Iterator[tuple[AccessSite, Mask]]:
        """The lanes by the space that their addresses lie in."""
        if not mask:
            return
        addresses = base.vector + i64(offset)
        space = (addresses >= SHARED_WINDOW).astype(np.int8) + (addresses >= LOCAL_WINDOW)
        found = np.unique(space[mask.indices])
        for each in found:
            yield self._site(_SPACES[each]), mask if len(found) == 1 else self._masks.where(space == each, mask)

    def _site(self, space: Space) -> AccessSite:
        site = self._sites.get(space)
        if site is None:
            site = self._sites[space] = self._add(replace(self._spec, site=replace(self._spec.site, space=space)))
        return site


AnySite = AccessSite | AnywhereSite


class CallSites:
    """The sites of accesses that CUDA functions make. `targets` are the regions that a call's first pointer can only point into."""

    def __init__(self, sites: Sites, targets: Mapping[int, Region | None]) -> None:
        self._sites = sites
        self._targets = targets
        self._found: dict[tuple[int, str, Scalar | Pointer], AnySite] = {}
        self._copies: dict[tuple[int, str, int], AnySite] = {}

    def find(self, call: Call, operation: str, scalar: Scalar | Pointer) -> AnySite:
        """The site of such an access in a call."""
        key = (id(call), operation, scalar)
        site = self._found.get(key)
        if site is None:
            site = self._found[key] = self._sites.add(self._spec(call, operation, scalar))
        return site

    def find_copy(self, call: Call, operation: str, size: int) -> AnySite:
        """The site at which a call that copies moves `size` bytes (1, 2, 4, 8, 16 or 128) in each lane."""
        site = self._copies.get((id(call), operation, size))
        if site is None:
            item = np.dtype(f"u{min(size, 8)}")
            region = self._targets.get(id(call)) if operation == "store" else None
            space, number = (region.space, region.number) if region is not None else (Space.GLOBAL, -1)
            described = Site(operation, space, size, number, call.location, f"{call.name}(...)", function=call.name, piece=True)
            site = self._sites.add(SiteSpec(described, item, size // item.itemsize, region, -1, min(size, ALIGNED)))
            self._copies[id(call), operation, size] = site
        return site

    def turn(self, lanes: Lanes) -> None:
        """Go on for other lanes as `Sites.turn` does."""
        self._sites.turn(lanes)

    def undefine(self, addresses: npt.NDArray[np.int64], size: int) -> None:
        """Make memory undefined as `Sites.undefine` does."""
        self._sites.undefine(addresses, size)

    def bytes_at(self, address: int, size: int) -> npt.NDArray[np.uint8] | None:
        """Look at bytes of any memory; None where they are not in one array."""
        region = self._sites.memory.find(address)
        if region is None or address - region.address + size > len(region.bytes):
            return None
        return region.bytes[address - region.address : address - region.address + size]

    def zero_if_undefined(self, address: int, size: int) -> None:
        """Make bytes that nobody has written zeros."""
        region = self._sites.memory.find(address)
        if region is None or region.defined is None:
            return
        part = slice(address - region.address, address - region.address + size)
        if not region.defined[part].all():
            region.bytes[part], region.defined[part] = 0, True

    def peek(self, addresses: npt.NDArray[np.int64], bits: int) -> npt.NDArray[Any]:
        """Look into shared memory as `Memory.peek` does."""
        return self._sites.memory.peek(addresses, bits)

    def take(self, size: int, location: Location) -> int:
        """Allocate on the device's heap."""
        return self._sites.memory.take(size, location)

    def give_back(self, address: int, location: Location) -> bool:
        """Free what was allocated: what sites know of places that are good is known no more."""
        done = self._sites.memory.give_back(address, location)
        if done:
            self._sites.forget_places()
        return done

    def _spec(self, call: Call, operation: str, scalar: Scalar | Pointer) -> SiteSpec:
        # Only an atomic's first pointer is what it accesses; a tile's or a copy's first one is the fragment or the target.
        region = self._targets.get(id(call)) if operation == "atomic" else None
        dtype = np.dtype(np.int64) if isinstance(scalar, Pointer) else scalar_dtype(scalar)
        space, number = (region.space, region.number) if region is not None else (Space.GLOBAL, -1)
        tile = KNOWN.get(call.name) is Known.TILE
        text = _text(call, operation)
        site = Site(operation, space, dtype.itemsize, number, call.location, text, tile, call.name, thread_scope(call.name))
        return SiteSpec(site, dtype, 1, region, -1)


def thread_scope(function: str) -> ThreadScope:
    """Return the threads that an atomic function excludes, as its name says."""
    if function.endswith(BLOCK_SCOPE):
        return ThreadScope.BLOCK
    return ThreadScope.SYSTEM if function.endswith(SYSTEM_SCOPE) else ThreadScope.DEVICE


def _text(call: Call, operation: str) -> str:
    """What a call accesses: of an atomic the place as written, else the call."""
    target = call.arguments[0] if operation == "atomic" else None
    place = getattr(target, "place", None)
    return getattr(place, "text", "") or f"{call.name}(...)"
