"""The launches that a variant is made of."""

from __future__ import annotations

from collections.abc import Mapping

from kernels.spec import Launch, Parameters, Problem, Variant


def launches_of(variant: Variant, problem: Problem, parameters: Parameters) -> Mapping[str, Launch]:
    """A variant's kernels by their names, in the order in which they are launched."""
    assert variant.launch is not None
    last = variant.launch(problem, parameters)
    before = {} if last.before is None else {last.before.entry: last.before.launch}
    return {**before, variant.entry: last}
