"""Wavefronts as drawn: as many as are counted, each bank serving one word at a time, each lane at its own banks; and frames are pure."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.shared.bank_sentences import formula, line_of, progress_of, reason_of, verdict_of
from app.core.gpu_view.shared.banks import MOST_ROWS, BanksPicture, Serving, banks_picture, cells, columns, parts, shown_rows
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.core.gpu_view.shared.wavefronts import Access, serve
from kernels.analysis.banks import BANKS, INACTIVE, OPERATIONS, words_per_lane
from kernels.simt.trace.trace import WARP
from tests.launches.bank_costs import conflict_degree, wavefronts
from tests.launches.launch_records import launch_of

LAUNCHES = {
    "tiled": ("gpu.tiled", 48, {"tile": 16}), "folded": ("gpu.tiled", 64, {"tile": 32}),
    "conflict": ("gpu.transpose-shared", 64, {"tile": 32}), "padded": ("gpu.transpose-padded", 37, {"tile": 32}),
    "wide": ("gpu.vectorized-k8", 128, {}),
}  # fmt: skip


@st.composite
def accesses(draw: st.DrawFn) -> Access:
    operation = draw(st.sampled_from(OPERATIONS))
    size = draw(st.sampled_from((1, 2, 4, 8, 16) if operation in ("load", "store") else (4, 8)))
    width = words_per_lane(size)
    free = st.lists(st.integers(0, 200), min_size=WARP, max_size=WARP)
    line = st.builds(lambda stride, offset: [stride * lane + offset for lane in range(WARP)], st.integers(0, 70), st.integers(0, 90))
    pairs = st.lists(st.integers(0, 60), min_size=16, max_size=16).map(lambda some: [word for word in some for _ in range(2)])
    words = np.array(draw(free | line | pairs), np.int64) * width
    active = np.array(draw(st.lists(st.booleans(), min_size=WARP, max_size=WARP) | st.just([True] * WARP)))
    return serve(words, active, size, operation)


def counted(access: Access) -> list[int]:
    words: list[int] = np.where(access.active, access.words, INACTIVE).tolist()
    return words


@given(accesses())
def test_as_many_wavefronts_are_drawn_as_the_analysis_counts(access: Access) -> None:
    assert access.wavefronts == wavefronts(counted(access), access.bytes, access.operation, "source")
    assert access.turns <= conflict_degree(counted(access), access.bytes, access.operation)
    used = {number for touch in access.touches for number in range(touch.first, touch.last + 1)}
    assert used == set(range(access.wavefronts))


@given(accesses())
def test_a_bank_serves_one_word_at_a_time_and_in_an_atomic_one_lane(access: Access) -> None:
    served: dict[tuple[int, int], set[int]] = defaultdict(set)
    for touch in access.touches:
        for number in range(touch.first, touch.last + 1):
            served[number, touch.bank].add(touch.lane if access.takes_turns else touch.word)
    assert all(len(each) == 1 for each in served.values())


@given(accesses())
def test_every_active_lane_is_drawn_at_each_of_its_words_once(access: Access) -> None:
    drawn = sorted((touch.lane, touch.word, touch.bank) for touch in access.touches)
    lanes = np.flatnonzero(access.active).tolist()
    wanted = [(lane, word, word % BANKS) for lane in lanes for word in _words(access, lane)]
    assert drawn == sorted(wanted)


def _words(access: Access, lane: int) -> range:
    first = int(access.words[lane])
    return range(first, first + words_per_lane(access.bytes))


@given(accesses())
def test_every_access_has_a_verdict_a_reason_and_a_progress(access: Access) -> None:
    if access.active.any():
        assert verdict_of(access).times == max(1, access.degree)
        assert str(reason_of(access))
        assert {str(progress_of(access, now)) for now in range(access.wavefronts)}


@given(st.integers(-70, 70), st.integers(0, 300))
def test_a_formula_gives_the_banks_of_the_words(stride: int, offset: int) -> None:
    lanes = np.arange(WARP)
    access = serve(stride * lanes + offset + 70 * WARP, np.ones(WARP, np.bool_), 4, "load")
    line = line_of(access)
    assert line is not None
    for lane in range(WARP):
        text = str(formula(line)).replace("×", "*").replace("mod", "%").replace("lane", str(lane))
        assert eval(text) == access.words[lane] % BANKS


@given(st.integers(1, 400), st.sets(st.integers(0, 399), max_size=32), st.sets(st.integers(0, 399), max_size=4))
def test_rows_are_shown_or_folded_once_each_in_order(rows: int, touched: set[int], begins: set[int]) -> None:
    found = parts(rows, touched, sorted({0} | {row for row in begins if row < rows}))
    assert [row for part in found for row in range(part.start, part.stop)] == list(range(rows))
    shown = [row for part in found if not part.folded for row in range(part.start, part.stop)]
    assert len(shown) <= MOST_ROWS
    assert {row for row in touched if row < rows} <= set(shown)


@pytest.mark.parametrize("name", LAUNCHES)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_picture_is_that_of_its_frame_alone_and_counts_what_the_frame_counts(name: str, data: st.DataObject) -> None:
    variant, n, parameters = LAUNCHES[name]
    index = launch_of(variant, n, **parameters)
    step, fraction = data.draw(st.integers(0, index.steps - 1)), data.draw(st.floats(0, 1))
    used, new = SharedMemory(index), SharedMemory(index)
    for other in (step // 2, min(step + 1, index.steps - 1)):
        banks_picture(used, frame_at(index, other, 0.5))
    frame = frame_at(index, step, fraction)
    picture = banks_picture(used, frame)
    assert _values(picture) == _values(banks_picture(new, frame))
    if not picture.past and picture.access is not None:
        assert picture.access.wavefronts == frame.wavefronts
        assert picture.access.degree == frame.degree
        _check_banks(picture, frame.lanes.address.tolist(), frame.site.bytes)


def _values(picture: BanksPicture) -> tuple[object, ...]:
    kinds, writers = cells(picture.memory, shown_rows(picture), picture.content)
    held = columns(picture.memory, shown_rows(picture), writers, picture.content[0])
    return picture.groups, picture.words, picture.parts, picture.now, picture.past, kinds.tolist(), held.tolist()


def _check_banks(picture: BanksPicture, address: list[int], size: int) -> None:
    """Each lane's token leads to the words at its address."""
    drawn = {(lane, word) for group in picture.groups for lane in group.lanes for word in group.words}
    lanes = np.flatnonzero(picture.access.active).tolist() if picture.access is not None else []
    assert drawn == {(lane, address[lane] // 4 + each) for lane in lanes for each in range(words_per_lane(size))}


@given(accesses(), st.floats(0, 1))
def test_at_every_moment_the_words_being_served_are_those_of_one_wavefront(access: Access, fraction: float) -> None:
    index = launch_of("gpu.transpose-shared", 64, tile=32)
    memory = SharedMemory(index)
    step = next(step for step in range(index.steps) if memory.access(step) is not None)
    memory._serve = lambda _step: access  # type: ignore[assignment]
    picture = banks_picture(memory, frame_at(index, step, fraction))
    now = {word.word for word in picture.words if word.serving is Serving.NOW}
    if picture.now is None:
        assert not now
        assert fraction == 1 or not access.wavefronts
    else:
        assert now == {touch.word for touch in access.touches if touch.first <= picture.now <= touch.last}
