"""A variant whose parameters have named values, put into the catalogue for a test."""

from __future__ import annotations

import pytest

from app.cli import catalogue
from app.cli.base import options, request
from app.core.insights import general
from app.core.results import known_results, library_percent
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Parameter, Variant
from kernels.catalogue import catalogue as catalog

ORDERS = ("ijk", "ikj", "jik", "jki", "kij", "kji")
ORDER = Parameter("letters", message("Order of the loops"), default=1, minimum=0, maximum=5, stops=tuple(range(6)), names=ORDERS)
BLOCK = Parameter("depth", message("Depth"), default=4, minimum=1, maximum=64, stops=(2, 4, 8))
NAMED = Variant(
    "cpu.named", Operation.MATMUL, Device.CPU, message("Named"), message("Only for tests."),
    source="cpu/matmul_loop_order.py", entry="multiply", parameters=(ORDER, BLOCK),
)  # fmt: skip
READERS = (catalog, options, request, catalogue, known_results, library_percent, general)


def add_to_catalogue(monkeypatch: pytest.MonkeyPatch) -> Variant:
    """Make the catalogue and all who read it know `NAMED`."""
    monkeypatch.setitem(catalog._BY_ID, NAMED.id, NAMED)
    monkeypatch.setitem(catalog._BY_OPERATION, NAMED.operation, (*catalog.of(NAMED.operation), NAMED))
    variants = (*catalog.VARIANTS, NAMED)
    for reader in READERS:
        monkeypatch.setattr(reader, "VARIANTS", variants)
    return NAMED
