"""argparse in the user's language: its headings, its help and what it has to say about wrong input."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NoReturn

from app.cli.refusal import Refused
from app.core.base.i18n import Translator
from app.core.base.parsing import shown
from kernels.base.messages import Message, message

HEADINGS = {"positional arguments": message("arguments"), "options": message("options")}
USAGE = message("usage:")

_SAID: tuple[tuple[str, Callable[[re.Match[str]], Message]], ...] = (
    (r"the following arguments are required: (.+)", lambda said: message("Missing: {names}.", names=said[1])),
    (r"unrecognized arguments: (.+)", lambda said: message("Not known here: {text}.", text=said[1])),
    (r"argument (\S+): expected (?:one|at least one) argument", lambda said: message("{name} needs a value.", name=said[1])),
    (r"argument (\S+): ignored explicit argument (.+)", lambda said: message("{name} takes no value.", name=said[1])),
    (r"argument COMMAND: invalid choice: '(.*)' \(choose from (.+)\)",
     lambda said: message("There is no command '{text}'. Commands: {names}.", text=said[1], names=said[2].replace("'", ""))),
    (r"argument KIND: invalid choice: '(.*)' \(choose from (.+)\)",
     lambda said: message("There is no kind '{text}'. Kinds: {names}.", text=said[1], names=said[2].replace("'", ""))),
)  # fmt: skip


class Parser(argparse.ArgumentParser):
    """A grammar whose refusals are `Refused`, and whose help speaks the translator's language."""

    def __init__(self, prog: str, *, translator: Translator, **extra: Any) -> None:
        super().__init__(prog, add_help=False, allow_abbrev=False, formatter_class=partial(_Formatter, translator=translator), **extra)
        self.add_argument("-h", "--help", action="help", help=translator.text(message("this help")))

    def error(self, message_text: str) -> NoReturn:
        raise Refused(message("{problem} See {command} --help.", problem=phrase(message_text), command=self.prog))


def phrase(text: str) -> Message | str:
    """What argparse says, as a message; its own words where it says something else."""
    for pattern, words in _SAID:
        if said := re.fullmatch(pattern, shown(text, length=400)):
            return words(said)
    return shown(text, length=160)


class Group:
    """A (sub)command's options, with their help in the user's language."""

    def __init__(self, parser: argparse.ArgumentParser, translator: Translator) -> None:
        self._parser = parser
        self._translator = translator

    def option(self, name: str, metavar: str, help_text: Message, **extra: Any) -> None:
        self._parser.add_argument(name, metavar=metavar, help=self._translator.text(help_text), **extra)

    def switch(self, name: str, help_text: Message, **extra: Any) -> None:
        self._parser.add_argument(name, action="store_true", help=self._translator.text(help_text), **extra)

    def kinds(self, dest: str, metavar: str) -> Callable[[str, Message], Group]:
        """Words that follow, one of which must; the function adds one with its help, and gives what its options are added to."""
        words = self._parser.add_subparsers(dest=dest, metavar=metavar, required=True)

        def begin(name: str, help_text: Message) -> Group:
            about = self._translator.text(help_text)
            return Group(words.add_parser(name, translator=self._translator, help=about, description=about), self._translator)

        return begin


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str, *, translator: Translator) -> None:
        super().__init__(prog)
        self._translator = translator

    def add_usage(self, usage: str | None, actions: Iterable[argparse.Action], groups: Iterable[Any], prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, f"{self._translator.text(USAGE)} " if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        known = HEADINGS.get(heading or "")
        super().start_section(heading if known is None else self._translator.text(known))
