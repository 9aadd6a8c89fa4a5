"""Page of a player: a packed scene with the script that plays it in one HTML file, which loads nothing and runs nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape, unescape
from importlib.resources import files
from string import Template

from app import __version__
from app.core.base.i18n import Translator
from kernels.base.messages import message

_WORDS = {
    "play": message("Play"), "pause": message("Pause"), "first": message("To the first step"), "last": message("To the last step"),
    "back": message("One step back"), "next": message("One step on"), "step": message("Step"), "speed": message("Speed"),
    "theme": message("Light or dark"), "large": message("As large as it was drawn"),
    "choose": message("Return: what is drawn here, one after the other with the arrow keys. Esc: the arrow keys step again."),
    "controls": message("Player"), "source": message("Source"), "findings": message("Findings"),
    "open": message("Open in Tilescope"), "lesson": message("Lesson"), "answer": message("Answer"), "reveal": message("Show the answer"),
    "done": message("Show it"), "on": message("Go on"), "refused": message("Write a number."),
}  # fmt: skip
SCRIPTS = ("drawing.js", "elements.js", "player.js", "lesson.js")
LARGEST_PAGE = 64 << 20
"""Bytes of a page that is read."""
LONGEST_LINK = 24_000
"""Characters of a link that opens a scene in the program: longer ones are taken by few systems."""
_PER_SECOND = message("{n} a second", n="{n}")
"""The script fills in the number."""
_NEEDS = message("This page plays an animation, which needs JavaScript. It loads nothing from anywhere.")


def words_of_player(translator: Translator) -> dict[str, str]:
    """The words of the buttons."""
    return {name: translator.text(said) for name, said in _WORDS.items()} | {"per_second": translator.text(_PER_SECOND)}


def player_page(title: str, packed: bytes, translator: Translator) -> str:
    """The page. No text of the scene is in it as text: it is compressed, and its letters are those of base64."""
    folder = files("resources").joinpath("player")
    script = "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)
    style, page = (folder.joinpath(name).read_text(encoding="utf-8") for name in ("player.css", "page.html"))
    policy = f"default-src 'none'; script-src {hashed(script)}; style-src {hashed(style)}; base-uri 'none'; form-action 'none'"
    return Template(page).substitute(
        language=translator.language.replace("_", "-"), policy=policy, program=f"Tilescope {__version__}", title=escape(title), style=style,
        needs=escape(translator.text(_NEEDS)), scene=base64.b64encode(packed).decode(), script=script,
    )  # fmt: skip


def hashed(text: str) -> str:
    """A text as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def title_of_page(text: str) -> str | None:
    """The title of a page that `player_page` wrote; None for any other text."""
    found = re.search(r'<meta name="generator" content="Tilescope [^"<>]*">\n<title>([^<]*)</title>', text[:4000])
    return None if found is None else unescape(found[1])
