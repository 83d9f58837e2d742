"""The bytes and the tables of a file, bounded in size."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import FootfallError
from .values import show_error

MAX_NAME_CHARACTERS = 300  # of paths in messages, above the 260 of Windows
# More parts of a dotted key than any file needs; the parser's time grows with their square
LONG_KEY = re.compile(
    r"""(?<![\w."'-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){64}""", re.ASCII
)


@dataclass(frozen=True)
class FileKind:
    """A kind of files.

    Args:
        label: what messages call one, such as "style".
        max_bytes: greatest size [bytes].
        error_class: of errors of such files.
    """

    label: str
    max_bytes: int
    error_class: type[FootfallError]


def show_path(path: Path) -> str:
    """Return a path as messages show it: printable, and not longer than a few lines."""
    text = str(path)
    shown = text if text.isprintable() else repr(text)
    return shown if len(shown) <= MAX_NAME_CHARACTERS else "..." + shown[-MAX_NAME_CHARACTERS:]


def open_file(path: Path, kind: FileKind) -> BinaryIO:
    """Open a regular file for reading.

    Raises:
        FootfallError: of the kind's class: it cannot be opened, is no regular file (a folder, a
            device or a pipe), or is too large.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise kind.error_class(
                f"The {kind.label} {show_path(path)} cannot be opened: it is no regular file."
            )
        if status.st_size > kind.max_bytes:
            raise kind.error_class(
                f"The {kind.label} {show_path(path)} has {status.st_size / 1e6:.3g} MB; at most "
                f"{kind.max_bytes / 1e6:g} MB are read."
            )
        return path.open("rb")
    except (OSError, ValueError) as error:  # a ValueError is a path with a NUL character
        reason = getattr(error, "strerror", None) or show_error(error)
        raise kind.error_class(
            f"The {kind.label} {show_path(path)} cannot be opened: {reason}."
        ) from error


def read_file(path: Path, kind: FileKind) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        FootfallError: of the kind's class: as `open_file`, or it cannot be read.
    """
    with open_file(path, kind) as file:
        try:
            return file.read(os.fstat(file.fileno()).st_size)  # a limit alone would be allocated
        except OSError as error:
            raise kind.error_class(
                f"The {kind.label} {show_path(path)} cannot be read: {error.strerror or error}."
            ) from error


def read_toml(path: Path, kind: FileKind) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        FootfallError: of the kind's class: as `read_file`, or it is not TOML.
    """
    data = read_file(path, kind)
    try:
        text = data.decode("utf-8").replace("\r\n", "\n")
        if LONG_KEY.search(text):
            raise ValueError("it has a key of too many parts")
        return tomllib.loads(text)
    except RecursionError as error:
        raise kind.error_class(
            f"{show_path(path)} is not a {kind.label} file: its lists or tables are nested too "
            "deeply."
        ) from error
    except ValueError as error:  # TOMLDecodeError, UnicodeDecodeError, integers of 5000 digits
        raise kind.error_class(
            f"{show_path(path)} is not a {kind.label} file: {show_error(error)}."
        ) from error
