"""Hostile texts in every place of a player, opened in a real browser: no script of theirs runs, nothing is loaded, each is shown as text.

TILESCOPE_HOSTILE_TEXTS=10000 tries so many in place of a few hundred.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.core.base.i18n import Translator
from app.core.export.display_list import Fill, PackedScene, Spot, StepWords
from app.core.export.player_page import player_page, words_of_player
from tests.screens.browsers import CHROMIUM, Chromium

TEXTS = int(os.environ.get("TILESCOPE_HOSTILE_TEXTS", "300"))
PAGE = 150
"""Texts of a page."""
RAN = "window.ran = 1"
SEEDS = (
    f"<script>{RAN}</script>", f"</script><script>{RAN}</script>", f"<img src=x onerror='{RAN}'>", "<img src=http://127.0.0.1:9/x>",
    f"<svg onload='{RAN}'>", f"<svg><script>{RAN}</script></svg>", f"javascript:{RAN}", f"<a href='javascript:{RAN}'>x</a>",
    "<iframe srcdoc='<script>parent.ran = 1</script>'></iframe>", "<iframe src=http://127.0.0.1:9/></iframe>",
    "<link rel=stylesheet href=http://127.0.0.1:9/x.css>", "<style>@import 'http://127.0.0.1:9/'</style>",
    f"<body onload='{RAN}'>", f"<details open ontoggle='{RAN}'>", f"<input autofocus onfocus='{RAN}'>",
    f"{{{{constructor.constructor('{RAN}')()}}}}",
    f"${{{RAN}}}", f"`${{{RAN}}}`", f"\";{RAN};//", f"';{RAN};//", f"*/{RAN}/*", "]]>", "<!--", "--!>", "\u2028\u2029", "\x00<script>",
    f"<meta http-equiv=refresh content='0;url=javascript:{RAN}'>", "<base href=http://127.0.0.1:9/>",
    f"<math><mi//xlink:href='data:x,{RAN}'>",
    "<object data=http://127.0.0.1:9/>", f"<form><button formaction='javascript:{RAN}'>", "__proto__", "constructor", "\ud800", "\u202e",
)  # fmt: skip


def hostile(chance: random.Random) -> str:
    """One or two of the seeds, cut, doubled or in other cases, with noise between them."""
    text = "".join(chance.choice(SEEDS) for _ in range(chance.randint(1, 2)))
    match chance.randrange(5):
        case 0:
            text = text.upper()
        case 1:
            cut = chance.randrange(len(text) + 1)
            noise = "".join(chr(chance.choice((chance.randrange(1, 128), chance.randrange(0x250, 0x2FFF)))) for _ in range(3))
            text = text[:cut] + noise + text[cut:]
        case 2:
            text = text.replace("<", "<<")
        case 3:
            text += chr(chance.randrange(0x10000, 0x10FFFF))
    return text.encode("utf-8", "replace").decode()


def page_of(texts: list[str]) -> str:
    """A page with a chapter, a step and a step of its lesson for each text, which stands in all their fields."""
    packed = PackedScene(40, 30)
    mark = Fill("#ff0000ff", "M0 0h40v30h-40Z", (1, 0, 0, 1, 0, 0), even=False)
    for text in texts:
        packed.add((mark,), (mark,), StepWords(text, text, text, (text,), 1), [[Spot((0, 0, 40, 30), text)]])
        chapter = {"title": text, "source": [text], "sources": text, "notes": [text], "link": text, "first": 0, "at": 0}
        packed.end_chapter(**chapter, findings=[{"text": text, "step": 0}], range=text)
    first, translator = texts[0], Translator("en")
    steps = [_taught(text, number) for number, text in enumerate(texts)]
    scene = packed.packed(title=first, words=words_of_player(translator), lesson={"summary": first, "steps": steps})
    return player_page(first, scene, translator)


def _taught(text: str, number: int) -> dict[str, Any]:
    """A step of a lesson, every other with a question that is answered by a number."""
    said = [{"item": item, "pieces": [(text, ""), (text, "code"), (text, "strong")]} for item in (False, True)]
    choices = [{"text": [(text, "")], "right": right, "said": text} for right in (False, True)] if number % 2 else []
    asked = {"asked": said, "choices": choices, "hint": text, "right": [], "tolerance": 0, "said": [text, text], "unknown": text}
    return {"place": text, "headline": text, "narration": said, "task": text, "question": asked, "answer": said, "asked": number,
            "told": number}  # fmt: skip


_SHOWN = """((player, lesson) => player.scene.chapters.map((_, number) => {
    lesson.enter(number);
    player.say(player.spotAt(5, 5), 5, 5, 400);
    player.tell();
    const { title, sentence, tip, sources, text, notes, findings, named } = player;
    const shown = [title, sentence, tip, sources, text, notes, lesson.place].map(each => each.textContent);
    for (const each of [...lesson.body.querySelectorAll('button')].slice(0, 1)) each.click();
    findings.querySelector('button').click();
    return [...shown, findings.textContent.slice(2), named.textContent, lesson.body.querySelector('h2').textContent,
            lesson.body.querySelector('.task').textContent, player.link.getAttribute('href')];
}))(window.player, window.lesson)"""
"""What stands of each text on the page, after its question was answered and its finding pressed."""


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chromium]:
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    made = Chromium(tmp_path / "browser")
    yield made
    made.close()


def test_no_text_runs_or_loads_anything(tmp_path: Path, browser: Chromium) -> None:
    chance, path = random.Random(21), tmp_path / "scene.html"
    for begin in range(0, TEXTS, PAGE):
        texts = [hostile(chance) for _ in range(min(PAGE, TEXTS - begin))]
        path.write_text(page_of(texts), encoding="utf-8")
        browser.open(path.as_uri())
        browser.until("window.lesson !== undefined")
        shown = browser.run(_SHOWN)
        assert shown == [[*[text] * 8, "" if text == texts[0] else text, text, text, None] for text in texts]
        assert browser.run("window.ran") is None
        assert browser.run("[...new Set([...document.querySelectorAll('*')].map(each => each.localName))].sort()") == ELEMENTS
        assert browser.run("document.scripts.length") == 2
        assert browser.requests == [path.as_uri()]


ELEMENTS = [
    "a", "body", "button", "canvas", "code", "div", "h1", "h2", "head", "header", "html", "input", "li", "main", "meta", "noscript",
    "option", "p", "path", "pre", "script", "section", "select", "span", "strong", "style", "svg", "title", "ul",
]  # fmt: skip


def test_a_page_that_ran_its_texts_would_be_found_out(tmp_path: Path, browser: Chromium) -> None:
    path = tmp_path / "unsafe.html"
    path.write_text("".join(f"<p>{each}</p>" for each in SEEDS).encode("utf-8", "replace").decode(), encoding="utf-8")
    browser.open(path.as_uri())
    browser.until("window.ran === 1")
    assert len(browser.requests) > 1
