"""One use of the GPU as a picture: a bar for each size, beside it the processor's best time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.curves import Provenance
from app.core.gpu_use import Bar, BestCpu, Counted, bar, best_cpu, crossover, crossover_text
from app.core.results import Results
from app.core.session import TimingChoice
from kernels.catalog import VARIANTS, of
from kernels.measure.phases import GpuPhase, PhaseTimes
from kernels.measure.results import Result
from kernels.measure.rows import Row as ResultRow
from kernels.messages import Message, message
from kernels.spec import Device, Problem, Variant

MEASURES = "tilescope transfers {variant} --n 128:8192:x2"


@dataclass(frozen=True, slots=True)
class Uses:
    """All uses that are known, and the processor's times on the machine where some were recorded."""

    measured: tuple[PhaseTimes, ...] = ()
    recorded: tuple[PhaseTimes, ...] = ()
    recorded_cpu: tuple[Result, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A bar, and the processor's best time on the same problem, None where it was not timed."""

    bar: Bar
    cpu_ms: float | None

    @property
    def title(self) -> Message:
        times = self.bar.times
        n = times.point.problem.n
        return message("n = {n}, pinned", n=n) if times.pinned else message("n = {n}", n=n)

    @property
    def verdict(self) -> Message | None:
        """How the GPU stands beside the processor."""
        if self.cpu_ms is None or not self.bar.ms:
            return None
        if self.cpu_ms > self.bar.ms:
            return message("{times} × faster", times=self.cpu_ms / self.bar.ms)
        return message("{times} × slower", times=self.bar.ms / self.cpu_ms)


@dataclass(frozen=True, slots=True)
class UsePicture:
    """What is drawn: rows by size, and what follows from them in sentences."""

    title: Message
    rows: tuple[Row, ...]
    sentences: tuple[Message, ...]

    @property
    def phases(self) -> tuple[GpuPhase, ...]:
        """Those that some row has, in their order."""
        return tuple(phase for phase in GpuPhase if any(segment.phase is phase for row in self.rows for segment in row.bar.segments))


def use_picture(uses: Uses, results: Results, choice: TimingChoice, counted: Counted) -> UsePicture:
    """The bars of the first ticked GPU rung of which uses are known: those measured here, else those recorded elsewhere.

    Where no GPU rung is ticked it is the first of all, so that the page is not empty before anything is chosen.
    """
    gpu = [variant for variant in choice.variants if variant.device is Device.GPU]
    for variant in gpu or [each for each in of(choice.operation) if each.device is Device.GPU]:
        for provenance, known in ((Provenance.MEASURED, uses.measured), (Provenance.RECORDED, uses.recorded)):
            own = _newest([each for each in known if each.point.variant_id == variant.id], choice, variant)
            if own:
                measured = provenance is Provenance.MEASURED
                cpu = _beside(own, results) if measured else uses.recorded_cpu
                return _picture(variant, own, best_cpu(cpu), counted, measured=measured)
    if not gpu:
        return UsePicture(message("Tick a rung of the GPU in the ladder."), (), ())
    return UsePicture(message("No use of the GPU was timed yet. {command} does it.", command=MEASURES.format(variant=gpu[0].id)), (), ())


def _beside(uses: Sequence[PhaseTimes], results: Results) -> list[ResultRow]:
    """What the processor was measured with on the problems of some uses."""
    cpu = [each.id for each in VARIANTS if each.device is Device.CPU]
    problems = dict.fromkeys(use.point.problem for use in uses)
    return [row for variant_id in cpu for problem in problems for row in results.of(Provenance.MEASURED, variant_id).at(problem)]


def _picture(variant: Variant, own: Sequence[PhaseTimes], best: dict[Problem, BestCpu], counted: Counted, *, measured: bool) -> UsePicture:
    rows = []
    for each in own:
        cpu = best.get(each.point.problem)
        rows.append(Row(bar(each, counted), None if cpu is None else cpu.ms))
    machine = str(own[0].conditions.get("gpu", ""))
    where = message("measured here, {machine}", machine=machine) if measured else message("recorded on {machine}", machine=machine)
    pageable = [each for each in own if not each.pinned] or list(own)
    found = (crossover(pageable, best, each) for each in Counted)
    title = message("{variant}, {where}", variant=variant.title, where=where)
    return UsePicture(title, tuple(rows), tuple(crossover_text(each) for each in found if each is not None))


def _newest(uses: Sequence[PhaseTimes], choice: TimingChoice, variant: Variant) -> list[PhaseTimes]:
    """The last use of each problem, with the chosen parameters where there are any with them, in the order of size."""
    chosen = dict(choice.parameters[variant.id])
    with_chosen = [each for each in uses if dict(each.point.parameters) == chosen] or list(uses)
    last = {(each.point.problem, each.pinned): each for each in with_chosen}
    return sorted(last.values(), key=lambda each: (each.point.problem.n, each.pinned))
