"""Broad jumps of the whole body: exact feet, ballistic flights, smooth forces, refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.safety.judge import MotionBounds, judge_motion
from footfall.core.errors import TaskError
from footfall.core.motion import Motion
from footfall.core.scenarios.simulated import Strip, build_strips
from footfall.core.task import Path, Profile, Push, SpeedProfile, Task

TASK = Task(
    Path([[1, 2], [1, 22]]),
    SpeedProfile(1.0),
    style="jump",
    seconds=2.0,
    fps=60,
    engine="tracker",
)


@pytest.fixture(scope="module")
def motion() -> Motion:
    return generate(TASK)


def test_jumps_are_sound(motion: Motion) -> None:
    assert not judge_motion(motion, TASK.ground, MotionBounds()).flaws


def test_body_jumps_along_its_path(motion: Motion) -> None:
    assert np.abs(motion.com[:, 0] - 1.0).max() < 0.02
    assert np.ptp(motion.com[:, 1]) == pytest.approx(2.0, rel=0.06)
    assert 0.3 < motion.contact_active.any(1).mean() < 0.8


def test_feet_land_and_lift_together(motion: Motion) -> None:
    left, right = ([f for f in motion.footsteps if f.leg == leg] for leg in (0, 1))
    assert len(left) >= 3
    assert [(f.strike, f.lift) for f in left] == [(f.strike, f.lift) for f in right]


def test_flights_are_ballistic(motion: Motion) -> None:
    down = motion.contact_active.any(1)
    in_air = ~(down[:-2] | down[1:-1] | down[2:])
    acceleration = np.diff(motion.com, 2, axis=0)[in_air] * motion.fps**2
    assert in_air.sum() > 20
    assert np.abs(acceleration - [0.0, 0.0, -9.81]).max() < 0.5


def test_forces_rise_and_fall_smoothly(motion: Motion) -> None:
    force = motion.contact_force.sum(1)[:, 2] / (motion.link_mass.sum() * 9.81)
    assert 1.5 < force.max() < 4.5
    for step in [f for f in motion.footsteps if f.leg == 0 and f.strike > 0][:2]:
        inside = force[int(step.strike * 60) + 4 : int(step.lift * 60) - 4]
        assert inside.min() > 1.0


def test_jumps_up_a_slope_are_sound() -> None:
    strips = [Strip(-20.0, 0.5, 0.0, 0.0), Strip(0.5, 20.0, 0.0, 19.5 * np.tan(np.radians(2.9)))]
    ground = build_strips(strips)
    task = replace(TASK, path=Path([[0, 0], [20, 0]]), ground=ground, seconds=1.2)
    motion = generate(task)
    assert not judge_motion(motion, task.ground, MotionBounds()).flaws
    assert motion.com[-1, 2] > motion.com[0, 2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"speed": SpeedProfile(2.0)}, r"jumps at one speed between 0\.65 and 1\.27 m/s"),
        ({"speed": SpeedProfile([0.9, 1.1], [0.0, 1.0])}, "jumps at one speed"),
        ({"pushes": (Push(0.5, (50, 0, 0)),)}, "feels no pushes"),
        ({"stride_length": Profile("stride", 1.0)}, "how far a body jumps by its speed"),
        (
            {"ground": build_strips([Strip(-20.0, 0.5, 0.0, 0.0), Strip(0.5, 20.0, 0.0, 2.0)])},
            "too uneven for jumps",
        ),
    ],
)
def test_what_jumps_cannot_do_is_refused(change: dict[str, object], message: str) -> None:
    task = replace(TASK, path=Path([[0, 0], [20, 0]]), **change)
    with pytest.raises(TaskError, match=message):
        generate(task)
