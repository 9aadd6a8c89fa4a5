"""What is kept of challenges between two starts, and what a file of it may hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.core.base.background import BackgroundTasks
from app.core.challenges.challenge import Attempt
from app.core.challenges.progress import ChallengeProgress, Record, read_records, text_of

MINE = Attempt("race", "// mine\n", (4, 1, 1), (128, 1, 1))


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "challenges.json"
    records = {"race": Record(solved=True, hints=2, attempt=MINE), "uncoalesced": Record()}
    file.write_text(text_of(records), encoding="utf-8")
    assert read_records(file) == records


@pytest.mark.parametrize(
    "content",
    ["", "[", "[]", "7", '{"challenges": 7}', '{"challenges": {"race": 7}}', "[" * 100_000],
)
def test_a_file_that_cannot_be_understood_counts_as_empty(tmp_path: Path, content: str) -> None:
    file = tmp_path / "challenges.json"
    file.write_text(content, encoding="utf-8")
    assert read_records(file) in ({}, {"race": Record()})


@pytest.mark.parametrize(
    "change",
    [
        {"grid": [0, 1, 1]},
        {"block": [4096, 1, 1]},
        {"grid": "many"},
        {"text": 7},
        {"hints": -1},
        {"solved": "yes"},
        {"grid": [1e300, 1, 1]},
    ],
)
def test_fields_that_cannot_be_do_no_harm(tmp_path: Path, change: dict[str, object]) -> None:
    content = json.loads(text_of({"race": Record(attempt=MINE)}))
    content["challenges"]["race"] |= change
    file = tmp_path / "challenges.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    record = read_records(file)["race"]
    assert record.attempt is None
    assert not record.solved


def test_a_challenge_stays_solved_and_hints_stay_seen() -> None:
    progress = ChallengeProgress(None, BackgroundTasks())
    progress.note(MINE, 2, solved=True)
    progress.note(MINE, 0, solved=False)
    assert progress.of("race") == Record(solved=True, hints=2, attempt=MINE)


def test_what_was_noted_before_the_file_was_read_is_added_to_it(tmp_path: Path) -> None:
    file = tmp_path / "challenges.json"
    file.write_text(text_of({"race": Record(solved=True), "uncoalesced": Record(hints=1)}), encoding="utf-8")
    progress = ChallengeProgress(file, BackgroundTasks())
    progress.note(MINE, 1, solved=False)
    progress.finish()
    assert read_records(file) == {"race": Record(solved=True, hints=1, attempt=MINE), "uncoalesced": Record(hints=1)}


def test_a_picture_of_a_challenge_keeps_nothing(tmp_path: Path) -> None:
    file = tmp_path / "challenges.json"
    progress = ChallengeProgress(file, BackgroundTasks())
    progress.stop()
    progress.note(MINE, 1, solved=True)
    progress.tick()
    progress.finish()
    assert not file.exists()
