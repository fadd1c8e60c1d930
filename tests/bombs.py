"""Small data that unpacks to large data; only one piece of it is compressed, so a test need not compress it all."""

from __future__ import annotations

import zlib

_PIECE_BYTES = 1_000_000
_LAST_BLOCK = b"\x03\x00"


def zlib_bomb(pattern: bytes, size: int) -> bytes:
    """A zlib stream of ``pattern`` again and again, ``size`` bytes long."""
    piece, times = _pieces(pattern, size)
    checksum = 1
    for _ in range(times):
        checksum = zlib.adler32(piece, checksum)
    return b"\x78\xda" + _blocks(piece, times) + checksum.to_bytes(4, "big")


def gzip_bomb(pattern: bytes, size: int) -> bytes:
    """The same with the header and the checksum of gzip."""
    piece, times = _pieces(pattern, size)
    checksum = 0
    for _ in range(times):
        checksum = zlib.crc32(piece, checksum)
    ends = checksum.to_bytes(4, "little") + size.to_bytes(4, "little")
    return b"\x1f\x8b\x08" + bytes(5) + b"\x02\xff" + _blocks(piece, times) + ends


def _pieces(pattern: bytes, size: int) -> tuple[bytes, int]:
    assert size % _PIECE_BYTES == 0
    assert _PIECE_BYTES % len(pattern) == 0
    return pattern * (_PIECE_BYTES // len(pattern)), size // _PIECE_BYTES


def _blocks(piece: bytes, times: int) -> bytes:
    """The piece as blocks that refer to nothing before them, so many times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return (packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)) * times + _LAST_BLOCK
