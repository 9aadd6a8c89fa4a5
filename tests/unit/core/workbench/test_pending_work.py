"""What a picture still lacks is told, the first of it, and nothing once everything is known."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.core.workbench.pending_work import missing
from app.core.workbench.workbench import Workbench
from kernels.simt.host.result import ProgramRun


def workbench(**lacking: bool) -> Workbench:
    """One that knows everything but what is named False."""
    known: dict[str, Any] = dict.fromkeys(
        ("stage_ready", "settled", "real_runs", "player", "practice", "caches", "compared", "stop_costs", "compiled", "predictions"), True
    )
    known.update(lacking)
    studies = SimpleNamespace(
        caches=SimpleNamespace(settled=known["caches"], compared=known["compared"]),
        **{name: SimpleNamespace(settled=known[name]) for name in ("stop_costs", "compiled", "predictions")},
    )
    made = SimpleNamespace(
        stage_ready=known["stage_ready"],
        settled=known["settled"],
        states=SimpleNamespace(arrival=SimpleNamespace(pending=not known.get("arrived", True))),
        real_runs=SimpleNamespace(settled=known["real_runs"]),
        lesson_controller=SimpleNamespace(player=SimpleNamespace(settled=known["player"])),
        races=SimpleNamespace(settled=known.get("races", True)),
        practice=SimpleNamespace(settled=known["practice"]),
        program=SimpleNamespace(outcome=SimpleNamespace(value=ProgramRun("", 0, searching=not known.get("searched", True)))),
        program_page=SimpleNamespace(shown=SimpleNamespace(value=True), times=SimpleNamespace(settled=known.get("times", True))),
        studies=studies,
    )
    return cast(Workbench, made)


def test_nothing_is_missing_where_everything_is_known() -> None:
    assert missing(workbench()) is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("stage_ready", "the execution that the stage shows"),
        ("arrived", "the execution that the stage shows"),
        ("settled", "the devices and earlier times"),
        ("real_runs", "the run"),
        ("player", "the numbers of the lesson"),
        ("races", "the schedules of the data race"),
        ("practice", "whether the attempt holds"),
        ("searched", "races between threads"),
        ("times", "what the launches take"),
        ("caches", "what the caches do"),
        ("compared", "what the caches do at other sizes and tiles"),
        ("stop_costs", "what other tiles would cost"),
        ("compiled", "what the compiler says"),
        ("predictions", "what is predicted"),
    ],
)
def test_what_is_missing_is_named(name: str, said: str) -> None:
    assert str(missing(workbench(**{name: False}))) == said


def test_the_first_of_several_is_named() -> None:
    assert str(missing(workbench(predictions=False, settled=False))) == "the devices and earlier times"
