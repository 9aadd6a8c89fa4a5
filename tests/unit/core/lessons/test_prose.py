"""The texts of lessons: what is understood, what is refused and where, and that nothing but words comes of them."""

from __future__ import annotations

import pytest

from app.core.base.files.fields import BadFile
from app.core.lessons.prose import Paragraph, Span, filled, read_prose, spans
from tests.lessons.lesson_files import CHINESE, ENGLISH


def refused(text: str) -> str:
    with pytest.raises(BadFile) as bad:
        read_prose(text)
    return str(bad.value.reason)


def test_a_file_into_title_steps_and_their_parts() -> None:
    text = read_prose(ENGLISH)
    assert (text.title, text.summary, list(text.steps)) == ("A lesson", "What it is about.", ["first", "second"])
    first, second = text.steps.values()
    assert first.headline == "The idea"
    assert [each.text for each in first.question] == ["How many?"]
    assert [each.text for each in first.answer] == ["{waves}."]
    assert first.narration[0].fields == ("half", "half%")
    assert [(each.text, each.item) for each in second.narration] == [("one", True), ("two", True)]


def test_lines_of_one_paragraph_are_joined_as_the_language_joins_them() -> None:
    text = read_prose("# T\n\n## s\nidea\n\none\ntwo\n\n线程\n束\n")
    assert [each.text for each in text.steps["s"].narration] == ["one two", "线程束"]
    assert read_prose(CHINESE).steps["first"].headline == "想法"


def test_options_and_notes() -> None:
    text = read_prose("# T\n## s\nidea\n### option all\nAll of it\n### option none\nNothing\n### notes\nFor me\n")
    step = text.steps["s"]
    assert {name: each.text for name, each in step.options.items()} == {"all": "All of it", "none": "Nothing"}
    assert step.notes == (Paragraph("For me", 9),)
    assert len(step.paragraphs) == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Line 1: a title after # is missing."),
        ("words\n# T\n", "Line 1: a title after # is missing."),
        ("# T\n\n### notes\nwords\n", "Line 3: it belongs to no step."),
        ("# T\n## s\nidea\n## s\nidea\n", "Line 4: the step s is there twice."),
        ("# T\n\n## s\n\n## t\nidea\n", "Line 3: the step says nothing: one line with its idea is missing."),
        ("# T\n## s\n" + "x" * 91 + "\n", "Line 3: the idea of a step has at most 90 characters."),
        ("# T\n## s\nit is {x}\n", "Line 3: the idea of a step is told before its numbers are known: it can have none."),
        ("# T\n## s\nidea\n### hint\nwords\n",
         "Line 4: below ### stands question, option NAME, answer or notes, and then a text, not 'hint'."),
        ("# T\n## s\nidea\n### answer\n",
         "Line 4: below ### stands question, option NAME, answer or notes, and then a text, not 'answer'."),
        ("# T\n" + "\n" * 6000, "Line 5000: more lines than 5000."),
    ],
)  # fmt: skip
def test_what_is_refused_is_told_with_its_line(text: str, reason: str) -> None:
    assert refused(text) == reason


def test_spans_of_code_and_stress() -> None:
    assert spans("a `b[i]` and **c**.") == (Span("a "), Span("b[i]", code=True), Span(" and "), Span("c", strong=True), Span("."))
    assert spans("** not closed, ` neither") == (Span("** not closed, ` neither"),)


def test_markup_stays_words() -> None:
    text = "<script>alert(1)</script> <img src='x'> [link](file:///etc/passwd)"
    assert spans(text) == (Span(text),)


def test_numbers_are_filled_in_once_and_unknown_ones_are_an_ellipsis() -> None:
    assert filled("{a} of {b}", {"a": "{b}"}) == "{b} of …"
