"""What only the lecturer sees of a step."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.i18n import Translator
from app.core.lessons.numbers import written
from app.core.lessons.playing import Playing, Stage
from app.core.lessons.prose import filled
from app.core.presenter.slide import joined
from app.core.stage_model import AnyPicture


@dataclass(frozen=True, slots=True)
class Notes:
    """Texts with their marks. `number` of `count` steps, 0 of 0 without a lesson; `coming` is what a press reveals, "" at the end."""

    title: str
    headline: str
    notes: tuple[str, ...]
    told: tuple[str, ...]
    """What the step says by now: all of it, of which a slide may show a part."""
    coming: str
    number: int = 0
    count: int = 0


def notes_of(playing: Playing, translator: Translator) -> Notes:
    """Those of a moment of a lesson. An answer that is still hidden is what is coming, and said nowhere else."""
    language, numbers = translator.language, written(playing.numbers)
    text, last = playing.lesson.step_text(playing.number, language), playing.last
    hidden = playing.stage is not Stage.TOLD and bool(text.answer)
    said = (*text.narration, *text.question, *(() if hidden else text.answer))
    coming = "" if last else playing.lesson.step_text(playing.number + 1, language).headline
    if hidden:
        coming = joined(translator, tuple(filled(each.text, numbers) for each in text.answer))
    return Notes(
        playing.lesson.text(language).title, text.headline, tuple(filled(each.text, numbers) for each in text.notes),
        tuple(filled(each.text, numbers) for each in said), coming, playing.number + 1, len(playing.lesson.steps),
    )  # fmt: skip


def stage_notes(picture: AnyPicture | None, title: str, translator: Translator) -> Notes:
    """Those of the stage without a lesson: the facts of the step, and what comes next."""
    if picture is None:
        return Notes(title, "", (), (), "")
    story, text = picture.story, translator.text
    facts = tuple(f"{text(name)}: {text(value)}" for name, value in story.facts)
    return Notes(title, text(story.title), (text(story.sentence),), facts, text(story.coming))
