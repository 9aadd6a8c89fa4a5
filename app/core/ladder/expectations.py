"""The expectations about the rungs of one ladder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.core.insights.evidence import gather
from app.core.insights.pairs import Expectation
from app.core.insights.rules import RULES
from app.core.ladder.picture import Ladder, at_size
from app.core.results import Results
from app.core.session import TimingChoice
from kernels.catalog import of
from kernels.messages import Message


def expectations_of(ladder: Ladder, results: Results, choice: TimingChoice) -> Mapping[str, tuple[Message, ...]]:
    """What expectations say at the ladder's n, by the id of the rung that they are about."""
    everything = replace(choice, ticked=frozenset(variant.id for variant in of(ladder.operation)))
    said: dict[str, tuple[Message, ...]] = {}
    for evidence in gather(at_size(results, ladder.operation, ladder.n), everything):
        if (evidence.provenance, evidence.machine) != (ladder.provenance, ladder.machine):
            continue
        for expectation in (rule for rule in RULES if isinstance(rule, Expectation)):
            pair = expectation.find(evidence) or (None if evidence.uneven is None else expectation.find(evidence.uneven))
            sentence = expectation(evidence) or expectation.unevenly(evidence)
            if pair is not None and sentence is not None and pair.rung.variant.device is ladder.device:
                said[pair.rung.variant_id] = (*said.get(pair.rung.variant_id, ()), sentence)
    return said
