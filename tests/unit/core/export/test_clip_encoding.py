"""Encoding in a thread: the file is there when all is in it, and not at all where it was cancelled or failed."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.core.base.files.atomic_write import atomic_file
from app.core.export.clips.encoder import Pixels
from app.core.export.clips.encoding import CANCELLED, Encoding

COUNT = 6


def picture(number: int) -> Pixels:
    made = np.zeros((24, 32, 3), np.uint8)
    made[number : number + 4, number : number + 4] = 200
    return made


def give(encoding: Encoding, numbers: range) -> None:
    for number in numbers:
        end = time.monotonic() + 20
        while encoding.full and time.monotonic() < end:
            time.sleep(0.005)
        encoding.give(picture(number))


def test_the_file_appears_when_all_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "clip.webp"
    encoding = Encoding(path, 10, COUNT, [picture(0)])
    give(encoding, range(COUNT - 1))
    assert not path.exists()
    give(encoding, range(COUNT - 1, COUNT))
    encoding.join()
    assert encoding.reason is None
    assert [each.name for each in tmp_path.iterdir()] == ["clip.webp"]
    with Image.open(path) as file:
        assert getattr(file, "n_frames", 1) == COUNT


@pytest.mark.parametrize("given", [0, 2, COUNT - 1])
def test_cancelling_leaves_no_file(given: int, tmp_path: Path) -> None:
    encoding = Encoding(tmp_path / "clip.gif", 10, COUNT, [picture(0)])
    give(encoding, range(given))
    encoding.cancel()
    encoding.join()
    assert encoding.reason == CANCELLED
    assert list(tmp_path.iterdir()) == []


class Slow:
    """Completes its file only when it is allowed to."""

    def __init__(self, path: Path) -> None:
        self.completing, self.allowed = threading.Event(), threading.Event()
        self._path = path

    def add(self, _picture: Pixels) -> None:
        self._path.write_bytes(b"begun")

    def finish(self) -> None:
        self.completing.set()
        assert self.allowed.wait(60)
        self._path.write_bytes(b"whole")

    def abandon(self) -> None:
        pass


def test_cancelling_does_not_wait_for_an_encoder_that_takes_long_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Slow] = []

    def encoder(path: Path, *_: object) -> Slow:
        made.append(Slow(path))
        return made[0]

    monkeypatch.setattr("app.core.export.clips.formats.encoder_for", encoder)
    encoding = Encoding(tmp_path / "clip.webp", 10, 1, [picture(0)])
    give(encoding, range(1))
    while not made or not made[0].completing.wait(0.01):
        assert encoding.running
    encoding.cancel()
    assert encoding.running
    assert encoding.reason == CANCELLED
    assert list(tmp_path.iterdir()) == []
    made[0].allowed.set()
    encoding.join()
    assert encoding.reason == CANCELLED
    assert list(tmp_path.iterdir()) == []


def test_what_was_there_stays_until_a_new_file_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "clip.apng"
    path.write_bytes(b"earlier")
    encoding = Encoding(path, 10, COUNT, [picture(0)])
    give(encoding, range(2))
    encoding.cancel()
    encoding.join()
    assert path.read_bytes() == b"earlier"
    assert [each.name for each in tmp_path.iterdir()] == ["clip.apng"]


def test_a_folder_that_is_not_there_is_a_reason(tmp_path: Path) -> None:
    encoding = Encoding(tmp_path / "none" / "clip.webp", 10, COUNT, [picture(0)])
    encoding.join()
    assert "could not be written" in str(encoding.reason)


def test_pictures_of_another_size_are_a_reason(tmp_path: Path) -> None:
    encoding = Encoding(tmp_path / "clip.webp", 10, 2, [picture(0)])
    give(encoding, range(1))
    encoding.give(np.zeros((10, 10, 3), np.uint8))
    encoding.join()
    assert "could not be written" in str(encoding.reason)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "figure.svg"
    with pytest.raises(KeyboardInterrupt):
        interrupted(path)
    assert list(tmp_path.iterdir()) == []
    with atomic_file(path) as made:
        made.write_text("all")
    assert path.read_text() == "all"


def interrupted(path: Path) -> None:
    with atomic_file(path) as made:
        made.write_text("half")
        raise KeyboardInterrupt
