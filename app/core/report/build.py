"""Builder of the report from the known results: tables by size, by tile and by variant, as courses ask for them, and all around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from app.core.base.value_labels import value_text
from app.core.insights.rules import insights
from app.core.report.content import Asked, Cell, Figure, Listing, Part, Report, Room, Section, Sentences, Tabular
from app.core.results.curves import unit
from app.core.results.gpu_uses import TITLES
from app.core.results.known_results import Results
from app.core.results.labels import name_of
from app.core.results.quantities import WORKERS, Quantity, Rung
from app.core.results.relative_times import Derived, derive
from app.core.session.session import SIZE_AXIS
from app.core.timing.recordings import provenance_text
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Variant
from kernels.measure.gpu_use_times import EACH_TIME, UseTimes
from kernels.measure.results import Result, Status

Number = Callable[[Result, Derived], Cell]
N = message("n")


def by_size(asked: Asked) -> tuple[Tabular, ...]:
    """Median time, spread, rate and share of the library, a row for each n."""
    results = asked.along(SIZE_AXIS)
    grids = [
        _grid(asked, results, message("Median time in ms"), lambda result, _: result.median_ms),
        _grid(asked, results, message("Spread: interquartile range in % of the median"), lambda result, _: _spread(result)),
        _grid(asked, results, message("Speed in {unit}", unit=unit(asked.choice.operation)), lambda result, _: result.rate),
        _grid(asked, results, message("Share of the best library in %"), lambda _, derived: _only_number(derived.percent_of_library)),
    ]
    told = [grid for grid in grids if any(cell is not None for row in grid.rows for cell in row[1:])]
    return (replace(told[0], notes=_reasons(results)), *told[1:]) if told else ()


def speed_ups(asked: Asked) -> Tabular | None:
    """How many times as fast as the first variant each is, by n; None where there is nothing to compare."""
    results, variants = asked.along(SIZE_AXIS), asked.variants
    if len(variants) < 2:
        return None
    first = variants[0]
    baseline = Rung(first.id)
    title = message("Times as fast as {base}", base=first.title)
    return _grid(asked, results, title, lambda _, derived: _only_number(derived.speed_up), baseline)


def by_parameter(asked: Asked, axis: str) -> Tabular | None:
    """Median times by the values of a parameter at one n; None where none of the variants was measured with two of them."""
    results = asked.along(axis)
    values = sorted({result.point.parameters[axis] for result in results if axis in result.point.parameters})
    variants = [variant for variant in asked.choice.variants if any(r.point.variant_id == variant.id for r in results)]
    if len(values) < 2:
        return None
    parameter = asked.choice.parameter(axis)
    assert parameter is not None, axis
    known = {(result.point.variant_id, result.point.parameters.get(axis)): result for result in results}
    rows = [(value_text(parameter, value), *(_ms(known.get((variant.id, value))) for variant in variants)) for value in values]
    title = message("Median time in ms at n = {n}", n=asked.n_of(axis))
    return Tabular(title, (parameter.title, *(variant.title for variant in variants)), tuple(rows), _reasons(results))


def verification(asked: Asked) -> Tabular:
    """The largest relative error of each variant and the bound that it is held to, with how many points were right."""
    rows: list[tuple[Cell, ...]] = []
    for variant in asked.variants:
        own = [result for result in asked.along(SIZE_AXIS) if result.point.variant_id == variant.id]
        errors = [result.relative_error for result in own if result.relative_error is not None]
        bounds = [result.allowed_error for result in own if result.allowed_error is not None]
        right = sum(result.verified for result in own)
        wrong = sum(result.status is Status.WRONG for result in own)
        rows.append((variant.title, right, wrong, max(errors, default=None), min(bounds, default=None)))
    columns = (
        message("Variant"), message("points verified"), message("wrong"), message("largest relative error"), message("smallest bound"),
    )  # fmt: skip
    return Tabular(message("Each result was compared with a float64 reference before its time counted."), columns, tuple(rows))


def _grid(asked: Asked, results: Sequence[Result], title: Message, number: Number, baseline: Rung | None = None) -> Tabular:
    derived = derive(results, baseline)
    cells = {
        (result.point.variant_id, result.point.problem.n): (number(result, each) if result.verified else None)
        for result, each in zip(results, derived, strict=True)
    }
    sizes = sorted({result.point.problem.n for result in results})
    rows = [(n, *(cells.get((variant.id, n)) for variant in asked.variants)) for n in sizes]
    return Tabular(title, (N, *(_name(variant, results) for variant in asked.variants)), tuple(rows))


def _name(variant: Variant, results: Sequence[Result]) -> Message:
    own = next((result for result in results if result.point.variant_id == variant.id), None)
    return variant.title if own is None else name_of(variant, own.point.parameters)


def _reasons(results: Sequence[Result]) -> tuple[Message, ...]:
    """Why points have no time."""
    return tuple(
        message("{rung}, n = {n}: {reason}", rung=name_of(point.variant, point.parameters), n=point.problem.n, reason=result.reason)
        for result in results
        if (point := result.point) and not result.verified and result.reason is not None
    )


def _ms(result: Result | None) -> Cell:
    return None if result is None or not result.verified else result.median_ms


def _only_number(value: float | Message | None) -> Cell:
    return value if isinstance(value, float) else None


def _spread(result: Result) -> Cell:
    median, spread = result.median_ms, result.spread_ms
    return None if not median or spread is None or len(result.times_ms) < 2 else 100 * spread / median


TITLES_OF: Mapping[Operation, Message] = {
    Operation.MATMUL: message("Matrix multiplication: a lab report"),
    Operation.TRANSPOSE: message("Matrix transposition: a lab report"),
}
TOLD = ("tile", *WORKERS)
"""The parameters that courses ask for; another one is told of where it is what the chart is over."""
NOTHING = message("Nothing is known of these variants: measure them, or take recorded times.")
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


def build(asked: Asked, uses: Sequence[UseTimes], day: str) -> Report | Message:
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
    sections += [_verified(asked), _shown(asked), _own_text()]
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
    if asked.executed is not None:
        said.append(asked.executed)
    if of[Device.GPU]:
        said.append(message("A GPU's times are of the kernel alone, by events: no copies, no compiling."))
    return Section(
        message("Machine and conditions"),
        (Tabular(message("Conditions"), (message("What"), message("Value")), tuple(rows)), Sentences(tuple(said))),
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


def _transfers(variants: Sequence[Variant], uses: Sequence[UseTimes]) -> Section:
    """Where the time of one use of the GPU goes: for each variant a row for each n."""
    columns = (message("n"), *(TITLES[phase] for phase in EACH_TIME), message("in all"))
    grids: list[Part] = []
    for variant in variants:
        own = sorted((use for use in uses if use.point.variant_id == variant.id), key=lambda use: use.point.problem.n)
        rows = tuple((use.point.problem.n, *(parts := [use.later_ms(phase) for phase in EACH_TIME]), sum(parts)) for use in own)
        if rows:
            grids.append(Tabular(message("One use of the GPU in ms, after the first one: {variant}", variant=variant.title), columns, rows))
    return Section(message("Transfers"), (*grids, Room(message("From which size on is the GPU worth its transfers?"))))


def _verified(asked: Asked) -> Section:
    return Section(message("Verification"), (verification(asked),))


def _shown(asked: Asked) -> Section:
    known = Results({asked.provenance: asked.results.rows(asked.provenance)})
    sentences = tuple(insight.sentence for insight in insights(known, asked.choice))
    parts: tuple[Part, ...] = (Listing(sentences),) if sentences else ()
    return Section(message("What the times show"), (*parts, Room(message("What do you make of it?"))))


def _own_text() -> Section:
    return Section(message("Conclusion"), (Room(message("What did you learn, and what would you try next?")),))


def _values(results: Sequence[Result], names: Sequence[str]) -> str:
    """The values of some conditions, each once."""
    found = dict.fromkeys(str(result.conditions[name]) for name in names for result in results if name in result.conditions)
    return ", ".join(found)
