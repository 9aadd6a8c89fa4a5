"""Times of one use of the GPU, transfers included, and the size from which on the GPU is faster than the processor.

As a picture: a bar for each size, beside it the processor's best time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from importlib.resources import files

from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import TimingChoice
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import VARIANTS, of
from kernels.measure.gpu_use_times import EACH_TIME, UsePart, UseTimes, load_uses
from kernels.measure.recording_file import load_recorded
from kernels.measure.results import Result
from kernels.measure.rows import AnyResult, Row

TITLES: Mapping[UsePart, Message] = {
    UsePart.DRIVER: message("Find the GPU"),
    UsePart.CONTEXT: message("Create the context"),
    UsePart.LIBRARY: message("Start the library"),
    UsePart.COMPILE: message("Compile and load"),
    UsePart.PIN: message("Allocate pinned memory"),
    UsePart.ALLOCATE: message("Allocate"),
    UsePart.TO_DEVICE: message("Copy to the GPU"),
    UsePart.FIRST_LAUNCH: message("First launch"),
    UsePart.KERNEL: message("Kernel"),
    UsePart.TO_HOST: message("Copy to the host"),
}
"""What the parts are called, in their order."""


class UseScope(StrEnum):
    """Scope of a use of the GPU: what of it is counted."""

    FIRST_USE = "first_use"
    """Everything, in a program that uses the GPU for the first time."""
    EACH_TIME = "each_time"
    """Allocation, transfers and kernel, in a program that has used the GPU before."""
    KERNEL = "kernel"


COUNTED: Mapping[UseScope, Message] = {
    UseScope.FIRST_USE: message("First use"),
    UseScope.EACH_TIME: message("Later use: allocation, transfers, kernel"),
    UseScope.KERNEL: message("Kernel alone"),
}
_MS: Mapping[UseScope, Callable[[UseTimes], float]] = {
    UseScope.FIRST_USE: lambda times: times.first_use_ms,
    UseScope.EACH_TIME: lambda times: times.each_time_ms,
    UseScope.KERNEL: lambda times: times.kernel_ms,
}


@dataclass(frozen=True, slots=True)
class Segment:
    """Segment of a bar: one part, from `start_ms` on."""

    part: UsePart
    start_ms: float
    ms: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A use as a stacked bar: its parts in their order."""

    times: UseTimes
    segments: tuple[Segment, ...]

    @property
    def ms(self) -> float:
        return sum(segment.ms for segment in self.segments)


@dataclass(frozen=True, slots=True)
class BestCpu:
    """The fastest variant of the processor on a problem."""

    result: AnyResult
    ms: float


@dataclass(frozen=True, slots=True)
class Crossover:
    """Size from which on the GPU is faster: at all measured sizes from `wins_at` on, None where it is not at the largest.

    `loses_at` is the largest measured size at which it is not, `about` where the two curves cross between them.
    """

    counted: UseScope
    loses_at: int | None
    wins_at: int | None
    about: int | None


def ms_of(times: UseTimes, counted: UseScope) -> float:
    """Milliseconds of what is counted."""
    return _MS[counted](times)


def bar(times: UseTimes, counted: UseScope) -> Bar:
    """The parts that are counted, one after the other; what does not arise is left out."""
    first = counted is UseScope.FIRST_USE
    parts = tuple(UsePart) if first else EACH_TIME if counted is UseScope.EACH_TIME else (UsePart.KERNEL,)
    segments, start = [], 0.0
    for part in parts:
        ms = times.first_ms(part) if first else times.later_ms(part)
        if ms > 0:
            segments.append(Segment(part, start, ms))
            start += ms
    return Bar(times, tuple(segments))


def best_cpu(results: Iterable[AnyResult]) -> dict[Problem, BestCpu]:
    """The fastest verified time of the processor on each problem, in float32, as uses of the GPU are."""
    best: dict[Problem, BestCpu] = {}
    for result in results:
        ms, problem, variant = result.median_ms, result.point.problem, result.point.variant
        comparable = variant.device is Device.CPU and variant.precision is None and result.verified
        if comparable and ms and (problem not in best or ms < best[problem].ms):
            best[problem] = BestCpu(result, ms)
    return best


def crossover(uses: Sequence[UseTimes], best: Mapping[Problem, BestCpu], counted: UseScope) -> Crossover | None:
    """Where the GPU becomes faster, of the sizes at which both were timed; None where there is no such size."""
    ratios = sorted((use.point.problem.n, ms_of(use, counted) / best[use.point.problem].ms) for use in uses if use.point.problem in best)
    if not ratios:
        return None
    losses = [index for index, (_, ratio) in enumerate(ratios) if ratio >= 1]
    last = losses[-1] if losses else -1
    loses_at = ratios[last][0] if losses else None
    if last == len(ratios) - 1:
        return Crossover(counted, loses_at, None, None)
    return Crossover(counted, loses_at, ratios[last + 1][0], _between(ratios[last], ratios[last + 1]) if losses else None)


def crossover_text(found: Crossover, *, beside_pinned: bool = False) -> Message:
    """What is said of a crossover; of uses without pinned memory that stand beside some with it, that they are those."""
    counted = message("{counted}, not pinned", counted=COUNTED[found.counted]) if beside_pinned else COUNTED[found.counted]
    if found.wins_at is None:
        return message("{counted}: the GPU is slower up to n = {n}.", counted=counted, n=found.loses_at or 0)
    if found.loses_at is None:
        return message("{counted}: the GPU is faster at every size, from n = {n} on.", counted=counted, n=found.wins_at)
    return message("{counted}: the GPU is faster from about n = {about} on, between {below} and {above}.",
                   counted=counted, about=found.about or found.wins_at, below=found.loses_at, above=found.wins_at)  # fmt: skip


def recorded_uses() -> tuple[UseTimes, ...]:
    """The uses that come with the program."""
    return tuple(each for name in _recorded() if not name.endswith(_CPU) for each in load_uses(_FOLDER.joinpath(name)))


def recorded_cpu() -> tuple[Result, ...]:
    """The processor's times on the machine where the uses were recorded."""
    return tuple(each for name in _recorded() if name.endswith(_CPU) for each in load_recorded(_FOLDER.joinpath(name)))


_FOLDER = files("resources").joinpath("recorded", "uses")
_CPU = ".cpu.json"


def _recorded() -> list[str]:
    return sorted(entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".json")) if _FOLDER.is_dir() else []


def _between(lost: tuple[int, float], won: tuple[int, float]) -> int:
    """Where the ratio is 1 on the line between two sizes, both axes logarithmic."""
    (n1, r1), (n2, r2) = lost, won
    share = math.log(r1) / (math.log(r1) - math.log(r2))
    return round(n1 * math.exp(share * math.log(n2 / n1)))


MEASURES = "tilescope transfers {variant} --n 128:8192:x2"


@dataclass(frozen=True, slots=True)
class Uses:
    """Uses of the GPU that are known, and the processor's times on the machine where some were recorded."""

    measured: tuple[UseTimes, ...] = ()
    recorded: tuple[UseTimes, ...] = ()
    recorded_cpu: tuple[Result, ...] = ()


@dataclass(frozen=True, slots=True)
class UseRow:
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
    """Picture of the uses of the GPU: rows by size, and what follows from them in sentences."""

    title: Message
    rows: tuple[UseRow, ...]
    sentences: tuple[Message, ...]

    @property
    def parts(self) -> tuple[UsePart, ...]:
        """Phases that some row has, in their order."""
        return tuple(part for part in UsePart if any(segment.part is part for row in self.rows for segment in row.bar.segments))


def use_picture(uses: Uses, results: Results, choice: TimingChoice, counted: UseScope) -> UsePicture:
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


def _beside(uses: Sequence[UseTimes], results: Results) -> list[Row]:
    """What the processor was measured with on the problems of some uses."""
    cpu = [each.id for each in VARIANTS if each.device is Device.CPU]
    problems = dict.fromkeys(use.point.problem for use in uses)
    return [row for variant_id in cpu for problem in problems for row in results.of(Provenance.MEASURED, variant_id).at(problem)]


def _picture(variant: Variant, own: Sequence[UseTimes], best: dict[Problem, BestCpu], counted: UseScope, *, measured: bool) -> UsePicture:
    rows = []
    for each in own:
        cpu = best.get(each.point.problem)
        rows.append(UseRow(bar(each, counted), None if cpu is None else cpu.ms))
    machine = str(own[0].conditions.get("gpu", ""))
    where = message("measured here, {machine}", machine=machine) if measured else message("recorded on {machine}", machine=machine)
    pageable = [each for each in own if not each.pinned] or list(own)
    found = (crossover(pageable, best, each) for each in UseScope)
    said = tuple(crossover_text(each, beside_pinned=len(pageable) < len(own)) for each in found if each is not None)
    title = message("{variant}, {where}", variant=variant.title, where=where)
    return UsePicture(title, tuple(rows), said)


def _newest(uses: Sequence[UseTimes], choice: TimingChoice, variant: Variant) -> list[UseTimes]:
    """The last use of each problem, with the chosen parameters where there are any with them, in the order of size."""
    chosen = dict(choice.parameters[variant.id])
    with_chosen = [each for each in uses if dict(each.point.parameters) == chosen] or list(uses)
    last = {(each.point.problem, each.pinned): each for each in with_chosen}
    return sorted(last.values(), key=lambda each: (each.point.problem.n, each.pinned))
