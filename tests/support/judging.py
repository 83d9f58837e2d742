"""Check of motions by an independent program that shares no code with Footfall.

Its limits are those of human walks and runs. A clone without the program measures the same figures
by Footfall itself.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from footfall.core.geometry import so3
from footfall.core.motion import Motion, save_motion
from footfall.core.motion.measures import measure
from footfall.core.terrain import FlatGround, MeshGround

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
SIMULATED_LIMITS = {
    "drift_max_m": 0.02,
    "penetration_max_m": 0.01,
    "momentum_residual_bw": 0.02,
}
# Frames at each end that the checker leaves out
END_FRAMES = 8
MIN_FLIGHT_SHARE = 0.02  # Share of frames without contact above which a motion is a run


def judge_motion(shared: Path | None, folder: Path, motion: Motion) -> dict[str, float]:
    """Write a motion into a folder, check it and return the figures of the checker.

    Args:
        shared: folder with the checker; None measures by Footfall.
    """
    if shared is None:
        return measure_figures(motion)
    return check_motion_file(shared, save_motion(motion, folder))


def check_motion_file(shared: Path, path: Path) -> dict[str, float]:
    """Return the figures of a motion file by the checker in a folder."""
    checker = load_checker(shared / "tools" / "check_motion.py")
    figures: dict[str, float] = checker.check(str(path))
    return figures


@cache
def load_checker(path: Path) -> Any:
    """Return a checker as a module; a process for each motion would import its libraries again."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure_figures(motion: Motion) -> dict[str, float]:
    """Return the figures of a motion by the names of the checker, measured by Footfall."""
    vertices, triangles = motion.terrain_vertices, motion.terrain_triangles
    has_mesh = vertices is not None and triangles is not None
    ground = MeshGround(vertices, triangles) if has_mesh else FlatGround()
    ours = measure(motion, ground.sample_heights)
    inner = measure(motion.take_frames(slice(END_FRAMES, -END_FRAMES)), ground.sample_heights)
    rests = motion.contact_active[1:] & motion.contact_active[:-1]
    steps = np.linalg.norm(np.diff(motion.contact_position, axis=0), axis=2)[rests]
    places = motion.contact_position[motion.contact_active & ~motion.grips]
    return {
        "drift_max_m": ours.drift_m,
        "penetration_max_m": ours.penetration_m,
        "float_p95_m": ours.float_m,
        "momentum_residual_bw": inner.momentum_residual,
        "angular_residual": inner.angular_residual,
        "friction_p99": ours.friction,
        "pop_max_deg_per_frame2": _measure_pop(motion),
        "style_rms_deg": ours.style_deg,
        "speed_error": ours.speed_error,
        "relaxed_share": ours.relaxed,
        "skate_p95_m_per_s": float(np.percentile(steps, 95)) * motion.fps if steps.size else 0.0,
        "off_terrain_contacts": float(np.isnan(ground.sample_heights(places[:, :2])).sum()),
        "pull_min_n": float(motion.contact_force[:, ~motion.grips, 2].min(initial=0.0)),
    }


def _measure_pop(motion: Motion) -> float:
    """Return the greatest change of a link's rotation per frame, averaged over two frames [deg]."""
    orientation = motion.link_orientation
    turns = so3.quat_log(so3.quat_multiply(orientation[1:], so3.quat_conjugate(orientation[:-1])))
    smooth = 0.5 * (turns[1:] + turns[:-1])
    return float(np.degrees(np.linalg.norm(np.diff(smooth, axis=0), axis=-1)).max())


def find_exceeded(figures: Mapping[str, float], limits: Mapping[str, float]) -> dict[str, float]:
    """Return the figures that exceed their limits or are NaN."""
    return {key: figures[key] for key, limit in limits.items() if not figures[key] <= limit}


def has_flight_phase(motion: Motion) -> bool:
    """Return whether a motion has flight phases, as a run has."""
    return bool((~motion.contact_active.any(1)).mean() > MIN_FLIGHT_SHARE)
