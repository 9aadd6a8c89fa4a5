"""`tilescope challenges`: the challenges there are, and what was made of each in the window."""

from __future__ import annotations

import argparse

from app.cli.console import Console, aligned
from app.core.challenges.library import challenges
from app.core.challenges.progress import Record, read_records
from app.core.challenges.words import state_of
from app.core.lessons.words import topic_title
from kernels.base.messages import Message


def list_challenges(options: argparse.Namespace, console: Console) -> int:
    """A line for each, in teaching order."""
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
    for line in aligned(rows):
        console.print(line)
    return 0
