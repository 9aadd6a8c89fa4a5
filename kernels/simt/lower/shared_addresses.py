"""Addresses of shared memory as PTX counts them: from the beginning of its window, in a cluster with the rank of the block in the upper
byte, of the own block too. Pointers know the own block without a rank.

A kernel without clusters is spared the calls: there both differ by a constant.
"""

from __future__ import annotations

from math import prod

from kernels.simt import ir
from kernels.simt.base.windows import SHARED_WINDOW
from kernels.simt.lower import build

Cluster = tuple[int, int, int]
OWN_SPACES = ("shared", "shared::cta")


def shared_address(generic: ir.Expression, cluster: Cluster, location: ir.Location) -> ir.Expression:
    """Take an address among all for one of shared memory."""
    if prod(cluster) > 1:
        return ir.Call("cvta.to.shared", (generic,), ir.U64, location)
    return build.binary(ir.Binary.ADD, generic, build.constant(-SHARED_WINDOW, ir.U64), ir.U64, location)


def generic_address(address: ir.Expression, cluster: Cluster, location: ir.Location, space: str = "shared::cluster") -> ir.Expression:
    """Take an address of shared memory for one among all; in the block's own space that of another block is nowhere."""
    if prod(cluster) > 1:
        name = "cvta.shared::cta" if space in OWN_SPACES else "cvta.shared::cluster"
        return ir.Call(name, (address,), ir.U64, location)
    return build.binary(ir.Binary.ADD, address, build.constant(SHARED_WINDOW, ir.U64), ir.U64, location)
