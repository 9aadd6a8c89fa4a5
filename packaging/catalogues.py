"""Collects the texts of the source into the translation catalogues, and compiles them. Run by `dev.py translate`.

A text is the first argument of a call of `message`; the English template is its own key.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
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
        found = extract_from_dir(
            ROOT / folder, method_map=[("**.py", "python")], keywords={"message": (1,)}, comment_tags=("Translators:",)
        )
        for name, _, text, comments, context in found:
            template.add(text, locations=[(f"{folder}/{name}", 0)], auto_comments=comments, context=context)
    return template


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
