"""The curves of some variants as a table: the times that a chart of them shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from app.core.curves import Provenance, machine_of, machines_of
from app.core.session import SIZE_AXIS, Session
from app.core.timing import TimingModel, select
from kernels.measure.export import csv_text, json_text
from kernels.measure.results import Result
from kernels.messages import Message, message
from kernels.spec import Variant

Selected = Mapping[Provenance, tuple[Result, ...]]


def choose_curves(
    session: Session, model: TimingModel, variants: Sequence[Variant], sizes: Sequence[int], sources: frozenset[Provenance]
) -> Message | None:
    """Let the model show these variants, at these sizes, or all where there are none; returns why nothing is known of them.

    `sources` that know nothing of them are left out: in their place a chart would show others.
    """
    session.choose_operation(variants[0].operation)
    choice = session.timing.value
    chosen = {variant.id for variant in variants}
    session.timing.value = replace(choice, ticked=frozenset(chosen), axis=SIZE_AXIS, sizes=tuple(sizes) or choice.sizes)
    devices = {variant.device for variant in variants}  # others would stand in where nothing was measured
    model.results.value = {
        where: tuple(each for each in (of_sizes(known, sizes) if sizes else known) if each.point.variant.device in devices)
        for where, known in model.results.value.items()
    }
    known = {source for source in sources if any(each.point.variant_id in chosen for each in model.results.value.get(source, ()))}
    model.shown.value = frozenset(known)
    if not any(each.verified for group in selected_curves(session, model).values() for each in group):
        return message(
            "No times of {variants} are known, {sources}.", variants=", ".join(sorted(chosen)), sources=", ".join(sorted(sources))
        )
    if not sizes:
        known_sizes = {each.point.problem.n for group in selected_curves(session, model).values() for each in group}
        session.timing.value = replace(session.timing.value, sizes=tuple(sorted(known_sizes)))
    return None


def of_sizes(results: Sequence[Result], sizes: Sequence[int]) -> tuple[Result, ...]:
    """Those of square matrices of these sizes."""
    return tuple(result for result in results if result.point.problem.n in sizes)


def selected_curves(session: Session, model: TimingModel) -> Selected:
    """The results that the chart of the choice shows."""
    choice = session.timing.value
    return select(model.results.value, choice, choice.axis, model.shown.value, model.staged.value)


def table_of_curves(selected: Selected, ending: str, text: Callable[[Message], str]) -> str:
    """CSV or JSON, with where each time is from."""
    rows: list[Result] = []
    more: list[dict[str, object]] = []
    for provenance, results in selected.items():
        machines = machines_of(results)
        for result in results:
            rows.append(result)
            more.append({"source": provenance.value, "machine": machine_of(result, machines)})
    return json_text(rows, text, more) if ending == ".json" else csv_text(rows, text, more)
