"""The rules of PTX instructions: every module that has some is among those whose import enters them into the table."""

from __future__ import annotations

from pathlib import Path

from kernels.simt.lower import ptx


def test_every_module_with_rules_is_imported_for_them() -> None:
    folder = Path(ptx.__file__).parent
    with_rules = {path.stem for path in folder.glob("*.py") if "\n@assembles(" in path.read_text(encoding="utf-8")}
    assert with_rules == {module.__name__.rpartition(".")[2] for module in ptx.RULES_STAND_IN}
