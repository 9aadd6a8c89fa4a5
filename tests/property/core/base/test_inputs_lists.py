"""Whatever is typed: a value in range or a sentence, never an exception."""

from __future__ import annotations

import itertools

from hypothesis import example, given
from hypothesis import strategies as st

from app.core.base.parsing import MOST_VALUES, image_size, number_list, whole_number
from kernels.base.messages import Message

LISTLIKE = st.text(alphabet="0123456789:x+×*,- １，：", max_size=40) | st.text(max_size=60)
BOUNDS = st.tuples(st.integers(1, 5000), st.integers(1, 1 << 20)).map(sorted)


@given(LISTLIKE, BOUNDS)
@example("1:1048576:+1", [1, 1 << 20])
@example("1:1048576:x2", [1, 1 << 20])
@example("9" * 5000, [1, 10])
def test_a_list_is_strictly_increasing_and_in_range_or_a_sentence(text: str, bounds: list[int]) -> None:
    low, high = bounds
    found = number_list("--n", text, low, high)
    if isinstance(found, Message):
        assert str(found).startswith("--n")
        assert str(found).isprintable()
    else:
        assert 1 <= len(found) <= MOST_VALUES
        assert low <= found[0]
        assert found[-1] <= high
        assert all(a < b for a, b in itertools.pairwise(found))


@given(st.integers(1, 4096), st.integers(1, 4096), st.integers(1, 4096))
def test_an_added_step_gives_the_range_it_writes(first: int, last: int, step: int) -> None:
    found = number_list("--n", f"{first}:{last}:+{step}", 1, 4096)
    expected = tuple(range(first, last + 1, step))
    assert found == expected if 1 <= len(expected) <= MOST_VALUES else isinstance(found, Message)


@given(st.integers(1, 4096), st.integers(1, 4096), st.integers(2, 4096))
def test_a_factor_gives_the_powers_it_writes(first: int, last: int, factor: int) -> None:
    found = number_list("--n", f"{first}:{last}:x{factor}", 1, 4096)
    expected = tuple(itertools.takewhile(lambda value: value <= last, (first * factor**i for i in itertools.count())))
    assert found == expected if expected else isinstance(found, Message)


@given(st.lists(st.integers(1, 9999), min_size=1, max_size=MOST_VALUES))
def test_a_list_is_the_set_of_its_numbers(values: list[int]) -> None:
    assert number_list("--n", ",".join(map(str, values)), 1, 9999) == tuple(sorted(set(values)))


@given(st.text(max_size=40), st.integers(-100, 100), st.integers(-100, 100))
def test_a_whole_number_is_in_range_or_a_sentence(text: str, low: int, high: int) -> None:
    found = whole_number("tile", text, low, high)
    assert isinstance(found, Message) or low <= found <= high


@given(st.integers(-(10**30), 10**30))
def test_every_whole_number_is_read_or_out_of_range(value: int) -> None:
    found = whole_number("tile", str(value), -1000, 1000)
    assert found == value if -1000 <= value <= 1000 else isinstance(found, Message)


@given(st.text(alphabet="0123456789x× ", max_size=20) | st.text(max_size=20))
def test_an_image_size_is_in_range_or_a_sentence(text: str) -> None:
    found = image_size("--size", text, (640, 480), (1920, 1080))
    if not isinstance(found, Message):
        assert 640 <= found[0] <= 1920
        assert 480 <= found[1] <= 1080
