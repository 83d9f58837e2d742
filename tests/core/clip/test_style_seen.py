"""A style is seen in what it makes: who looks at the motion alone can tell which it was, at speeds
that he never saw it at.
"""

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

# of a style's own speed
SEEN = (0.8, 1.1)
ASKED = (0.95, 1.25)

FASTEST = 6.5  # m/s


def _look(style: str, share: float) -> GaitAnalysis:
    speed = min(share * find_style(style).preferred_speed * np.sqrt(9.81 * 0.93), FASTEST)
    return analyze_gait(
        make_recording(
            generate(
                Task(make_straight_path(30), SpeedProfile(speed), style=style, seconds=3.2, fps=60)
            )
        )
    )


def _manner(seen: GaitAnalysis) -> NDArray[np.float64]:
    """How a stride differs from a usual one at its speed. (2, curves, samples) degrees."""
    phase = np.arange(seen.curves.shape[-1]) / seen.curves.shape[-1]
    usual = load_builtin_style(seen.gait).cycle_at(seen.speed / seen.unit_speed).curves
    return np.nan_to_num(
        seen.curves - np.degrees([curve_at(usual[None], name, phase) for name in CURVES])
    )


@pytest.mark.long
def test_the_nearest_style_is_the_right_one_at_other_speeds(shared: Path) -> None:
    styles = [*SHELF, *(str(shared / "data" / "bvh" / f"{name}.bvh") for name in CLIPS)]
    known = [(style, _manner(_look(style, share))) for style in styles for share in SEEN]
    wrong = []
    for style in styles:
        for share in ASKED:
            manner = _manner(_look(style, share))
            named = min(known, key=lambda entry: float(np.square(entry[1] - manner).mean()))[0]
            if named != style:
                wrong.append(
                    f"{Path(style).stem} at {share:g} of its speed was taken for {Path(named).stem}"
                )
    assert len(wrong) <= 0.1 * len(styles) * len(ASKED), wrong
