"""The curves of some variants as a table: the times that a chart of them shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.query import Selected, select
from app.core.session.session import SIZE_AXIS, Session
from app.core.timing.model import TimingModel
from kernels.base.messages import Message, message
from kernels.base.spec import Variant
from kernels.measure.export import csv_text, json_text
from kernels.measure.results import Result
from kernels.measure.rows import Row


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
    results = model.results
    model.show(Results({
        where: [row for row in of_sizes(results.rows(where), sizes) if row.variant.device in devices] for where in Provenance
    }))  # fmt: skip
    known = {source for source in sources if chosen & set(model.results.variants(source))}
    model.shown.value = frozenset(known)
    if not any(each.verified for group in selected_curves(session, model).values() for each in group):
        others = sorted({row.problem.n for source in sources for row in results.rows(source) if row.variant.id in chosen}) if sizes else []
        reason = message(
            "No times of {variants} are known, {sources}.", variants=", ".join(sorted(chosen)), sources=", ".join(sorted(sources))
        )
        return (
            message("{reason} At other sizes there are: {sizes}.", reason=reason, sizes=", ".join(map(str, others))) if others else reason
        )
    if not sizes:
        known_sizes = {each.problem.n for group in selected_curves(session, model).values() for each in group}
        session.timing.value = replace(session.timing.value, sizes=tuple(sorted(known_sizes)))
    return None


def of_sizes(rows: Iterable[Row], sizes: Sequence[int]) -> list[Row]:
    """Return the rows of square matrices of these sizes; all where no sizes are given."""
    return [row for row in rows if not sizes or row.problem.n in sizes]


def selected_curves(session: Session, model: TimingModel) -> Selected:
    """The results that the chart of the choice shows."""
    choice = session.timing.value
    return select(model.results, choice, choice.axis, model.shown.value, model.staged.value)


def table_of_curves(selected: Selected, ending: str, text: Callable[[Message], str]) -> str:
    """CSV or JSON, with where each time is from."""
    rows: list[Result] = []
    more: list[dict[str, object]] = []
    known = Results(selected)
    for provenance, group in selected.items():
        for row in group:
            rows.append(row.whole)
            more.append({"source": provenance.value, "machine": known.machine(provenance, row)})
    return json_text(rows, text, more) if ending == ".json" else csv_text(rows, text, more)
