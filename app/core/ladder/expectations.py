"""The expectations about the rungs of one ladder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.core.curves import Results
from app.core.evidence import gather
from app.core.insights.pairs import Expectation
from app.core.insights.rules import RULES
from app.core.ladder.picture import Ladder, at_size
from app.core.session import TimingChoice
from kernels.catalog import of
from kernels.messages import Message


def expectations_of(ladder: Ladder, results: Results, choice: TimingChoice) -> Mapping[str, tuple[Message, ...]]:
    """What expectations say at the ladder's n, by the id of the rung that they are about."""
    everything = replace(choice, ticked=frozenset(variant.id for variant in of(ladder.operation)))
    said: dict[str, tuple[Message, ...]] = {}
    for evidence in gather(at_size(results, ladder.n), everything):
        if (evidence.provenance, evidence.machine) != (ladder.provenance, ladder.machine):
            continue
        for expectation in (rule for rule in RULES if isinstance(rule, Expectation)):
            pair, sentence = expectation.find(evidence), expectation(evidence)
            if pair is not None and sentence is not None and pair.rung.point.variant.device is ladder.device:
                about = pair.rung.point.variant_id
                said[about] = (*said.get(about, ()), sentence)
    return said
