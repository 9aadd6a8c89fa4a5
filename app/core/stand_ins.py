"""Recorded rungs that nobody ticked and that a chart shows all the same, so that it is not empty before the first measurement."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.session import TimingChoice
from kernels.catalog import VARIANTS
from kernels.measure.results import Result
from kernels.spec import Variant


def stand_ins(recorded: Sequence[Result], measured: Sequence[Result], choice: TimingChoice, staged: str, most: int) -> frozenset[str]:
    """The ids of a few recorded variants, where of the ticked ones none was recorded; else of devices without a ticked one on which
    nothing was measured here. The one on the stage, `staged`, is among them. `most` can be told apart, libraries not counted."""
    known = {result.point.variant for result in recorded}
    if any(variant.id in choice.ticked for variant in known):
        told = {variant.device for variant in choice.variants} | {result.point.variant.device for result in measured}
        known = {variant for variant in known if variant.device not in told}
    own = [variant for variant in VARIANTS if variant in known and not variant.library]
    libraries = {variant.id for variant in known if variant.library and (variant.precision is None or variant.id == staged)}
    return _spread(own, staged, most) | libraries


def _spread(own: Sequence[Variant], staged: str, most: int) -> frozenset[str]:
    """Of those in float32 so many from the first to the last; one on the stage that is not among them takes its neighbour's place."""
    usual = [place for place, variant in enumerate(own) if variant.precision is None]
    if len(usual) > most:
        usual = [usual[round(i * (len(usual) - 1) / (most - 1))] for i in range(most)]
    wanted = next((place for place, variant in enumerate(own) if variant.id == staged), None)
    if wanted is not None and wanted not in usual:
        if len(usual) == most:
            usual.remove(min(usual[1:-1], key=lambda place: abs(place - wanted)))
        usual.append(wanted)
    return frozenset(own[place].id for place in usual)
