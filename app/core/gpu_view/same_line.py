"""Whether a line that a step executes a half of goes on to another memory: what is read there is written here."""

from __future__ import annotations

from app.core.gpu_view.index import NOWHERE, LaunchIndex
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import Site


def other_half(index: LaunchIndex, site: Site, space: Space) -> str:
    """What the line of a site does in another memory with what the site moves: "load" or "store"; "" where that is nothing, or not known.

    What is read of a matrix is put into an array of the same letter; what is written was read from an array that has one.
    """
    letters = index.record.letters
    wanted = {"load": "store", "store": "load"}.get(site.operation, "")
    for other in index.trace.sites:
        if (other.space, other.operation, other.location.whole_line) != (space, wanted, site.location.whole_line) or other.tile:
            continue
        source, target = (site, other) if wanted == "store" else (other, site)
        read, put = (letters[each.allocation] if each.allocation != NOWHERE else "" for each in (source, target))
        if read and (target.space is Space.GLOBAL or read == put):
            return wanted
    return ""
