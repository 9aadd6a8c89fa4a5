"""Sentences of the tuning page, and of what a tuning found."""

from __future__ import annotations

from collections.abc import Iterable

from app.core.base.job_queues import JobState
from app.core.base.picture_parts import Table
from app.core.base.value_labels import zeros_text
from app.core.insights.evidence import supports_a_sentence
from app.core.insights.pairs import scatters
from app.core.results.curves import Provenance, unit
from app.core.results.quantities import share_of_library
from app.core.timing.tuner import TuningProgress
from app.core.tuning.heat_map import Cell, CellKind, HeatMap
from app.core.tuning.model import TuningPicture
from kernels.base.messages import Message, message
from kernels.catalogue.case import Case
from kernels.measure.estimate import duration
from kernels.measure.results import Result
from kernels.measure.rows import row_of, unevenness
from kernels.measure.tuning import Round, TuningPlan


def settings_text(point: Case, names: Iterable[str] | None = None) -> str:
    """The settings, or those of them that are named, by their identifiers, as the source and the command line have them."""
    shown = point.parameters if names is None else names
    return ", ".join(f"{name} = {point.variant.written(name, point.parameters[name])}" for name in shown)


def twin_text(plan: TuningPlan) -> Message:
    """Why some combinations are not measured."""
    return message("{count} are launched as others are, and not measured again.", count=len(plan.twins))


def verdict(plan: TuningPlan, picture: HeatMap, library: Result | None) -> Message:
    """The fastest settings, and how sure that is."""
    winner = picture.winner
    if winner is None or not winner.result.median_ms or winner.result.rate is None:
        return message("No setting has a time yet.")
    settings, rate, name = settings_text(winner.result.point, plan.over), rate_text(winner.result), unit(picture.problem.operation)
    if len(picture.standings) == 1:
        found = message("One setting alone has a time: {parameters}, with {rate} {unit}.", parameters=settings, rate=rate, unit=name)
    else:
        found = message("Fastest: {parameters}, with {rate} {unit}.", parameters=settings, rate=rate, unit=name)
    if (remark := _beside_library(winner.result, library)) is not None:
        found = message("{found} {remark}", found=found, remark=remark)
    if winner.confirmed:
        return found
    return message("{found} Not confirmed by a second, longer measurement.", found=found)


def rate_text(result: Result) -> Message:
    """The rate as it is told: with ≈ where its time was disturbed or scatters."""
    rate = message("{rate}", rate=result.rate or 0.0)
    return message("≈ {said}", said=rate) if row_of(result).uneven else rate


def _beside_library(result: Result, library: Result | None) -> Message | None:
    """The share of the library's speed; where a time was disturbed or scatters nothing is built on it, and that is said instead."""
    if not supports_a_sentence(row_of(result)):
        return message("Its time was disturbed or scatters: another one may be faster.")
    if library is None:
        return None
    refusal = scatters(result.point.problem.n, [row_of(library)])
    return refusal or message("That is {percent} of the library.", percent=share_of_library(result, library).text)


SHOWN = 10
REASONS = 3
ROUNDS = {Round.LOOK: message("First look"), Round.CONFIRM: message("The best again")}


def cell_text(cell: Cell, *, best: bool) -> Message:
    """A cell in words: its settings, and what they reach or why they cannot work."""
    settings = settings_text(cell.point)
    if cell.reason is not None:
        return message("{settings}: {reason}", settings=settings, reason=cell.reason)
    if cell.kind is CellKind.UNTRIED or cell.rate is None or cell.result is None:
        return message("{settings}: not tried yet.", settings=settings)
    name, count = unit(cell.point.problem.operation), len(cell.result.times_ms)
    said = message("{settings}: {rate} {unit}, median of {count}.", settings=settings, rate=cell.rate, unit=name, count=count)
    if (why := unevenness(row_of(cell.result))) is not None:
        said = message("{said} ≈: {why}.", said=said, why=why)
    return message("{said} The fastest.", said=said) if best else said


def title_text(picture: TuningPicture) -> Message:
    """What the map shows, and where its times come from."""
    plan = picture.plan
    title = message("{variant}, n = {n}, {unit}", variant=plan.variant.title, n=plan.problem.n, unit=unit(plan.problem.operation))
    if len(plan.over) > len(picture.axes):
        title = message("{title}, the other parameters at their best", title=title)
    if picture.map.provenance is Provenance.RECORDED:
        return message("{title}; recorded on {machine}, {day}", title=title, machine=picture.machine, day=picture.day)
    if picture.map.provenance is Provenance.MEASURED:
        return message("{title}; measured here", title=title)
    return title


def plan_text(picture: TuningPicture) -> Message:
    """Return how much there is to try."""
    plan = picture.plan
    words = message(
        "{count} combinations, {refused} of them cannot work; {untried} are not tried yet.",
        count=plan.combinations, refused=len(plan.refused), untried=picture.untried,
    )  # fmt: skip
    return message("{words} {remark}", words=words, remark=twin_text(plan)) if plan.twins else words


def refusal_text(picture: TuningPicture) -> tuple[Message, ...]:
    """The most frequent reasons, and how many others there are."""
    told = [message("{reason} Combinations: {count}.", count=count, reason=reason) for reason, count in picture.refusals[:REASONS]]
    more = len(picture.refusals) - REASONS
    return (*told, message("and {count} other reasons: point at a cell", count=more)) if more > 0 else tuple(told)


def progress_text(progress: TuningProgress) -> Message:
    """Where a tuning is, or how it ended."""
    if progress.failure is not None:
        return progress.failure
    if progress.state is JobState.CANCELLED:
        return message("Cancelled. What was measured is kept.")
    if progress.state is JobState.QUEUED:
        return message("Waiting for the device.")
    if progress.state.ended:
        return message("Done.")
    words = message("{round}: {done} of {total}", round=ROUNDS[progress.part], done=progress.done, total=progress.total)
    if progress.state is JobState.CANCELLING:
        return message("{first}, {rest}", first=words, rest=message("cancelling"))
    if progress.seconds_left is None:
        return words
    return message("{first}, {rest}", first=words, rest=message("at most {duration} left", duration=duration(progress.seconds_left)))


def tuning_sentence(progress: TuningProgress | None) -> Message | None:
    """What a user who looks elsewhere is told; None before the first tuning."""
    return None if progress is None else message("Tuning: {progress}", progress=progress_text(progress))


def signs_text(plan: TuningPlan) -> Message:
    """What the signs in the table say, and its zeros that are no amounts."""
    signs, zeros = message("✓ measured in full   ? a short look"), plan_zeros(plan)
    return signs if zeros is None else message("{signs}   {zeros}", signs=signs, zeros=zeros)


def plan_zeros(plan: TuningPlan) -> Message | None:
    """What 0 stands for in the settings of a plan; None where it is an amount."""
    return zeros_text(each for each in plan.variant.parameters if each.name in plan.over)


def best_table(picture: TuningPicture) -> Table:
    """Return a table of the ten best settings."""
    rows: list[tuple[Message | str, ...]] = []
    for place, standing in enumerate(picture.map.standings[:SHOWN], 1):
        result, library = standing.result, picture.library
        share = "" if library is None else share_of_library(result, library).text
        sign = "✓" if standing.confirmed else "?"
        settings = ", ".join(result.point.variant.written(name, result.point.parameters[name]) for name in picture.plan.over)
        rows.append((f"{place} {sign}", rate_text(result), share, settings))
    titles = ("", unit(picture.plan.problem.operation), message("% of library"), ", ".join(picture.plan.over))
    return Table(tuple(title if isinstance(title, Message) else message("{text}", text=title) for title in titles), tuple(rows))
