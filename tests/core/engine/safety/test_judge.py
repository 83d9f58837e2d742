"""The judge of motions: which flaws it sees, and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from footfall.core.engine.centroidal.generate import generate
from footfall.core.engine.safety.judge import MotionBounds, judge_motion
from footfall.core.engine.shared.scaling import Scale
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.task import Path, SpeedProfile, Task
from footfall.core.terrain import FlatGround

FPS = 60
BROKEN_FRAME = 40


@pytest.fixture(scope="module")
def walk() -> Motion:
    """A sound walk of two seconds."""
    return generate(Task(Path([[0, 0], [20, 0]]), SpeedProfile(1.2), seconds=2.0, fps=FPS))


def shift_link(motion: Motion) -> Motion:
    position = motion.link_position.copy()
    position[BROKEN_FRAME, 3] += (0.0, 0.0, 1.0)
    return replace(motion, link_position=position)


def turn_link(motion: Motion) -> Motion:
    orientation = motion.link_orientation.copy()
    turn = so3.quat_from_matrix(so3.exp(np.array([1.5, 0.0, 0.0])))
    orientation[BROKEN_FRAME, 3] = so3.quat_multiply(turn, orientation[BROKEN_FRAME, 3])
    return replace(motion, link_orientation=orientation)


def slide_contact(motion: Motion) -> Motion:
    active = motion.contact_active[:, 0]
    assert active.any()
    frame = int(np.flatnonzero(active)[-1])
    position = motion.contact_position.copy()
    position[frame, 0] += (0.2, 0.0, 0.0)
    return replace(motion, contact_position=position)


def sink_contact(motion: Motion) -> Motion:
    position = motion.contact_position.copy()
    position[BROKEN_FRAME, :, 2] -= 0.3
    return replace(motion, contact_position=position, contact_active=motion.contact_active & False)


def multiply_forces(motion: Motion) -> Motion:
    return replace(motion, contact_force=20.0 * motion.contact_force)


def spoil_number(motion: Motion) -> Motion:
    position = motion.link_position.copy()
    position[BROKEN_FRAME] = np.nan
    return replace(motion, link_position=position)


def test_sound_walk_has_no_flaws(walk: Motion) -> None:
    assert judge_motion(walk, FlatGround(), MotionBounds()).flaws == ()


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (shift_link, "speed"),
        (turn_link, "turning"),
        (slide_contact, "drift"),
        (sink_contact, "penetration"),
        (multiply_forces, "residual"),
        (spoil_number, "finite"),
    ],
)
def test_broken_motion_is_not_deliverable(
    walk: Motion, spoil: Callable[[Motion], Motion], kind: str
) -> None:
    verdict = judge_motion(spoil(walk), FlatGround(), MotionBounds())
    assert not verdict.is_deliverable
    assert kind in {flaw.kind for flaw in verdict.breaking}
    flaw = next(flaw for flaw in verdict.breaking if flaw.kind == kind)
    assert f"{flaw.time:.2f} s" in flaw.describe()


def test_flaw_has_the_time_of_its_frame(walk: Motion) -> None:
    verdict = judge_motion(shift_link(walk), FlatGround(), MotionBounds())
    assert verdict.breaking[0].time == pytest.approx(BROKEN_FRAME / FPS, abs=1.0 / FPS)


@pytest.mark.parametrize("leg_length", [0.93, np.nextafter(0.93, 0), 0.31, 1.7])
def test_rounding_does_not_hide_blemishes(leg_length: float) -> None:
    """Bodies at the lowest rate that is fine enough for their size are judged as fine."""
    bounds = MotionBounds().scale(leg_length, 9.81)
    lowest = 60.0 / np.sqrt(leg_length / 0.93)
    assert bounds.is_fine(lowest)
    assert not bounds.is_fine(0.999 * lowest)


def test_small_drift_is_a_blemish(walk: Motion) -> None:
    position = walk.contact_position.copy()
    frame = int(np.flatnonzero(walk.contact_active[:, 0])[-1])
    position[frame, 0] += (0.01, 0.0, 0.0)
    verdict = judge_motion(replace(walk, contact_position=position), FlatGround(), MotionBounds())
    assert verdict.is_deliverable
    assert [flaw.kind for flaw in verdict.flaws] == ["drift"]


@pytest.mark.parametrize("length", [0.02, 1.0, 50.0])
@pytest.mark.parametrize("spoil", [shift_link, turn_link, slide_contact, sink_contact])
def test_verdict_is_the_same_at_any_size(
    walk: Motion, length: float, spoil: Callable[[Motion], Motion]
) -> None:
    scale = Scale(length, float(np.sqrt(length)))
    expected = judge_motion(spoil(walk), FlatGround(), MotionBounds())
    bounds = MotionBounds().scale(0.93 * length, 9.81)
    verdict = judge_motion(scale.to_task_scale(spoil(walk)), FlatGround(), bounds)
    assert [flaw.kind for flaw in verdict.breaking] == [flaw.kind for flaw in expected.breaking]
    assert verdict.breaking[0].time == pytest.approx(expected.breaking[0].time * scale.time)
