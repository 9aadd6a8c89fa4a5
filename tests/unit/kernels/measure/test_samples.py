"""Which samples count: disturbed ones are taken again, what stays disturbed says by whom, and two groups are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.base.values import dataclass
from kernels.measure.disturbance_sentences import Cause, disturbance, is_disturbed, modes_ms, scatter
from kernels.measure.disturbance_watch import Reading, Watch
from kernels.measure.protocol import Protocol, Rule
from kernels.measure.samples import TEAM_S, Samples, modes

QUIET = Reading(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Told(Watch):
    """A watch that sees what it is told: for each slice the causes, for each sample whether it was delayed."""

    slices: list[frozenset[Cause]] = field(default_factory=list)
    late: list[bool] = field(default_factory=list)
    seen: list[Mapping[int, tuple[str, float]]] = field(default_factory=list)

    def look(self) -> Reading:
        return QUIET

    def waits(self) -> dict[str, float]:
        return {}

    def delays(self, wall_s: float, before: Mapping[str, float], after: Mapping[str, float], threads: int) -> bool:
        return bool(self.late) and self.late.pop(0)

    def causes(self, before: Reading, after: Reading, threads: int) -> frozenset[Cause]:
        return self.slices.pop(0) if self.slices else frozenset()

    def processes(self) -> dict[int, tuple[str, float]]:
        return dict(self.seen.pop(0)) if self.seen else {}


def take(samples: Samples, times: Sequence[float], elapsed_s: float = 0.1) -> None:
    """One slice of samples of these times."""
    samples.begin()
    for ms in times:
        samples.add(lambda ms=ms: ms, lambda: elapsed_s)  # type: ignore[misc]
    samples.end(elapsed_s)


def test_undisturbed_samples_end_by_their_spread_and_say_nothing() -> None:
    samples = Samples(Protocol(), Told(), 1)
    take(samples, [1.0] * 5)
    assert samples.rule is Rule.SPREAD
    assert samples.times_ms == (1.0,) * 5
    assert samples.conditions() == {"stopped_by": "spread"}


def test_samples_of_several_threads_are_taken_for_half_a_second_even_if_they_agree() -> None:
    samples = Samples(Protocol(), Told(), 2)
    take(samples, [1.0] * 5, TEAM_S - 0.01)
    assert samples.rule is None
    take(samples, [1.0], TEAM_S)
    assert samples.rule is Rule.SPREAD


def test_a_delayed_sample_is_taken_again_and_counted_as_such() -> None:
    samples = Samples(Protocol(), Told(late=[False, True, False, False, False, False]), 1)
    take(samples, [1.0, 9.0, 1.0, 1.0, 1.0])
    assert samples.rule is None, "four are not enough"
    take(samples, [1.0])
    assert samples.times_ms == (1.0,) * 5
    assert samples.conditions() == {"stopped_by": "spread", "retaken_samples": 1}
    assert not is_disturbed(samples.conditions())


def test_all_samples_of_a_disturbed_slice_are_taken_again() -> None:
    samples = Samples(Protocol(), Told(slices=[frozenset({Cause.PROGRAMS})]), 1)
    take(samples, [2.0] * 5)
    assert samples.rule is None, "what had seemed enough was not"
    take(samples, [1.0] * 5)
    assert samples.times_ms == (1.0,) * 5
    assert samples.conditions()["retaken_samples"] == 5


def test_what_stays_disturbed_beyond_the_budget_is_kept_and_says_by_whom() -> None:
    busy = [{7: ("compiler", 1.0), 8: ("editor", 0.1)}, {7: ("compiler", 3.0), 8: ("editor", 0.15)}]
    samples = Samples(Protocol(), Told(slices=[frozenset({Cause.PROGRAMS})] * 2, seen=list(busy)), 1)
    take(samples, [2.0] * 5, elapsed_s=1.0)
    take(samples, [2.2] * 5, elapsed_s=4.1)
    assert samples.rule is Rule.TIME
    assert len(samples.times_ms) == 10
    conditions = samples.conditions()
    assert is_disturbed(conditions)
    assert str(disturbance(conditions)) == "disturbed by other programs (compiler)"


@pytest.mark.parametrize(("by", "said"), [
    ("scheduler,programs,steal",
     "disturbed by the system's scheduler, other programs (python, cicc), probably the host of this virtual machine"),
    ("steal", "disturbed by probably the host of this virtual machine; busiest meanwhile: python, cicc"),
])  # fmt: skip
def test_names_of_programs_stand_behind_the_programs_whatever_else_disturbed(by: str, said: str) -> None:
    assert str(disturbance({"disturbed_share": 1.0, "disturbed_by": by, "disturbed_names": "python,cicc"})) == said


def test_the_program_itself_is_named_as_such() -> None:
    seen = [{7: ("window", 1.0)}, {7: ("window", 2.0)}]
    samples = Samples(Protocol(), Told(slices=[frozenset({Cause.SCHEDULER})] * 2, seen=list(seen)), 1)
    take(samples, [2.0] * 5)
    take(samples, [2.0] * 5, elapsed_s=5.0)
    assert str(disturbance(samples.conditions())) == "disturbed by the system's scheduler, Tilescope itself"


def test_without_a_watch_all_samples_count() -> None:
    samples = Samples(Protocol(), None, 1)
    take(samples, [1.0] * 5)
    assert samples.conditions() == {"stopped_by": "spread"}


def test_two_groups_of_samples_are_told_with_both_medians() -> None:
    samples = Samples(Protocol(max_samples=12), None, 1)
    take(samples, [1.0, 3.0, 1.1, 3.1, 0.9, 2.9] * 2)
    assert modes_ms(samples.conditions()) == (1.0, 3.0)
    assert str(scatter(samples.conditions())) == "two groups of samples, about 1 and 3 ms"


@pytest.mark.parametrize("times", [[1.0] * 9, [1.0] * 9 + [5.0], [1.0, 1.2, 1.4, 1.7, 2.0, 2.4, 2.9, 3.5], []])
def test_steady_samples_a_single_slow_one_and_scatter_are_no_two_groups(times: list[float]) -> None:
    assert modes(times) is None


@given(st.lists(st.floats(0.9, 1.1), min_size=4, max_size=30), st.lists(st.floats(1.9, 2.1), min_size=4, max_size=30))
def test_modes_are_found_in_any_order_where_both_groups_are_large(low: list[float], high: list[float]) -> None:
    found = modes([*high, *low])
    large = min(len(low), len(high)) >= 0.2 * (len(low) + len(high))
    assert (found is not None) == large
    if found is not None:
        assert 0.9 <= found[0] <= 1.1
        assert 1.9 <= found[1] <= 2.1


def reading(wall: float, busy: float, own: float, stolen: float = 0.0) -> Reading:
    return Reading(wall, busy, own, stolen)


@pytest.mark.parametrize(
    ("cores", "threads", "after", "causes"),
    [
        (2, 1, reading(1.0, 1.05, 1.0), set()),
        (2, 1, reading(1.0, 1.6, 1.0), {Cause.PROGRAMS}),
        (16, 1, reading(1.0, 2.9, 1.0), set()),
        (16, 1, reading(1.0, 6.0, 1.0), {Cause.PROGRAMS}),
        (16, 16, reading(1.0, 16.4, 16.0), {Cause.PROGRAMS}),
        (2, 1, reading(1.0, 1.0, 1.0, 0.2), {Cause.STEAL}),
        (2, 1, reading(0.02, 0.04, 0.02), set()),
    ],
)
def test_who_disturbs_follows_from_what_the_processors_did(cores: int, threads: int, after: Reading, causes: set[Cause]) -> None:
    assert Watch(cores=cores).causes(QUIET, after, threads) == causes


def test_a_wait_counts_from_what_is_seen_in_a_sample() -> None:
    watch = Watch(cores=4)
    assert not watch.delays(0.010, {"1": 0.0}, {"1": 0.0001}, 1)
    assert watch.delays(0.010, {"1": 0.5}, {"1": 0.501}, 1)
    assert not watch.delays(0.0001, {"1": 0.0}, {"1": 0.00004}, 1), "less than a switch to another thread takes"
    many = {str(task): 0.00001 for task in range(64)}
    assert not watch.delays(0.010, dict.fromkeys(many, 0.0), many, 4), "each of them has waited for a moment only"
    assert not watch.delays(0.010, {"1": 0.0}, {"2": 9.0}, 1), "a thread that came later"
    assert not watch.delays(0.010, {"1": 0.0}, {"1": 0.005}, 8), "more threads than cores wait for each other"


def test_the_watch_sees_this_process_at_work() -> None:
    watch = Watch()
    before = watch.look()
    total = sum(range(2_000_000))
    after = watch.look()
    assert total > 0
    assert after.own > before.own
    assert after.wall > before.wall
    assert all(seconds >= 0 for seconds in watch.waits().values())
    assert watch.processes()
