"""Collects the texts of the source into the translation catalogues, and compiles them. Run by `dev.py translate`.

A text is the first argument of a call of `message`; the English template is its own key.
"""

from __future__ import annotations

import ast
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from hatch_build import compile_catalogues

ROOT = Path(__file__).resolve().parent.parent
I18N = ROOT / "resources" / "i18n"
LANGUAGES = ("zh_CN",)
SOURCES = ("kernels", "app")


def extract() -> Catalog:
    """Every text of the program, in the order of the files."""
    template = Catalog(project="Tilescope", charset="utf-8")
    for folder in SOURCES:
        for directory, folders, files in os.walk(ROOT / folder):
            folders.sort()
            for file in (Path(directory, name) for name in sorted(files) if name.endswith(".py")):
                for text in texts(file.read_text(encoding="utf-8")):
                    template.add(text, locations=[(file.relative_to(ROOT).as_posix(), 0)])
    return template


def texts(source: str) -> list[str]:
    """The texts of a source in their order, also those inside another text's fields or an f-string."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and node.args]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "message"]
    first = sorted((call.args[0] for call in named), key=lambda argument: (argument.lineno, argument.col_offset))
    return [argument.value for argument in first if isinstance(argument, ast.Constant) and isinstance(argument.value, str)]


def catalogue_file(language: str) -> Path:
    """Where the translations into a language are written."""
    return I18N / language / "LC_MESSAGES" / "tilescope.po"


def read(language: str) -> Catalog:
    """The translations into a language, as committed."""
    with catalogue_file(language).open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def update() -> None:
    """Bring the catalogues up to the source: new texts come in untranslated, texts that are gone leave."""
    template = extract()
    for language in LANGUAGES:
        target = catalogue_file(language)
        catalogue = read(language) if target.is_file() else _new(language)
        catalogue.update(template, no_fuzzy_matching=True, update_header_comment=False, update_creation_date=False)
        for entry in catalogue:  # the fields are those of str.format: "% of" is text, which checkers take for a conversion of %
            entry.flags.discard("python-format")
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            write_po(file, catalogue, width=120, ignore_obsolete=True, include_lineno=False)
        left = sum(not entry.string for entry in catalogue if entry.id)
        print(f"{target.relative_to(ROOT)}: {len(catalogue)} texts, {left} to translate")


def _new(language: str) -> Catalog:
    """An empty catalogue whose header has no blanks to fill in."""
    authors = "The Tilescope authors"
    return Catalog(
        locale=language,
        project="Tilescope",
        version="1",
        header_comment="# Texts of Tilescope. The English text is the key; {fields} must be the same in both.",
        copyright_holder=authors,
        msgid_bugs_address=authors,
        last_translator=authors,
        language_team=authors,
        revision_date=datetime.now(UTC),
        charset="utf-8",
        fuzzy=False,
    )


def main(arguments: list[str]) -> int:
    """`update` (and compile) or only `compile`."""
    if arguments not in (["update"], ["compile"]):
        print("usage: dev.py translate [update | compile]", file=sys.stderr)
        return 2
    if arguments == ["update"]:
        update()
    compile_catalogues(ROOT)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
