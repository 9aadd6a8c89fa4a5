"""The build step of the wheel: compiles the translation catalogues, which are committed as text only."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(root: Path) -> list[Path]:
    """Write the `.mo` file beside each `.po` file of `resources/i18n`, and return them.

    A program that starts meanwhile finds the old file or the new one, never a part.
    """
    compiled = []
    for source in sorted((root / "resources" / "i18n").glob("*/LC_MESSAGES/*.po")):
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parent.parent.name)
        target = source.with_suffix(".mo")
        made = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            with made.open("wb") as file:
                write_mo(file, catalogue)
            made.replace(target)
        finally:
            made.unlink(missing_ok=True)
        compiled.append(target)
    return compiled


class CatalogueHook(BuildHookInterface[Any]):
    """Runs before every build, editable installs included."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  the interface is Hatchling's
        compile_catalogues(Path(self.root))
