"""Temporary folders of a Blender session; those of a killed Blender are removed by the next one.

All lie in one session folder with a file that is locked until the session ends. The system ends
the lock even if Blender is killed.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ..core.errors import FootfallError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

SESSION_PREFIX = "footfall-session-"
LOCK_NAME = "lock"
# Age from which a session folder may be removed [s]. A younger one may still be without its lock.
MIN_STALE_AGE = 60.0


@dataclass
class _Session:
    """The folder of a session and its locked file; closing that ends the lock."""

    folder: Path
    lock: IO[bytes]


_sessions: list[_Session] = []  # the current one; empty until a folder is needed


def create_temp_folder(name: str) -> Path:
    """Return a new temporary folder of this session.

    Args:
        name: beginning of the folder's name.

    Raises:
        FootfallError: there is no temporary folder, or it is full or cannot be written.
    """
    try:
        return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=_open_session().folder))
    except OSError as error:
        raise make_temp_folder_error(error) from error


@contextmanager
def open_temp_folder(name: str) -> Iterator[Path]:
    """Return a context with a new temporary folder, which is removed at its end.

    Raises:
        FootfallError: there is no temporary folder, or it is full or cannot be written.
    """
    folder = create_temp_folder(name)
    try:
        yield folder
    except OSError as error:
        raise make_temp_folder_error(error) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make_temp_folder_error(error: OSError) -> FootfallError:
    """Return the error for a temporary folder that cannot be used."""
    try:
        place = f"The temporary folder {tempfile.gettempdir()}"
    except OSError:
        place = "The temporary folder"
    return FootfallError(
        f"{place} cannot be used: {error.strerror or error}. Free space on its disk, or let the "
        "environment variable TMPDIR (on Windows TEMP) name another folder and start Blender again."
    )


def remove_session_folder() -> None:
    """Remove all temporary folders of this session; does nothing without any."""
    while _sessions:
        session = _sessions.pop()
        session.lock.close()
        shutil.rmtree(session.folder, ignore_errors=True)
    atexit.unregister(remove_session_folder)


def remove_stale_folders() -> None:
    """Remove the session folders of Blenders that were killed."""
    with suppress(OSError):  # without a temporary folder nothing is stale
        for folder in Path(tempfile.gettempdir()).glob(f"{SESSION_PREFIX}*"):
            if _is_stale(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _open_session() -> _Session:
    """Return the session with its folder, which is created if it does not exist.

    Raises:
        OSError: the folder cannot be created.
    """
    if _sessions and _sessions[0].folder.is_dir():
        return _sessions[0]
    remove_session_folder()
    folder = Path(tempfile.mkdtemp(prefix=SESSION_PREFIX))
    try:
        lock = open(folder / LOCK_NAME, "wb")  # noqa: SIM115 - open until the session ends
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _try_lock(lock)
    _sessions.append(_Session(folder, lock))
    atexit.register(remove_session_folder)
    return _sessions[0]


def _is_stale(folder: Path) -> bool:
    """Return whether a session folder is of this user, and its Blender has ended."""
    try:
        status = folder.lstat()
        if time.time() - status.st_mtime < MIN_STALE_AGE or folder.is_symlink():
            return False
        if hasattr(os, "getuid") and status.st_uid != os.getuid():
            return False
        with open(folder / LOCK_NAME, "r+b") as lock:
            return _try_lock(lock)
    except OSError:
        return False


def _try_lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed, and return whether no other process has locked it."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
