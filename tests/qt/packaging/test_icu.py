"""packaging/bundle/icu.py: what Qt asks ICU is answered as before by the smaller library."""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from pathlib import Path

import PySide6
import pytest
from bundle.elf import read_elf
from bundle.holes import UnknownLayout
from bundle.icu import LIBRARY, is_used, only_used, trim

LIBRARIES = Path(PySide6.__path__[0]) / "Qt" / "lib"
ASK = """
import ctypes, sys

def library(name):
    return ctypes.CDLL(sys.argv[1] + "/" + name, mode=ctypes.RTLD_GLOBAL)

def call(function, kind, *arguments):
    function.restype = kind
    return function(*arguments)

data, common, more, version = (*(library(name) for name in sys.argv[2:5]), sys.argv[5])
status, room = ctypes.c_int(), ctypes.create_string_buffer(400)
for number in range(call(common["uloc_countAvailable_" + version], ctypes.c_int)):
    locale = call(common["uloc_getAvailable_" + version], ctypes.c_char_p, number)
    status.value = 0
    collator = ctypes.c_void_p(call(more["ucol_open_" + version], ctypes.c_void_p, locale, ctypes.byref(status)))
    for word in ("Äpfel", "zebra", "矩阵", "한국", "ñandú"):
        length = more["ucol_getSortKey_" + version](collator, word.encode("utf-16-le"), len(word), room, 400)
        print(locale, status.value, word, room.raw[:length])
for number in range(common["ucnv_countAvailable_" + version]()):
    name = call(common["ucnv_getAvailableName_" + version], ctypes.c_char_p, number)
    status.value = 0
    converter = ctypes.c_void_p(call(common["ucnv_open_" + version], ctypes.c_void_p, name, ctypes.byref(status)))
    length = common["ucnv_fromUChars_" + version](converter, room, 400, "Tile 分块".encode("utf-16-le"), 7, ctypes.byref(status))
    print(name, status.value, room.raw[:length])
for locale in (b"en_GB", b"zh_CN", b"zh_TW"):
    zone = "Asia/Shanghai".encode("utf-16-le") + bytes(2)
    calendar = ctypes.c_void_p(call(more["ucal_open_" + version], ctypes.c_void_p, zone, -1, locale, 0, ctypes.byref(status)))
    length = more["ucal_getTimeZoneDisplayName_" + version](calendar, 0, locale, room, 200, ctypes.byref(status))
    print(locale, status.value, room.raw[:2 * length].decode("utf-16-le"))
"""


@pytest.fixture
def libraries(tmp_path: Path) -> Path:
    """Copies of ICU's libraries, the data first."""
    found = sorted(LIBRARIES.glob("libicu*.so.*"))
    if not found:
        pytest.skip("Qt's ICU is here not in files of its own")
    for path in found:
        shutil.copy(path, tmp_path)
    return tmp_path


def answers(folder: Path) -> list[str]:
    names = [next(folder.glob(f"{name}.so.*")).name for name in ("libicudata", "libicuuc", "libicui18n")]
    command = [sys.executable, "-X", "utf8", "-c", ASK, str(folder), *names, names[0].rpartition(".")[2]]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=100).stdout.splitlines()


OURS = ("b'en", "b'zh", "b'UTF-", "b'ISO-8859-1'", "b'US-ASCII")
"""How the lines begin of the program's languages, and of encodings that need no table."""


def test_collation_converters_and_time_zones_of_ours_are_as_before_in_a_third_of_the_size(libraries: Path) -> None:
    data = next(libraries.glob(LIBRARY))
    before, size = answers(libraries), data.stat().st_size
    saved = trim(data)
    elf = read_elf(data)
    assert elf is not None
    assert elf.loadable
    assert elf.soname == data.name
    assert data.stat().st_size == size - saved < size / 3
    after = answers(libraries)
    ours = [line for line in before if line.startswith(OURS)]
    assert [line for line in after if line.startswith(OURS)] == ours
    assert len(ours) > 500
    assert ours[-1].endswith("中國標準時間")
    locales, others = ({line.split()[0] for line in lines if "zebra" in line} for lines in (before, after))
    assert others == locales  # in another language words are compared in the order that is for all
    assert not [line for line in after if int(line.split()[1]) > 0]


def test_what_has_been_taken_out_once_is_not_there_to_be_taken_out_again(libraries: Path) -> None:
    data = next(libraries.glob(LIBRARY))
    trim(data)
    made = data.read_bytes()
    assert trim(data) == 0
    assert data.read_bytes() == made


def test_another_library_is_refused(tmp_path: Path) -> None:
    (tmp_path / "libicudata.so.1").write_bytes(b"\x7fELF\x02\x01" + bytes(4096))
    with pytest.raises(UnknownLayout, match=r"libicudata\.so\.1"):
        trim(tmp_path / "libicudata.so.1")


@pytest.mark.parametrize(
    ("name", "used"),
    [("coll/zh.res", True), ("coll/ucadata.icu", True), ("coll/ja.res", False), ("root.res", True), ("res_index.res", True),
     ("zh_Hant_HK.res", True), ("ko.res", False), ("gb18030.cnv", False), ("zone/zh_Hant.res", True), ("zone/pool.res", True),
     ("zone/de.res", False), ("brkitr/cjdict.dict", False), ("curr/en.res", False)],
)  # fmt: skip
def test_only_what_qt_cannot_ask_for_is_taken_out(name: str, used: bool) -> None:
    assert is_used(f"icudt73l/{name}") is used


def test_the_items_that_stay_keep_their_order_and_their_bytes() -> None:
    names = [b"icudt73l/en.res", b"icudt73l/curr/en.res", b"icudt73l/zh.res"]
    listed = 4 + 8 * len(names) + sum(len(name) + 1 for name in names)
    first = -(-listed // 16) * 16
    table, name_at = struct.pack("<I", len(names)), 4 + 8 * len(names)
    for number, name in enumerate(names):
        table += struct.pack("<II", name_at, first + 16 * number)
        name_at += len(name) + 1
    contents = (table + b"".join(name + b"\0" for name in names)).ljust(first, b"\0")
    package = struct.pack("<H", 32).ljust(32, b"\0") + contents + b"A" * 16 + b"C" * 16 + b"Z" * 16
    smaller = only_used(package)
    assert smaller[:32] == package[:32]
    assert smaller.endswith(b"A" * 16 + b"Z" * 16)
    assert b"curr" not in smaller
