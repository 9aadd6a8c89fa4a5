"""Messages in the user's language: the gettext catalogue, the choice of the language, and how numbers are written, large ones shortened."""

from __future__ import annotations

import ctypes
import gettext
import locale
import math
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from app.core.base.parsing import one_of
from kernels.base.messages import Message, message

ENGLISH = "en"
CHINESE = "zh_CN"
LANGUAGES = {ENGLISH: "English", CHINESE: "简体中文"}
"""The languages of the program, each with its own name for itself."""

DOMAIN = "tilescope"
NARROW_SPACE = "\u202f"
"""Within a number, and before its unit: no line is broken there."""
WORD_JOINER = "\u2060"
"""Is not seen, and no line is broken there."""
MINUS = "\u2212"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Translator:
    """Writes messages in one language. A template that the catalogue does not have stays English."""

    def __init__(self, language: str, catalogue: gettext.NullTranslations | None = None) -> None:
        """`catalogue` None takes the one that is installed with the program."""
        self.language = language
        self._catalogue = load_catalogue(language) if catalogue is None else catalogue

    def text(self, msg: Message) -> str:
        """The message in the translator's language."""
        return msg.render(self._translate, format_number)

    def number(self, value: int | float) -> str:
        """A number as the interface writes it."""
        return format_number(value)

    def _translate(self, template: str) -> str:
        return self._catalogue.gettext(template) if template else template  # "" is the key of the catalogue's header


@cache
def load_catalogue(language: str) -> gettext.NullTranslations:
    """The installed catalogue of a language; an empty one for English and where none is installed."""
    if language == ENGLISH:
        return gettext.NullTranslations()
    try:
        with files("resources").joinpath(f"i18n/{language}/LC_MESSAGES/{DOMAIN}.mo").open("rb") as stream:
            return gettext.GNUTranslations(stream)
    except (OSError, ModuleNotFoundError):
        return gettext.NullTranslations()


def missing_catalogue(language: str) -> Message | None:
    """That texts stay English, and what makes the catalogue; None where there is one, or none is needed."""
    if language == ENGLISH or isinstance(load_catalogue(language), gettext.GNUTranslations):
        return None
    return message(
        "Texts stay English: {language} is not compiled in this working copy. {command} does it; then start again.",
        language=LANGUAGES.get(language, language), command="python3 packaging/dev.py translate compile",
    )  # fmt: skip


def digits_text(value: float) -> str:
    """The value of an element with as many digits as it has, six at most."""
    return f"{value:g}".replace("-", MINUS)


def format_number(value: int | float) -> str:
    """Whole numbers in full, from 10 000 on in groups of three; others with three figures; a real minus sign."""
    if isinstance(value, int):
        digits = _grouped(abs(value))
    elif not math.isfinite(value):
        digits = "∞" if math.isinf(value) else "NaN"
    elif value == 0 or 1e-3 <= abs(value) < 1e9:
        digits = _three_figures(abs(value))
    else:
        mantissa, _, exponent = f"{abs(value):.2e}".partition("e")
        digits = f"{mantissa} × 10{str(int(exponent)).translate(_SUPERSCRIPTS)}"
    return MINUS + digits if value < 0 else digits


def _three_figures(value: float) -> str:
    if value >= 99.95:
        return _grouped(round(value))
    return f"{value:#.3g}".rstrip(".") if value else "0"


def _grouped(value: int) -> str:
    return str(value) if value < 10_000 else f"{value:,}".replace(",", NARROW_SPACE)


def parse_language(name: str, text: str) -> str | Message:
    """The program's language that a text such as `zh_CN`, `zh-Hans` or `en_GB.UTF-8` means, or why there is none."""
    return _language_of(text) or one_of(name, text, LANGUAGES)


def choose_language(requested: str | None, environment: Mapping[str, str], system: Iterable[str] = ()) -> str:
    """The first that the program has: the one requested (or saved), the environment's, one of `system`; else English.

    `system` are locale names asked from the desktop, in order of preference.
    """
    for name in (requested, *_environment_locales(environment), *system):
        if name and (found := _language_of(name)):
            return found
    return ENGLISH


def system_locales() -> tuple[str, ...]:
    """The locale of the user interface where the environment does not tell it: on Windows."""
    if sys.platform == "win32":
        name = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage())
        return (name,) if name else ()
    return ()


def _environment_locales(environment: Mapping[str, str]) -> tuple[str, ...]:
    chosen = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    if chosen.partition(".")[0] in ("C", "POSIX"):
        return (ENGLISH,)
    return (*environment.get("LANGUAGE", "").split(":"), chosen)


def _language_of(name: str) -> str | None:
    """Return the program's language for a locale, or None.

    Every Chinese locale reads Simplified Chinese: for readers of traditional script too it is nearer than English.
    """
    base = name.strip().replace("-", "_").partition(".")[0].partition("_")[0].lower()
    return {"en": ENGLISH, "zh": CHINESE}.get(base)


def plain_text(text: str) -> str:
    """A text as other programs show it and count with it: numbers in one piece, and no signs that only say where a line may end."""
    joined = re.sub(rf"(?<=\d){NARROW_SPACE}(?=\d)", "", text.replace(WORD_JOINER, ""))
    return re.sub(rf"{MINUS}(?=\d)", "-", joined).replace(NARROW_SPACE, " ")


_IN_FULL = 1_000_000
_STEPS = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"))


def compact(value: int | float) -> str:
    """Return a number in little room: 541 M for 541 065 216.

    Up to six figures it is as `format_number` writes it; beyond, it has three figures and a prefix of the SI.
    """
    rounded = float(f"{value:.2e}")
    for unit, letter in _STEPS:
        if abs(value) >= _IN_FULL and abs(rounded) >= unit:
            return f"{format_number(value / unit)}{NARROW_SPACE}{letter}"
    return format_number(value)
