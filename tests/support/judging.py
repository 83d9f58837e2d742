"""What an independent judge, which shares no code with Footfall, says of a motion; and the bars of
people's walks and runs.
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
MIN_FLIGHT_SHARE = 0.02  # share of frames without a contact from which on a motion is a run's


def judge_motion(shared: Path, folder: Path, motion: Motion) -> dict[str, float]:
    """The judge's figures for a motion, which is written into a folder."""
    judge = [
        sys.executable,
        str(shared / "tools" / "check_motion.py"),
        str(save_motion(motion, folder)),
        "--json",
    ]
    figures: dict[str, float] = json.loads(
        subprocess.run(judge, capture_output=True, text=True, check=True).stdout
    )
    return figures


def find_exceeded(figures: Mapping[str, float], limits: Mapping[str, float]) -> dict[str, float]:
    """Figures that are above their bars, or no numbers."""
    return {key: figures[key] for key, limit in limits.items() if not figures[key] <= limit}


def has_flight_phase(motion: Motion) -> bool:
    """Whether a motion leaves the ground as a run does."""
    return bool((~motion.contact_active.any(1)).mean() > MIN_FLIGHT_SHARE)
