"""Parser of a text to a `Unit`, and its guard: refused before libclang sees it is what would exhaust the stack or the memory.

That is nesting, long statements and macros that explode. The measures are of tokens: comments count nothing, a string is one token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.frontend import sources
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.frontend.unit import Unit

DEEPEST = 150
"""Open brackets."""
LONGEST_STATEMENT = 1000
"""Tokens without `;`, `{`, `}` or a separating comma, of closed brackets the deepest alone: each can be one level of libclang's recursion,
which ends near 2500."""
MOST_ELSE = 1000
MOST_TOKENS = 2_000_000
"""After macros are expanded."""

ENDS = (";", "{", "}")

_TOKEN = re.compile(
    r"""(?P<skip>//(?:[^\\\n]|\\\r?\n|\\)*|/\*(?s:.*?)(?:\*/|\Z)|\\\r?\n)
    |(?P<raw>(?<!\w)(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\((?s:.*?)(?:\)(?P=mark)"|\Z))
    |(?P<text>"(?:[^"\\\n]|\\.|\\\n)*"|(?<!\w)'(?:[^'\\\n]|\\.)*')
    |(?P<define>^[ \t]*\#[ \t]*define[ \t]+(?P<name>\w+)(?P<parameters>\([^()\n]*\))?)
    |(?P<line>^[ \t]*\#)
    |(?P<word>[^\W\d]\w*)
    |(?P<number>\d[\w.']*)
    |(?P<newline>\n)
    |(?P<other>\S)""",
    re.VERBOSE | re.MULTILINE,
)  # fmt: skip


_UNCLOSED = re.compile(r"""^[ \t]*\#[ \t]*include[ \t]*(?:(?P<angle><)[^>\n]*|"[^"\n]*)$""", re.MULTILINE)
_CONDITION = re.compile(
    r"[ \t]*\#[ \t]*(?:(?P<begins>if|ifdef|ifndef)|(?P<ends>endif)|elif|else)\b[ \t]*(?P<value>(?:0|1|false|true)\b(?![ \t]*[^\s/]))?"
)


@dataclass(slots=True)
class _Macro:
    start: int
    parameters: tuple[str, ...]
    body: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refusal of a text that is not parsed: why, and on which line of it."""

    line: int
    message: Message


@dataclass(slots=True)
class _Token:
    text: str
    start: int


def _scan(text: str, macros: dict[str, _Macro]) -> Iterator[_Token]:
    """The tokens outside preprocessor lines, while the bodies of macros go into `macros`. A line of the preprocessor is one ";"."""
    macro: _Macro | None = None
    directive = False
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind == "newline":
            directive, macro = False, None
        elif kind in ("parameters", "name", "define"):
            names = tuple(re.findall(r"\w+", found["parameters"] or ""))
            macro, directive = macros.setdefault(found["name"], _Macro(found.start(), names)), True
            yield _Token(";", found.start())
        elif kind == "line":
            directive = True
            yield _Token(";", found.start())
        elif kind != "skip":
            word = found[0] if kind in ("word", "other") else "0"
            if macro is not None:
                macro.body.append(word)
            elif not directive:
                yield _Token(word, found.start())


@dataclass(slots=True)
class _Open:
    """Open bracket: `before` are the tokens of the statement up to it, `beside` those of the deepest bracket closed beside it."""

    word: str
    before: int
    beside: int


class _Reading:
    """Tokens of the statement that is read, and how deep what is closed in it was."""

    def __init__(self) -> None:
        self.statement = self.beside = 0
        self.brackets: list[_Open] = []
        self.balanced = True

    @property
    def around(self) -> str:
        """The innermost open bracket, or nothing."""
        return self.brackets[-1].word if self.brackets else ""

    def add(self, word: str, statement: int) -> None:
        """Read a word, after which the statement has so many tokens."""
        self.statement = statement
        if word in "([{":
            self.brackets.append(_Open(word, statement, self.beside))
            self.beside = 0
        elif word in ")]}" and self.brackets:
            left = self.brackets.pop()
            self.beside, self.statement = max(left.beside, statement + self.beside - left.before), left.before + 1
        elif word in ")]}":
            self.balanced = False


class _Costs:
    """An upper bound of the tokens that macros become, arguments copied as often as a body names them."""

    def __init__(self, macros: dict[str, _Macro]) -> None:
        self._macros = macros
        self._known: dict[str, tuple[int, int]] = {}
        self._tails: dict[str, int | None] = {}
        self._depths: dict[str, int] = {}

    def of(self, word: str, open_names: frozenset[str] = frozenset()) -> tuple[int, int]:
        """The tokens that a macro's name becomes, and how often its arguments are copied."""
        if word in self._known:
            return self._known[word]
        macro = self._macros.get(word)
        if macro is None or word in open_names:
            return 1, 1
        if len(open_names) > DEEPEST:
            return MOST_TOKENS * 10, 1
        total, copies = 1, dict.fromkeys(macro.parameters, 0)
        for token, factor, cost in self.weigh(macro.body, open_names | {word}):
            total = min(total + cost * factor, MOST_TOKENS * 10)
            if token in copies:
                copies[token] = min(copies[token] + factor, MOST_TOKENS)
        self._known[word] = total, max(1, *copies.values(), 1)
        return self._known[word]

    def statement_after(self, statement: int, word: str) -> int:
        """The tokens of the statement once `word` is read, `statement` of which stand before it."""
        tail = self._tail(word)
        return statement + self._depth(word) if tail is None else tail

    def _depth(self, word: str) -> int:
        """The tokens that a macro's name adds to a statement, of brackets that it closes the deepest alone."""
        if word not in self._macros:
            return 1
        if word not in self._depths:
            self._depths[word] = self.of(word)[0]
            read = _Reading()
            for token in self._macros[word].body:
                read.add(token, read.statement + self._depth(token))
            if read.balanced and not read.brackets:
                self._depths[word] = read.statement + read.beside
        return self._depths[word]

    def _tail(self, word: str) -> int | None:
        """The tokens after the last end of a statement in what a macro becomes; None where no statement ends in it."""
        if word in ENDS:
            return 0
        if word not in self._macros:
            return None
        if word not in self._tails:
            self._tails[word] = None
            tail: int | None = None
            for token in self._macros[word].body:
                inner = self._tail(token)
                tail = inner if inner is not None else tail if tail is None else tail + self.of(token)[0]
            self._tails[word] = tail
        return self._tails[word]

    def weigh(self, words: list[str], open_names: frozenset[str] = frozenset()) -> Iterator[tuple[str, int, int]]:
        """Yield each word with the copies that the macro calls around it make, and its own cost."""
        factors, called = [1], 1
        for word in words:
            cost, copies = self.of(word, open_names)
            yield word, factors[-1], cost
            if word == "(":
                factors.append(min(factors[-1] * called, MOST_TOKENS))
            elif word == ")" and len(factors) > 1:
                factors.pop()
            called = copies if word in self._macros else 1


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def refuse(text: str) -> Refusal | None:
    """The reason why a text must not be given to libclang, or None."""
    if "\0" in text:
        return Refusal(_line(text, text.index("\0")), message("The text holds a NUL character."))
    macros: dict[str, _Macro] = {}
    tokens = list(_scan(text, macros))
    costs = _Costs(macros)
    exploded = message("Macros make this text longer than {limit} tokens.", limit=MOST_TOKENS)
    for name, macro in macros.items():
        if costs.of(name)[0] > MOST_TOKENS:
            return Refusal(_line(text, macro.start), exploded)
        if (found := _too_deep([_Token(word, macro.start) for word in macro.body], costs)) is not None:
            return Refusal(_line(text, found[0]), found[1])
    if (found := _too_deep(tokens, costs)) is not None:
        return Refusal(_line(text, found[0]), found[1])
    total = sum(cost * factor for _, factor, cost in costs.weigh([token.text for token in tokens]))
    return Refusal(1, exploded) if total > MOST_TOKENS else None


def _too_deep(tokens: list[_Token], costs: _Costs) -> tuple[int, Message] | None:
    """Where brackets nest too deep or a statement is too long, and which it is."""
    read, otherwise = _Reading(), 0
    for token in tokens:
        word, around = token.text, read.around
        goes_on = word == ";" and around == "("
        read.add(word, read.statement + 1 if goes_on else costs.statement_after(read.statement, word))
        if (word in ENDS and not goes_on) or (word == "," and around == "{"):
            read.statement = read.beside = 0
        otherwise += word == "else"
        if len(read.brackets) > DEEPEST:
            return token.start, message("Brackets are nested more than {limit} deep here.", limit=DEEPEST)
        if read.statement + read.beside > LONGEST_STATEMENT:
            return token.start, message(
                "A statement is more than {limit} tokens deep here, and two and a half times as many can end the compiler that reads it: "
                "split it.",
                limit=LONGEST_STATEMENT,
            )  # fmt: skip
        if otherwise > MOST_ELSE:
            return token.start, message("More than {limit} else branches stand here.", limit=MOST_ELSE)
    return None


NO_DEFINES: Mapping[str, str | int] = {}


def parse(text: str, path: Path | None = None, defines: Mapping[str, str | int] = NO_DEFINES, host: str | None = None) -> Unit:
    """The unit of a text that lies, or would lie, at `path`: local includes are read from beside it. `defines` are macros, as
    a compiler's -D. With `host`, a text that stands before the program, it is of the host's side. Never raises for what stands
    in the text; raises ValueError for a define that is not a name or not one line."""
    gathered = sources.gather(text[: sources.LARGEST_FILE + 1], path)
    macros = "".join(_define(name, str(value)) for name, value in defines.items())
    return Unit(gathered, macros, _refusal(text, gathered), host)


def _define(name: str, value: str) -> str:
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or re.search(r"[\r\n\0\\]", value):
        raise ValueError(f"not a macro: {name}={value}")
    return f"#define {name} {value}\n"


def _refusal(text: str, gathered: sources.SourceTexts) -> Diagnostic | None:
    if len(text) > sources.LARGEST_FILE or len(gathered.texts[gathered.main]) > sources.LARGEST_FILE:
        limit = sources.LARGEST_FILE >> 10
        return Diagnostic(1, 1, Severity.ERROR, message("The text is longer than {limit} KiB.", limit=limit))
    if (unclosed := _unclosed_include(text)) is not None:
        return unclosed
    for name, content in gathered.texts.items():
        if (found := refuse(content.decode(errors="replace"))) is not None:
            return Diagnostic(found.line, 1, Severity.ERROR, found.message, gathered.shown_file(name) or "")
    return None


def _unclosed_include(text: str) -> Diagnostic | None:
    """An include without its closing sign: libclang takes the kernel after it for a part of its name, and names another line."""
    candidates = list(_UNCLOSED.finditer(text))
    lines = _read_lines(text) if candidates else frozenset()
    for found in candidates:
        if found.start() in lines:
            sign = ">" if found["angle"] else '"'
            return Diagnostic(
                _line(text, found.start()), 1, Severity.ERROR, message("This #include is never closed: a {sign} is missing.", sign=sign)
            )
    return None


def _read_lines(text: str) -> frozenset[int]:
    """Where the lines of the preprocessor begin that a compiler reads: those in no comment and no string, nor behind `#if 0`."""
    lines: set[int] = set()
    groups: list[tuple[bool, bool]] = []
    """Of the conditions around a line: whether what follows may be read, and whether that or what stood before it surely is."""
    for token in _TOKEN.finditer(text):
        if token.lastgroup != "line":
            continue
        condition = _CONDITION.match(text, token.start())
        if condition is not None:
            sure = False if condition["begins"] or not groups else groups.pop()[1]
            if not condition["ends"]:
                groups.append((not sure and condition["value"] not in ("0", "false"), sure or condition["value"] in ("1", "true")))
        elif all(may for may, _ in groups):
            lines.add(token.start())
    return frozenset(lines)
