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
    for number, (library, asked) in enumerate(versions):
        auxiliary = b"".join(
            struct.pack("<IHHII", 0, 0, 2, place(name), 0 if each == len(asked) - 1 else 16) for each, name in enumerate(asked)
        )
        last = number == len(versions) - 1
        needs += struct.pack("<HHIII", 1, len(asked), place(library), 16, 0 if last else 16 + len(auxiliary)) + auxiliary
    table, base = 64 + 2 * 56, 0x10000
    dynamic_size = 16 * (len(tags) + (4 if versions else 2))
    strings_at = table + dynamic_size
    needs_at = strings_at + len(strings)
    about = [(0x6FFFFFFE, base + needs_at), (0x6FFFFFFF, len(versions))] if versions else []
    tags += [(5, base + strings_at), *about, (0, 0)]
    dynamic = b"".join(struct.pack("<QQ", *tag) for tag in tags)
    size = needs_at + len(needs)
    names = b"\0.dynstr\0.gnu.version_r\0.shstrtab\0"
    header = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, size + len(names), 0, 64, 56, 2, 64, 4, 3)
    segments = struct.pack("<IIQQQQQQ", 1, 5, 0, base + shift, base, size, size, PAGE)
    segments += struct.pack("<IIQQQQQQ", 2, 4, table, base + table, base + table, len(dynamic), len(dynamic), 8)
    sections = (
        _section(0, 0, 0, 0),
        _section(1, 3, strings_at, len(strings)),
        _section(9, 0x6FFFFFFE, needs_at, len(needs), link=1, count=len(versions)),
        _section(24, 3, size, len(names)),
    )
    return header + segments + dynamic + bytes(strings) + needs + names + b"".join(sections)


def _section(name: int, kind: int, offset: int, size: int, link: int = 0, count: int = 0) -> bytes:
    return struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, offset, size, link, count, 1, 0)
