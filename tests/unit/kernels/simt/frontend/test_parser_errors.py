"""What Python's readers of JSON and TOML say reaches nobody: every file that is no such file is refused in words of the program."""

from __future__ import annotations

import json
import tomllib

import pytest

from kernels.base.parser_errors import json_problem, toml_problem

JSON = [
    ("", 1, "a value is expected here"),
    ('{"a": }', 1, "a value is expected here"),
    ("{a: 1}", 1, "a name in quotation marks is expected here"),
    ('{"a" 1}', 1, "“:” is expected here"),
    ("[1\n2]", 2, "“,” is expected here"),
    ('["a', 1, "the text that begins here has no end"),
    ('["a\nb"]', 1, "a text holds a line break or another control character"),
    (r'["\q"]', 1, "after the backslash stands what no text can have there"),
    (r'["\u12"]', 1, "after the backslash stands what no text can have there"),
    ("1 2", 1, "more stands here, after the end"),
]
TOML = [
    ("= 1", 1, "a name or a table in brackets is expected here"),
    ("a = 1 b = 2", 1, "the line is to end here"),
    ("a 1", 1, "“=” is expected here"),
    ("[a", 0, "“]” is expected here"),
    ("[[a]\n", 1, "“]]” is expected here"),
    ("a = 'x\ny'", 1, "this character cannot stand here"),
    ('a = "\x01"', 1, "this character cannot stand here"),
    ("a.! = 1", 1, "this character cannot stand here"),
    ("a = 1\na = 2\n", 2, "what stands here was given before"),
    ("[a]\n[a]", 2, "what stands here was given before"),
    ("a = {b = 1, b = 2}", 1, "what stands here was given before"),
    ("a = [1", 0, "a list has no end"),
    ("a = {b = 1", 0, "a table in braces has no end"),
    ('a = "x', 0, "a text has no end"),
    (r'a = "\q"', 1, "after the backslash stands what no text can have there"),
    ("a = 2026-02-30", 1, "this is no date and no time"),
    ("a = ", 0, "a value is expected here"),
    ("a = " + "9" * 5000, 0, "a number has too many digits"),
]


@pytest.mark.parametrize(("text", "line", "reason"), JSON)
def test_what_is_no_json_is_told_in_our_words(text: str, line: int, reason: str) -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text)
    said = str(json_problem(caught.value))
    assert said.startswith(f"Line {line}, column ")  # which column differs between versions of Python
    assert said.endswith(f": this is no JSON: {reason}.")


@pytest.mark.parametrize(("text", "line", "reason"), TOML)
def test_what_is_no_toml_is_told_in_our_words(text: str, line: int, reason: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # whatever it says
        tomllib.loads(text)
    said = str(toml_problem(caught.value))
    assert said.startswith(f"Line {line}, column " if line else "This is no TOML")
    assert said.endswith(f"his is no TOML: {reason}.")


@pytest.mark.parametrize("words", ["Illegal trailing comma before end of object", "Unexpected UTF-8 BOM (decode using utf-8-sig)"])
def test_words_of_other_versions_are_known_too(words: str) -> None:
    assert "“" not in str(json_problem(json.JSONDecodeError(words, "{}", 1)))


def test_words_that_are_not_known_are_quoted() -> None:
    said = str(json_problem(json.JSONDecodeError("Too much of\x07 everything.", "{}", 1)))
    assert said == "Line 1, column 2: this is no JSON: in the words of Python, “Too much of  everything”."
    assert len(str(toml_problem(ValueError("x" * 10_000)))) < 200
