"""The arena: what may be accessed, what an address belongs to, and that nothing else is ever let through."""

from __future__ import annotations

import pytest

from kernels.simt.base.types import Location
from kernels.simt.host.arena import Arena, Home
from kernels.simt.host.machine import explained
from kernels.simt.host.result import Wrong

HERE, THERE = Location(1, 1), Location(2, 1)


@pytest.fixture
def arena() -> Arena:
    return Arena(1 << 24, 1 << 28)


@pytest.mark.parametrize("size", [1, 15, 16, 17, 40, 4096, 100_000])
def test_the_bytes_of_an_allocation_and_no_others(arena: Arena, size: int) -> None:
    found = arena.allocate(Home.HOST, size, HERE)
    assert found is not None
    assert arena.allowed(found.address, size)
    assert not arena.allowed(found.address, size + 1)
    assert not arena.allowed(found.address - 1, 2)
    assert not arena.allowed(found.address + size, 1)
    arena.free(found, THERE)
    assert not arena.allowed(found.address, 1)


@pytest.mark.parametrize("address", [0, 1, -1, 1 << 62, -(1 << 63), (1 << 63) - 1])
def test_nothing_outside_is_allowed(arena: Arena, address: int) -> None:
    for size in (1, 8, 1 << 40):
        assert not arena.allowed(address, size)
        assert not arena.allowed(arena.layout.base - 1, size)
        assert not arena.allowed(arena.end - 1, size)
        assert not arena.allowed(arena.end, size)


def test_memory_of_the_device_is_none_of_the_host(arena: Arena) -> None:
    device = arena.allocate(Home.DEVICE, 64, HERE, "d")
    managed = arena.allocate(Home.MANAGED, 64, HERE, "m")
    assert device is not None
    assert managed is not None
    assert not arena.allowed(device.address, 1)
    assert arena.allowed(managed.address, 64)
    assert explained(arena, device.address + 8, "*d")[0] is Wrong.DEVICE_POINTER


def test_what_is_freed_is_not_used_again_soon_and_the_limit_is_of_what_lives(arena: Arena) -> None:
    addresses = set()
    for _ in range(40):
        found = arena.allocate(Home.HOST, 1 << 20, HERE)
        assert found is not None
        addresses.add(found.address)
        arena.free(found, THERE)
    assert len(addresses) == 40
    assert arena.allocate(Home.HOST, 1 << 25, HERE) is None
    assert explained(arena, next(iter(addresses)), "p")[0] is Wrong.AFTER_FREE
    assert explained(arena, 8, "p")[0] is Wrong.NULL
    assert explained(arena, 1 << 40, "p")[0] is Wrong.OUT_OF_BOUNDS
