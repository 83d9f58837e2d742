"""Versions of everything on which the bits of a result depend."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# Packages whose versions can change the bits of a motion
PACKAGES = ("numpy", "scipy", "daqp", "mujoco-core")
CODE_SUFFIXES = (".py", ".toml", ".npz", ".json")  # Files of the core by which results can differ
MISSING = "none"


@cache
def find_versions() -> dict[str, str]:
    """Return the versions of Footfall, Python and packages in this process, by name.

    Footfall's holds a hash of its code, because copies of one version may differ.
    """
    versions = {
        "Footfall": f"{_find_version('footfall')} ({_hash_code()})",
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }
    return versions | {name: _find_version(name) for name in PACKAGES}


def describe_difference(theirs: dict[str, str], ours: dict[str, str]) -> str | None:
    """Return in which versions a worker differs, such as "Python 3.11 instead of 3.13", or None."""
    parts = [
        f"{name} {theirs.get(name, MISSING)} instead of {number}"
        for name, number in ours.items()
        if theirs.get(name, MISSING) != number
    ]
    return ", ".join(parts) or None


def _find_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return MISSING


def _hash_code() -> str:
    """Return a short hash of the files of the core."""
    root = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256()
    paths = {path.relative_to(root).as_posix(): path for path in root.rglob("*")}
    for name in sorted(paths):
        if name.endswith(CODE_SUFFIXES):
            digest.update(name.encode() + b"\0" + paths[name].read_bytes() + b"\0")
    return digest.hexdigest()[:8]
