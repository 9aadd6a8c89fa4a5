"""Where the memories of a launch appear among addresses: each in a window of its own."""

GLOBAL_WINDOW = 1 << 36
SHARED_WINDOW = 1 << 52
"""What PTX counts addresses of shared memory from; the prelude's `__isShared` knows the number, too."""
RANK_SHIFT = 24
"""Of an address in the window of shared memory: what is above is the rank of a block in its cluster and 1; 0 is the own block. PTX and
the hardware have the rank itself there, of the own block too: `lower/shared_addresses.py`."""
OWN_ADDRESS = (1 << RANK_SHIFT) - 1
"""The bits of such an address that lie below the rank: where it is in the block's own shared memory."""
LOCAL_WINDOW = 1 << 53
