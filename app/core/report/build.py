"""The whole report from what is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.core.gpu_use import TITLES
from app.core.insights.rules import insights
from app.core.provenance_words import provenance_text
from app.core.quantities import WORKERS, Quantity
from app.core.report.asked import Asked
from app.core.report.content import Figure, Grid, Listing, Part, Report, Room, Section, Words
from app.core.report.tables import by_parameter, by_size, speed_ups, verification
from app.core.results import Results
from app.core.session import SIZE_AXIS
from kernels.measure.phases import EACH_TIME, PhaseTimes
from kernels.measure.results import Result
from kernels.messages import Message, message
from kernels.spec import Device, Operation, Variant

TITLES_OF: Mapping[Operation, Message] = {
    Operation.MATMUL: message("Matrix multiplication: a lab report"),
    Operation.TRANSPOSE: message("Matrix transposition: a lab report"),
}
TOLD = ("tile", *WORKERS)
"""The parameters that courses ask for; another one is told of where it is what the chart is over."""
NOTHING = message("Nothing is known of the ticked variants: measure them, or choose recorded times.")
_CONDITIONS: tuple[tuple[Message, Device | None, tuple[str, ...]], ...] = (
    (message("Processor"), None, ("processor",)),
    (message("Cores"), None, ("cores",)),
    (message("Memory in GiB"), None, ("memory_gib",)),
    (message("GPU"), Device.GPU, ("gpu",)),
    (message("GPU driver"), Device.GPU, ("nvidia_driver",)),
    (message("CUDA"), Device.GPU, ("cuda_driver", "nvrtc")),
    (message("BLAS"), None, ("blas",)),
    (message("System"), None, ("system", "architecture")),
    (message("Python, NumPy, Numba"), None, ("python", "numpy", "numba")),
    (message("Tilescope"), None, ("tilescope",)),
)
"""What is told of the results, or of those of one device."""


def build(asked: Asked, uses: Sequence[PhaseTimes], day: str) -> Report | Message:
    """The report, or why there is none. `uses` are uses of a GPU, those of the ticked variants are told."""
    if not asked.variants:
        return NOTHING
    sections = [_task(asked), _conditions(asked), _by_size(asked), *_by_parameters(asked)]
    faster = speed_ups(asked)
    if faster is not None:
        sections.append(Section(message("Speed-ups"), (faster, Room(message("Which rung gained most, and why?")))))
    own = [use for use in uses if use.point.variant_id in asked.choice.ticked and not use.pinned]
    if own:
        sections.append(_transfers(asked.choice.variants, own))
    sections += [_verified(asked), _shown(asked), _own_words()]
    title = TITLES_OF.get(asked.choice.operation, message("A lab report"))
    return Report(title, asked.name, day, tuple(sections))


def _task(asked: Asked) -> Section:
    entries = tuple(message("{title}: {idea}", title=variant.title, idea=variant.idea) for variant in asked.variants)
    return Section(message("What was compared"), (Listing(entries), Room(message("The question, in your own words."))))


def _conditions(asked: Asked) -> Section:
    """Machine, versions and sampling rule."""
    results = asked.along(SIZE_AXIS)
    of = {device: [result for result in results if result.point.variant.device is device] for device in Device}
    rows = [(title, text) for title, device, names in _CONDITIONS if (text := _values(results if device is None else of[device], names))]
    samples = [len(result.times_ms) for result in results if result.times_ms]
    said: list[Message] = [message("Times: {provenance}.", provenance=provenance_text(asked.provenance, asked.results))]
    if samples:
        said.append(message("Each time is the median of {least} to {most} runs after a warm-up.", least=min(samples), most=max(samples)))
    if of[Device.GPU]:
        said.append(message("A GPU's times are of the kernel alone, by events: no copies, no compiling."))
    return Section(
        message("Machine and conditions"),
        (Grid(message("Conditions"), (message("What"), message("Value")), tuple(rows)), Words(tuple(said))),
    )


def _by_size(asked: Asked) -> Section:
    figure = Figure(message("Speed over n"), SIZE_AXIS, Quantity.RATE.value)
    return Section(message("By size"), (figure, *by_size(asked), Room(message("How do the curves differ, and where do they bend?"))))


def _by_parameters(asked: Asked) -> list[Section]:
    """A table and a figure for each parameter that was varied; tiles first."""
    sections: list[Section] = []
    for axis in asked.choice.axes[1:]:
        if axis not in (*TOLD, asked.choice.axis):
            continue
        grid = by_parameter(asked, axis)
        parameter = asked.choice.parameter(axis)
        if grid is not None and parameter is not None:
            figure = Figure(message("Speed over {parameter}", parameter=parameter.title), axis, Quantity.RATE.value)
            prompt = Room(message("Which value is the best, and what would you have predicted?"))
            sections.append(Section(message("By {parameter}", parameter=parameter.title), (figure, grid, prompt)))
    return sections


def _transfers(variants: Sequence[Variant], uses: Sequence[PhaseTimes]) -> Section:
    """Where the time of one use of the GPU goes: for each variant a row for each n."""
    columns = (message("n"), *(TITLES[phase] for phase in EACH_TIME), message("in all"))
    grids: list[Part] = []
    for variant in variants:
        own = sorted((use for use in uses if use.point.variant_id == variant.id), key=lambda use: use.point.problem.n)
        rows = tuple((use.point.problem.n, *(parts := [use.later_ms(phase) for phase in EACH_TIME]), sum(parts)) for use in own)
        if rows:
            grids.append(Grid(message("One use of the GPU in ms, after the first one: {variant}", variant=variant.title), columns, rows))
    return Section(message("Transfers"), (*grids, Room(message("From which size on is the GPU worth its transfers?"))))


def _verified(asked: Asked) -> Section:
    return Section(message("Verification"), (verification(asked),))


def _shown(asked: Asked) -> Section:
    known = Results({asked.provenance: asked.results.rows(asked.provenance)})
    sentences = tuple(insight.sentence for insight in insights(known, asked.choice))
    parts: tuple[Part, ...] = (Listing(sentences),) if sentences else ()
    return Section(message("What the times show"), (*parts, Room(message("What do you make of it?"))))


def _own_words() -> Section:
    return Section(message("Conclusion"), (Room(message("What did you learn, and what would you try next?")),))


def _values(results: Sequence[Result], names: Sequence[str]) -> str:
    """The values of some conditions, each once."""
    found = dict.fromkeys(str(result.conditions[name]) for name in names for result in results if name in result.conditions)
    return ", ".join(found)
