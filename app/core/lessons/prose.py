"""The texts of a lesson in one language: a small part of Markdown, from which nothing but words can come.

    # Title
    What the lesson is about.

    ## name-of-a-step
    One line: the idea of the step.

    Narration, with `code`, **stress**, and {names} of numbers.

    ### question
    ### option one
    ### answer
    ### notes

Below `### option NAME` stands what the choice NAME says; `### notes` are for the lecturer alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field

from app.core.base.files.fields import BadFile
from app.core.base.parsing import shown
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

LONGEST_HEADLINE = 90
MOST_LINES = 5000
_HEADING = re.compile(r"(#{1,3})\s+(?=\S)")
_FIELD = re.compile(r"\{([^{}]*)\}")
_SPAN = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a paragraph: plain, in the type of code, or stressed."""

    text: str
    code: bool = False
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Paragraph of a lesson. `item` is true for an entry of a list. `line` is where it begins in the file."""

    text: str
    line: int
    item: bool = False

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of numbers that it speaks of."""
        return tuple(_FIELD.findall(self.text))


@dataclass(frozen=True, slots=True)
class StepText:
    """Text of a step. `options` are what the choices of its question say, by name."""

    line: int
    headline: str = ""
    narration: tuple[Paragraph, ...] = ()
    question: tuple[Paragraph, ...] = ()
    answer: tuple[Paragraph, ...] = ()
    notes: tuple[Paragraph, ...] = ()
    options: Mapping[str, Paragraph] = field(default_factory=dict)

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """Paragraphs of the step, all of them."""
        return (*self.narration, *self.question, *self.answer, *self.notes, *self.options.values())


@dataclass(frozen=True, slots=True)
class LessonText:
    """Text of a lesson in one language."""

    title: str
    summary: str
    steps: Mapping[str, StepText]


def read_prose(text: str) -> LessonText:
    """The texts of a Markdown file. Raises `BadFile`."""
    title, summary, steps = "", "", {}
    for line, level, heading, paragraphs in sections(text):
        if level == 1:
            title, summary = heading, " ".join(each.text for each in paragraphs)
        elif level == 2:
            name = heading
            if name in steps:
                raise _bad(line, message("the step {name} is there twice", name=shown(name)))
            steps[name] = _began(line, paragraphs)
        elif not steps:
            raise _bad(line, message("it belongs to no step"))
        else:
            steps[name] = _with_part(steps[name], line, heading, paragraphs)
    if not title:
        raise _bad(1, message("a title after # is missing"))
    return LessonText(title, summary, steps)


def spans(text: str) -> tuple[Span, ...]:
    """Return a paragraph's text in pieces."""
    found, at = [], 0
    for match in _SPAN.finditer(text):
        found.append(Span(text[at : match.start()]))
        found.append(Span(match[1], code=True) if match[1] else Span(match[2], strong=True))
        at = match.end()
    return tuple(each for each in (*found, Span(text[at:])) if each.text)


def known(text: str, numbers: Mapping[str, str]) -> bool:
    """Tell whether all numbers of a text are known."""
    return all(match[1] in numbers for match in _FIELD.finditer(text))


def filled(text: str, numbers: Mapping[str, str]) -> str:
    """The text with its numbers; one that is not known yet is an ellipsis."""
    return _FIELD.sub(lambda match: numbers.get(match[1], "…"), text)


def sections(text: str) -> Iterator[tuple[int, int, str, tuple[Paragraph, ...]]]:
    """Line, level, heading and paragraphs of each section."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise _bad(MOST_LINES, message("more lines than {most}", most=MOST_LINES))
    place, level, heading, body = 1, 0, "", list[tuple[int, str]]()
    for number, line in enumerate(lines, start=1):
        marks = _HEADING.match(line)
        if marks is None:
            body.append((number, line))
            continue
        if level:
            yield place, level, heading, _paragraphs(body)
        elif any(each.strip() for _, each in body):
            raise _bad(1, message("a title after # is missing"))
        place, level, heading, body = number, len(marks[1]), line[marks.end() :].rstrip(), []
    if level:
        yield place, level, heading, _paragraphs(body)


def _paragraphs(body: list[tuple[int, str]]) -> tuple[Paragraph, ...]:
    found: list[Paragraph] = []
    open_ = False
    for number, line in body:
        words, item = line.strip(), line.lstrip().startswith("- ")
        if not words:
            open_ = False
        elif item or not open_:
            found.append(Paragraph(words.removeprefix("- "), number, item))
            open_ = True
        else:
            last = found[-1]
            found[-1] = Paragraph(_joined(last.text, words), last.line, last.item)
    return tuple(found)


def _joined(first: str, other: str) -> str:
    """Two lines of one paragraph; between Han characters there is no space."""
    return first + ("" if ord(first[-1]) > 0x2E7F and ord(other[0]) > 0x2E7F else " ") + other


def _began(line: int, paragraphs: tuple[Paragraph, ...]) -> StepText:
    if not paragraphs:
        raise _bad(line, message("the step says nothing: one line with its idea is missing"))
    headline = paragraphs[0].text
    if paragraphs[0].fields:
        raise _bad(paragraphs[0].line, message("the idea of a step is told before its numbers are known: it can have none"))
    if len(headline) > LONGEST_HEADLINE:
        raise _bad(paragraphs[0].line, message("the idea of a step has at most {longest} characters", longest=LONGEST_HEADLINE))
    return StepText(line, headline, paragraphs[1:])


def _with_part(step: StepText, line: int, heading: str, paragraphs: tuple[Paragraph, ...]) -> StepText:
    """The step with one more of its parts."""
    parts = {"question": step.question, "answer": step.answer, "notes": step.notes}
    kind, _, name = heading.partition(" ")
    options = dict(step.options)
    if kind == "option" and name and len(paragraphs) == 1:
        options[name] = paragraphs[0]
    elif heading in parts and paragraphs:
        parts[heading] = paragraphs
    else:
        raise _bad(
            line, message("below ### stands question, option NAME, answer or notes, and then a text, not '{given}'", given=shown(heading))
        )
    return StepText(step.line, step.headline, step.narration, parts["question"], parts["answer"], parts["notes"], options)


def _bad(line: int, problem: Message) -> BadFile:
    return BadFile(message("Line {line}: {problem}.", line=line, problem=problem))
