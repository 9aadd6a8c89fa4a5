"""The processes that trace for the window find what was compiled for the cache model at an earlier start."""

from __future__ import annotations

import os
from pathlib import Path

from app.core.base.files.locations import find_places
from app.core.session.session import Session
from app.core.workbench.assembly import assemble
from kernels.base.compiled_functions import CACHE_VARIABLE


def test_what_is_compiled_is_kept_where_the_program_keeps_such_things(tmp_path: Path) -> None:
    places = find_places({"TILESCOPE_HOME": str(tmp_path)}, "linux", tmp_path)
    made = assemble(Session(), places)
    try:
        assert os.environ[CACHE_VARIABLE] == str(places.numba_cache)
    finally:
        made.workbench.shutdown(1.0)
