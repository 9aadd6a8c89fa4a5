"""What the stage says of the caches: the content at each step against a plain model of LRU, the counts, the words."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.cpu_view.addresses import working_set
from app.core.cpu_view.cache_counters import (
    CacheCounters,
    curve,
    kinds_text,
    line_misses,
    lowest_tick,
    percent_of,
    rate_at,
    step_of,
    stream,
)
from app.core.cpu_view.cache_question import ColdRun, CountsQuestion, HistoryQuestion
from app.core.cpu_view.cache_sentences import miss_facts, miss_sentence, numbers_text, source_of, verdict_of
from app.core.cpu_view.caches import StageCaches, aligned
from app.core.cpu_view.index import TraceIndex
from app.core.session.choices import CacheChoice
from app.core.workbench.trace_handlers import answer_caches
from kernels.base.spec import Problem
from kernels.cachesim.count import Counts
from kernels.cachesim.geometry import Replacement
from kernels.cachesim.history import History
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.cpusim.execute import trace
from kernels.simt.trace.launch_spec import NotTraced

N = 12


def caches_of(variant_id: str, choice: CacheChoice | None = None, n: int = N) -> StageCaches:
    variant = catalogue.by_id(variant_id)
    problem, parameters = Problem.square(variant.operation, n), dict(variant.defaults) | ({"tile": 4} if "tile" in variant.defaults else {})
    index = TraceIndex(trace(variant, problem, parameters, seed=1))
    found = answer_caches(HistoryQuestion(ColdRun(Case(variant_id, problem, parameters), (choice or CacheChoice()).hierarchy)))
    assert isinstance(found, History)
    assert aligned(index, found)
    return StageCaches(index, found)


@pytest.fixture(scope="module", params=["cpu.blocked", "cpu.naive", "cpu.transpose-naive"])
def caches(request: pytest.FixtureRequest) -> StageCaches:
    return caches_of(request.param)


def test_each_step_has_the_accesses_that_its_line_touches(caches: StageCaches) -> None:
    index, accesses = caches.index, caches.history.accesses
    for step in range(0, index.trace.steps, 7):
        touched = index.elements_of(step, step + 1)
        own = caches.accesses_of(step)
        names = [caches.history.arrays[number] for number in accesses.array[own.start : own.stop]]
        assert names == [index.trace.arrays[number] for number in touched.matrix]
        for access, name, row, column in zip(own, names, touched.row.tolist(), touched.column.tolist(), strict=True):
            first = caches.addresses.bounds[name][0]
            assert accesses.address[access] == first + 4 * (row * index.shapes[name][1] + column)


@pytest.mark.parametrize("variant_id", ["cpu.hints", "cpu.simd-blocked-bt"])
def test_working_memory_is_touched_in_the_step_of_the_line_that_touches_it(variant_id: str) -> None:
    """`Bt[j, k] = B[k, j]` reads, then writes; `total += A[i, k] * Bt[j, k]` reads both at one k."""
    caches = caches_of(variant_id)
    accesses, kinds = caches.history.accesses, set[tuple[tuple[str, bool], ...]]()
    for step in range(caches.index.trace.steps):
        own = caches.accesses_of(step)
        touched = [(caches.history.arrays[accesses.array[each]], bool(accesses.write[each])) for each in own]
        if "Bt" in dict(touched):
            kinds.add(tuple(touched))
            places = {
                name: (accesses.address[each] - caches.addresses.bounds[name][0]) // 4 for (name, _), each in zip(touched, own, strict=True)
            }
            if "B" in places:
                assert divmod(places["Bt"], N) == divmod(places["B"], N)[::-1]
            else:
                assert places["Bt"] % N == places["A"] % N
    assert kinds == {(("B", False), ("Bt", True)), *([(("A", False), ("Bt", False))] if variant_id == "cpu.hints" else [])}


def test_the_content_is_what_a_plain_model_of_lru_holds(caches: StageCaches) -> None:
    level = caches.levels[0]
    sets: list[list[int]] = [[] for _ in range(level.sets)]
    for step in range(caches.index.trace.steps):
        for access in caches.accesses_of(step):
            line = int(caches.history.accesses.address[access]) // level.line
            own = sets[line % level.sets]
            if line in own:
                own.remove(line)
            own.insert(0, line)
            del own[level.ways :]
        content = caches.frame(step, 0).content
        for place, wanted in enumerate(sets):
            held = sorted(
                (age, line) for age, line in zip(content.age[place].tolist(), content.line[place].tolist(), strict=True) if line >= 0
            )
            assert [line for _, line in held] == wanted


def test_misses_of_the_steps_add_up_to_those_counted_without_a_history(caches: StageCaches) -> None:
    made, problem = caches.index.trace, caches.index.trace.problem
    found = answer_caches(CountsQuestion(ColdRun(Case(made.variant_id, problem, made.parameters), caches.history.hierarchy)))
    assert isinstance(found, Counts)
    for number, level in enumerate(found.levels):
        assert int(caches.misses_of_steps(number).sum()) == level.total.misses


def test_a_miss_is_told_with_what_was_fetched_and_from_where(caches: StageCaches) -> None:
    missing = np.flatnonzero(caches.misses_of_steps(0))
    first = int(missing[0])
    assert "memory" in str(miss_sentence(caches, first))
    verdict = verdict_of(caches, first)
    assert verdict is not None
    assert verdict.severe
    assert [str(label) for label, _ in miss_facts(caches, first)] in (
        ["Fetched line", "Put in", "Put out"],
        ["Fetched lines", "Put in", "Put out"],
    )
    again = next(step for step in range(caches.index.trace.steps) if step not in missing and caches.accesses_of(step))
    assert miss_sentence(caches, again) is None
    assert verdict_of(caches, again).good  # type: ignore[union-attr]


def test_what_misses_the_first_level_and_hits_the_second_is_said_to_come_from_there() -> None:
    caches = caches_of("cpu.naive", n=16)
    seen = [(step, source_of(caches, access)) for step in range(caches.index.trace.steps) for access in caches.accesses_of(step)]
    from_below = next(step for step, source in seen if source == "L2")
    assert str(miss_sentence(caches, from_below)).endswith("is not in L1, it comes from L2.")


def test_all_arrays_that_a_step_misses_are_named_with_what_was_fetched() -> None:
    caches = caches_of("cpu.naive", n=16)
    assert [each.array for each in caches.lookups(0, 0) if not each.hit] == ["A", "B"]
    assert str(miss_sentence(caches, 0)) == "Reads A and B: their cache lines are in no cache, they come from memory."
    assert [str(fact) for _, fact in miss_facts(caches, 0)] == [
        "A[0][0..15], 64 bytes; B[0][0..15], 64 bytes", "set 0, way 0; set 0, way 1", "nothing: the ways were empty",
    ]  # fmt: skip
    assert str(miss_sentence(caches, 1)) == "Reads B: the cache line is in no cache, it comes from memory."


def test_a_line_that_is_written_is_told_beside_one_that_is_read() -> None:
    """The first copy of a transposition fetches a line of A and one of C, and said that it reads A: the cache line comes from memory."""
    caches = caches_of("cpu.transpose-blocked", n=32)
    assert str(miss_sentence(caches, 0)) == "Reads A, writes C: their cache lines are in no cache, they come from memory."
    title, fetched = miss_facts(caches, 0)[0]
    assert (str(title), str(fetched)) == ("Fetched lines", "A[0][0..15], 64 bytes; C[0][0..15], 64 bytes")


@pytest.mark.parametrize(("variant_id", "fetched", "put"), [
    ("cpu.loop-order", "2 lines, C[0][0..15] to C[0][16..31], 128 bytes", "sets 0–1, way 0"),
    ("cpu.blocked", "4 lines, C[0][0..15] to C[3][0..15], 256 bytes", "sets 0, 2, ways 0–1"),
])  # fmt: skip
def test_of_a_step_that_fetches_several_lines_all_are_told(variant_id: str, fetched: str, put: str) -> None:
    """The first step sets a row of C, or a tile of it, to 0; a row of 32 takes two lines, L1 has four sets."""
    caches = caches_of(variant_id, n=32)
    lines = len([each for each in caches.lookups(0, 0) if not each.hit])
    assert {str(title): str(fact) for title, fact in miss_facts(caches, 0)} == {
        "Fetched lines": fetched, "Put in": put, "Put out": "nothing: the ways were empty",
    }  # fmt: skip
    assert str(miss_sentence(caches, 0)) == f"Writes C: {lines} cache lines are in no cache, they come from memory."


def test_lines_from_several_places_are_counted_by_them_as_the_verdict_says() -> None:
    """The second tile of the second row begins in lines that the first has brought in, and in others."""
    caches = caches_of("cpu.blocked", n=24)
    sources = [{each.found_in for each in caches.lookups(step, 0) if not each.hit} for step in range(caches.index.trace.steps)]
    mixed = [step for step, found in enumerate(sources) if len(found) > 1]
    assert mixed
    for step in mixed:
        assert " in L2, " in str(miss_sentence(caches, step))
        assert "in no cache" in str(miss_sentence(caches, step))
        assert "from memory" in str(verdict_of(caches, step).text)  # type: ignore[union-attr]
    stored = next(step for step in mixed if all(each.write for each in caches.lookups(step, 0)))
    assert str(miss_sentence(caches, stored)) == "Writes C: 3 cache lines are not in L1: 1 in L2, 2 in no cache."


def test_of_many_lines_that_leave_it_is_told_how_many_of_which_array() -> None:
    caches = caches_of("cpu.blocked", n=24)
    seen = [(step, {each.left for each in caches.lookups(step, 0) if each.left}) for step in range(caches.index.trace.steps)]
    step, left = next((step, lines) for step, lines in seen if len(lines) > 2 and len({line[0] for line in lines}) > 1)
    told = str({str(title): fact for title, fact in miss_facts(caches, step)}["Put out"])
    assert told.startswith(f"{len(left)} lines: ")
    for array in {line[0] for line in left}:
        assert f"{sum(line[0] == array for line in left)} of {array}" in told
    assert " to " not in told


def test_numbers_that_follow_each_other_are_told_as_a_range() -> None:
    assert numbers_text({0, 1, 2, 5, 7, 8}) == "0–2, 5, 7–8"


def test_the_running_rate_ends_as_the_share_of_all_hits(caches: StageCaches) -> None:
    missed, accesses = int(caches.misses_of_steps(0).sum()), len(caches.history.accesses)
    assert rate_at(caches, 0, caches.index.trace.steps - 1) == pytest.approx(1 - missed / accesses)
    places, rates = curve(caches, 0, 50)
    assert len(places) <= 50
    assert rates[-1] == pytest.approx(1 - missed / accesses)
    assert 0 <= lowest_tick(caches, 0) <= rates[len(rates) // 10 :].min()


def test_the_stream_is_a_page_that_holds_the_step(caches: StageCaches) -> None:
    for step in range(0, caches.index.trace.steps, 11):
        page = stream(caches, 0, step, 64)
        assert page.first <= caches.start[step] < page.end <= page.first + 64
        assert step_of(caches, int(caches.start[step])) == step


def test_lines_are_named_as_the_source_would_write_them() -> None:
    addresses = caches_of("cpu.blocked").addresses
    assert addresses.bounds == {"A": (0, 576), "B": (576, 1152), "C": (1152, 1728)}
    assert addresses.line_name(0, 16) == "A[0][0..3]"
    assert addresses.line_name(2, 64) == "A[2][8]..[3][11]"
    assert addresses.line_name(9, 64) == "B[0][0]..[1][3]"
    assert addresses.line_name(99, 64) == ""


def test_a_replacement_is_given_to_every_level() -> None:
    chosen = CacheChoice(replacement=Replacement.FIFO).hierarchy
    assert {level.replacement for level in chosen.levels} == {Replacement.FIFO}
    assert CacheChoice().hierarchy.note is not None


def test_fifo_keeps_what_came_last_not_what_was_used_last() -> None:
    lru, fifo = caches_of("cpu.blocked"), caches_of("cpu.blocked", CacheChoice(replacement=Replacement.FIFO))
    assert lru.misses_of_steps(0).sum() != fifo.misses_of_steps(0).sum()


@pytest.mark.parametrize("variant_id", ["cpu.numpy", "cpu.nowhere", "gpu.naive"])
def test_what_cannot_be_followed_has_a_reason(variant_id: str) -> None:
    variant = catalogue.by_id("cpu.numpy")
    question = HistoryQuestion(ColdRun(Case(variant_id, Problem.square(variant.operation, 4), {}), CacheChoice().hierarchy))
    assert isinstance(answer_caches(question), NotTraced)


def test_counters_of_the_caches_grow_to_what_is_counted(caches: StageCaches) -> None:
    counters, steps = CacheCounters(caches), caches.index.trace.steps
    for step in range(0, steps, 13):
        for now, after in zip(counters.at(step), counters.at(min(step + 1, steps - 1)), strict=True):
            assert 0 <= now.this_step <= now.so_far <= after.so_far <= now.whole_run
    rows = {str(row.title): row.whole_run for row in counters.at(steps - 1)}
    assert rows["L1 misses"] == sum(rows[f"L1 misses of {name}"] for name in caches.history.arrays) == int(caches.misses_of_steps(0).sum())
    assert rows["Bytes from memory"] == 64 * rows["L2 misses"]


def test_the_lines_of_a_kernel_share_all_misses(caches: StageCaches) -> None:
    found = line_misses(caches)
    assert set(found) == set(caches.index.trace.lines.tolist())
    assert sum(each.misses for each in found.values()) == int(caches.misses_of_steps(0).sum())
    assert sum(each.heat for each in found.values()) == pytest.approx(1)
    for each in found.values():
        assert caches.index.trace.lines[each.worst] == each.line
        assert caches.misses_of_steps(0)[each.worst] > 0 or not each.misses


@pytest.mark.parametrize(("share", "percent"), [(0.9375, 94), (0.5, 50), (0.9999, 99), (0.0001, 1), (0.0, 0), (1.0, 100)])
def test_a_share_is_rounded_and_is_all_or_none_only_where_it_is(share: float, percent: int) -> None:
    assert percent_of(share) == percent


def test_the_mark_of_a_line_says_its_hits_as_the_views_do(caches: StageCaches) -> None:
    for each in line_misses(caches).values():
        assert each.chips[0].text.split("\u202f")[0] == str(percent_of(1 - each.misses / each.accesses))


def test_kinds_of_misses_add_up(caches: StageCaches) -> None:
    made = caches.index.trace
    execution = ColdRun(Case(made.variant_id, made.problem, made.parameters), caches.history.hierarchy)
    plain, told = answer_caches(CountsQuestion(execution)), answer_caches(CountsQuestion(execution, classified=True))
    assert isinstance(plain, Counts)
    assert isinstance(told, Counts)
    kinds = told.levels[0].kinds
    assert kinds is not None
    assert kinds.compulsory + kinds.capacity + kinds.conflict == told.levels[0].total.misses
    assert kinds_text(plain) is None
    assert str(kinds.capacity) in str(kinds_text(told))


def test_the_working_set_of_a_tile_step_is_what_it_touches() -> None:
    caches = caches_of("cpu.blocked")
    level = caches.levels[0]
    found = working_set(caches.index, level)
    assert found is not None
    groups, touched = caches.index.groups, []
    for group in range(len(groups.start) - 1):
        first, stop = (int(caches.start[groups.start[place]]) for place in (group, group + 1))
        touched.append(len(np.unique(caches.history.accesses.address[first:stop] // level.line)))
    assert found.bytes == max(touched) * level.line
    assert found.fits == (found.bytes <= level.size)
    assert working_set(caches_of("cpu.naive").index, level) is None
