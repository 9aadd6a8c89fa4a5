"""What the bundle takes from the system it is started on, and the Debian packages that bring it there."""

from __future__ import annotations

from collections.abc import Mapping

LEFT_TO_THE_SYSTEM: Mapping[str, str] = {
    # The system's graphics drivers are loaded into the same process and need these at least as new as they were built with; the
    # runtime of C++ and expat of the build's system would also ask for a newer glibc than all the rest.
    "libstdc++.so.6": "libstdc++6",
    "libgcc_s.so.1": "libgcc-s1",
    "libexpat.so.1": "libexpat1",
    "libz.so.1": "zlib1g",
    "libX11.so.6": "libx11-6",
    # It talks with the system's own bus, and brings four libraries of a service that is not here.
    "libdbus-1.so.3": "libdbus-1-3",
    # They read the system's own fonts by the system's own configuration.
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
}
"""Libraries that PyInstaller would bundle."""

PROVIDED: Mapping[str, str] = {
    **LEFT_TO_THE_SYSTEM,
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxcb.so.1": "libxcb1",
    **dict.fromkeys(
        ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1", "libresolv.so.2", "ld-linux-x86-64.so.2"),
        "libc6",
    ),
}
"""Library -> package. What else a file of the bundle needs must be in the bundle."""

OPTIONAL: Mapping[str, str] = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libmpi.so.40": "libopenmpi3",
    "libcuda.so.1": "libcuda1",
    "libcublas.so.13": "libcublas13",
    "libcublasLt.so.13": "libcublaslt13",
    "libnvrtc.so.13": "libnvrtc13",
}
"""Libraries of which only what is tried at run time has need: a window under Wayland, ranks under the user's own Open MPI, the GPU.
NVRTC comes along in the edition for GPUs, where the program loads it itself."""
