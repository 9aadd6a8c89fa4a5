"""The command line: `tilescope` opens the window, its commands do the same work without one."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from app.cli.console import Console, encode_anything, silence
from app.cli.parser import build_parser, requested_language
from app.cli.refusal import INTERRUPTED, WRONG_INPUT, Refused, accept
from app.core.i18n import Translator, choose_language, parse_language, system_locales
from app.core.places import find_places
from kernels.mpi import RANK_COMMAND


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 1 (failed verification), 2 (wrong input), 3 (findings), 130 (interrupted)."""
    multiprocessing.freeze_support()
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == [RANK_COMMAND]:
        from kernels.mpi import rank

        return rank.main()
    for stream in (sys.stdout, sys.stderr):
        encode_anything(stream)
    language = choose_language(requested_language(arguments), os.environ, system_locales())
    console = Console(Translator(language), os.environ, find_places(os.environ, sys.platform, Path.home()))
    try:
        status = _command(arguments, console)
        console.out.flush()
        return status
    except Refused as refusal:
        console.tell(f"tilescope: {console.text(refusal.reason)}")
        return WRONG_INPUT
    except SystemExit as finished:  # argparse has written its help or the version
        return int(finished.code or 0)
    except BrokenPipeError:
        silence(sys.stdout)
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED


def _command(arguments: list[str], console: Console) -> int:
    options = build_parser(console.translator).parse_args(arguments)
    if options.lang is not None:
        accept(parse_language("--lang", options.lang))
    return _perform(options, console)


def _perform(options: argparse.Namespace, console: Console) -> int:
    """Each command is imported when it is called, so that none pays for the others."""
    match options.command:
        case "list":
            from app.cli import catalogue

            return catalogue.list_variants(options, console)
        case "run":
            from app.cli import run

            return run.run(options, console)
        case "sweep":
            from app.cli import sweep

            return sweep.sweep(options, console)
        case "trace":
            from app.cli import trace

            return trace.trace(options, console)
        case "cache":
            from app.cli import cache

            return cache.report_cache(options, console)
        case "mpi":
            from app.cli import mpi

            return mpi.mpi(options, console)
        case "occupancy":
            from app.cli import occupancy

            return occupancy.report_occupancy(options, console)
        case "doctor":
            from app.cli import doctor

            return doctor.doctor(options, console)
        case "screenshot":
            from app.cli import window

            return window.take_screenshot(options, console)
        case _:
            from app.cli import window

            return window.open_window(options, console)
