"""A large block of memory goes back to the system when it is freed, whatever was freed before."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys

import pytest

BLOCKS = """
import ctypes
from app.qt.shell.running import LARGE_BYTES, give_back_large_blocks

class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]

library = ctypes.CDLL(None)
library.mallinfo2.restype = Info
library.malloc.restype = ctypes.c_void_p
library.malloc.argtypes = [ctypes.c_size_t]
library.free.argtypes = [ctypes.c_void_p]

def own_blocks():
    before = library.mallinfo2().hblks
    block = library.malloc(64 * LARGE_BYTES)  # more than may be left of what was imported
    own = library.mallinfo2().hblks - before
    library.free(block)
    return own

give_back_large_blocks()
library.free(library.malloc(96 * LARGE_BYTES))
print(own_blocks())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc" or not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="of glibc 2.33 and later")
def test_a_large_block_is_one_of_its_own_after_a_larger_one_was_freed() -> None:
    """In a process of its own: it is the whole process's setting."""
    done = subprocess.run([sys.executable, "-c", BLOCKS], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1"]
