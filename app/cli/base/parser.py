"""The grammar of the command line: argparse in the user's language, in which each command brings its own options.

Values stay text here; the commands check them, so that every refusal is one sentence of ours.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from shlex import quote
from typing import Any, NoReturn

from app import __version__
from app.cli.base.commands import COMMANDS, Command
from app.cli.base.errors import Refused
from app.core.base.i18n import LANGUAGES, Translator
from app.core.base.parsing import shown
from app.core.workbench.window_arguments import LARGEST_ZOOM, SMALLEST_ZOOM, THEMES
from kernels.base.messages import Message, message

PROGRAM = "tilescope"
HEADINGS = {"positional arguments": message("arguments"), "options": message("options")}
USAGE = message("usage:")
SHOWN_VARIANT = message("the variant that is shown")
WINDOW_SIZE = message("the window's size in pixels")
ZOOM = message("how large everything is, in percent: {smallest} to {largest}", smallest=SMALLEST_ZOOM, largest=LARGEST_ZOOM)

_SAID: tuple[tuple[str, Callable[[re.Match[str]], Message]], ...] = (
    (r"the following arguments are required: (.+)", lambda said: message("Missing: {names}.", names=said[1])),
    (r"unrecognized arguments: (.+)", lambda said: message("Not known here: {text}.", text=said[1])),
    (r"argument (\S+): expected (?:one|at least one) argument", lambda said: message("{name} needs a value.", name=said[1])),
    (r"argument (\S+): ignored explicit argument (.+)", lambda said: message("{name} takes no value.", name=said[1])),
    (r"argument COMMAND: invalid choice: '((?i:.*\.cu))' \(choose from (.+)\)",
     lambda said: message("{command} opens this file, {other} runs it without the window.",
                          command=f"tilescope open {quote(said[1])}", other=f"tilescope program {quote(said[1])}")),
    (r"argument COMMAND: invalid choice: '(.*)' \(choose from (.+)\)",
     lambda said: message("There is no command '{text}'. Commands: {names}.", text=said[1], names=said[2].replace("'", ""))),
    (r"argument KIND: invalid choice: '(.*)' \(choose from (.+)\)",
     lambda said: message("There is no kind '{text}'. Kinds: {names}.", text=said[1], names=said[2].replace("'", ""))),
)  # fmt: skip


class Parser(argparse.ArgumentParser):
    """A grammar whose refusals are `Refused`, and whose help speaks the translator's language."""

    def __init__(self, prog: str, *, translator: Translator, **extra: Any) -> None:
        own: dict[str, Any] = {"add_help": False, "allow_abbrev": False, "formatter_class": partial(_Formatter, translator=translator)}
        super().__init__(prog, conflict_handler="resolve", **own, **extra)  # a command may have an option of all anew
        self.add_argument("-h", "--help", action="help", help=translator.text(message("this help")))
        self.words: Mapping[str, Parser] = {}
        """The words that may follow, and what each understands."""
        self._given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        self._given = sys.argv[1:] if args is None else list(args)
        found = super().parse_known_args(args, namespace)
        if getattr(found[0], "command", None) in self.words:
            self._refuse_of_window(found[0].command)
        return found

    def _refuse_of_window(self, command: str) -> None:
        """Refuse an option that stands before a command and is the window's alone."""
        parser = self.words[command]
        known = {option for each in (parser, *parser.words.values()) for option in each._option_string_actions}
        for name in (word.partition("=")[0] for word in self._given[: self._given.index(command)]):
            if name in self._option_string_actions and name not in known:
                problem = message("There is no option {name} here.", name=name)
                raise Refused(message("{problem} See {command} --help.", problem=problem, command=parser.prog))

    def error(self, message_text: str) -> NoReturn:
        problem = self._unknown_option(message_text) or self._file_in_a_list(message_text) or phrase(message_text)
        raise Refused(message("{problem} See {command} --help.", problem=problem, command=self.prog))

    def _unknown_option(self, text: str) -> Message | None:
        """Name the first option that there is not, and what is near: it may be its value that argparse takes for a command."""
        if not re.match("argument COMMAND: invalid choice|unrecognized arguments", text):
            return None
        refused = re.match("argument COMMAND: invalid choice: '(.*?)'", text)
        words = self.words
        known = here = set(self._option_string_actions)
        for number, word in enumerate(self._given):
            if word == "--" or (refused is not None and word == refused[1] and not self._given[max(number - 1, 0)].startswith("-")):
                return None
            if (parser := words.get(word)) is not None:
                words, here = parser.words, set(parser._option_string_actions)
                known = known | here
            name = word.partition("=")[0]
            if re.fullmatch(r"--\w[\w-]*", name) and name not in known:
                near = get_close_matches(name, sorted(here), 1)
                if near:
                    return message("There is no option {name} here. Is {near} meant?", name=shown(name), near=near[0])
                return message("There is no option {name} here.", name=shown(name))
        return None

    def _file_in_a_list(self, text: str) -> Message | None:
        """Say why a file is missing that is there: an option with several values takes what follows it."""
        missing = re.fullmatch(r"the following arguments are required: (\S+)", text)
        endings = () if missing is None else tuple(re.findall(r"\.\w+", missing[1]))
        options = [word for word in self._given if word in self._option_string_actions]
        if (
            not endings
            or not options
            or self._option_string_actions[options[-1]].nargs != "+"
            or not self._given[-1].lower().endswith(endings)
        ):
            return None
        return message("{option} takes every word after it, {file} too: write the file before {option}.",
                       option=options[-1], file=shown(self._given[-1]))  # fmt: skip


class CommandParser(Parser):
    """Grammar of one command. Its options are those of its module, which is imported when the command line names the command."""

    def __init__(self, prog: str, *, translator: Translator, command: Command) -> None:
        super().__init__(prog, translator=translator, description=translator.text(command.help))
        self._group = Group(self, translator)
        self._unread: Command | None = command

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        command, self._unread = self._unread, None
        if command is not None:
            language_option(self._group, default=argparse.SUPPRESS)
            self._group.switch("--json", message("the result as JSON"), default=argparse.SUPPRESS)
            command.of_module("add_options")(self._group)
        return super().parse_known_args(args, namespace)


def phrase(text: str) -> Message | str:
    """Turn what argparse says into a message; its own words where it says something else."""
    for pattern, words in _SAID:
        if said := re.fullmatch(pattern, shown(text, length=400)):
            return words(said)
    return shown(text, length=160)


class Group:
    """A (sub)command's options, with their help in the user's language."""

    def __init__(self, parser: Parser, translator: Translator) -> None:
        self._parser = parser
        self._translator = translator

    def option(self, name: str, metavar: str, help_text: Message, **extra: Any) -> None:
        self._parser.add_argument(name, metavar=metavar, help=self._translator.text(help_text), **extra)

    def switch(self, name: str, help_text: Message, **extra: Any) -> None:
        self._parser.add_argument(name, action="store_true", help=self._translator.text(help_text), **extra)

    def commands(self, dest: str, metavar: str, table: Sequence[Command], **extra: Any) -> None:
        """Add words that follow, of which each has options of its own."""
        words = self._parser.add_subparsers(dest=dest, metavar=metavar, parser_class=CommandParser, **extra)
        for command in table:
            words.add_parser(command.name, translator=self._translator, command=command, help=self._translator.text(command.help))
        self._parser.words = words.choices


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str, *, translator: Translator) -> None:
        super().__init__(prog)
        self._translator = translator

    def add_usage(self, usage: str | None, actions: Iterable[argparse.Action], groups: Iterable[Any], prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, f"{self._translator.text(USAGE)} " if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        known = HEADINGS.get(heading or "")
        super().start_section(heading if known is None else self._translator.text(known))


def requested_language(arguments: list[str]) -> str | None:
    """Find the value of `--lang` wherever it stands: the language is needed before the rest can be understood aloud."""
    scout = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    scout.add_argument("--lang", nargs="?")
    known, _ = scout.parse_known_args(arguments)
    language: str | None = known.lang
    return language


def language_option(group: Group, **extra: Any) -> None:
    """Add the language of what is said."""
    group.option("--lang", "LANGUAGE", message("language: {choices}", choices=", ".join(LANGUAGES)), **extra)


def theme_option(group: Group, **extra: Any) -> None:
    """Add the colours of the window."""
    group.option("--theme", "THEME", message("colours: {choices}", choices=", ".join(THEMES)), **extra)


def build_parser(translator: Translator, commands: Sequence[Command] = COMMANDS) -> argparse.ArgumentParser:
    """Build the grammar of these commands. Parsing raises `Refused`; `--help` and `--version` print and exit with status 0."""
    parser = Parser(
        PROGRAM,
        translator=translator,
        description=translator.text(message("Matrix kernels made visible: without a command, the window opens.")),
    )
    parser.add_argument(
        "--version", action="version", version=f"{PROGRAM} {__version__}", help=translator.text(message("the program's version"))
    )
    parser.set_defaults(json=False)
    group = Group(parser, translator)
    language_option(group)
    theme_option(group)
    group.option("--variant", "ID", SHOWN_VARIANT)
    group.option("--size", "WIDTHxHEIGHT", WINDOW_SIZE)
    group.option("--zoom", "PERCENT", ZOOM)
    group.commands("command", "COMMAND", commands)
    return parser
