"""A picture that is incomplete is not taken, and one that shows nothing is not let through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtGui import QColor, QImage
from screenshots import Wrong, check

from app.qt.shell import screenshot
from app.qt.shell.application import Desktop
from kernels.base.messages import Message, message

SIZE = (64, 48)


def picture(path: Path, colour: Callable[[int, int], QColor]) -> Path:
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    for x in range(SIZE[0]):
        for y in range(SIZE[1]):
            image.setPixelColor(x, y, colour(x, y))
    assert image.save(str(path))
    return path


def test_a_picture_with_something_on_it_is_right(tmp_path: Path) -> None:
    check(picture(tmp_path / "a.png", lambda x, y: QColor(4 * x, 5 * y, 0)), SIZE)


def test_another_size_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(Wrong, match=r"a\.png is \(64, 48\), not \(64, 40\)"):
        check(picture(tmp_path / "a.png", lambda x, y: QColor(4 * x, 5 * y, 0)), (64, 40))


@pytest.mark.parametrize("shown", [0, 3], ids=["nothing", "a few dots"])
def test_a_blank_picture_is_wrong(tmp_path: Path, shown: int) -> None:
    def colour(x: int, y: int) -> QColor:
        return QColor(x, y, 255) if x < shown and y < shown else QColor(255, 255, 255)

    with pytest.raises(Wrong, match="next to nothing"):
        check(picture(tmp_path / "a.png", colour), SIZE)


def test_a_picture_that_lacks_something_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([message("what is predicted")] * 3)

    def missing(_workbench: Any) -> Message | None:
        return next(answers, None)

    monkeypatch.setattr(screenshot, "missing", missing)
    desktop = cast(Desktop, SimpleNamespace(workbench=None, process_events=lambda: None))
    assert screenshot._complete(desktop) is None
    answers = iter([message("what is predicted")] * 1000)
    monkeypatch.setattr(screenshot, "_DEADLINE_S", 0.0)
    assert str(screenshot._complete(desktop)) == "The picture was not complete after 0 s. Not known: what is predicted."
