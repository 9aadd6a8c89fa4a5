"""A launch executed by compiled code, its blocks on all cores, without a record: what it leaves is what the interpreter would leave.

Each core notes for itself what its blocks read and write. Where a block on one core touches what one on another wrote, the order of the
blocks matters, and one core executes all of them in the order of their numbers. Where something is not as it should be, memory is as it
was before, and the reason is given: the interpreter then says what is wrong.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.launch import Dim3
from kernels.simt.base.layout import leaves, size_of
from kernels.simt.base.types import Location
from kernels.simt.generate.provenance import Provenance, Roots
from kernels.simt.generate.walk import descendants
from kernels.simt.host.arena import GRANULE, ON_DEVICE, Arena, ArenaAllocation, Home, reserve
from kernels.simt.host.thread_code import BlockCode, compile_blocks
from kernels.simt.host.threads import FIELD, FIELDS, NotCompiled, Plan
from kernels.simt.lower.kernel import room_for_recursion
from kernels.simt.machine.memory import Memory, Region
from kernels.simt.trace.trace import WARP

MOST_CORES = 8
MOST_KEPT = 1 << 30
"""Bytes, at most, of copies and tags of the arrays that a launch may write."""
TAG = 4
"""Bytes of a tag; each unit of memory has two."""
FRAMES = 1 << 27
"""Bytes of address space for what the threads of a block keep while they wait."""
GAP = 64
"""Bytes between two variables in shared memory, so that a small step out of one is seen."""
CHUNK_S = 0.1
"""How long a core works before it looks up."""
TOO_MUCH = message("The kernel is more than can be compiled.")
Told = Callable[[int], None]
_WORD = (1 << 64) - 1
_NOTHING = np.zeros(0, np.bool_)
_REASONS = (
    message("An access leaves its array, or is not aligned."),
    message("An index leaves its dimension."),
    message("Something is read that nobody wrote."),
    message("The outcome hangs on the order of threads, or on what nobody wrote."),
    message("An assertion does not hold."),
    message("Threads of a block wait at different barriers."),
)


@dataclass(slots=True)
class _Core:
    """What one core is told, with the memory that it has for itself."""

    told: npt.NDArray[np.uint64]
    reads: npt.NDArray[np.uint32]
    writes: npt.NDArray[np.uint32]
    first: int
    """The first address that has a tag."""
    orders: npt.NDArray[Any]
    """Of each place that threads come to in their order, who came last."""
    held: tuple[object, ...] = ()

    def tags(self, region: Region, unit: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Give the tags of an array: of what was read, of what was written."""
        first = region.address // unit - self.first // unit
        part = slice(first, first + -(-region.size // unit))
        return self.reads[part], self.writes[part]


class Grids:
    """Makes launches of one program into code; what was made is kept."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self._codes: dict[object, BlockCode | Message] = {}
        self._rooms: dict[tuple[str, int], ArenaAllocation] = {}

    def prepare(self, kernel: ir.Kernel, memory: Memory, block: Dim3, dynamic: int, given: Sequence[int]) -> Grid | Message:
        """Make the code of a launch, or say why there is none. `memory` is for this alone; `given` are the arguments' bits."""
        plan, pattern = _plan(kernel, memory, block, dynamic, given)
        key = (kernel.entry, block, pattern, tuple(region in plan.full for region in plan.regions))
        if key not in self._codes:
            self._codes[key] = _code(plan)
        code = self._codes[key]
        if isinstance(code, Message):
            return code
        made = code.plan
        written = [now for now, then in zip(plan.regions, made.regions, strict=True) if then in made.written]
        if made.anywhere:
            written = [each for each in memory.regions if each.space is ir.Space.GLOBAL]
        grid = Grid(self, code, plan, tuple(dict.fromkeys(written)), dynamic, given)
        size = sum(region.size for region in grid.written)
        kept = size + 2 * TAG * size // made.unit
        return message("It may write {bytes} MiB.", bytes=size >> 20) if kept > MOST_KEPT else grid

    def room(self, what: str, core: int, size: int) -> int:
        """Find memory of the device that a core has for its blocks."""
        found = self._rooms.get((what, core))
        if found is None or found.bytes < size:
            found = self.arena.allocate(Home.SYMBOL, max(size, 1), Location(0, 0), what)
            if found is None:
                raise MemoryError
            self._rooms[what, core] = found
        return found.address

    def is_room(self, allocation: ArenaAllocation) -> bool:
        """Say whether an allocation is such memory."""
        return any(each is allocation for each in self._rooms.values())


def _code(plan: Plan) -> BlockCode | Message:
    try:
        with room_for_recursion():
            return compile_blocks(plan)
    except NotCompiled as refused:
        return refused.reason
    except (RecursionError, RuntimeError, AssertionError):  # what Python, LLVM and the emitter say of what they do not take
        return TOO_MUCH


def _plan(kernel: ir.Kernel, memory: Memory, block: Dim3, dynamic: int, given: Sequence[int]) -> tuple[Plan, tuple[int, ...]]:
    """Say where everything is, and which pointers lead into the same array."""
    roots: dict[ir.Variable, Roots] = {}
    regions: dict[Region, int] = {}
    pattern: list[int] = []
    bits = iter(given)
    for parameter in kernel.parameters:
        found: set[Region] | None = set()
        for _, kind, _ in leaves(parameter.type):
            address = next(bits) & _WORD
            if not isinstance(kind, ir.Pointer):
                continue
            region = memory.find(address)
            pattern.append(-1 if region is None else regions.setdefault(region, len(regions)))
            if region is None:
                found = None if address else found
            elif found is not None:
                found.add(region)
        roots[parameter] = None if found is None else frozenset(found)
    places = {each: memory.allocate_variable(each) for each in kernel.globals if each.space is not ir.Space.SHARED}
    symbols = {variable: region.address for variable, region in places.items()}
    for region in places.values():
        regions.setdefault(region, len(regions))
    places |= memory.share((each for each in kernel.globals if each.space is ir.Space.SHARED), dynamic).by_variable
    places |= {each: memory.allocate_local(each, 1) for each in _addressed(kernel)}
    full = frozenset(each for each in regions if each.defined is None or bool(each.defined[: each.size].all()))
    plan = Plan(kernel, block, tuple(regions), full, _offsets(kernel), Provenance(kernel, roots, places), places, symbols)
    return plan, tuple(pattern)


def _addressed(kernel: ir.Kernel) -> list[ir.Variable]:
    found = {each: None for each in kernel.parameters if each.addressed}
    for node in descendants(kernel.body):
        if isinstance(node, ir.Declare | ir.Whole) and node.variable.addressed and node.variable.space is ir.Space.REGISTER:
            found[node.variable] = None
    return list(found)


def _offsets(kernel: ir.Kernel) -> dict[ir.Variable, int]:
    """Lay out shared memory: the dynamic arrays all begin behind the others."""
    offsets: dict[ir.Variable, int] = {}
    end = 0
    shared = [each for each in kernel.globals if each.space is ir.Space.SHARED]
    for variable in sorted(shared, key=lambda each: each.dynamic):
        offsets[variable] = end
        if not variable.dynamic:
            end = -(-(end + size_of(variable.type) + GAP) // GRANULE) * GRANULE
    return offsets


@dataclass(slots=True, eq=False)
class Grid:
    """One launch that can be executed. `written` are the arrays that it may write."""

    grids: Grids
    code: BlockCode
    plan: Plan
    written: tuple[Region, ...]
    dynamic: int
    given: Sequence[int]
    changed: list[Region] = field(default_factory=list)
    """Arrays that it has written."""

    def execute(self, grid: Dim3, before: Before, tell: Told) -> Message | None:
        """Execute all blocks; None, or why the interpreter has to: memory is as it was before then. `tell` is told how many are done."""
        alone = self.code.plan.updates or prod(grid) == 1
        counts = [1] if alone or cores() == 1 else [cores(), 1]
        reason: Message | None = None
        for count in counts:
            run = _Run(self, grid, count, tell)
            reason = run.execute()
            if reason is None and not run.collides():
                run.note()
                return None
            before.restore()
            if reason is not None:
                break
        return reason


class Before:
    """The arrays that a launch may write, as they are before it."""

    def __init__(self, written: Iterable[Region]) -> None:
        self._kept = [(region, region.bytes.copy(), None if region.defined is None else region.defined.copy()) for region in written]

    def restore(self) -> None:
        """Let them be as they were."""
        for region, data, defined in self._kept:
            region.bytes[:] = data
            if defined is not None and region.defined is not None:
                region.defined[:] = defined


def cores() -> int:
    """Count the cores that blocks are spread over."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST_CORES)


class _Run:
    """One execution of all blocks, in the order of their numbers on each core."""

    def __init__(self, grid: Grid, shape: Dim3, count: int, tell: Told) -> None:
        self._grid = grid
        self._shape = shape
        self._blocks = prod(shape)
        self._tell = tell
        self._next = self._done = 0
        self._lock = threading.Lock()
        self._fault = 0
        self._unit = grid.code.plan.unit
        offsets = [*grid.plan.offsets.items()]
        ends = [offset + (grid.dynamic if each.dynamic else size_of(each.type)) for each, offset in offsets]
        self._shared = -(-max(ends, default=0) // GRANULE) * GRANULE
        self._rooms = [self._room(number) for number in range(count)]
        self._cores = [self._core(number) for number in range(count)]

    def _room(self, number: int) -> tuple[int, int]:
        plan, room = self._grid.code.plan, self._grid.grids.room
        return room("shared", number, self._shared), room("local", number, plan.local * plan.threads)

    def _core(self, number: int) -> _Core:
        """Tell a core all that it has to know."""
        plan, arena = self._grid.code.plan, self._grid.grids.arena
        base, span = arena.device
        units = span // self._unit + 64
        reads, writes = (np.frombuffer(reserve(4 * units), np.uint32) for _ in range(2))
        frames = np.frombuffer(reserve(FRAMES if plan.waits else GRANULE), np.uint8)
        lanes = -(-plan.threads // WARP) * WARP
        arrays: dict[str, npt.NDArray[Any]] = {name: np.zeros(lanes, np.uint64) for name in ("handles", "values", "taken")}
        arrays |= {name: np.zeros(lanes, np.uint32) for name in ("status", "predicates", "names", "present", "ballots")}
        arrays["orders"] = np.zeros(plan.tags, np.uint32)
        allowed, defined = self._granules(base, span) if plan.reaches else (np.zeros(1, np.uint8), np.zeros(1, np.uint8))
        fields = {
            "epoch": 1, "reads": reads.ctypes.data - base // self._unit * 4, "writes": writes.ctypes.data - base // self._unit * 4,
            "shared": self._rooms[number][0], "local": self._rooms[number][1], "frames": frames.ctypes.data,
            "frames_end": frames.ctypes.data + len(frames), "shared_bytes": self._shared, "dynamic": self._grid.dynamic, "base": base,
            "span": span, "allowed": allowed.ctypes.data - base // GRANULE, "defined": defined.ctypes.data - base // GRANULE,
            **dict(zip(("grid_x", "grid_y", "grid_z"), self._shape, strict=True)),
            **{name: each.ctypes.data for name, each in arrays.items()},
        }  # fmt: skip
        numbers = [fields.get(name, 0) for name in FIELDS[:-1]] + [*self._grid.given, *self._arrays()]
        words = np.array([each & _WORD for each in numbers], np.uint64)
        return _Core(words, reads, writes, base, arrays["orders"], (*arrays.values(), frames, allowed, defined))

    def _arrays(self) -> list[int]:
        found = []
        for region in self._grid.plan.regions:
            flags = 0 if region.defined is None else region.defined.ctypes.data - region.address
            found += [region.address, region.address + region.size, flags]
        return found

    def _granules(self, base: int, span: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Say of each 16 bytes how many from the first are in an array, and how many where all of them were written."""
        allowed, defined = (np.zeros(span // GRANULE + 2, np.uint8) for _ in range(2))
        grids = self._grid.grids
        known = [(each.address, each.bytes, each.defined) for each in grids.arena.all
                 if each.freed is None and each.home in ON_DEVICE and not grids.is_room(each)]  # fmt: skip
        for shared, _ in self._rooms:
            for variable, offset in self._grid.plan.offsets.items():
                known.append((shared + offset, self._grid.dynamic if variable.dynamic else size_of(variable.type), _NOTHING))
        for address, size, flags in known:
            first, (whole, rest) = (address - base) // GRANULE, divmod(size, GRANULE)
            part = slice(first, first + whole)
            allowed[part] = GRANULE
            allowed[first + whole] = rest
            if flags is None:
                defined[part], defined[first + whole] = GRANULE, rest
            elif flags is not _NOTHING:
                defined[part] = flags[: whole * GRANULE].reshape(-1, GRANULE).all(axis=1) * GRANULE
                defined[first + whole] = rest if flags[whole * GRANULE : size].all() else 0
        return allowed, defined

    def execute(self) -> Message | None:
        """Execute; None, or what is not as it should be."""
        others = [threading.Thread(target=self._work, args=(core,), daemon=True) for core in self._cores[1:]]
        for each in others:
            each.start()
        self._work(self._cores[0])
        for each in others:
            each.join()
        return _REASONS[self._fault - 1] if self._fault else None

    def _work(self, core: _Core) -> None:
        """Execute blocks until there are none left, or something is wrong."""
        most, at = 1, core.told.ctypes.data
        while not self._fault:
            with self._lock:
                first, count = self._next, min(most, self._blocks - self._next)
                self._next += count
            if count == 0:
                return
            began = time.monotonic()
            end = first + count
            while first < end:
                first += self._grid.code.run(at, first, end - first)
                if core.told[FIELD["fault"]]:
                    self._fault = int(core.told[FIELD["fault"]])
                    return
                if first < end:
                    self._begin_anew(core)
            most = max(1, min(2 * count, int(count * CHUNK_S / max(time.monotonic() - began, 1e-6))))
            with self._lock:
                self._done += count
                self._tell(self._done)

    def _begin_anew(self, core: _Core) -> None:
        """Count the intervals from the first again: what has a tag keeps one."""
        for region in self._grid.written:
            for tags in core.tags(region, self._unit):
                tags[tags != 0] = 1
        core.orders[:] = 0
        core.told[FIELD["epoch"]] = 2

    def collides(self) -> bool:
        """Say whether blocks on one core touched what blocks on another wrote."""
        if len(self._cores) == 1:
            return False
        for region in self._grid.written:
            touched: npt.NDArray[Any] = np.zeros(-(-region.size // self._unit), np.uint8)
            wrote: npt.NDArray[Any] = np.zeros(len(touched), np.bool_)
            for core in self._cores:
                reads, writes = core.tags(region, self._unit)
                touched += (reads | writes) != 0
                wrote |= writes != 0
            if bool((wrote & (touched > 1)).any()):
                return True
        return False

    def note(self) -> None:
        """Note what was written."""
        for region in self._grid.written:
            wrote: npt.NDArray[Any] = np.zeros(-(-region.size // self._unit), np.bool_)
            for core in self._cores:
                wrote |= core.tags(region, self._unit)[1] != 0
            if region.defined is not None:
                region.defined[: region.size] |= np.repeat(wrote, self._unit)[: region.size]
            if wrote.any():
                self._grid.changed.append(region)
