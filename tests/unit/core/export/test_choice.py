"""What may be exported, and what is refused with its number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.export.choice import LEAD, USUAL_STEPS, ExportChoice, Range, What, refuse_range, usual_begin, with_habits
from app.core.export.kinds import CLIPS, FIGURES, MOST_FRAMES, PictureSize, ending_of, refuse_clip, refuse_figure
from kernels.base.messages import Message
from tests.launches.launch_records import launch_of


def test_a_figure_may_have_as_many_pixels_as_fit_into_memory() -> None:
    assert refuse_figure(PictureSize(7680, 4320, 1)) is None
    assert "2 123 366 400" in str(refuse_figure(PictureSize(7680, 4320, 8))).replace("2123366400", "2 123 366 400")


@pytest.mark.parametrize(("size", "frames", "rate", "ending", "said"), [
    (PictureSize(960, 540, 1), MOST_FRAMES, 15, ".webp", None),
    (PictureSize(960, 540, 1), MOST_FRAMES + 1, 15, ".webp", "3001 pictures; at most 3000"),
    (PictureSize(1920, 1080, 4), 2, 15, ".webp", "7680 × 4320 pixels are too many"),
    (PictureSize(1920, 1080, 2), 600, 15, ".webp", "4976640000 pixels in all"),
    (PictureSize(960, 540, 1), 2, 60, ".gif", "at most 50 pictures a second, not 60"),
    (PictureSize(960, 540, 1), 2, 60, ".apng", None),
])  # fmt: skip
def test_a_clip_has_limits(size: PictureSize, frames: int, rate: int, ending: str, said: str | None) -> None:
    reason = refuse_clip(size, frames, rate, ending)
    assert (reason is None) == (said is None)
    assert said is None or said in str(reason)


def test_moments_go_from_the_first_step_to_the_last() -> None:
    assert moments(Range(10, 14, 15, 15.0)) == [10, 11, 12, 13]
    assert moments(Range(10, 12, 30, 15.0)) == [10, 10, 11, 11]
    assert moments(Range(0, 10, 10, 35.0)) == [0, 3, 7, 9]
    slow = moments(Range(0, 1, 4, 1.0))
    assert slow == pytest.approx([0, 0.25, 0.5, 0.75, 1])
    assert slow[-1] < 1  # not the beginning of the next step


def moments(chosen: Range) -> list[float]:
    return [chosen.moment(frame) for frame in range(chosen.frames)]


@given(st.integers(0, 50), st.integers(1, 50), st.integers(1, 60), st.floats(0.1, 1000.0))
def test_the_last_picture_shows_the_last_step(first: int, steps: int, rate: int, speed: float) -> None:
    times = moments(Range(first, first + steps, rate, speed))
    assert times == sorted(times)
    assert (times[0], int(times[-1])) == (first, first + steps - 1)


@pytest.mark.parametrize(("first", "last", "steps", "said"), [
    (0, 10, 10, None),
    (0, 11, 10, "The range ends at step 11; the trace has 10 steps."),
    (5, 5, 10, "The range must end after it begins"),
    (0, 1, 0, "There is nothing to animate."),
])  # fmt: skip
def test_a_range_lies_in_the_trace(first: int, last: int, steps: int, said: str | None) -> None:
    reason = refuse_range(Range(first, last, 15, 15.0), steps)
    assert (reason is None) == (said is None)
    assert said is None or said in str(reason)


def test_the_ending_says_the_format() -> None:
    assert ending_of("OUT", Path("a/b.PNG"), FIGURES) == ".png"
    refused = ending_of("OUT", Path("a/b.bmp"), FIGURES)
    assert isinstance(refused, Message)
    assert str(refused) == "OUT: 'b.bmp' must end in .png, .svg, .pdf."


def test_habits_are_remembered_and_nonsense_is_not() -> None:
    choice = ExportChoice(figure=".pdf", clip=".gif", size=PictureSize(1280, 720, 3), colours="print", rate=20)
    again = with_habits(choice.habits)
    assert (again.figure, again.clip, again.size, again.colours, again.rate) == (".pdf", ".gif", choice.size, "print", 20)
    for text in ("", "x", ".png .webp .csv 1600 900 9 light 15", ".png .webp .csv 1 1 1 light 15", ".exe .webp .csv 1600 900 1 light 15",
                 ".png .webp .csv 1600 900 1 light 99", f"{choice.habits} more"):  # fmt: skip
        assert with_habits(text) == ExportChoice()


def test_a_choice_says_why_it_cannot_be() -> None:
    clip = replace(ExportChoice(what=What.CLIP, size=PictureSize(960, 540, 1)).over(50, 100), clip=".gif")
    assert (clip.first, clip.last) == (41, 100)
    assert clip.refusal(100) is None
    assert "the trace has 90 steps" in str(clip.refusal(90))
    assert "at least 1, not 0" in str(replace(clip, speed=0).refusal(100))
    assert "from 1 to 60" in str(replace(clip, rate=0).refusal(100))
    assert ExportChoice().refusal(0) is None
    huge = ExportChoice(size=PictureSize(7680, 4320, 8))
    assert huge.scaled
    assert huge.refusal(0) is not None
    assert not huge.ending_with(".svg").scaled
    assert huge.ending_with(".svg").refusal(0) is None
    assert clip.ending_with(".apng").ending == ".apng"
    assert clip.ending in CLIPS


@pytest.mark.parametrize(("tile", "begin"), [(32, 128 - LEAD), (8, 0)])
def test_a_proposed_range_has_the_first_multiplication_in_it(tile: int, begin: int) -> None:
    index = launch_of("gpu.tiled", 64, tile=tile)
    proposed = ExportChoice().over(usual_begin(0, index.computes_from), index.steps)
    assert proposed.first == begin + 1
    assert proposed.first <= index.computes_from <= proposed.last - LEAD
    assert proposed.last - proposed.first + 1 == USUAL_STEPS


@pytest.mark.parametrize(("shown", "begin"), [(1, 0), (LEAD, 0), (300, 300 - LEAD)])
def test_a_proposed_range_begins_a_little_before_the_step_shown(shown: int, begin: int) -> None:
    assert usual_begin(shown, computes=128) == begin
