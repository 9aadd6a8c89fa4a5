"""Where the memories of a launch appear among addresses: each in a window of its own."""

GLOBAL_WINDOW = 1 << 36
SHARED_WINDOW = 1 << 52
"""What PTX counts addresses of shared memory from: the prelude's `__cvta_generic_to_shared` knows the number, too."""
LOCAL_WINDOW = 1 << 53
