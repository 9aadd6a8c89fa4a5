"""Edges of a whole program: the words after its name that say how much there is to do, and the sizes with which it is run in their place.

A word is a size where the program allocates, or launches, less when it is lowered. Nothing else of a program can be varied from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from kernels.analysis.trust import trust_of
from kernels.base.messages import Message, message
from kernels.exploration.edge_cases import ProgramEdge, ProgramPlan, TriedProgram
from kernels.exploration.edge_search import around
from kernels.simt.host.result import NotRun, ProgramJob, ProgramOutcome, ProgramRun, Wrong

MOST_WORDS = 4
USUAL_TILE = 256
MOST_SIZE = 1 << 20
OF_NO_SIZE = frozenset((Wrong.LEAK, Wrong.UNREAD, Wrong.STALE))
"""Findings that a program has whatever its size."""
Run = Callable[[ProgramJob], ProgramOutcome]


def plan_program(job: ProgramJob, run: Run) -> ProgramPlan | Message:
    """Find which words are sizes, by running the program with half of each; or say why none is."""
    base = run(job)
    if isinstance(base, NotRun):
        return base.reason
    numbers = [place for place, word in enumerate(job.arguments) if word.isascii() and word.isdecimal() and int(word) > 1]
    places = tuple(place for place in numbers[:MOST_WORDS] if _follows(base, run(_with(job, place, int(job.arguments[place]) // 2))))
    if not places:
        return message(
            "The program takes no size on its command line: what it allocates and launches changes with none of its arguments. "
            "Read the size there, as in n = atoi(argv[1]), and give the program a number."
        )
    tile = max((max(each.block) for each in base.launches), default=USUAL_TILE)
    values = {*around(tile), *(int(job.arguments[place]) for place in places)}
    edges = {replace_sizes(job.arguments, dict.fromkeys(places, value)): places for value in sorted(values) if value <= MOST_SIZE}
    edges[job.arguments] = places
    found = sorted((ProgramEdge(words, places) for words, places in edges.items()), key=lambda edge: (sum(edge.sizes), edge.sizes))
    return ProgramPlan(tuple(found), tuple(_varied(job, places)), tuple(_kept(job, places)))


def try_program(job: ProgramJob, edge: ProgramEdge, run: Run) -> TriedProgram:
    """Run the program once. One that ends with an error of its own before it launches anything has refused the size: that is no failure."""
    outcome = run(replace(job, arguments=edge.arguments))
    if isinstance(outcome, NotRun):
        return TriedProgram(edge, reason=outcome.reason)
    if outcome.status != 0 and not outcome.findings and not outcome.launches:
        return TriedProgram(edge, outcome.status, reason=message("The program refuses it: status {status}.", status=outcome.status))
    trusts = tuple(trust_of(each) for each in outcome.launches if each.refused is None)
    return TriedProgram(edge, outcome.status, tuple(each for each in outcome.findings if each.wrong not in OF_NO_SIZE), trusts=trusts)


def replace_sizes(arguments: tuple[str, ...], sizes: dict[int, int]) -> tuple[str, ...]:
    """The words with other sizes at their places."""
    return tuple(str(sizes[place]) if place in sizes else word for place, word in enumerate(arguments))


def _with(job: ProgramJob, place: int, value: int) -> ProgramJob:
    return replace(job, arguments=replace_sizes(job.arguments, {place: value}))


def _follows(base: ProgramRun, other: ProgramOutcome) -> bool:
    """Whether a run allocates or launches something else."""
    return isinstance(other, ProgramRun) and _shape(base) != _shape(other)


def _shape(run: ProgramRun) -> tuple[object, ...]:
    return tuple(each.bytes for each in run.allocations), tuple((each.grid, each.block, each.accesses) for each in run.launches)


def _varied(job: ProgramJob, places: tuple[int, ...]) -> Iterator[Message]:
    for place in places:
        yield message("Word {number} ({word}) is varied: what the program allocates or launches follows it.", number=place + 1,
                      word=job.arguments[place])  # fmt: skip


def _kept(job: ProgramJob, places: tuple[int, ...]) -> Iterator[Message]:
    for place, word in enumerate(job.arguments):
        if place not in places:
            yield message("Word {number} stays {word}.", number=place + 1, word=word)
