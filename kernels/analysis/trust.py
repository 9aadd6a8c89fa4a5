"""How far a trace can be trusted: what was executed exactly, what is modelled, what was left out, and what of it steers the kernel.

Counts are of the accesses as written, before a compiler merges or removes some, and no cache of a GPU is modelled: neither can change
what a kernel does. The order of atomics, a clock, approximated functions and sums of tensor cores can, where their values reach a branch,
an address or a synchronisation; so can the order of warps where there is a race.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import reduce
from math import prod

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.host.result import Launched
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.flows import APPROXIMATE, ARRAY, ATOMIC, CLOCK, TENSOR, Flows, Reach
from kernels.simt.trace.trace import Finding, Trace

RACES = (FindingKind.DATA_RACE, FindingKind.BARRIER_DIVERGENCE, FindingKind.PAIRED_BARRIERS)


class Modelled(StrEnum):
    """Property of an execution that is modelled: on a GPU it may be otherwise."""

    ATOMICS = "atomics-order"
    WARPS = "warps-order"
    CLOCK = "clock"
    ROUNDING = "approximated-functions"
    TENSOR = "tensor-core-sums"


@dataclass(frozen=True, slots=True)
class Model:
    """Something that is modelled, on these lines of the text; `reaches` is what its values decide."""

    what: Modelled
    lines: tuple[int, ...]
    reaches: tuple[Reach, ...]


@dataclass(frozen=True, slots=True)
class Trust:
    """All that is to be said of a trace. `left_out` says what was not executed, `accesses` counts those of single threads."""

    traced: int
    blocks: int
    accesses: int
    modelled: tuple[Model, ...] = ()
    left_out: tuple[Message, ...] = ()

    @property
    def reaches(self) -> tuple[Reach, ...]:
        """What of the kernel's way is decided by something that is modelled."""
        return tuple(each for each in Reach if any(each in model.reaches for model in self.modelled))


def trust(trace: Trace, flows: Flows, findings: Sequence[Finding]) -> Trust:
    """Read it from a trace, from where the kernel's values go, and from what is wrong."""
    active = trace.masks.sum(axis=1)
    accesses = int(active[trace.rows.mask].sum()) if len(trace.rows.mask) else 0
    modelled = (*_from_text(flows), *_from_races(trace, flows, findings))
    return Trust(len(trace.blocks), prod(trace.grid), accesses, modelled, tuple(_left_out(trace)))


def trust_of(launched: Launched) -> Trust:
    """Read it from a launch of a program. What the order of warps decides where there is a race is told where the launch is shown."""
    without = launched.blocks - launched.recorded
    text = message("{count} of {blocks} blocks ran as compiled code: same results, no record.", count=without, blocks=launched.blocks)
    stopped = (
        message("It ended early: {reason}", reason=each.message) for each in launched.findings if each.kind is FindingKind.BUDGET_EXCEEDED
    )
    left_out = (*stopped, *((text,) if launched.compiled and without else ()))
    return Trust(launched.recorded, launched.blocks, launched.thread_accesses, tuple(_from_text(launched.flows)), left_out)


_OF_LABEL = {ATOMIC: Modelled.ATOMICS, CLOCK: Modelled.CLOCK, APPROXIMATE: Modelled.ROUNDING, TENSOR: Modelled.TENSOR}


def _from_text(flows: Flows) -> Iterator[Model]:
    for label, what in _OF_LABEL.items():
        if label in flows.lines:
            yield Model(what, flows.lines[label], _ordered(flows, label))


def _from_races(trace: Trace, flows: Flows, findings: Sequence[Finding]) -> Iterator[Model]:
    """Where accesses are not ordered the executed order is one of several: what the arrays that they meet in decide."""
    found = [each for each in findings if each.kind in RACES]
    if not found:
        return
    places = {(each.location.line, each.location.file) for each in found} | {
        (each.other.line, each.other.file) for each in found if each.other is not None
    }
    sites = [site for site in trace.sites if (site.location.line, site.location.file) in places]
    arrays = {trace.allocations[site.allocation].name for site in sites if site.allocation >= 0}
    reaches = [_ordered(flows, ARRAY + name) for name in sorted(arrays)]
    lines = tuple(sorted({line for line, file in places if not file}))
    yield Model(Modelled.WARPS, lines, tuple(each for each in Reach if any(each in some for some in reaches)))


def _ordered(flows: Flows, label: str) -> tuple[Reach, ...]:
    return tuple(each for each in Reach if each in flows.reaches.get(label, ()))


def _left_out(trace: Trace) -> Iterator[Message]:
    blocks = prod(trace.grid)
    stopped = next((each for each in trace.findings if each.kind is FindingKind.BUDGET_EXCEEDED), None)
    if stopped is not None:
        yield message("It ended early: {reason}", reason=stopped.message)
    elif len(trace.blocks) < blocks:
        yield message(
            "{count} of {blocks} blocks were not executed: the others stand for them.", count=blocks - len(trace.blocks), blocks=blocks
        )


# ------------------------------------------------------------ in words

NAMES = {
    Modelled.ATOMICS: message("order of atomics"),
    Modelled.WARPS: message("order of warps"),
    Modelled.CLOCK: message("clock"),
    Modelled.ROUNDING: message("approximated functions"),
    Modelled.TENSOR: message("sums of tensor cores"),
}
REACHED = {
    Reach.CONTROL: message("control flow"),
    Reach.ADDRESSES: message("addresses"),
    Reach.SYNCHRONISATION: message("synchronisation"),
}
_COUNTED = message(
    "Accesses are counted as written: a compiler may merge or remove some. No cache of a GPU is modelled. Neither changes what happens."
)


def trust_text(found: Trust) -> Message:
    """One line: what is exact, what is modelled, what of it steers the kernel, and what was left out."""
    said = message("Exact: {traced} of {blocks} blocks", traced=found.traced, blocks=found.blocks)
    if found.modelled:
        said = message("{said} · modelled: {models}", said=said, models=_list(tuple(NAMES[each.what] for each in found.modelled)))
        reached = found.reaches
        if reached:
            said = message("{said} · may decide {reached}", said=said, reached=_list(tuple(REACHED[each] for each in reached)))
        else:
            said = message("{said} · changes only values", said=said)
    if found.left_out and found.traced == found.blocks:
        said = message("{said} · ended early", said=said)
    return said


def trust_tip(found: Trust) -> tuple[Message, ...]:
    """The same in sentences, with lines."""
    sentences = [message("Executed exactly, with every access: {accesses} accesses of single threads.", accesses=found.accesses)]
    sentences += [_model_text(each) for each in found.modelled]
    return (*sentences, *found.left_out, _COUNTED)


def _model_text(model: Model) -> Message:
    meant = {
        Modelled.ATOMICS: message("Atomics are executed in one order; a GPU may take another"),
        Modelled.WARPS: message("Nothing orders some accesses: what they leave is that of one order"),
        Modelled.CLOCK: message("The clock counts steps of this execution, not cycles of a GPU"),
        Modelled.ROUNDING: message("Some functions are rounded rightly where a GPU approximates: last digits may differ"),
        Modelled.TENSOR: message("Sums of tensor cores follow what is known of compute capability 9.0: last bits may differ"),
    }[model.what]
    said = message("{said} (lines {lines})", said=meant, lines=", ".join(map(str, model.lines))) if model.lines else meant
    if not model.reaches:
        return message("{said}; it decides no branch, address or synchronisation.", said=said)
    return message("{said}; it may decide {reached}.", said=said, reached=_list(tuple(REACHED[each] for each in model.reaches)))


def _list(names: Sequence[Message]) -> Message:
    return reduce(lambda first, rest: message("{one}, {other}", one=first, other=rest), names)


def trust_object(found: Trust, text: Callable[[Message], str]) -> dict[str, object]:
    """The same for JSON."""
    return {
        "line": text(trust_text(found)),
        "exact": {"blocks_traced": found.traced, "blocks": found.blocks, "accesses": found.accesses},
        "modelled": [
            {"what": each.what.value, "lines": list(each.lines), "reaches": [r.value for r in each.reaches]} for each in found.modelled
        ],
        "counts": "as-written",
        "caches": "not-modelled",
        "left_out": [text(each) for each in found.left_out],
        "reaches": [each.value for each in found.reaches],
    }
