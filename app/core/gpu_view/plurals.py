"""Numbers of things, in the singular where there is one."""

from __future__ import annotations

from kernels.base.messages import Message, message


def sectors(number: int) -> Message:
    return message("1 sector") if number == 1 else message("{number} sectors", number=number)


def wavefronts(number: int) -> Message:
    return message("1 wavefront") if number == 1 else message("{number} wavefronts", number=number)


def lanes(number: int) -> Message:
    return message("1 lane") if number == 1 else message("{number} lanes", number=number)


def words(number: int) -> Message:
    return message("1 word") if number == 1 else message("{number} words", number=number)


def values(number: int) -> Message:
    return message("1 value") if number == 1 else message("{number} values", number=number)


def blocks(number: int) -> Message:
    return message("1 block") if number == 1 else message("{number} blocks", number=number)


def warps(number: int) -> Message:
    return message("1 warp") if number == 1 else message("{number} warps", number=number)


def stages(number: int) -> Message:
    return message("1 stage") if number == 1 else message("{number} stages", number=number)
