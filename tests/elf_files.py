"""Libraries made byte by byte, for tests of what reads them."""

from __future__ import annotations

import struct

PAGE = 4096


def elf_file(
    needed: tuple[str, ...] = (), versions: tuple[tuple[str, tuple[str, ...]], ...] = (), soname: str = "", shift: int = 0
) -> bytes:
    """A library with one loaded part. `versions`: by library, those that symbols are asked for in. `shift`: off its page."""
    strings = bytearray(b"\0")

    def place(text: str) -> int:
        strings.extend(text.encode() + b"\0")
        return len(strings) - 1 - len(text.encode())

    tags = [(1, place(name)) for name in needed] + ([(14, place(soname))] if soname else [])
    needs = b""
    for number, (library, names) in enumerate(versions):
        auxiliary = b"".join(
            struct.pack("<IHHII", 0, 0, 2, place(name), 0 if each == len(names) - 1 else 16) for each, name in enumerate(names)
        )
        last = number == len(versions) - 1
        needs += struct.pack("<HHIII", 1, len(names), place(library), 16, 0 if last else 16 + len(auxiliary)) + auxiliary
    table, base = 64 + 2 * 56, 0x10000
    dynamic_size = 16 * (len(tags) + (4 if versions else 2))
    strings_at = table + dynamic_size
    needs_at = strings_at + len(strings)
    about = [(0x6FFFFFFE, base + needs_at), (0x6FFFFFFF, len(versions))] if versions else []
    tags += [(5, base + strings_at), *about, (0, 0)]
    dynamic = b"".join(struct.pack("<QQ", *tag) for tag in tags)
    size = needs_at + len(needs)
    header = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 64, 0, 0)
    segments = struct.pack("<IIQQQQQQ", 1, 5, 0, base + shift, base, size, size, PAGE)
    segments += struct.pack("<IIQQQQQQ", 2, 4, table, base + table, base + table, len(dynamic), len(dynamic), 8)
    return header + segments + dynamic + bytes(strings) + needs
