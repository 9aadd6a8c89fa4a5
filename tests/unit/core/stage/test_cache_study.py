"""What is asked of the cache model, in which order, and what becomes of the answers."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from app.core.cpu_view.cache_question import ColdRun, CountsQuestion, HistoryQuestion
from app.core.cpu_view.index import TraceIndex
from app.core.inspector.setting_bars import between, miss_bars
from app.core.session.choices import CacheChoice
from app.core.session.session import STAGE_SIZES, Session
from app.core.stage import studies
from app.core.stage.model import StageModel
from app.core.stage.studies import TAKES_TURNS, CacheStudy, sizes_of, tiles_of
from app.core.workbench.trace_handlers import answer_caches
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.cachesim.count import Counts
from kernels.cachesim.geometry import Level, Replacement
from kernels.cachesim.history import History
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.cpusim.execute import trace
from kernels.simt.trace.launch_spec import NotTraced


class Tracer:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self._answered: Callable[[Any], None] | None = None

    @property
    def free(self) -> bool:
        return self._answered is None

    def ask(self, question: Any, answered: Callable[[Any], None]) -> None:
        self.asked.append(question)
        self._answered = answered

    def answer(self, outcome: Any = None) -> None:
        assert self._answered is not None
        answered, self._answered = self._answered, None
        answered(answer_caches(self.asked[-1]) if outcome is None else outcome)


class Bench:
    def __init__(self, variant_id: str = "cpu.blocked", n: int = 8) -> None:
        self.session, self.stage, self.tracer = Session(variant_id), StageModel(), Tracer()
        self.session.set_stage_problem(Problem.square(self.session.operation, n))
        self.study = CacheStudy(self.session, self.stage, self.tracer)  # type: ignore[arg-type]

    def show(self) -> None:
        choice = self.session.stage.value
        self.stage.shown.value = TraceIndex(trace(choice.variant, choice.problem, choice.parameters, seed=1))

    @property
    def settled(self) -> tuple[bool, bool]:
        """Whether the stage has its caches, and whether other settings are known too."""
        return self.study.settled, self.study.compared

    @property
    def shown(self) -> bool:
        return self.stage.caches.value is not None

    def finish(self) -> None:
        for _ in range(40):
            self.study.tick()
            if self.tracer.free:
                return
            self.tracer.answer()


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_nothing_is_asked_before_there_is_a_trace(bench: Bench) -> None:
    bench.study.tick()
    assert not bench.tracer.asked
    assert bench.study.settled


def test_the_history_comes_first_and_other_settings_last(bench: Bench) -> None:
    bench.show()
    assert bench.settled == (False, False)
    bench.finish()
    kinds = [(type(each), getattr(each, "classified", False)) for each in bench.tracer.asked]
    assert kinds[:2] == [(HistoryQuestion, False), (CountsQuestion, True)]
    assert set(kinds[2:]) == {(CountsQuestion, False)}
    assert bench.settled == (True, True)
    assert bench.shown
    assert tuple(bench.study.by_size.value) == STAGE_SIZES
    assert tuple(bench.study.by_tile.value) == (4, 8)


def test_the_shown_size_and_tile_are_compared_too_where_no_stop_has_them() -> None:
    case = Case.of(catalogue.by_id("cpu.blocked"), Problem.square(Operation.MATMUL, 40), {"tile": 2})
    shown = ColdRun(case, CacheChoice().hierarchy)
    assert (40 in STAGE_SIZES, 40 in sizes_of(shown)) == (False, True)
    assert list(tiles_of(shown)) == [2, 4, 8, 16, 32, 64]
    oblong = ColdRun(Case.of(case.variant, Problem(Operation.MATMUL, 8, 40, 8), {"tile": 2}), CacheChoice().hierarchy)
    assert tuple(sizes_of(oblong)) == STAGE_SIZES


def test_while_the_tracer_is_busy_nothing_is_asked(bench: Bench) -> None:
    bench.show()
    bench.study.tick()
    bench.study.tick()
    assert len(bench.tracer.asked) == 1


def test_what_is_known_is_not_asked_again(bench: Bench) -> None:
    bench.show()
    bench.finish()
    shown = []
    for choice in (CacheChoice(replacement=Replacement.FIFO), CacheChoice()):
        bench.session.caches.value = choice
        shown.append(bench.shown)
        asked = len(bench.tracer.asked)
        bench.finish()
        shown.append(len(bench.tracer.asked) > asked)
    assert shown == [False, True, True, False]


def test_histories_are_kept_as_far_as_there_is_memory_for_them(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.show()
    bench.finish()
    assert bench.stage.caches.value is not None
    one = bench.stage.caches.value.history.bytes
    monkeypatch.setattr(studies, "MOST_HISTORY_BYTES", 5 * one // 2)
    for replacement in Replacement:
        bench.session.caches.value = CacheChoice(replacement=replacement)
        bench.finish()
        assert bench.shown
    assert sum(isinstance(each, History) for each in bench.study._known.values()) == 2


def test_a_history_beyond_all_memory_is_kept_alone(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "MOST_HISTORY_BYTES", 1)
    bench.show()
    bench.finish()
    assert bench.shown
    assert bench.settled == (True, True)


def test_the_bytes_of_a_history_are_those_of_its_columns(bench: Bench) -> None:
    bench.show()
    bench.finish()
    assert bench.stage.caches.value is not None
    history = bench.stage.caches.value.history
    assert history.bytes == pytest.approx(len(pickle.dumps(history)), rel=0.05, abs=8000)


def test_why_there_is_no_answer_is_told(bench: Bench) -> None:
    bench.show()
    bench.study.tick()
    reason = message("No.")
    bench.tracer.answer(NotTraced(reason))
    assert bench.stage.caches_missing.value == reason
    assert not bench.shown


def test_a_library_has_no_accesses_to_ask_for() -> None:
    bench = Bench("cpu.numpy")
    bench.show()
    bench.study.tick()
    assert not bench.tracer.asked


def test_threads_that_take_turns_have_no_caches_beside_them() -> None:
    variant = next((v for v in catalogue.VARIANTS if v.id == "cpu.parallel"), None)
    assert variant is not None
    bench = Bench(variant.id)
    bench.show()
    bench.study.tick()
    bench.tracer.answer()
    assert bench.stage.caches_missing.value == TAKES_TURNS


def test_tiles_are_compared_up_to_the_size_of_the_matrices() -> None:
    execution = ColdRun(Case("cpu.blocked", Problem.square(Operation.MATMUL, 20), {"tile": 4}), CacheChoice().hierarchy)
    assert list(tiles_of(execution)) == [4, 8, 16, 32]
    assert [question.execution.case.problem.n for question in sizes_of(execution).values()] == list(STAGE_SIZES)
    assert not tiles_of(ColdRun(Case("cpu.naive", Problem.square(Operation.MATMUL, 20), {}), CacheChoice().hierarchy))


def test_bars_are_the_misses_of_a_level_with_marks_where_it_is_full() -> None:
    execution = ColdRun(Case("cpu.blocked", Problem.square(Operation.MATMUL, 8), {"tile": 4}), CacheChoice().hierarchy)
    found = answer_caches(CountsQuestion(execution))
    assert isinstance(found, Counts)
    bars = miss_bars({4: found}, 0, Operation.MATMUL)
    assert bars.values == {4: found.levels[0].total.misses}
    nearest: Level = execution.hierarchy.levels[0]
    assert 3 * 4 * bars.marks["L1"] ** 2 == pytest.approx(nearest.size)
    assert miss_bars({}, 0, Operation.MATMUL).values == {}


def test_marks_stand_between_the_stops_that_they_are_between() -> None:
    assert between((4, 8, 16), 8) == 1
    assert between((4, 8, 16), 32) is None
    assert between((4, 8, 16), 2) is None
    place = between((4, 8, 16), 11.3137)
    assert place == pytest.approx(1.5, abs=0.001)
