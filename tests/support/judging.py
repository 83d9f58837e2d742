"""Check of motions by an independent program that shares no code with Footfall.

Its limits are those of human walks and runs.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from footfall.core.motion import Motion, save_motion

WALK_LIMITS = {
    "drift_max_m": 0.0005,
    "penetration_max_m": 0.003,
    "momentum_residual_bw": 0.005,
    "angular_residual": 0.008,
    "pop_max_deg_per_frame2": 2.5,
    "relaxed_share": 0.01,
}
RUN_LIMITS = WALK_LIMITS | {
    "momentum_residual_bw": 0.01,
    "angular_residual": 0.015,
    "pop_max_deg_per_frame2": 4,
}
MIN_FLIGHT_SHARE = 0.02  # Share of frames without contact above which a motion is a run


def judge_motion(shared: Path, folder: Path, motion: Motion) -> dict[str, float]:
    """Write a motion into a folder, check it and return the figures of the checker."""
    command = [
        sys.executable,
        str(shared / "tools" / "check_motion.py"),
        str(save_motion(motion, folder)),
        "--json",
    ]
    figures: dict[str, float] = json.loads(
        subprocess.run(command, capture_output=True, text=True, check=True).stdout
    )
    return figures


def find_exceeded(figures: Mapping[str, float], limits: Mapping[str, float]) -> dict[str, float]:
    """Return the figures that exceed their limits or are NaN."""
    return {key: figures[key] for key, limit in limits.items() if not figures[key] <= limit}


def has_flight_phase(motion: Motion) -> bool:
    """Return whether a motion has flight phases, as a run has."""
    return bool((~motion.contact_active.any(1)).mean() > MIN_FLIGHT_SHARE)
