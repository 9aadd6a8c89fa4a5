"""The heartbeat of a command that writes nothing until it is done: now and then a line that says it is still at work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.cli.base.console import Console
from kernels.base.messages import Message, message

FIRST_AFTER_S = 5.0
"""Seconds for which a command may say nothing; each further line comes after twice the time."""

Words = Callable[[int], Message]
"""The line after so many seconds."""


def at_work(subject: str) -> Words:
    """Words for a command whose progress is not known."""
    return lambda seconds: message(
        "{variant}: still at work after {seconds} s; what is asked for the first time is compiled first.",
        variant=subject, seconds=seconds,
    )  # fmt: skip


@contextmanager
def beating(words: Words, console: Console) -> Iterator[None]:
    """Say now and then on standard error, while the context lasts, that the command is still at work."""
    done = threading.Event()
    thread = threading.Thread(target=_tell_now_and_then, args=(words, console, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _tell_now_and_then(words: Words, console: Console, done: threading.Event) -> None:
    start, pause = time.monotonic(), FIRST_AFTER_S
    while not done.wait(pause):
        console.tell(console.text(words(round(time.monotonic() - start))))
        pause *= 2
