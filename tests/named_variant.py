"""A variant whose parameters have named values, put into the catalogue for a test."""

from __future__ import annotations

import pytest

from app.cli import catalogue, request, variant_options
from app.core import results, selection, shares
from app.core.insights import general
from kernels import catalog
from kernels.messages import message
from kernels.spec import Device, Operation, Parameter, Variant

ORDERS = ("ijk", "ikj", "jik", "jki", "kij", "kji")
ORDER = Parameter("letters", message("Order of the loops"), default=1, minimum=0, maximum=5, stops=tuple(range(6)), names=ORDERS)
BLOCK = Parameter("depth", message("Depth"), default=4, minimum=1, maximum=64, stops=(2, 4, 8))
NAMED = Variant(
    "cpu.named", Operation.MATMUL, Device.CPU, message("Named"), message("Only for tests."),
    source="cpu/matmul_loop_order.py", entry="multiply", parameters=(ORDER, BLOCK),
)  # fmt: skip
READERS = (catalog, variant_options, request, catalogue, results, selection, shares, general)


def add_to_catalogue(monkeypatch: pytest.MonkeyPatch) -> Variant:
    """Make the catalogue and all who read it know `NAMED`."""
    monkeypatch.setitem(catalog._BY_ID, NAMED.id, NAMED)
    variants = (*catalog.VARIANTS, NAMED)
    for reader in READERS:
        monkeypatch.setattr(reader, "VARIANTS", variants)
    return NAMED
