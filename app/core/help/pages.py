"""Pages of the help: a small part of Markdown, from which nothing but words can come; and the page of the settings, from the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from importlib.resources import files

from app.core.base.i18n import CHINESE, ENGLISH, Translator
from app.core.help.glossary import GlossarySection, glossary, terms_in
from app.core.lessons.prose import Paragraph, sections, spans
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Parameter, Variant
from kernels.base.values import dataclass
from kernels.catalogue import catalogue

ORDER = "order.txt"
"""The ids of the pages, one a line."""
_TABLES: dict[str, Message] = {
    "Programs and problems": message("Programs and problems"),
    "Blocking": message("Blocking"),
    "GPU": message("GPU"),
    "CPU": message("CPU"),
    "Threads and ranks": message("Threads and ranks"),
    "Measuring": message("Measuring"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A heading (of the first part: none) with the paragraphs below it."""

    heading: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Page of the help in one language."""

    id: str
    title: str
    parts: tuple[Part, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """All that it says, without marks."""
        paragraphs = (words_of(each) for part in self.parts for each in part.paragraphs)
        return (self.title, *(part.heading for part in self.parts), *paragraphs)


def page_ids() -> tuple[str, ...]:
    """The pages there are, in their order."""
    return tuple(files("resources").joinpath("help", ORDER).read_text(encoding="utf-8").split())


@cache
def pages(language: str) -> tuple[Page, ...]:
    """Return all pages in a language."""
    folder = files("resources").joinpath("help", CHINESE if language == CHINESE else ENGLISH)
    return tuple(read_page(each, folder.joinpath(f"{each}.md").read_text(encoding="utf-8")) for each in page_ids())


def read_page(page_id: str, text: str) -> Page:
    """A page: `# Title`, and `## Heading` for each further part. Raises `BadFile` for a text without a title."""
    first, *others = sections(text)
    (_, _, title, opening) = first
    return Page(page_id, title, (Part("", opening), *(Part(heading, paragraphs) for _, _, heading, paragraphs in others)))


def table_title(table: GlossarySection) -> Message:
    """What a table of the glossary is called."""
    return _TABLES[table.title]


def words_of(paragraph: Paragraph) -> str:
    """Return a paragraph's text without marks."""
    return "".join(span.text for span in spans(paragraph.text))


def asked(text: str) -> tuple[str, ...]:
    """Return the words that a typed text looks for."""
    return tuple(text.casefold().split())


def says(texts: Iterable[str], words: Sequence[str]) -> bool:
    """Whether one of the texts holds all words."""
    return any(all(word in text.casefold() for word in words) for text in texts)


def tables_with(words: Sequence[str]) -> tuple[GlossarySection, ...]:
    """The glossary, less the entries that do not hold all words in what they say in one language or the other."""
    kept = (
        GlossarySection(table.title, tuple(
            each for each in table.entries if says((f"{each.term} {each.chinese} {each.meaning} {each.chinese_meaning}",), words)
        )) for table in glossary()
    )  # fmt: skip
    return tuple(table for table in kept if table.entries)


SETTINGS = "settings"
TITLE = message("Settings")
GLOSSARY, KEYBOARD = "glossary", "keyboard"
GLOSSARY_TITLE, KEYBOARD_TITLE = message("Glossary"), message("Keyboard map")
"""Pages of the help that are no texts of their own."""
_OF_THE_WINDOW = (
    (message("Language"), message("English or Chinese: the button at the right of the bar at the top.")),
    (message("Theme"), message("Light, dark, high contrast, or as the system: the button at the right of the bar at the top.")),
    (message("Motion"), message("Whether data travel on the stage: in the menu (F10).")),
    (message("Zoom"), message("How large everything is: Ctrl++ and Ctrl+-, and Ctrl+0 for 100 %.")),
    (
        message("Device profile"),
        message("The GPU that occupancy, waves and the roofline are computed for: beside the stage, below Settings (I)."),
    ),
    (message("Registers a thread"), message("What occupancy is computed with: beside the stage, below Settings (I).")),
    (message("Matrix size"), message("Rows and columns of the matrices on the stage: beside the stage, below Settings (I).")),
)


def settings_page(translator: Translator) -> Page:
    """Every parameter of a rung, in the order of the ladder, then what belongs to the window."""
    text = translator.text
    having: dict[str, list[Variant]] = {}
    meant: dict[str, Parameter] = {}
    for operation in Operation:
        for variant in catalogue.of(operation):
            for parameter in variant.parameters:
                having.setdefault(parameter.name, []).append(variant)
                meant.setdefault(parameter.name, parameter)
    parts = [Part(text(meant[name].title), _said(translator, meant[name], having[name])) for name in having]
    parts += [Part(text(title), (Paragraph(text(said), 0),)) for title, said in _OF_THE_WINDOW]
    opening = message("Each is found by its name: press Ctrl+K and type. A value that cannot work is refused with its reason.")
    return Page(SETTINGS, text(TITLE), (Part("", (Paragraph(text(opening), 0),)), *parts))


def _said(translator: Translator, parameter: Parameter, having: list[Variant]) -> tuple[Paragraph, ...]:
    explained = (entry.explained(translator.language) for entry in terms_in(parameter.title))
    values = message("From {first} to {last}; option {option}.", first=parameter.minimum, last=parameter.maximum, option=_option(parameter))
    if parameter.names:
        values = message("{values}; option {option}.", values=", ".join(parameter.names), option=_option(parameter))
    rungs = reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), (variant.title for variant in having))
    said = (*explained, translator.text(values), translator.text(message("Rungs that have it: {rungs}", rungs=rungs)))
    return tuple(Paragraph(each, 0) for each in said)


def _option(parameter: Parameter) -> str:
    """What it is called on the command line."""
    return f"`--{parameter.name.replace('_', '-')}`"
