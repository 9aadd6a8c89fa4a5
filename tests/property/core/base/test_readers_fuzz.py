"""Broken files, of every reader: each is refused in a sentence or read, soon, and what is read can be written and read again.

TILESCOPE_FUZZ_READERS says how many of each are tried (before a release: 3000); tests/fuzz tries them led by coverage.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.base.files.fields import Table
from tests.fuzz.mutations import Mutator
from tests.fuzz.originals import ORIGINALS
from tests.fuzz.readers import READERS, SEEDS, Found, Scratch, found_inputs

EXAMPLES = int(os.environ.get("TILESCOPE_FUZZ_READERS", "30"))
SLOW = {"kernel", "lesson", "arguments"}
"""Of these a third is tried: reading one takes as long as reading ten of the others."""
SOON_S = 10.0
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)
OF_JSON = ("state", "attempt", "recording", "draft", "recent", "progress", "records")


@cache
def originals(reader: str) -> Sequence[bytes]:
    return ORIGINALS[reader]()


def read(reader: str, content: bytes) -> None:
    """Read it, in time."""
    with TemporaryDirectory() as folder:
        began = time.process_time()
        READERS[reader](content, Scratch(Path(folder)))
        assert time.process_time() - began < SOON_S


@pytest.mark.parametrize("reader", READERS)
def test_what_is_good_is_read(reader: str) -> None:
    for content in originals(reader)[:5]:
        read(reader, content)


@pytest.mark.parametrize("found", found_inputs(), ids=lambda found: f"{found.reader} {found.path.name}")
def test_what_was_found_before_stays_mended(found: Found) -> None:
    read(found.reader, found.path.read_bytes())


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_broken_is_answered(reader: str) -> None:
    mutator = Mutator(originals(reader))

    @settings(max_examples=EXAMPLES // 3 if reader in SLOW else EXAMPLES, deadline=None)
    @given(st.integers(0, 2**32), st.integers(0, 2**32))
    def tried(which: int, seed: int) -> None:
        good = originals(reader)
        read(reader, mutator.broken(good[which % len(good)], seed))

    tried()


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("reader", READERS)
def test_any_bytes_are_answered(reader: str) -> None:
    @settings(max_examples=EXAMPLES // 3, deadline=None)
    @given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
    def tried(content: bytes) -> None:
        read(reader, content)

    tried()


@pytest.mark.parametrize("reader", OF_JSON)
def test_any_json_is_answered(reader: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None)
    @given(JSON)
    def tried(value: object) -> None:
        read(reader, json.dumps(value).encode())

    tried()


def test_a_mistake_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that lets half a character pass, which nobody can write."""
    monkeypatch.setattr("app.core.challenges.result.json_table", lambda text: Table(json.loads(text)))
    with pytest.raises(UnicodeEncodeError):
        read("attempt", (SEEDS / "attempt" / "half-a-character").read_bytes())
