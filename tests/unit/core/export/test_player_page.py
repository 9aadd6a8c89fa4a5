"""The page of a player: it runs one script, that of the program, and no text of a scene can become another."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.base.i18n import LANGUAGES, Translator
from app.core.export.player_page import player_page, words_of_player

HOSTILE = "</title></script><script>alert(1)</script><img src=x onerror=alert(2)>$policy ${script}"


class Elements(HTMLParser):
    """All elements of a page with their attributes and what stands in them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.open = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))
        self.open = True

    def handle_endtag(self, tag: str) -> None:
        self.open = False

    def handle_data(self, data: str) -> None:
        if self.open:
            tag, attributes, text = self.found[-1]
            self.found[-1] = tag, attributes, text + data

    def named(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, text) for name, attributes, text in self.found if name == tag]


def page_with(text: str, language: str = "en") -> str:
    return player_page(text, gzip.compress(text.encode("utf-8", "surrogatepass")), Translator(language))


def test_the_policy_allows_the_script_and_the_style_that_are_there() -> None:
    page = Elements(page_with("Tiled"))
    policy = next(attributes["content"] for attributes, _ in page.named("meta") if "http-equiv" in attributes)
    (scene, script), ((_, style),) = page.named("script"), page.named("style")
    assert policy is not None
    for name, text in (("script", script[1]), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert scene[0]["type"] == "application/octet-stream"


@given(st.text() | st.just(HOSTILE))
def test_no_text_becomes_an_element(text: str) -> None:
    page = page_with(text)
    tags = [tag for tag, _, _ in Elements(page).found]
    assert tags == [tag for tag, _, _ in Elements(page_with("Tiled")).found]
    packed = re.search(r'octet-stream">([^<]*)<', page)
    assert packed is not None
    assert gzip.decompress(base64.b64decode(packed[1], validate=True)) == text.encode("utf-8", "surrogatepass")


def test_nothing_is_loaded() -> None:
    page = Elements(page_with("Tiled"))
    assert not [attributes for _, attributes, _ in page.found if {"src", "href", "data", "action"} & set(attributes)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_buttons_are_in_the_language_of_the_page(language: str) -> None:
    assert f'<html lang="{language.replace("_", "-")}">' in page_with("Tiled", language)
    words = words_of_player(Translator(language))
    assert "{n}" in words["per_second"]
    assert (words["play"] == "Play") == (language == "en")
