"""The command line: `tilescope` opens the window, its commands do the same work without one."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from app.cli.base.commands import COMMANDS
from app.cli.base.console import Console, encode_anything, silence
from app.cli.base.errors import INTERRUPTED, WRONG_INPUT, Refused, accept, tell_unexpected
from app.cli.base.heartbeat import at_work, beating
from app.cli.base.parser import PROGRAM, build_parser, requested_language
from app.core.base.files.locations import find_places, settle_home
from app.core.base.i18n import Translator, choose_language, parse_language, system_locales
from kernels.base.packaged import RANK_COMMAND
from kernels.mpi.detect import place_among_ranks


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 1 (not verified), 2 (wrong input), 3 (findings), 70 (a mistake of ours),
    130; that of a whole program is its own.
    """
    multiprocessing.freeze_support()
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == [RANK_COMMAND]:
        from kernels.mpi import rank

        return rank.main()
    settle_home(os.environ)
    os.environ.setdefault("PYTHONSAFEPATH", "1")  # our processes import nothing that lies in the folder where the user is
    for stream in (sys.stdout, sys.stderr):
        encode_anything(stream)
    language = choose_language(requested_language(arguments), os.environ, system_locales())
    console = Console(Translator(language), os.environ, find_places(os.environ, sys.platform, Path.home()))
    try:
        status = _command(arguments, console)
        console.out.flush()
        return status
    except Refused as refusal:
        if place_among_ranks(os.environ)[0] == 0:  # all ranks refuse the same: the first one says it
            console.tell(f"tilescope: {console.text(refusal.reason)}")
        return WRONG_INPUT
    except SystemExit as finished:  # argparse has written its help or the version
        return int(finished.code or 0)
    except BrokenPipeError:
        silence(sys.stdout)
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        return tell_unexpected(error, console)


def _command(arguments: list[str], console: Console) -> int:
    arguments = _opening(arguments)
    own, behind = arguments, list[str]()
    if arguments[:1] and arguments[0] in _GIVE_ON and BEHIND in arguments:
        place = arguments.index(BEHIND)
        own, behind = arguments[:place], arguments[place + 1 :]
    options = build_parser(console.translator, COMMANDS if own else ()).parse_args(own)  # the window waits for no grammar that nobody uses
    options.behind = behind
    if options.lang is not None:
        accept(parse_language("--lang", options.lang))
    return _perform(options, console)


def _opening(arguments: list[str]) -> list[str]:
    """A link without a command, wherever it stands among the options of the window, is one to open."""
    place = next((place for place, each in enumerate(arguments) if each.startswith(f"{PROGRAM}:")), None)
    if place is None or {command.name for command in COMMANDS} & set(arguments[:place]):
        return arguments
    return ["open", arguments[place], *arguments[:place], *arguments[place + 1 :]]


BEHIND = "--"
_GIVE_ON = ("program", "check-edges")
"""The commands that give on what stands behind `--`."""
_OF_ONE_VARIANT = ("run", "asm", "schedule", "mpi", "counters", "predict")
"""The commands that write nothing until they are done, and do not know how far they are."""


def _perform(options: argparse.Namespace, console: Console) -> int:
    """Import the command that is named, or the window, and perform it."""
    command = next((each for each in COMMANDS if each.name == options.command), None)
    if command is None:
        from app.cli.window import open_window

        return open_window(options, console)
    speaks = command.name in _OF_ONE_VARIANT and place_among_ranks(console.environment)[0] == 0
    with beating(at_work(options.variant), console) if speaks else nullcontext():
        status: int = command.of_module(command.function)(options, console)
    return status
