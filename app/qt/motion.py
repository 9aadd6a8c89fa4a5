"""Whether pictures may travel: the user's choice, or what the system says."""

from __future__ import annotations

import ctypes
import sys

from kernels.messages import message

MOTIONS = {"system": message("As the system"), "full": message("Full"), "reduced": message("Reduced: nothing travels")}
_CLIENT_AREA_ANIMATION = 0x1042
"""SPI_GETCLIENTAREAANIMATION of winuser.h: "Show animations in Windows"."""


def stands_still(choice: str) -> bool:
    """Whether motion is to be reduced, for a choice of MOTIONS."""
    return choice == "reduced" or (choice == "system" and system_reduces_motion())


def system_reduces_motion() -> bool:
    """Whether the system was told to animate nothing. Where it cannot be asked: no."""
    if sys.platform == "win32":
        animated = ctypes.c_int(1)
        asked = ctypes.windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(animated), 0)
        return bool(asked) and not animated.value
    return False
