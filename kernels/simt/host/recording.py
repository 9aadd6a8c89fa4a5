"""Which launches are recorded: small ones whole; of large ones the first of its kind, a block of each kind.

A launch is small whose record has up to `Limits.recorded` rows: a block of each kind tells it of large grids, else it is tried. Where one
turns out to be large, memory is made what it was before, and compiled code executes all of it without a record. So it does where many of
its kind were recorded before. Where that is not possible, the interpreter does, which records the first blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from math import prod

import numpy as np

from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.launch import Budget, Dim3, Mode
from kernels.simt.frontend.declared_functions import KNOWN, Known
from kernels.simt.generate.generated_kernel import Number
from kernels.simt.generate.kernel_cache import KernelCache
from kernels.simt.generate.waiting_loops import may_wait
from kernels.simt.host.child_races import Touched, touched_by
from kernels.simt.host.device_memory import DeviceMemory
from kernels.simt.host.grids import Before, Grids
from kernels.simt.host.machine import Machine
from kernels.simt.host.result import Launched, Progress
from kernels.simt.lower.lvalues import nodes
from kernels.simt.machine.memory import HEAP_BYTES
from kernels.simt.run.block_execution import run
from kernels.simt.run.child_launches import ChildLaunches, Refuse
from kernels.simt.run.drivers import Stalled
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import Finding, Trace

TRIAL_S = 3.0
"""How long it may be tried whether a launch is small: a kernel that computes much and accesses little has few rows."""
LIGHT_BYTES = 64 << 20
FEW = 32
"""Blocks, at most, of a grid that is tried at once; of larger ones a block of each kind is executed first, and tells of all."""
A_ROW = 80
"""Accesses of threads, for each row that a small launch may have: so many may it have in all, and so many may all launches together have
that are recorded though one of their kind was before."""
Elements = dict[int, tuple[str, ir.Type | None]]


@dataclass(frozen=True, slots=True)
class Performed:
    """Effects of a launch. `written` and `read` are the addresses of the arrays that it wrote and read, as far as that was recorded;
    `recorded` the blocks whose accesses were, `thread_accesses` those of single threads; `accesses` and `flops` are of all blocks, reckoned
    from those where not all were recorded. `compiled` is whether compiled code executed it; `why_not`, of a large one, why not."""

    findings: tuple[Finding, ...]
    printed: tuple[str, ...]
    written: frozenset[int]
    read: frozenset[int]
    recorded: int
    accesses: int
    flops: int
    wild: bool = False
    compiled: bool = False
    why_not: Message | None = None
    thread_accesses: int = 0
    children: ChildLaunches = field(default_factory=ChildLaunches)
    """What its threads launched."""
    touched: Touched | None = None
    """What it accessed, where it was recorded whole and launches of kernels are about."""
    traces: tuple[Trace, ...] = ()
    """What was recorded of it, each whole: of all blocks, or of one."""


class Launching:
    """A launch about to be executed: `values` are its arguments, `given` their bits; `elements` say what lies where they point, `refuse`
    what the launches of its threads cannot be."""

    def __init__(
        self, machine: Machine, kernel: ir.Kernel, done: Launched, values: Sequence[Number], given: Sequence[int], elements: Elements,
        refuse: Refuse,
    ) -> None:  # fmt: skip
        self._machine = machine
        self._kernel = kernel
        self._done = done
        self._values = tuple(values)
        self._given = given
        self._elements = elements
        self._refuse = refuse
        self._limits = machine.job.limits
        self._grids: Grids = machine.kept.setdefault("grids", Grids(machine.arena))
        self._large: set[object] = machine.kept.setdefault("large", set())
        self._kind = done.entry, done.grid, done.block, done.shared_bytes
        self._small: dict[object, Performed] = machine.kept.setdefault("small", {})
        """Of each kind that was recorded whole, what it did last."""
        self._sampled: Performed | None = None

    def perform(self) -> Performed:
        """Execute it, in the way that suits it. Raises Unsupported."""
        if _once(self._kernel):
            return self._interpreted()
        done, untried = self._done, self._is_worth_it()
        light = untried and self._is_light()
        if light and (small := self._tried(Before(self._memory().regions))) is not None:
            return small
        grid = self._grids.prepare(self._kernel, self._memory(), done.block, done.shared_bytes, self._given)
        if isinstance(grid, Message):
            found = self._interpreted()
            return replace(found, why_not=grid) if found.recorded < prod(done.grid) else found
        before = Before(grid.written)
        if untried and not light and (small := self._tried(before)) is not None:
            return small
        self._large.add(self._kind)
        sample = self._sample(before) if untried else self._machine.kept.get(self._kind) or self._small.get(self._kind)
        reason = grid.execute(done.grid, before, self._tell)
        if reason is not None:
            return replace(self._interpreted(), why_not=reason)
        written = frozenset(region.address for region in grid.changed)
        read = sample.read if sample is not None else written
        rows, flops = (sample.accesses, sample.flops) if sample is not None else (0, 0)
        mine = sample if sample is not None and untried else Performed((), (), frozenset(), frozenset(), 0, 0, 0)
        threads, traces = mine.thread_accesses, mine.traces
        return Performed((), (), written, read, mine.recorded, rows, flops, compiled=True, thread_accesses=threads, traces=traces)

    def _is_worth_it(self) -> bool:
        """Say whether to try if it is small: one of its kind was not large, nor were many recorded already."""
        last = self._small.get(self._kind)
        if last is not None:
            again: int = self._machine.kept.get("again", 0)
            return again + last.thread_accesses <= A_ROW * self._limits.recorded
        return self._kind not in self._large and bool(self._limits.recorded)

    def _is_light(self) -> bool:
        """Say whether all that the launch can write is soon copied: it can then be tried before it is compiled."""
        variables = any(each.space not in (ir.Space.SHARED, ir.Space.CONSTANT) for each in self._kernel.globals)
        return not variables and sum(region.size for region in self._memory().regions) <= LIGHT_BYTES

    def _tried(self, before: Before) -> Performed | None:
        """Record the launch whole, if it is small; else memory is as it was before."""
        if self._kind not in self._small and prod(self._done.grid) > FEW and not may_wait(self._kernel.body) and self._seems_large(before):
            return None
        tried = self._interpreted(Budget(min(TRIAL_S, self._limits.seconds), self._limits.recorded, 4 << 40))
        if any(each.kind is FindingKind.BUDGET_EXCEEDED for each in tried.findings):
            before.restore()
            return None
        if self._kind in self._small:
            self._machine.kept["again"] = self._machine.kept.get("again", 0) + tried.thread_accesses
        self._small[self._kind] = replace(tried, printed=(), children=ChildLaunches(), touched=None, traces=())
        return tried

    def _seems_large(self, before: Before) -> bool:
        """Reckon from a block of each kind whether the launch is large."""
        most, kinds = self._limits.recorded, len(kinds_of_blocks(self._done.grid))
        sample = self._sampled = self._sample(before)
        return sample.accesses > most or sample.thread_accesses * prod(self._done.grid) > A_ROW * most * kinds

    def _memory(self) -> DeviceMemory:
        return DeviceMemory(
            self._machine.arena, self._elements, self._machine.kept.setdefault("symbols", {}), self._machine.kept.get("heap", HEAP_BYTES)
        )

    def _interpreted(self, budget: Budget | None = None, blocks: tuple[int, ...] | None = None) -> Performed:
        """Let the interpreter execute it."""
        before = Before(self._memory().regions) if may_wait(self._kernel.body) else None
        try:
            return self._run(Mode.BLOCK, budget, blocks)
        except Stalled:
            assert before is not None
            before.restore()
            return self._run(Mode.WARP, budget, None)

    def _run(self, mode: Mode, budget: Budget | None, blocks: tuple[int, ...] | None) -> Performed:
        memory, done, limits, children = self._memory(), self._done, self._limits, ChildLaunches(self._refuse)
        trace = run(
            self._kernel, memory, self._values, done.grid, done.block, blocks=blocks, shared_bytes=done.shared_bytes, mode=mode,
            budget=budget or Budget(limits.seconds, 1 << 62, 4 << 40), source=self._machine.job.text, recorded_rows=limits.rows,
            children=children, kernel_cache=self._machine.kept.setdefault("kernel cache", KernelCache()), gpu=self._machine.job.device.gpu,
        )  # fmt: skip
        rows, printed = len(trace.rows.site), tuple(each.text for each in trace.printed)
        recorded = len(trace.blocks) if rows <= limits.rows else len(np.unique(trace.rows.block))
        written, read = _reached(trace)
        threads = int(trace.masks.sum(axis=1)[trace.rows.mask].sum()) if rows else 0
        touched = touched_by(trace) if (children.made or done.parent is not None) and rows <= limits.rows else None
        return Performed(
            trace.findings, printed, written, read, recorded, rows, trace.flops, memory.wild, thread_accesses=threads, children=children,
            touched=touched, traces=(trace,) if rows <= limits.rows else (),
        )  # fmt: skip

    def _sample(self, before: Before) -> Performed:
        """Record a block of each kind, and reckon from them what all do; memory is as it was before."""
        if self._sampled is not None:
            return self._sampled
        kinds = kinds_of_blocks(self._done.grid)
        budget = Budget(min(TRIAL_S, self._limits.seconds) / len(kinds), self._limits.recorded, 4 << 40)
        rows = flops = recorded = threads = 0
        read, traces = frozenset[int](), list[Trace]()
        for block, alike in kinds.items():
            found = self._interpreted(budget, (block,))
            recorded, read = recorded + (not found.findings), read | found.read
            rows, flops = rows + alike * found.accesses, flops + alike * found.flops
            threads += found.thread_accesses
            traces += found.traces
        before.restore()
        sample = Performed((), (), frozenset(), read, recorded, rows, flops, thread_accesses=threads)
        self._machine.kept[self._kind] = sample
        return replace(sample, traces=tuple(traces))

    def _tell(self, blocks: int) -> None:
        self._machine.tell(Progress(self._done.entry, self._done.location, blocks, prod(self._done.grid)))


def _once(kernel: ir.Kernel) -> bool:
    """Say whether a kernel allocates or launches: what it made stays, and there is no second try."""
    allocates = (isinstance(each, ir.Call) and KNOWN.get(each.name) is Known.HEAP for each in nodes(kernel.body))
    return any(allocates) or any(isinstance(each, ir.Launch) for each in nodes(kernel.body))


def kinds_of_blocks(grid: Dim3) -> dict[int, int]:
    """Choose the blocks that stand for all: one inside, one at the right edge, one at the lower edge, the one in the corner; for each how
    many it stands for."""
    across, down, deep = grid
    found: dict[int, int] = {}
    for y, rows in ((0, down - 1), (down - 1, 1)):
        for x, columns in ((0, across - 1), (across - 1, 1)):
            if rows and columns:
                found[y * across + x] = rows * columns * deep
    return found


def _reached(trace: Trace) -> tuple[frozenset[int], frozenset[int]]:
    """List the arrays of the device that a launch wrote, and those that it read."""
    reached: tuple[set[int], set[int]] = set(), set()
    for site in (trace.sites[which] for which in np.unique(trace.rows.site)):
        if site.space is ir.Space.GLOBAL and site.allocation >= 0:
            reached[site.operation == "load"].add(trace.allocations[site.allocation].address)
    return frozenset(reached[False]), frozenset(reached[True])
