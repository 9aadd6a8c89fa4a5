"""`tilescope challenges`: the challenges there are, and what was made of each in the window; and the options that name one."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept
from app.cli.base.parser import Group
from app.core.base.files.text_files import read_source
from app.core.base.parsing import shown
from app.core.challenges.challenge import Attempt, Challenge
from app.core.challenges.library import challenge_of, challenges
from app.core.challenges.progress import Record, read_records
from app.core.challenges.result import read_attempt
from app.core.challenges.sentences import state_of
from app.core.lessons.sentences import topic_title
from app.core.workbench.window_arguments import Tried
from kernels.base.messages import Message, message


def add_options(_group: Group) -> None:
    """Add none."""


def tried_options(group: Group) -> None:
    """Add a challenge, for a picture."""
    group.option("--challenge", "ID", message("a challenge's id, as {command} lists them", command="tilescope challenges"))
    group.option("--attempt", "FILE.attempt", message("the attempt at it that is shown and checked, in place of the given text"))


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write a line for each, in teaching order."""
    records = read_records(console.places.challenge_progress)
    found = [(each, records.get(each.id, Record())) for each in challenges()]
    language = console.translator.language
    if options.json:
        console.print_json([
            {
                "id": each.id, "title": each.text(language).title, "topic": each.topic, "targets": [target.name for target in each.targets],
                "hints": len(each.hints), "hints_seen": record.hints, "begun": record.attempt is not None, "solved": record.solved,
            }
            for each, record in found
        ])  # fmt: skip
        return 0
    topics = [topic_title(each.topic) for each, _ in found]
    rows = [
        [each.id, each.text(language).title, console.text(topic) if isinstance(topic, Message) else topic, console.text(state_of(record))]
        for (each, record), topic in zip(found, topics, strict=True)
    ]
    console.print_rows(rows)
    return 0


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
