"""The challenges that come with the program."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from app.core.challenges.challenge import Challenge
from app.core.challenges.read import read_challenge
from kernels.messages import Message

ORDER = "order.txt"


@cache
def challenges() -> tuple[Challenge, ...]:
    """All of them, in teaching order. Raises ValueError where one cannot be read."""
    folder = files("resources").joinpath("challenges")
    found = []
    for name in folder.joinpath(ORDER).read_text(encoding="utf-8").split():
        challenge = read_challenge(folder.joinpath(name))
        if isinstance(challenge, Message):
            raise ValueError(str(challenge))
        found.append(challenge)
    return tuple(found)


def challenge_of(identifier: str) -> Challenge | None:
    """The challenge with this id, or None."""
    return next((each for each in challenges() if each.id == identifier), None)
