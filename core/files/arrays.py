"""Arrays of .npy and .npz data. Headers are checked before anything is allocated."""

from __future__ import annotations

import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from numpy.lib import format as npy_format
from numpy.typing import NDArray

from .source import FileKind, open_file, show_path
from .values import show_error

MAX_ARRAYS = 200  # of one file, five times those of a motion; larger numbers are damage
ARRAY_SUFFIX = ".npy"
ENCRYPTED_FLAG = 1  # bit of the flags of an entry, as the format of .zip has it
PLAIN_COMPRESSION = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
PLAIN_KINDS = "biufU"  # numpy's letters: booleans, integers, floats and texts
# What zipfile, zlib and numpy raise for damaged data
DAMAGE_ERRORS = (
    ArithmeticError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
    tokenize.TokenError,
)


@dataclass(frozen=True)
class ArrayHeader:
    """What the header of an array says.

    Args:
        shape: of the array.
        kind: numpy's letter of its type: b, i, u, f or U.
        byte_count: of its elements [bytes].
    """

    shape: tuple[int, ...]
    kind: str
    byte_count: int


def read_array(stream: IO[bytes], byte_count: int) -> NDArray[Any]:
    """Return the array of a stream of .npy data.

    Args:
        stream: at its begin, seekable.
        byte_count: of the stream [bytes].

    Raises:
        ValueError: it is no array of plain elements, or its size does not match its shape.
    """
    try:
        read_header(stream, byte_count)
        stream.seek(0)
        array: NDArray[Any] = npy_format.read_array(stream, allow_pickle=False)
    except DAMAGE_ERRORS as error:
        raise ValueError(show_error(error)) from error
    return array


def read_header(stream: IO[bytes], byte_count: int) -> ArrayHeader:
    """Return the header of .npy data, which must describe as many bytes as there are.

    Args:
        byte_count: of the whole data [bytes].

    Raises:
        ValueError: it is no header of an array of plain elements, or the size does not match;
            other errors of `DAMAGE_ERRORS` come from numpy.
    """
    version = npy_format.read_magic(stream)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"arrays of the format {version[0]}.{version[1]} are not read")
    read = (
        npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
    )
    shape, _, dtype = read(stream)
    if dtype.kind not in PLAIN_KINDS or any(length < 0 for length in shape):
        raise ValueError("an array is not one of plain numbers or texts")
    size = math.prod(shape) * dtype.itemsize
    if size != byte_count - stream.tell():
        raise ValueError(
            "an array's shape does not match the number of its bytes; the file is damaged"
        )
    return ArrayHeader(shape, dtype.kind, size)


class ArrayArchive:
    """The arrays of an .npz file, opened in a `with` statement.

    Args:
        kind: the kind of file; its `max_bytes` also bounds the sum of all arrays.

    Raises:
        FootfallError: of the kind's class: the file cannot be opened, or is no archive of plain
            arrays.
    """

    def __init__(self, path: Path, kind: FileKind) -> None:
        self._path = path
        self._kind = kind
        self._file = open_file(path, kind)
        try:
            with self._reporting_damage():
                self._archive = zipfile.ZipFile(self._file)
                self.headers = {
                    entry.filename.removesuffix(ARRAY_SUFFIX): self._read_header(entry)
                    for entry in self._list_entries()
                }
        except kind.error_class:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_class: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    def read(self, name: str) -> NDArray[Any]:
        """Return an array.

        Raises:
            FootfallError: of the kind's class: its data is damaged.
        """
        with (
            self._reporting_damage(),
            self._archive.open(name + ARRAY_SUFFIX) as stream,
        ):
            array: NDArray[Any] = npy_format.read_array(stream, allow_pickle=False)
            stream.read(1)  # compares the checksum
        return array

    def _list_entries(self) -> list[zipfile.ZipInfo]:
        """Return the entries, after checking all that can be checked without reading them."""
        entries = self._archive.infolist()
        if len({entry.filename for entry in entries}) != len(entries) or len(entries) > MAX_ARRAYS:
            raise ValueError("it has an array twice, or too many of them")
        if any(not entry.filename.endswith(ARRAY_SUFFIX) for entry in entries):
            raise ValueError("it holds files that are no arrays")
        if any(entry.flag_bits & ENCRYPTED_FLAG for entry in entries):
            raise ValueError("it is encrypted")
        if any(entry.compress_type not in PLAIN_COMPRESSION for entry in entries):
            raise ValueError("it is compressed by a method that is not read")
        total = sum(entry.file_size for entry in entries)
        if total > self._kind.max_bytes:
            raise ValueError(
                f"its arrays have {total / 1e6:.3g} MB; at most {self._kind.max_bytes / 1e6:g} MB "
                "are read"
            )
        return entries

    def _read_header(self, entry: zipfile.ZipInfo) -> ArrayHeader:
        with self._archive.open(entry) as stream:
            return read_header(stream, entry.file_size)

    @contextmanager
    def _reporting_damage(self) -> Iterator[None]:
        try:
            yield
        except DAMAGE_ERRORS as error:
            raise self._kind.error_class(
                f"{show_path(self._path)} is not a {self._kind.label} file: it cannot be read as "
                f"an .npz of plain arrays ({show_error(error)})."
            ) from error
