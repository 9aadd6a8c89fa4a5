"""Settings as a page of the help: what each is, its range, which rungs have it, where it is changed. Made of the catalogue."""

from __future__ import annotations

from functools import reduce

from app.core.base.i18n import Translator
from app.core.help.glossary import terms_in
from app.core.help.pages import Page, Part
from app.core.lessons.prose import Paragraph
from kernels.base.messages import message
from kernels.base.spec import Operation, Parameter, Variant
from kernels.catalogue import catalogue

SETTINGS = "settings"
TITLE = message("Settings")
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
