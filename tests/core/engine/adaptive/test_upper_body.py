"""Arms and head of the adaptive engine that follow the upper body of a style."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.load import load_character
from footfall.core.clip import find_style
from footfall.core.engine import generate
from footfall.core.engine.adaptive.biped import scale_to_reference
from footfall.core.engine.adaptive.conversion import find_upper_body_style
from footfall.core.engine.adaptive.generate import CHEST_NOTE
from footfall.core.engine.adaptive.upper_body_style import StepRhythm, UpperBodyStyle
from footfall.core.errors import TaskError
from footfall.core.motion import Motion
from footfall.core.scripting import measure
from footfall.core.task import Path, SpeedProfile, Task
from numpy.typing import NDArray

Array = NDArray[np.float64]

HUMANOID = load_character("humanoid")
TASK = Task(
    Path([[0, 0], [9, 0]]),
    SpeedProfile(0.9),
    seconds=3.0,
    fps=60.0,
    engine="adaptive",
    upper_style="arms-wide",
)


@pytest.fixture(scope="module")
def wide() -> Motion:
    return generate(TASK)


def test_arms_are_spread_as_in_the_style(wide: Motion) -> None:
    plain = generate(replace(TASK, upper_style=None))
    for side in (1, -1):
        assert _measure_spread(wide, side).min() > np.radians(60)
        assert _measure_spread(plain, side).max() < np.radians(15)
    assert CHEST_NOTE in wide.report.notes
    assert CHEST_NOTE not in plain.report.notes


def test_a_walk_with_spread_arms_is_sound(wide: Motion) -> None:
    assert not any("falls" in note for note in wide.report.notes)
    measures = measure(wide)
    assert measures.drift_m < 0.02
    assert measures.penetration_m < 0.01
    assert measures.momentum_residual < 0.02


def test_arms_swing_in_the_rhythm_of_the_steps() -> None:
    motion = generate(replace(TASK, upper_style="march", seconds=4.0))
    swings = [_measure_swing(motion, side) for side in (1, -1)]
    for k, leg in enumerate(sorted(HUMANOID.legs, key=lambda leg: -leg.side)):
        forward = (motion.link_origin[:, leg.links[2]] - motion.link_origin[:, leg.links[0]])[:, 0]
        assert np.corrcoef(swings[1 - k], forward)[0, 1] > 0.7
        assert np.corrcoef(swings[k], forward)[0, 1] < -0.5


def test_a_body_that_stands_begins_with_its_arms_spread() -> None:
    motion = generate(replace(TASK, speed=SpeedProfile(0.0), start="standing", seconds=2.0))
    assert _measure_spread(motion, 1).min() > np.radians(60)
    place = motion.com - motion.com[0]
    assert np.abs(place).max() < 0.03


def test_phases_are_those_of_the_steps() -> None:
    assert StepRhythm(1.0, swing=0, share=0.5).phases == pytest.approx([0.75, 0.25])
    assert StepRhythm(1.0, swing=1, share=0.0).phases == pytest.approx([0.0, 0.5])


def test_arms_of_a_symmetric_style_mirror_each_other() -> None:
    upper = UpperBodyStyle(find_style("natural"))
    left = upper.evaluate(StepRhythm(1.0, swing=0, share=0.3)).arms
    right = upper.evaluate(StepRhythm(1.0, swing=1, share=0.3)).arms
    assert left[0] == pytest.approx(right[1] * [-1.0, 1.0, -1.0, 1.0])
    assert np.abs(left).max() > 0.1


def test_what_cannot_follow_an_upper_body_is_refused() -> None:
    body = scale_to_reference(HUMANOID).biped.with_rigid_upper_body()
    with pytest.raises(TaskError, match=r"no arms that hang.*'arms-wide'"):
        find_upper_body_style(TASK, body)
    with pytest.raises(TaskError, match="cannot do styles"):
        generate(replace(TASK, style="proud"))
    with pytest.raises(TaskError, match="nowhere"):
        generate(replace(TASK, upper_style="nowhere"))


def _measure_spread(motion: Motion, side: int) -> Array:
    """Return the angle of an upper arm from hanging toward its side in each frame [rad]."""
    arm = _find_arm(motion, side)
    return np.asarray(np.arctan2(side * arm[:, 1], -arm[:, 2]))


def _measure_swing(motion: Motion, side: int) -> Array:
    """Return the angle of an upper arm from hanging forward in each frame [rad]."""
    arm = _find_arm(motion, side)
    return np.asarray(np.arctan2(arm[:, 0], -arm[:, 2]))


def _find_arm(motion: Motion, side: int) -> Array:
    """Return the vectors from the shoulder to the elbow of a side (n, 3) [m]."""
    links = next(arm.links for arm in HUMANOID.arms if arm.side == side)
    return np.asarray(motion.link_origin[:, links[1]] - motion.link_origin[:, links[0]])
