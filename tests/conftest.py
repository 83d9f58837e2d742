"""Fixtures and settings of all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "footfall",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("footfall")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with rigs, terrain and checkers.

    Without the folder a test is skipped; in CI it fails.
    """
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        message = "the folder ../shared with rigs and checkers does not exist"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return folder


@pytest.fixture(scope="session")
def judge_folder() -> Path | None:
    """The folder with the independent judge; None without it, where Footfall's measures count."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir() and os.environ.get("CI"):
        pytest.fail("the folder ../shared with judges is not there")
    return folder if folder.is_dir() else None
