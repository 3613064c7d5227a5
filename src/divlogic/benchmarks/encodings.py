"""The encoding of a text file: what its bytes show, or a question to the user where they do not decide."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable
from typing import IO, Any

from divlogic.errors import DivLogicError

UTF8 = "utf-8-sig"

_MARKS = (
    (codecs.BOM_UTF8, UTF8),
    # Before UTF-16, whose mark it begins with.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_WIDE = ["utf_16_le", "utf_16_be"]
"""Encodings of two bytes a character, whose Latin letters have a zero byte each."""

_CANDIDATES = [
    "gb18030",
    "big5",
    "cp932",
    "euc_jp",
    "cp949",
    "cp1250",
    "cp1251",
    "cp1252",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "cp1258",
    "cp874",
    "koi8_r",
]
"""What spreadsheets and editors write; GBK is a part of gb18030, Shift-JIS of cp932, EUC-KR of cp949."""

_SAMPLE = 1 << 18
"""Bytes of lines with letters outside ASCII that are looked at; more do not make the detection better."""

# A zero byte in eight is more than any text of one byte a character has.
_FEW = 8

_SHOWN = 24
"""Characters of each reading that an error shows."""


def detected_encoding(path: str, open_file: Callable[[], Any]) -> str:
    """Return the encoding of a text file.

    Raises:
        DivLogicError: it is not UTF-8 or UTF-16, and more than one encoding reads it as a language.
    """
    with open_file() as stream:
        head = stream.read(_SAMPLE)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    if head.count(0) * _FEW > len(head):
        return _of_sample(path, head, _WIDE)
    if _is_utf8(open_file):
        return UTF8
    lines = _telling_lines(open_file)
    damaged = [number for number, line in lines if not _reads(line, "utf-8")]
    # In another encoding hardly a line is UTF-8 by chance.
    if len(damaged) * 2 < len(lines):
        raise DivLogicError(
            f"{path}, line {damaged[0]}: not valid UTF-8, while the other lines are; correct that line there, or export"
            " the file again."
        )
    return _of_sample(path, b"".join(line for _, line in lines), _CANDIDATES)


def check_encoding(path: str, name: str) -> str:
    """Return the name of an encoding as Python has it.

    Raises:
        DivLogicError: Python knows no such encoding of texts.
    """
    try:
        known = codecs.lookup(name)
        "".encode(known.name)
    except LookupError as error:
        raise DivLogicError(
            f"{path}: --encoding {name}: there is no such encoding; usual ones are utf-8, utf-16, gb18030 (GBK), big5,"
            " cp932 (Shift-JIS), cp949 (EUC-KR), cp1251, cp1252."
        ) from error
    return known.name


class Utf8Stream(io.RawIOBase):
    """The bytes of a file in another encoding, as UTF-8."""

    def __init__(self, stream: IO[bytes], path: str, encoding: str) -> None:
        self._stream, self._path, self._encoding = stream, path, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._left = b""
        self._lines = 0

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill ``buffer`` with UTF-8, and return the number of bytes."""
        while not self._left:
            block = self._stream.read(1 << 16)
            text = self._decoded(block)
            self._lines += text.count("\n")
            self._left = text.encode("utf-8", "surrogatepass")
            if not block:
                break
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count

    def _decoded(self, block: bytes) -> str:
        try:
            return self._decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            line = self._lines + error.object[: error.start].count(b"\n") + 1
            raise DivLogicError(
                f"{self._path}, line {line}: not valid {self._encoding} ({error.reason}); name the encoding of the"
                " file with --encoding, or convert it to UTF-8."
            ) from error


def _is_utf8(open_file: Callable[[], Any]) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    with open_file() as stream:
        try:
            while block := stream.read(1 << 20):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _telling_lines(open_file: Callable[[], Any]) -> list[tuple[int, bytes]]:
    """Return the first lines that hold more than ASCII, with their numbers."""
    lines: list[tuple[int, bytes]] = []
    size = 0
    with open_file() as stream:
        for number, line in enumerate(stream, start=1):
            if not line.isascii():
                lines.append((number, line[:_SAMPLE]))
                size += len(line)
            if size >= _SAMPLE:
                break
    return lines


def _of_sample(path: str, sample: bytes, candidates: list[str]) -> str:
    from charset_normalizer import from_bytes

    matches = list(from_bytes(sample, cp_isolation=candidates))
    if not matches:
        raise DivLogicError(
            f"{path}: neither UTF-8 nor another encoding that can be told; name it with --encoding, or save the file"
            " as UTF-8. If it is packed or no text at all, unpack or export it."
        )
    best = matches[0]
    # Another encoding that reads the same text is no other reading.
    others = [match for match in matches[1:] if str(match) != str(best)]
    # It is sure where the letters of one reading have the frequencies of a language, and those of no other.
    rivals = [match for match in others if match.coherence > 0] if best.coherence > 0 else others
    if rivals:
        readings = [best, *rivals][:4]
        shown = ", ".join(f"{match.encoding} (‘{_excerpt(str(match))}’)" for match in readings)
        raise DivLogicError(
            f"{path}: not UTF-8, and its encoding cannot be told. It may be {shown}. Name the one that reads right:"
            f" --encoding {best.encoding}."
        )
    same = {match.encoding for match in matches if str(match) == str(best)} | {best.encoding}
    for usual in ("cp1252", "cp932"):
        if usual in same or _reads(sample, usual) == str(best):
            return usual
    return str(best.encoding)


def _reads(sample: bytes, encoding: str) -> str:
    try:
        return sample.decode(encoding)
    except UnicodeDecodeError:
        return ""


def _excerpt(text: str) -> str:
    """Return the text around the first letter outside ASCII."""
    folded = " ".join(text.split())
    place = next((at for at, letter in enumerate(folded) if not letter.isascii()), 0)
    start = max(0, place - 8)
    return folded[start : start + _SHOWN]
