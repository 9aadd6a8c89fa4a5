"""Window: everything that is drawn with Qt."""

from __future__ import annotations

import sys

import PySide6.QtCore  # noqa: F401  # brings what is looked for

_FEATURES = sys.modules.get("shibokensupport.feature")
if _FEATURES is not None:
    # PySide reads the source of each module that is imported, to learn whether that could ask for one of its features: a tenth of the time
    # until the first window. Nothing here asks for any.
    _FEATURES._mod_uses_pyside = lambda _module: False  # type: ignore[attr-defined]
