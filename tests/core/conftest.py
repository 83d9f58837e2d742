"""Fixtures of several tests of the core."""

from __future__ import annotations

import pytest
from footfall.core.engine import generate
from footfall.core.motion import Motion
from footfall.core.scenarios.scenarios import SCENARIOS


@pytest.fixture(scope="session")
def walk() -> Motion:
    """Return three seconds of walking at 120 frames a second."""
    return generate(SCENARIOS["humanoid-walk"].build_task(fps=120, seconds=3))
