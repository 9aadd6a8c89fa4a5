"""What the options that name a challenge and an attempt at it mean."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.refusal import Refused, accept
from app.core.base.files.text_files import read_source
from app.core.base.parsing import shown
from app.core.challenges.challenge import Attempt, Challenge
from app.core.challenges.library import challenge_of, challenges
from app.core.challenges.result import read_attempt
from app.core.program.window_arguments import Tried
from kernels.base.messages import Message, message


def tried_of(options: argparse.Namespace) -> Tried | None:
    """The challenge that is meant; None where none is. Refused where there is none of the name, or the attempt is at another."""
    if options.challenge is None:
        if options.attempt is not None:
            raise Refused(message("--attempt speaks of a challenge: --challenge is missing."))
        return None
    challenge = challenge_named(options.challenge)
    return Tried(challenge, None if options.attempt is None else _attempt(challenge, Path(options.attempt)))


def challenge_named(text: str) -> Challenge:
    """The challenge with this id."""
    found = challenge_of(text)
    if found is None:
        known = ", ".join(each.id for each in challenges())
        raise Refused(message("There is no challenge '{name}'; there are {known}.", name=shown(text), known=known))
    return found


def attempt_in(path: Path) -> Tried:
    """The attempt of a file, and the challenge that it is at."""
    attempt = _read(path)
    return Tried(challenge_named(attempt.challenge), attempt)


def _attempt(challenge: Challenge, path: Path) -> Attempt:
    attempt = _read(path)
    if attempt.challenge != challenge.id:
        raise Refused(message("The attempt is at {other}, not at {name}.", other=shown(attempt.challenge), name=challenge.id))
    return attempt


def _read(path: Path) -> Attempt:
    found = read_attempt(accept(read_source(path)))
    if isinstance(found, Message):
        raise Refused(message("{place}: {reason}", place=shown(str(path), 200), reason=found))
    attempt, _ = found
    return attempt
