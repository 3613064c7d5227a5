"""Zstandard streams (``.zst``) by pyarrow's codec: a tenth of gzip's time, and half its size where long rows repeat."""

from __future__ import annotations

import io
from pathlib import Path
from typing import IO, Any

LEVEL = 5
BLOCK = 1 << 20
"""Bytes of a frame before compression; frames do not depend on the sizes in which content is handed over."""


class ZstdWriter(io.RawIOBase):
    """Compresses what is written to it; the file is complete once the stream is closed."""

    def __init__(self, target: IO[bytes]) -> None:
        import pyarrow as pa

        self._target, self._waiting, self._is_empty = target, bytearray(), True
        self._codec = pa.Codec("zstd", compression_level=LEVEL)

    def writable(self) -> bool:
        return True

    def write(self, block: Any) -> int:
        self._waiting += block
        while len(self._waiting) >= BLOCK:
            self._write_frame()
        return len(block)

    def close(self) -> None:
        if not self.closed and (self._waiting or self._is_empty):
            self._write_frame()
        super().close()

    def _write_frame(self) -> None:
        with memoryview(self._waiting) as waiting:
            self._target.write(self._codec.compress(waiting[:BLOCK], asbytes=True))
        del self._waiting[:BLOCK]
        self._is_empty = False


class BrokenZstdError(EOFError):
    """Compressed data that are damaged or end too early."""


class ZstdReader(io.RawIOBase):
    """Reads a compressed file.

    Raises:
        BrokenZstdError: on reading.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._position = path, 0
        self._stream = self._opened()

    def _opened(self) -> Any:
        import pyarrow as pa

        return pa.input_stream(str(self._path), compression="zstd")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        try:
            size = int(self._stream.readinto(target))
        except OSError as error:
            raise BrokenZstdError(str(error)) from error
        self._position += size
        return size

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a byte of the content by reading up to it; only from the start, or to learn the position."""
        if whence != io.SEEK_SET:
            if (offset, whence) != (0, io.SEEK_CUR):
                raise io.UnsupportedOperation("a compressed stream is sought from its start only")
            return self._position
        if offset < self._position:
            self._stream.close()
            self._stream, self._position = self._opened(), 0
        while self._position < offset and self.read(min(BLOCK, offset - self._position)):
            pass
        return self._position

    def close(self) -> None:
        self._stream.close()
        super().close()
