"""Pinned footsteps, intervals that are solved again, and bodies that are steered."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from footfall.core.engine import generate
from footfall.core.engine.base import DriveCommand
from footfall.core.engine.centroidal.editing.pinned_steps import make_pinned_step
from footfall.core.engine.centroidal.editing.resolve import resolve_stretch
from footfall.core.engine.centroidal.editing.stretch import Stretch
from footfall.core.engine.centroidal.session import Session
from footfall.core.errors import MotionError, TaskError
from footfall.core.motion import Motion
from footfall.core.task import Path, PinnedStep, Push, SpeedProfile, Task

WALK = Task(Path([[0, 0], [30, 0]]), SpeedProfile(1.15), style="walk", seconds=7, fps=60)


@pytest.fixture(scope="module")
def walk() -> Motion:
    return generate(WALK)


def _edited(motion: Motion, x: float, y: float, time: float = 0.0) -> PinnedStep:
    step = next(f for f in motion.footsteps if f.leg == 0 and f.time > 3)
    return PinnedStep("L", step.time + time, (step.position[0] + x, step.position[1] + y))


def _drift(motion: Motion) -> float:
    """Return the largest displacement of a resting contact between two frames [m]."""
    rests = motion.contact_active[1:] & motion.contact_active[:-1]
    return float((np.linalg.norm(np.diff(motion.contact_position, axis=0), axis=-1) * rests).max())


@pytest.mark.parametrize(
    ("x", "y", "time"), [(0, 0.15, 0), (0.12, 0, 0), (-0.12, 0, 0), (0.1, 0.1, -0.05)]
)
def test_pinned_footsteps_have_the_requested_place_and_time(
    walk: Motion, x: float, y: float, time: float
) -> None:
    kept = _edited(walk, x, y, time)
    motion = generate(replace(WALK, pinned_steps=(kept,)))
    (step,) = [f for f in motion.footsteps if f.pinned]
    np.testing.assert_allclose(step.position[:2], kept.position, atol=1e-9)
    assert step.time == pytest.approx(kept.time, abs=1e-6)
    assert _drift(motion) < 1e-3
    legs = [f.leg for f in motion.footsteps]
    assert all(a != b for a, b in pairwise(legs)), "feet still take turns"


def test_solving_an_interval_again_leaves_the_rest_unchanged(walk: Motion) -> None:
    kept = _edited(walk, 0.05, 0.12)
    new = resolve_stretch(replace(WALK, pinned_steps=(kept,)), walk, Stretch(1.8, 5.0))
    times = np.arange(walk.frames) / walk.fps
    outside = (times <= 1.8) | (times >= 5.0)
    for name in (
        "link_position",
        "link_orientation",
        "contact_position",
        "contact_force",
        "toe_orientation",
    ):
        np.testing.assert_array_equal(
            getattr(new, name)[outside], getattr(walk, name)[outside], err_msg=name
        )
    change = new.link_position - walk.link_position
    rate = np.gradient(change, 1 / walk.fps, axis=0)
    first = np.argmax(~outside)
    assert np.abs(rate[first]).max() < 0.02, "velocities join"
    assert min(np.linalg.norm(f.position[:2] - kept.position) for f in new.footsteps) < 1e-9
    assert _drift(new) < 1e-3


def test_messages_of_intervals(walk: Motion) -> None:
    for begin, end in ((3.0, 3.5), (-1.0, 3.0), (2.0, 9.0), (4.0, 2.0)):
        with pytest.raises(TaskError, match="cannot be solved again"):
            resolve_stretch(WALK, walk, Stretch(begin, end))
    with pytest.raises(TaskError, match="too near to an end"):
        resolve_stretch(
            replace(WALK, pinned_steps=(_edited(walk, 0, 0.1),)), walk, Stretch(4.5, 6.5)
        )


def test_pinning_a_planned_footstep_gives_the_same_motion(walk: Motion) -> None:
    again = generate(
        replace(WALK, pinned_steps=tuple(make_pinned_step(f) for f in walk.footsteps if f.lift > 0))
    )
    assert np.abs(again.com - walk.com).max() < 5e-3


def _steered(commands: list[DriveCommand]) -> Motion:
    session = Session(replace(WALK, style="natural"))
    parts = [session.advance(w) for w in commands]
    names = (
        "link_position",
        "link_orientation",
        "contact_position",
        "contact_active",
        "contact_force",
        "planned_com",
        "reference_orientation",
        "toe_orientation",
        "link_origin",
        "goal_velocity",
        "relaxed",
        "push_force",
        "push_point",
        "push_moment",
    )
    return replace(
        parts[-1], **{name: np.concatenate([getattr(p, name) for p in parts]) for name in names}
    )


def test_session_follows_its_commands() -> None:
    motion = _steered([DriveCommand(1.2)] * 4 + [DriveCommand(1.2, np.pi / 2)] * 9)
    velocity = np.gradient(motion.com, 1 / motion.fps, axis=0)
    assert velocity[60:110, 0].mean() == pytest.approx(1.2, abs=0.12)
    assert velocity[-60:, 1].mean() == pytest.approx(1.2, abs=0.15)
    assert abs(velocity[-60:, 0].mean()) < 0.15
    step = np.linalg.norm(np.diff(motion.link_position, n=2, axis=0), axis=-1).max()
    assert step < 0.02, "no jump where one half cycle follows another"
    # in a turn at full speed; a single pass is less exact than a bake
    assert _drift(motion) < 5e-3


@pytest.mark.xfail(
    reason="in one pass, a second after a push, its speed is 1.44 m/s instead of 1.6 m/s",
    strict=False,
)
def test_a_session_takes_pushes_and_new_speeds() -> None:
    motion = _steered(
        [DriveCommand(1.2)] * 3
        + [DriveCommand(1.2, 0.0, (Push(0, (0, 200, 0)),))]
        + [DriveCommand(1.6)] * 6
    )
    assert motion.push_force[:, 1].max() > 150
    velocity = np.gradient(motion.com, 1 / motion.fps, axis=0)
    assert velocity[:, 1].max() > 0.3
    assert velocity[-45:, 0].mean() == pytest.approx(1.6, abs=0.15)
    with pytest.raises(TaskError, match="negative"):
        DriveCommand(-1.0)


def test_a_session_takes_moved_footsteps() -> None:
    session = Session(replace(WALK, style="natural"))
    parts = [session.advance(DriveCommand(1.15)) for _ in range(3)]
    ahead = next(f for f in parts[-1].footsteps if f.strike > session.time + 0.25)
    side, aside = ("L", 0.12) if ahead.leg == 0 else ("R", -0.12)
    kept = PinnedStep(side, ahead.time, (ahead.position[0], ahead.position[1] + aside))
    parts = [session.advance(DriveCommand(1.15, pinned=(kept,))) for _ in range(4)]
    (step,) = {round(f.time, 6): f for part in parts for f in part.footsteps if f.pinned}.values()
    np.testing.assert_allclose(step.position[:2], kept.position, atol=1e-9)
    assert step.time == pytest.approx(kept.time, abs=1e-6)
    assert max(_drift(part) for part in parts) < 5e-3  # it was moved a quarter of a second before


def test_interval_whose_motion_breaks_is_refused(walk: Motion) -> None:
    pushed = replace(WALK, pushes=(Push(3.0, (0.0, 3000.0, 0.0)),))
    with pytest.raises(MotionError, match="With these changes the body cannot move"):
        resolve_stretch(pushed, walk, Stretch(2.4, 7.0))


def test_motion_that_ends_in_a_fall_is_not_solved_again() -> None:
    pushed = replace(WALK, pushes=(Push(5.0, (0.0, 900.0, 0.0), body_part="head"),))
    fallen = generate(pushed)
    with pytest.raises(TaskError, match="The body falls in this motion"):
        resolve_stretch(pushed, fallen, Stretch(1.8, 4.5))
