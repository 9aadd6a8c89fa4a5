"""Slide as a value: one headline, one drawing, one answer, one sentence below, and the notes that only the lecturer sees.

Texts are cut into sentences by the room that they take in a line; of a ladder only the rungs are shown that a hall can read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum

from app.core.base.i18n import Translator
from app.core.compare.sentences import step_of_both
from app.core.ladder.picture import Ladder, Rung
from app.core.lessons.current_lesson import LessonMoment, StepState
from app.core.lessons.judging import Answer, Judged, right_answers
from app.core.lessons.lesson import Choice, Question, QuestionKind
from app.core.lessons.numbers import number_text, written
from app.core.lessons.prose import Paragraph, filled, known
from app.core.lessons.sentences import judged_text
from app.core.programs.frame import ProgramFrame
from app.core.programs.sentences import place, sentence, told_below
from app.core.stage.model import AnyPicture
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

_END = re.compile(r"(?<=[.?!])\s+(?=[^a-z\s])|(?<=[。？！])\s*(?=\S)")
"""Between two sentences; a full stop before a small letter ends an abbreviation."""
_MARKS = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")


def sentences(paragraphs: Iterable[str]) -> tuple[str, ...]:
    """The sentences of some paragraphs, with their marks for code and stress."""
    return tuple(part for text in paragraphs for part in _END.split(text) if part)


def width_of(text: str) -> int:
    """About how wide a text is, in Latin letters: a Han character takes two. Marks take none."""
    plain = _MARKS.sub(lambda match: match[1] or match[2], text)
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in plain)


def without_number(said: tuple[str, ...], number: str) -> tuple[str, ...]:
    """The sentences less a first one that says no more than a number which stands beside them anyway: "32." or "32 个。"."""
    if number and said and said[0].startswith(number) and len(said[0]) <= len(number) + 3:
        return said[1:]
    return said


WIDEST_BAND = 116
"""Of the sentence at the bottom, in Latin letters: what fits into two lines of its smaller type."""
LONGEST_HERO = 7
"""Characters of a number that is shown as large as the room allows."""


COMPUTING = message("The numbers of this answer are still being computed.")


class Mark(StrEnum):
    """Mark of a choice on a slide: what became of it."""

    OPEN = "open"
    CHOSEN = "chosen"
    """It cannot be judged yet."""
    RIGHT = "right"
    WRONG = "wrong"
    """It was chosen."""
    LEFT = "left"
    """It was neither chosen nor right."""


@dataclass(frozen=True, slots=True)
class ShownChoice:
    """Answer that can be chosen: `answer` is what the player is told."""

    text: str
    answer: Answer
    mark: Mark


@dataclass(frozen=True, slots=True)
class Slide:
    """Slide of a step. Its texts may have marks for code and stress. `number` of `count` steps, from 1 on; 0 of 0 without a lesson.

    `asks` while an answer is awaited.
    """

    title: str
    headline: str
    band: str
    number: int = 0
    count: int = 0
    choices: tuple[ShownChoice, ...] = ()
    asks: QuestionKind | None = None
    hero: str = ""
    said: tuple[str, ...] = ()

    @property
    def answering(self) -> bool:
        """Whether anything stands beside the drawing."""
        return bool(self.choices or self.asks or self.hero or self.said)


def slide_of(playing: LessonMoment, translator: Translator) -> Slide:
    """Return the slide of a moment of a lesson."""
    text = playing.lesson.step_text(playing.number, translator.language)
    numbers = written(playing.numbers)

    def told(paragraphs: tuple[Paragraph, ...]) -> tuple[str, ...]:
        return sentences(filled(each.text, numbers) for each in paragraphs)

    def answered() -> tuple[str, ...]:
        whole = tuple(each for each in text.answer if known(each.text, numbers))
        return told(whole) if whole == text.answer else (*told(whole), translator.text(COMPUTING))

    title = playing.lesson.text(translator.language).title
    place, narration, question = (playing.number + 1, len(playing.lesson.steps)), told(text.narration), playing.step.question
    if question is None:
        answer = answered() if playing.state is StepState.TOLD else ()
        band, said = _band(narration)
        return Slide(title, text.headline, band, *place, said=(*told(text.question), *said, *answer))
    headline, choices = joined(translator, told(text.question)) or text.headline, _choices(playing, question, text.options, numbers)
    band = text.headline if headline != text.headline else ""
    if playing.state is not StepState.TOLD:
        return Slide(title, headline, band, *place, choices, question.kind, said=narration)
    right = right_answers(question, playing.numbers)
    hero = _hero(question, right)
    answer = without_number(answered(), hero)
    reason = (translator.text(right),) if isinstance(right, Message) else ()
    typed, verdict = _typed(question, playing.judged, hero), _verdict(question, playing.judged, translator)
    return Slide(title, headline, band, *place, choices or typed, None, hero, (*reason, *verdict, *answer))


def stage_slide(picture: AnyPicture | None, title: str, translator: Translator) -> Slide:
    """What the stage shows without a lesson: the step's sentence below the drawing. Why there is none, the drawing says."""
    if picture is None:
        return Slide("", title, "")
    description = picture.description
    return Slide(title, translator.text(description.title), translator.text(description.sentence))


def pair_slide(left: AnyPicture | None, right: AnyPicture | None, difference: Message, translator: Translator) -> Slide:
    """What two launches beside each other show: above all what differs between them as wholes, below the drawing the step's sentence."""
    if left is None or right is None:
        return Slide("", translator.text(difference), "")
    title, said = step_of_both(left.description, right.description)
    return Slide(translator.text(title), translator.text(difference), translator.text(said))


def program_slide(frame: ProgramFrame, title: str, device: str, translator: Translator) -> Slide:
    """What is told of an event of a program: what happens, and below the drawing what is wrong there, what is printed, or the time."""
    where = translator.text(message("{file}: {place}", file=title, place=place(frame)))
    return Slide(where, translator.text(sentence(frame)), translator.text(told_below(frame, device)))


def _band(narration: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The first sentence for the bottom, and what remains for beside the drawing. One that is too long for the bottom stands there too."""
    if narration and width_of(narration[0]) <= WIDEST_BAND:
        return narration[0], narration[1:]
    return "", narration


def _choices(
    playing: LessonMoment, question: Question, options: Mapping[str, Paragraph], numbers: Mapping[str, str]
) -> tuple[ShownChoice, ...]:
    told = playing.state is StepState.TOLD
    right = right_answers(question, playing.numbers) if told else None
    judged = playing.judged
    given = judged.given if told and isinstance(judged, Judged) else playing.given

    def mark(answer: Answer) -> Mark:
        if right is None:
            return Mark.CHOSEN if given is not None and answer == given else Mark.OPEN
        if isinstance(right, tuple) and answer in right:
            return Mark.RIGHT
        return Mark.WRONG if answer == given else Mark.LEFT

    def words(choice: Choice) -> str:
        if choice.number is not None:
            return number_text(choice.number)
        return filled(options[choice.name].text, numbers) if choice.name in options else choice.name

    def answer_of(choice: Choice) -> Answer:
        return choice.name if choice.number is None else choice.number

    return tuple(ShownChoice(words(each), answer_of(each), mark(answer_of(each))) for each in question.choices)


def _typed(question: Question, judged: Judged | Message | None, hero: str) -> tuple[ShownChoice, ...]:
    """The number or the lane that was given, marked; not where it stands there as the hero."""
    if question.kind is QuestionKind.CHOICE or not isinstance(judged, Judged) or isinstance(judged.given, str) or (judged.correct and hero):
        return ()
    return (ShownChoice(number_text(judged.given), judged.given, Mark.RIGHT if judged.correct else Mark.WRONG),)


def _verdict(question: Question, judged: Judged | Message | None, translator: Translator) -> tuple[str, ...]:
    """What is said of a lane that was given: the answer names others."""
    if question.kind is not QuestionKind.LANE or not isinstance(judged, Judged) or isinstance(judged.given, str):
        return ()
    return (translator.text(judged_text(question.kind, number_text(judged.given), "", correct=judged.correct)),)


def _hero(question: Question, right: tuple[Answer, ...] | Message | None) -> str:
    """Return the number that was asked for, which is shown large."""
    if not isinstance(right, tuple) or len(right) != 1 or isinstance(right[0], str) or question.kind is QuestionKind.LANE:
        return ""
    text = number_text(right[0])
    return text if len(text) <= LONGEST_HERO else ""


def joined(translator: Translator, said: tuple[str, ...]) -> str:
    """Sentences one after the other, with a space between them if the language writes one."""
    return translator.text(message("{first} {other}", first="", other="")).join(said)


MOST_RUNGS = 7


def readable(ladder: Ladder, chosen: str) -> Ladder:
    """The ladder with few rungs: the chosen one, the one that it improves on, its library, and then those nearest to it."""
    rung = ladder.rung(chosen)
    if rung is None or len(ladder.rungs) <= MOST_RUNGS:
        return replace(ladder, rungs=ladder.rungs[:MOST_RUNGS])
    place = ladder.rungs.index(rung)

    def distance(other: Rung) -> tuple[int, int]:
        needed = other.variant in (rung.variant, rung.base) or (other.variant.library and other.variant.precision == rung.variant.precision)
        return 0 if needed else 1, abs(ladder.rungs.index(other) - place)

    kept = sorted(ladder.rungs, key=distance)[:MOST_RUNGS]
    return replace(ladder, rungs=tuple(each for each in ladder.rungs if each in kept))


@dataclass(frozen=True, slots=True)
class Notes:
    """Notes for the lecturer: texts with their marks. `number` of `count` steps, 0 of 0 without a lesson; `coming` is what a press reveals,
    "" at the end."""

    title: str
    headline: str
    notes: tuple[str, ...]
    told: tuple[str, ...]
    """What the step says by now: all of it, of which a slide may show a part."""
    coming: str
    number: int = 0
    count: int = 0


def notes_of(playing: LessonMoment, translator: Translator) -> Notes:
    """Return the notes of a moment of a lesson. An answer that is still hidden is what is coming, and said nowhere else."""
    language, numbers = translator.language, written(playing.numbers)
    text, last = playing.lesson.step_text(playing.number, language), playing.last
    hidden = playing.state is not StepState.TOLD and bool(text.answer)
    said = (*text.narration, *text.question, *(() if hidden else text.answer))
    coming = "" if last else playing.lesson.step_text(playing.number + 1, language).headline
    if hidden:
        coming = joined(translator, tuple(filled(each.text, numbers) for each in text.answer))
    return Notes(
        playing.lesson.text(language).title, text.headline, tuple(filled(each.text, numbers) for each in text.notes),
        tuple(filled(each.text, numbers) for each in said), coming, playing.number + 1, len(playing.lesson.steps),
    )  # fmt: skip


def stage_notes(picture: AnyPicture | None, title: str, translator: Translator) -> Notes:
    """Return the notes of the stage without a lesson: the facts of the step, and what comes next."""
    if picture is None:
        return Notes(title, "", (), (), "")
    description, text = picture.description, translator.text
    facts = tuple(f"{text(name)}: {text(value)}" for name, value in description.facts)
    return Notes(title, text(description.title), (text(description.sentence),), facts, text(description.coming))
