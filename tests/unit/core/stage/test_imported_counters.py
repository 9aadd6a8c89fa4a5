"""Counters that a user brings for the launch on the stage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from app.core.base.i18n import Translator
from app.core.session.session import Session
from app.core.stage.predictions import REST_S, Predictions
from app.core.tracing.stage_tracer import StageTracer
from kernels.base.messages import Message, message
from kernels.simt.trace.launch_spec import NotTraced

STORES = "smsp__inst_executed_op_shared_st.sum"
REGISTERS = "launch__registers_per_thread"
TURN, PRODUCT, WARM_UP = "turn_a(const float *, float *, int, int)", "matmul_fastest(float *, int)", "warm_up()"


class Tracer:
    """Always has time, and answers when it is told to."""

    idle = free = True

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.answer: Callable[[Any], None] = lambda _outcome: None

    def ask(self, question: Any, answered: Callable[[Any], None]) -> None:
        self.asked.append(question)
        self.answer = answered


class Bench:
    def __init__(self, variant_id: str) -> None:
        self.now, self.tracer, self.session = 0.0, Tracer(), Session(variant_id)
        self.predictions = Predictions(self.session, cast(StageTracer, self.tracer), lambda: self.now)

    def asked(self) -> Any:
        self.now += 2 * REST_S
        self.predictions.tick()
        return self.tracer.asked[-1]


def profile(folder: Path, metric: str, *launches: tuple[str, int]) -> Path:
    lines = [f'"ID","Kernel Name","Block Size","Grid Size","{metric}"', '"","","","",""']
    lines += [f'"{number}","{name}","(1, 1, 1)","(1, 1, 1)","{value}"' for number, (name, value) in enumerate(launches)]
    path = folder / "profile.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_of_two_kernels_both_are_taken_the_first_launch_of_each(tmp_path: Path) -> None:
    bench = Bench("gpu.fastest")
    path = profile(tmp_path, STORES, (WARM_UP, 5), (TURN, 100), (PRODUCT, 20), (TURN, 3), (PRODUCT, 4))
    assert bench.predictions.take_counters(path) is None
    assert bench.asked().imported == {"shared_store_requests": 120}


def test_a_text_of_ones_own_has_no_prediction_of_the_rung_that_was_shown_before(tmp_path: Path) -> None:
    bench, file = Bench("gpu.tiled"), tmp_path / "own.cu"
    file.write_text("__global__ void f() {}\n", encoding="utf-8")
    bench.asked()
    reason = message("Nothing is known.")
    bench.tracer.answer(NotTraced(reason, ()))
    shown = [bench.predictions.beside.value]
    assert bench.session.draft_editor.open_file(file) is None
    shown.append(bench.predictions.beside.value)
    bench.session.draft_editor.close()
    shown.append(bench.predictions.beside.value)
    assert shown == [reason, None, reason]


def test_registers_are_the_mean_of_both(tmp_path: Path) -> None:
    bench = Bench("gpu.fastest")
    assert bench.predictions.take_counters(profile(tmp_path, REGISTERS, (TURN, 20), (PRODUCT, 200))) is None
    assert bench.asked().imported == {"registers": 110}


@pytest.mark.parametrize(
    ("metric", "launches", "reason"),
    [
        (STORES, [(PRODUCT, 20), (WARM_UP, 1)], "{path} has no launch of turn_a; it has matmul_fastest, warm_up."),
        ("dram__cycles_active.sum", [(TURN, 1), (PRODUCT, 2)], "{path} has none of the metrics that are predicted, such as "),
    ],
)
def test_a_file_without_what_is_predicted_is_refused(tmp_path: Path, metric: str, launches: list[tuple[str, int]], reason: str) -> None:
    bench, path = Bench("gpu.fastest"), profile(tmp_path, metric, *launches)
    refused = bench.predictions.take_counters(path)
    assert isinstance(refused, Message)
    assert Translator("en").text(refused).startswith(reason.format(path=path))
    assert bench.asked().imported is None


def test_where_there_is_no_prediction_the_reason_is_shown() -> None:
    bench = Bench("gpu.tiled")
    reason = message("There is no variant {variant}.", variant="gpu.tiled")
    bench.asked()
    bench.tracer.answer(NotTraced(reason))
    assert bench.predictions.beside.value == reason
    assert bench.predictions.settled
