"""The schedules of the races that `tilescope trace` finds: one that breaks each, and one that happens to work."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from app.cli.base.console import Console
from app.cli.base.errors import Refused
from app.core.execution.schedule_sentences import all_words, line_of
from kernels.analysis.value_chains import WrongAccess
from kernels.base.messages import Message
from kernels.exploration.breaking_schedules import Interleavings, Played, schedules_of
from kernels.simt.base.schedule import Late, Old, Turn
from kernels.simt.run.worker import Tracer
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced
from kernels.simt.trace.trace import Finding

Lines = frozenset[int]
Found = Mapping[Lines, Interleavings]
"""By the lines of the race."""
NONE: Found = {}


def lines_of(finding: Finding) -> Lines:
    """The lines of a race."""
    return frozenset({finding.location.line, (finding.other or finding.location).line})


def schedules(job: LaunchSpec) -> Found:
    """Look for the schedules of all races of a launch, in a process of its own."""
    with Tracer(schedules_of) as tracer:
        outcome: object = tracer.trace(job)
    if isinstance(outcome, NotTraced):
        raise Refused(outcome.reason)
    assert isinstance(outcome, tuple)
    return {lines_of(each.finding): each for each in outcome if not isinstance(each, Message)}


def schedule_text(found: Interleavings, console: Console) -> list[str]:
    """Write what was found below the finding."""
    return [f"    {console.text(each)}" for each in all_words(found)]


def schedule_object(found: Interleavings, console: Console) -> dict[str, object]:
    """The same in JSON."""
    breaks = found.breaks
    return {
        "tried": found.tried,
        "seed": found.seed,
        "lanes_together": found.together,
        "right": "serial" if found.serial else "in step",
        "sentence": console.text(found.sentence),
        "works": _played(found.works),
        "breaks": None if breaks is None else _played(breaks),
        "elements_wrong": found.count,
        "elements": [
            {"array": each.array, "index": each.index, "right": _number(each.right), "wrong": _number(each.wrong)}
            for each in found.elements
        ],
        "wrong": [] if breaks is None else [_wrong(breaks, each) for each in found.wrong],
    }


def _number(value: float) -> float | str:
    """A number as JSON knows it; else its name."""
    return value if isfinite(value) else str(value)


def _wrong(played: Played, wrong: WrongAccess) -> dict[str, object]:
    return {"row": wrong.row, "line": line_of(played.trace, wrong), "operation": wrong.operation, "lanes": list(wrong.lanes)}


def _turn(played: Played, turn: Turn) -> dict[str, object]:
    block = list(played.trace.blocks[turn.block])
    return {"block": block, "warp": turn.warp, "lanes": f"{turn.lanes:08x}", "row": turn.first, "rows": turn.rows, "late": turn.late}


def _at(chosen: Late | Old) -> dict[str, object]:
    return {"block": chosen.thread.block, "lane": chosen.thread.lane, "line": chosen.line}


def _played(played: Played) -> dict[str, object]:
    schedule = played.schedule
    return {
        "rule": schedule.rule.value,
        "ended": played.ended,
        "racing_rows": list(played.racing),
        "holds": [
            {
                "block": each.thread.block, "lane": each.thread.lane, "before_access": each.access,
                "until_block": each.until.block, "until_lane": each.until.lane, "has_made": each.reached,
            }
            for each in schedule.holds
        ],
        "stores_seen_late": [_at(each) for each in schedule.late],
        "old_values_read": [_at(each) for each in schedule.old],
        "turns": [_turn(played, each) for each in played.turns],
    }  # fmt: skip
