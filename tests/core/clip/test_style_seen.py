"""A style can be recognized in its motions, also at other speeds than those of the references."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from footfall.core.clip import GaitAnalysis, analyze_gait, find_style, load_builtin_style
from footfall.core.clip.style.style import CURVES, curve_at
from footfall.core.engine import generate
from footfall.core.scenarios.trials import make_straight_path
from footfall.core.task import SpeedProfile, Task
from numpy.typing import NDArray
from recordings import make_recording

SHELF = (
    "walk",
    "stroll",
    "brisk",
    "sneak",
    "march",
    "old",
    "proud",
    "tired",
    "catwalk",
    "limp",
    "stairs",
    "arms-wide",
    "leaned-back",
    "run",
    "jog",
    "sprint",
)
CLIPS = (
    "cmu_02_01_walk",
    "cmu_07_04_slow_walk",
    "cmu_12_01_walk",
    "bvhtoolbox_walk01",
    "cmu_03_01_uneven_terrain",
    "cmu_02_03_run",
)

# Multiples of the preferred speed of a style
REFERENCE_SHARES = (0.8, 1.1)
TESTED_SHARES = (0.95, 1.25)

MAX_SPEED = 6.5  # Highest speed [m/s]


def _analyze_style(style: str, share: float) -> GaitAnalysis:
    speed = min(share * find_style(style).preferred_speed * np.sqrt(9.81 * 0.93), MAX_SPEED)
    return analyze_gait(
        make_recording(
            generate(
                Task(make_straight_path(30), SpeedProfile(speed), style=style, seconds=3.2, fps=60)
            )
        )
    )


def _compute_difference(analysis: GaitAnalysis) -> NDArray[np.float64]:
    """Return the difference of a stride from the built-in one, (2, curves, samples) [degrees]."""
    phase = np.arange(analysis.curves.shape[-1]) / analysis.curves.shape[-1]
    usual = load_builtin_style(analysis.gait).cycle_at(analysis.speed / analysis.unit_speed).curves
    return np.nan_to_num(
        analysis.curves - np.degrees([curve_at(usual[None], name, phase) for name in CURVES])
    )


@pytest.mark.long
def test_the_nearest_style_is_the_right_one_at_other_speeds(shared: Path) -> None:
    styles = [*SHELF, *(str(shared / "data" / "bvh" / f"{name}.bvh") for name in CLIPS)]
    references = [
        (style, _compute_difference(_analyze_style(style, share)))
        for style in styles
        for share in REFERENCE_SHARES
    ]
    wrong = []
    for style in styles:
        for share in TESTED_SHARES:
            difference = _compute_difference(_analyze_style(style, share))
            nearest = min(
                references, key=lambda entry: float(np.square(entry[1] - difference).mean())
            )[0]
            if nearest != style:
                wrong.append(
                    f"{Path(style).stem} at {share:g} of its speed was taken for "
                    f"{Path(nearest).stem}"
                )
    assert len(wrong) <= 0.1 * len(styles) * len(TESTED_SHARES), wrong
