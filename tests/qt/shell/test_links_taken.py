"""Links that another start of the program hands over: the window shows them, and is held up by nobody."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from app.core.base.files.locations import Locations
from app.core.lessons.library import shipped_ids
from app.core.session.draft import copy_of
from app.core.state.snapshot import Snapshot
from app.core.state.written import LESSON, paste_of
from app.core.workbench.links import LARGEST_LINK, TAKEN, Doorway, hand_over
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell import links_taken
from app.qt.shell.application import Desktop
from app.qt.shell.links_taken import LinksTaken
from app.qt.shell.running import link_shown_by
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id


def state(variant_id: str = "gpu.tiled") -> Snapshot:
    variant = by_id(variant_id)
    return Snapshot(Case.of(variant, Problem.square(Operation.MATMUL, 32), variant.defaults))


@pytest.fixture
def places(tmp_path: Path) -> Locations:
    return Locations(tmp_path / "d", tmp_path / "s", tmp_path / "c")


@pytest.fixture
def desktop(qtbot: QtBot) -> Desktop:
    made = Desktop(WindowArguments("en", "light", "cpu.naive", (1440, 900)), None, Settings(None))
    qtbot.addWidget(made.window)
    return made


@pytest.fixture
def taking(desktop: Desktop, places: Locations) -> Iterator[LinksTaken]:
    made = LinksTaken(Doorway(places), partial(link_shown_by, desktop), desktop.window)
    yield made
    made.close()


def handed(qtbot: QtBot, link: str, places: Locations) -> bool:
    """What another process is told that hands over a link while the window lives."""
    told: list[bool] = []
    thread = threading.Thread(target=lambda: told.append(hand_over(link, places)))
    thread.start()
    qtbot.waitUntil(lambda: bool(told), timeout=20_000)
    thread.join()
    return told[0]


def test_a_state_is_shown(qtbot: QtBot, desktop: Desktop, taking: LinksTaken, places: Locations) -> None:
    assert handed(qtbot, paste_of(state()), places)
    assert desktop.session.stage.value == state().stage
    assert "The link is shown." in str(desktop.workbench.activity.value)


def test_a_lesson_is_opened_at_its_step(qtbot: QtBot, desktop: Desktop, taking: LinksTaken, places: Locations) -> None:
    name = shipped_ids()[0]
    assert handed(qtbot, f"{LESSON}{name}?step=2", places)
    playing = desktop.workbench.lesson_controller.player.playing.value
    assert playing is not None
    assert (playing.lesson.id, playing.number) == (name, 1)


def test_what_says_nothing_here_opens_a_window_of_its_own(qtbot: QtBot, desktop: Desktop, taking: LinksTaken, places: Locations) -> None:
    before = desktop.session.stage.value
    assert not handed(qtbot, "tilescope:AAAA", places)
    assert desktop.session.stage.value == before


def test_a_text_that_is_edited_is_not_replaced(qtbot: QtBot, desktop: Desktop, taking: LinksTaken, places: Locations) -> None:
    variant = by_id("gpu.tiled")
    plain = copy_of(variant, Problem.square(Operation.MATMUL, 32), variant.defaults)
    sent = replace(state(), draft=plain, edited=True)
    mine = replace(plain, text=plain.text + "\n// mine")
    desktop.session.draft_editor.take(mine)
    assert not handed(qtbot, paste_of(sent), places)
    assert desktop.session.draft_editor.draft.value == mine
    assert handed(qtbot, paste_of(state()), places)
    assert desktop.session.draft_editor.draft.value == mine


def test_who_says_nothing_or_too_much_is_let_go(qtbot: QtBot, desktop: Desktop, places: Locations, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links_taken, "PATIENCE_S", 0.2)
    taken: list[str] = []

    taking = LinksTaken(Doorway(places), lambda link: partial(taken.append, link), desktop.window)
    with socket.socket(socket.AF_UNIX) as silent, socket.socket(socket.AF_UNIX) as loud:
        for each in (silent, loud):
            each.connect(str(places.window_socket))
            each.settimeout(0)
        sent = 0
        while sent <= LARGEST_LINK:
            try:
                sent += loud.send(b"x" * 4096)
            except BlockingIOError:
                qtbot.wait(1)
            except (BrokenPipeError, ConnectionResetError):
                break
        qtbot.waitUntil(lambda: _ended(silent), timeout=20_000)
        qtbot.waitUntil(lambda: _ended(loud), timeout=20_000)
    assert taken == []
    assert handed(qtbot, "tilescope:a", places)
    assert taken == ["tilescope:a"]
    taking.close()


def _ended(asking: socket.socket) -> bool:
    """Whether the window has closed its end."""
    try:
        return asking.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def test_parts_of_a_link_are_put_together(qtbot: QtBot, desktop: Desktop, taking: LinksTaken, places: Locations) -> None:
    link = paste_of(state()).encode() + b"\n"
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(str(places.window_socket))
        for at in range(0, len(link), 50):
            asking.sendall(link[at : at + 50])
            qtbot.wait(5)
        asking.settimeout(0)
        answer = b""
        while not answer:
            qtbot.wait(5)
            try:
                answer = asking.recv(100)
            except BlockingIOError:
                continue
    assert answer == TAKEN
    assert desktop.session.stage.value == state().stage


def test_nothing_is_left_open(qtbot: QtBot, desktop: Desktop, places: Locations) -> None:
    files = psutil.Process().num_fds()
    taking = LinksTaken(Doorway(places), lambda _link: lambda: None, desktop.window)
    for number in range(50):
        assert handed(qtbot, f"tilescope:{number}", places)
    taking.close()
    assert psutil.Process().num_fds() == files
    assert not places.window_socket.exists()


def test_another_window_takes_over_when_the_first_has_ended(
    qtbot: QtBot, desktop: Desktop, places: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links_taken, "RETRY_MS", 20)
    by: list[str] = []
    first = LinksTaken(Doorway(places), lambda _link: partial(by.append, "one"), desktop.window)
    second = LinksTaken(Doorway(places), lambda _link: partial(by.append, "two"), desktop.window)
    assert handed(qtbot, "tilescope:a", places)
    first.close()
    qtbot.waitUntil(places.window_socket.exists, timeout=20_000)
    assert handed(qtbot, "tilescope:b", places)
    assert by == ["one", "two"]
    second.close()


def test_a_second_start_hands_its_link_over_and_ends(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TILESCOPE_HOME": str(tmp_path / "h"), "LANG": "C", "LC_ALL": "C"}
    start = [sys.executable, "-m", "app"]
    window = subprocess.Popen(start, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        path = Locations(tmp_path, tmp_path, tmp_path / "h" / "cache").window_socket
        end = time.monotonic() + 120
        while not path.exists():
            assert window.poll() is None
            assert time.monotonic() < end
            time.sleep(0.1)
        ran = subprocess.run([*start, "open", paste_of(state())], env=environment, capture_output=True, text=True, timeout=120, check=False)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "The window that is open shows it.\n")
    finally:
        window.terminate()
        window.wait(60)
    assert not path.exists()
