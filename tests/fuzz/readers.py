"""Every reader of files that strangers may have written, as a function of bytes. What it raises is a mistake: refusals are values."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path

from app.cli.base.errors import Refused
from app.cli.base.parser import build_parser
from app.core.base.files.text_files import read_source
from app.core.base.i18n import LANGUAGES, Translator
from app.core.base.parsing import dimensions, image_size, number_list, whole_number
from app.core.challenges.library import read_challenge
from app.core.challenges.progress import read_records
from app.core.challenges.progress import text_of as records_text
from app.core.challenges.result import read_attempt, written
from app.core.lessons.progress import read_progress
from app.core.lessons.progress import text_of as progress_text
from app.core.lessons.read import read_lesson
from app.core.predictions.ncu_csv import imported_counters
from app.core.session.draft_arguments import texts_of
from app.core.stage.draft_backup import draft_from
from app.core.stage.draft_backup import text_of as draft_text
from app.core.state.read import read_state
from app.core.state.states import kept_in, text_of_all
from app.core.state.written import paste_of, text_of
from app.core.timing.recordings import import_recording, kept_recordings
from kernels.base.messages import Message
from kernels.simt.base.launch import MIB, Budget, LaunchRequest
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced

LONGEST_REFUSAL = 4000
"""Characters: what refuses a file is a sentence, whatever the file holds."""
PART = b"=== "
"""Begins a line that names the file that the following lines are of, where a reader reads a folder."""
TRANSLATORS = tuple(Translator(language) for language in LANGUAGES)
BUDGET = Budget(seconds=0.5, rows=20_000, bytes=16 * MIB)
NEVER = ("interpreter failed", "took longer")
"""In reasons that speak of the interpreter, not of the text."""


class Scratch:
    """A folder of one's own to put what is read into files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, content: bytes, name: str = "file") -> Path:
        """The content as a file."""
        path = self.folder / name
        path.write_bytes(content)
        return path

    def parts(self, content: bytes) -> Path:
        """A folder with the files that the content holds, and no others."""
        folder = self.folder / "folder"
        folder.mkdir(exist_ok=True)
        for left in folder.iterdir():
            left.unlink()
        for part in (b"\n" + content).split(b"\n" + PART)[1:]:
            name, _, body = part.partition(b"\n")
            if name.replace(b"_", b"").replace(b".", b"").isalnum() and name.isascii() and len(name) < 100:
                (folder / name.decode()).write_bytes(body)
        return folder


def parted(folder: Path) -> bytes:
    """The files of a folder as the content that `Scratch.parts` takes."""
    return b"".join(PART + path.name.encode() + b"\n" + path.read_bytes() + b"\n" for path in sorted(folder.iterdir()) if path.is_file())


def said(reason: Message) -> None:
    """Hold a refusal to what may be shown: a sentence in each language."""
    for translator in TRANSLATORS:
        text = translator.text(reason)
        assert len(text) <= LONGEST_REFUSAL, f"a refusal of {len(text)} characters: {text[:200]}"
        text.encode("utf-8")


def state(content: bytes, scratch: Scratch) -> None:
    text = read_source(scratch.file(content))
    if not isinstance(text, Message):
        _state(text)


def word(content: bytes, _: Scratch) -> None:
    _state(content.decode("utf-8", "replace"))


def _state(text: str) -> None:
    found = read_state(text)
    if isinstance(found, Message):
        return said(found)
    kept = text_of(found)
    kept.encode("utf-8")
    assert read_state(kept) == found == read_state(paste_of(found)), "it is another one when it is read again"
    return None


def lesson(content: bytes, scratch: Scratch) -> None:
    found = read_lesson(scratch.parts(content))
    if isinstance(found, Message):
        said(found)


def challenge(content: bytes, scratch: Scratch) -> None:
    found = read_challenge(scratch.parts(content))
    if isinstance(found, Message):
        said(found)


def attempt(content: bytes, scratch: Scratch) -> None:
    text = read_source(scratch.file(content))
    found = text if isinstance(text, Message) else read_attempt(text)
    if isinstance(found, Message):
        return said(found)
    again = written(*found)
    again.encode("utf-8")
    assert read_attempt(again) == found
    return None


def recording(content: bytes, scratch: Scratch) -> None:
    kept = scratch.folder / "kept"
    found = import_recording(scratch.file(content), kept)
    if isinstance(found, Message):
        return said(found)
    for result in found.results:
        if result.reason is not None:
            said(result.reason)
    results, problems = kept_recordings(kept)
    assert len(results) == len(found.results), problems
    assert found.kept is not None
    assert found.kept.parent == kept
    found.kept.unlink()
    return said(found.sentence)


def profile(content: bytes, scratch: Scratch) -> None:
    found = imported_counters(scratch.file(content), ["matmul_tiled", "reduce"])
    if isinstance(found, Message):
        said(found)


def draft(content: bytes, _: Scratch) -> None:
    with suppress(UnicodeDecodeError):
        found = draft_from(content.decode("utf-8"))
        if found is not None:
            draft_text(found).encode("utf-8")


def recent(content: bytes, scratch: Scratch) -> None:
    text_of_all(kept_in(scratch.file(content))).encode("utf-8")


def progress(content: bytes, scratch: Scratch) -> None:
    courses = read_progress(scratch.file(content))
    assert read_progress(scratch.file(progress_text(courses).encode())) == courses


def records(content: bytes, scratch: Scratch) -> None:
    kept = read_records(scratch.file(content))
    assert read_records(scratch.file(records_text(kept).encode())) == kept


def kernel(content: bytes, scratch: Scratch) -> None:
    text = read_source(scratch.file(content))
    if isinstance(text, Message):
        return said(text)
    launch = LaunchRequest((2, 1, 1), (32, 1, 1), budget=BUDGET)
    outcome = trace_job(LaunchSpec(text, None, launch))
    if isinstance(outcome, NotTraced) and outcome.kernels:  # it wants arguments: what the playground gives
        chosen = outcome.kernels[0]
        outcome = trace_job(LaunchSpec(text, chosen.name, launch, texts=texts_of(chosen, {})))
    assert all(each.line >= 1 and each.column >= 1 for each in outcome.diagnostics)
    if isinstance(outcome, NotTraced):
        assert not any(words in str(outcome.reason) for words in NEVER), outcome.reason
        said(outcome.reason)
    return None


def arguments(content: bytes, _: Scratch) -> None:
    """A command line: one argument a line. It is understood, or refused; nothing is performed."""
    given = content.decode("utf-8", "replace").split("\n")
    for each in given:
        for found in (whole_number("--n", each, 1, 1000), number_list("--n", each, 1, 1 << 20), dimensions("--grid", each),
                      image_size("--size", each, (1, 1), (4000, 4000))):  # fmt: skip
            if isinstance(found, Message):
                said(found)
    status: object = 0
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        try:
            _grammar().parse_args(given)
        except Refused as refused:
            said(refused.reason)
        except SystemExit as finished:
            status = finished.code
    assert not status


@cache
def _grammar() -> ArgumentParser:
    return build_parser(TRANSLATORS[0])


Read = Callable[[bytes, Scratch], None]
READERS: Mapping[str, Read] = {
    each.__name__: each
    for each in (state, word, lesson, challenge, attempt, recording, profile, draft, recent, progress, records, kernel, arguments)
}
SEEDS = Path(__file__).parent / "seeds"


@dataclass(frozen=True, slots=True)
class Found:
    """An input that a reader once could not stand."""

    reader: str
    path: Path


def found_inputs() -> Sequence[Found]:
    """All that are kept."""
    return [Found(folder.name, path) for folder in sorted(SEEDS.iterdir()) if folder.is_dir() for path in sorted(folder.iterdir())]
