"""Breaks inputs by what they are made of: values of JSON, words and numbers of any text, parts of other inputs."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from app.core.state.written import MARK

HUGE = 5000
"""Digits of a number that Python's own conversions refuse."""
VALUES: Sequence[Any] = (
    None, True, False, 0, -1, 1, 2, 3.5, -0.0, 1e308, 10**18, 2**31, 2**53, 2**63, 10**400, float("inf"), float("nan"), "", "a",
    "\ud800", "\udfff\x00", "\0", "\u202e", "\u2028", "{x}", "{0.__class__}", "%s", "@/etc/passwd", "../x", "gpu.tiled", "x" * 3000,
    [], {}, [[]], [{}], [None], {"": None}, {"a": {"a": []}}, [1, 2, 3], [1] * 300, "NaN", "1e999", "１２", "²",
)  # fmt: skip
WORDS = (
    b"0", b"-1", b"9" * HUGE, b"1e999", b"inf", b"nan", b"null", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\n", b"\r",
    b"\\ud800", b"{", b"}", b"[", b"]", b'"', b"'", b"'''", b'"""', b"#", b"=", b".", b",", b"(" * 300, b"[" * 2000, b"{}", b"{a}",
    b"a." * 500, b"\xe2\x80\xa8", b"#include <stdio.h>\n", b"1979-05-27T07:32:00Z", b"../", b"@/etc/passwd", b"x" * 5000,
    b"-" * 200, b"`", b"**", b"- ", b"### ", b"%",
)  # fmt: skip
_TOKEN = re.compile(rb"[A-Za-z0-9_.+-]+|\s+|[^A-Za-z0-9_\s]")


class Mutator:
    """`others` are inputs whose parts may be put in."""

    def __init__(self, others: Sequence[bytes]) -> None:
        self._others = others

    def broken(self, content: bytes, seed: int) -> bytes:
        """The content with something broken in it; equal seeds break alike."""
        random = Random(seed)
        for _ in range(random.choice((1, 1, 2, 4))):
            content = random.choice(_WAYS)(content, random, self._others)
        return content


def _json(content: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Another value somewhere in a JSON text, or in the packed one of a pasted word."""
    packed = content.startswith(MARK.encode())
    try:
        document = json.loads(_unpacked(content) if packed else content)
    except (ValueError, RecursionError, zlib.error):
        return content
    places = list(_places(document))
    if not places:
        return content
    holder, key = random.choice(places)
    if isinstance(holder, dict) and random.random() < 0.2:
        holder[random.choice(("", "x", "a" * 300, "\ud800"))] = holder.pop(key)
    else:
        holder[key] = random.choice(VALUES)
    text = json.dumps(document).encode()
    return MARK.encode() + base64.urlsafe_b64encode(zlib.compress(text)) if packed else text


def _unpacked(content: bytes) -> bytes:
    word = b"".join(content.split())[len(MARK) :]
    return zlib.decompressobj().decompress(base64.urlsafe_b64decode(word + b"=" * (-len(word) % 4)), 1 << 20)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container below a value with each of its keys."""
    keys: Any = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _word(content: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    tokens, at = _tokens(content, random)
    tokens[at] = random.choice(WORDS)
    return b"".join(tokens)


def _inserted(content: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + random.choice(WORDS) + content[at:]


def _without(content: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    tokens, at = _tokens(content, random)
    del tokens[at : at + random.choice((1, 1, 3, 20))]
    return b"".join(tokens)


def _repeated(content: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    tokens, at = _tokens(content, random)
    part = b"".join(tokens[at : at + random.choice((1, 2, 10))])
    return b"".join(tokens[:at]) + part * random.choice((2, 50, 400)) + b"".join(tokens[at:])


def _lines_moved(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """A line of another input in place of one of this."""
    lines, other = content.split(b"\n"), random.choice(others).split(b"\n")
    lines[random.randrange(len(lines))] = random.choice(other)
    return b"\n".join(lines)


def _cut(content: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    return content[: random.randrange(len(content) + 1)]


def _tokens(content: bytes, random: Random) -> tuple[list[bytes], int]:
    tokens = _TOKEN.findall(content) or [content]
    return tokens, random.randrange(len(tokens))


_WAYS: Sequence[Callable[[bytes, Random, Sequence[bytes]], bytes]] = (
    _json, _json, _json, _word, _word, _inserted, _without, _repeated, _lines_moved, _cut,
)  # fmt: skip
