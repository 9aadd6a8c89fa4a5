"""Digests by which files of the program's own caches are named."""

from __future__ import annotations


def digest_of(data: bytes) -> str:
    """Sixteen hexadecimal digits of the SHA-256 of some bytes."""
    import hashlib  # brings OpenSSL along, for which no window is to wait

    return hashlib.sha256(data).hexdigest()[:16]
