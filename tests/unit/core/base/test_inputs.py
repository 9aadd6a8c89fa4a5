"""Typed numbers and lists: the value, or a sentence that names the field."""

from __future__ import annotations

import pytest

from app.core.base.parsing import MOST_VALUES, image_size, number_list, one_of, shown, whole_number
from kernels.base.messages import Message, message


@pytest.mark.parametrize(("text", "value"), [("16", 16), (" 16 ", 16), ("+16", 16), ("0016", 16), ("１６", 16), ("0" * 30 + "7", 7)])
def test_whole_numbers_are_read(text: str, value: int) -> None:
    assert whole_number("tile", text, 1, 4096) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("abc", "tile: 'abc' is not a whole number."),
        ("", "tile: '' is not a whole number."),
        ("1.5", "tile: '1.5' is not a whole number."),
        ("1_000", "tile: '1_000' is not a whole number."),
        ("1e3", "tile: '1e3' is not a whole number."),
        ("²", "tile: '²' is not a whole number."),
        ("1\n2", "tile: '1 2' is not a whole number."),
        ("0", "tile must be at least 1, not 0."),
        ("-4", "tile must be at least 1, not -4."),
        ("5000", "tile must be at most 4096, not 5000."),
        ("9" * 19, "tile must be at most 4096, not 9999999999999999999."),
        ("9" * 9000, f"tile must be at most 4096, not {'9' * 39}…."),
        ("{name}", "tile: '{name}' is not a whole number."),
    ],
)
def test_what_is_no_number_in_range_is_refused_by_name(text: str, reason: str) -> None:
    found = whole_number("tile", text, 1, 4096)
    assert isinstance(found, Message)
    assert str(found) == reason


def test_numbers_are_read_to_their_last_digit() -> None:
    most = 2**63 - 1
    assert whole_number("seed", str(most), 0, most) == most
    assert whole_number("seed", "1000000000000000001", 0, most) == 10**18 + 1
    for text in (str(most + 1), "1" * 30):
        assert isinstance(whole_number("seed", text, 0, most), Message)


def test_the_fields_name_may_be_a_label() -> None:
    assert str(whole_number(message("Tile size"), "x", 1, 9)) == "Tile size: 'x' is not a whole number."


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("512", (512,)),
        ("8,16,32", (8, 16, 32)),
        ("32, 8, 16, 8", (8, 16, 32)),
        ("256:2048:x2", (256, 512, 1024, 2048)),
        ("256：2000：×2", (256, 512, 1024)),
        ("128:640:+256", (128, 384, 640)),
        ("100:100:+1", (100,)),
        ("64，100:300:+100、1000", (64, 100, 200, 300, 1000)),
    ],
)
def test_lists_and_ranges_are_read(text: str, values: tuple[int, ...]) -> None:
    assert number_list("--n", text, 1, 4096) == values


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "--n: '' is not a whole number."),
        ("8,,16", "--n: '' is not a whole number."),
        ("256:2048", "--n: '256:2048' is not a range such as 256:2048:x2 or 128:1024:+128."),
        ("1:2:3:4", "--n: '1:2:3:4' is not a range such as 256:2048:x2 or 128:1024:+128."),
        ("256:2048:-2", "--n: '256:2048:-2' is not a range such as 256:2048:x2 or 128:1024:+128."),
        ("256:2048:x1", "--n, the step must be at least 2, not 1."),
        ("256:2048:x0", "--n, the step must be at least 2, not 0."),
        ("256:2048:x-2", "--n, the step must be at least 2, not -2."),
        ("256:2048:+0", "--n, the step must be at least 1, not 0."),
        ("256:2048:x", "--n, the step: '' is not a whole number."),
        ("2048:256:x2", "--n: the range '2048:256:x2' ends before it begins."),
        ("0:64:x2", "--n must be at least 1, not 0."),
        ("64:8192:x2", "--n must be at most 4096, not 8192."),
        ("1:4096:+1", f"--n: '1:4096:+1' has more than {MOST_VALUES} values."),
        (",".join(map(str, range(1, 400))), f"--n: '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,…' has more than {MOST_VALUES} values."),
    ],
)
def test_a_list_that_cannot_be_meant_is_refused(text: str, reason: str) -> None:
    found = number_list("--n", text, 1, 4096)
    assert isinstance(found, Message)
    assert str(found) == reason


@pytest.mark.parametrize("text", ["1920x1080", "1920X1080", "1920×1080", " 1920 x 1080 "])
def test_image_sizes_are_read(text: str) -> None:
    assert image_size("--size", text, (640, 480), (4000, 3000)) == (1920, 1080)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("big", "--size: 'big' is not a size such as 1920x1080."),
        ("1920", "--size: '1920' is not a size such as 1920x1080."),
        ("x", "--size, the width: '' is not a whole number."),
        ("1920x", "--size, the height: '' is not a whole number."),
        ("1x1080", "--size, the width must be at least 640, not 1."),
        ("1920x99999", "--size, the height must be at most 3000, not 99999."),
    ],
)
def test_image_sizes_that_make_no_picture_are_refused(text: str, reason: str) -> None:
    assert str(image_size("--size", text, (640, 480), (4000, 3000))) == reason


def test_a_choice_is_one_of_those_offered() -> None:
    assert one_of("--theme", "dark", ("light", "dark")) == "dark"
    assert str(one_of("--theme", "pink", ("light", "dark"))) == "--theme: 'pink' is not one of light, dark."


def test_what_was_typed_is_shown_on_one_short_line() -> None:
    assert shown("a\r\nb\x1b[31m\u2028c") == "a  b [31m c"
    assert len(shown("x" * 1000)) == 40
