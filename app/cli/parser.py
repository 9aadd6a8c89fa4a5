"""The grammar of the command line. Values stay text here; the commands check them, so that every refusal is one sentence of ours."""

from __future__ import annotations

import argparse

from app import __version__
from app.cli.commands import COMMANDS
from app.cli.grammar import Group, Parser
from app.cli.looking_options import ZOOM
from app.core.base.i18n import LANGUAGES, Translator
from app.core.program.window_arguments import THEMES
from kernels.base.messages import message

PROGRAM = "tilescope"


def requested_language(arguments: list[str]) -> str | None:
    """The value of `--lang` wherever it stands: the language is needed before the rest can be understood aloud."""
    scout = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    scout.add_argument("--lang", nargs="?")
    known, _ = scout.parse_known_args(arguments)
    language: str | None = known.lang
    return language


def build_parser(translator: Translator) -> argparse.ArgumentParser:
    """The whole grammar. Parsing raises `Refused`; `--help` and `--version` print and exit with status 0."""
    parser = Parser(
        PROGRAM,
        translator=translator,
        description=translator.text(message("Matrix kernels made visible: without a command, the window opens.")),
    )
    parser.add_argument(
        "--version", action="version", version=f"{PROGRAM} {__version__}", help=translator.text(message("the program's version"))
    )
    _window_options(Group(parser, translator))
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for command in COMMANDS:
        about = translator.text(command.help)
        group = Group(commands.add_parser(command.name, translator=translator, help=about, description=about), translator)
        group.option("--lang", "LANGUAGE", _LANGUAGE_HELP, default=argparse.SUPPRESS)
        group.switch("--json", message("the result as JSON"))
        command.options(group)
    return parser


_LANGUAGE_HELP = message("language: {choices}", choices=", ".join(LANGUAGES))


def _window_options(group: Group) -> None:
    group.option("--lang", "LANGUAGE", _LANGUAGE_HELP)
    group.option("--theme", "THEME", message("colours: {choices}", choices=", ".join(THEMES)))
    group.option("--variant", "ID", message("the variant that is shown"))
    group.option("--size", "WIDTHxHEIGHT", message("the window's size in pixels"))
    group.option("--zoom", "PERCENT", ZOOM)
