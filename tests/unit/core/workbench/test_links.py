"""Links are handed over to the one window that takes them, whatever became of the windows before it."""

from __future__ import annotations

import socket
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.core.base.files.locations import Locations
from app.core.workbench import links
from app.core.workbench.links import TAKEN, Doorway, hand_over

LINK = "tilescope:AAAA"


@pytest.fixture
def places(tmp_path: Path) -> Locations:
    return Locations(tmp_path / "d", tmp_path / "s", tmp_path / "c")


@contextmanager
def opened(places: Locations) -> Iterator[Doorway]:
    made = Doorway(places)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def answering(doorway: Doorway, answer: Callable[[bytes], bytes]) -> Iterator[None]:
    """A window that answers once."""

    def serve() -> None:
        assert doorway.listening is not None
        doorway.listening.settimeout(20)
        asking, _ = doorway.listening.accept()
        with asking:
            asking.sendall(answer(asking.recv(1 << 16)))

    thread = threading.Thread(target=serve)
    thread.start()
    yield
    thread.join()


def test_without_a_window_nobody_takes_a_link(places: Locations) -> None:
    assert not hand_over(LINK, places)


@pytest.mark.parametrize(("answer", "taken"), [(TAKEN, True), (b"", False), (b"no", False)])
def test_a_link_is_taken_when_the_window_says_so(places: Locations, answer: bytes, taken: bool) -> None:
    got: list[bytes] = []

    def said(link: bytes) -> bytes:
        got.append(link)
        return answer

    with opened(places) as doorway:
        assert doorway.open()
        with answering(doorway, said):
            assert hand_over(f" {LINK}\n", places) is taken
    assert got == [LINK.encode() + b"\n"]


def test_a_window_that_hangs_is_not_waited_for(places: Locations, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "PATIENCE_S", 0.05)
    with opened(places) as doorway:
        assert doorway.open()
        assert not hand_over(LINK, places)


def test_nobody_else_can_open_it_and_it_goes_with_the_window(places: Locations) -> None:
    with opened(places) as doorway:
        assert doorway.open()
        mode = places.window_socket.stat().st_mode
        assert stat.S_ISSOCK(mode)
        assert stat.S_IMODE(mode) == 0o600
    assert not places.window_socket.exists()
    assert not hand_over(LINK, places)


def test_the_socket_of_a_window_that_was_killed_is_replaced(places: Locations) -> None:
    places.cache.mkdir()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(places.window_socket))
    assert places.window_socket.exists()
    assert not hand_over(LINK, places)
    with opened(places) as doorway:
        assert doorway.open()
        with answering(doorway, lambda _link: TAKEN):
            assert hand_over(LINK, places)


def test_of_two_windows_one_takes_links_and_after_its_end_the_other(places: Locations) -> None:
    with opened(places) as first, opened(places) as second:
        assert first.open()
        assert not second.open()
        with answering(first, lambda _link: TAKEN):
            assert hand_over(LINK, places)
        first.close()
        assert second.open()
        with answering(second, lambda _link: TAKEN):
            assert hand_over(LINK, places)


def test_a_folder_whose_path_is_too_long_for_a_socket_has_none(tmp_path: Path) -> None:
    places = Locations(tmp_path, tmp_path, tmp_path / ("long" * 40))
    with opened(places) as doorway:
        assert not doorway.open()
        assert not doorway.open()
    assert not hand_over(LINK, places)


def test_a_system_without_such_sockets_has_none(places: Locations, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "AF_UNIX")
    with opened(places) as doorway:
        assert not doorway.open()
    assert not hand_over(LINK, places)
