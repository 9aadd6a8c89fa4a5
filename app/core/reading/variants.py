"""The name of a variant in a file."""

from __future__ import annotations

from difflib import get_close_matches

from kernels import catalog
from kernels.messages import Message, message


def no_variant(name: str) -> Message:
    """What is wrong with a name that no variant has, for `Table.wrong`."""
    near = get_close_matches(name, [variant.id for variant in catalog.VARIANTS], 1)
    if near:
        return message("names none of the variants; {name} is the nearest", name=near[0])
    return message("names none of the variants")
