"""Footsteps on ball and toes: where they are allowed, their plan and their motion."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np
import pytest
from footfall.core.character.load import load_builtin
from footfall.core.clip import load_builtin_style
from footfall.core.engine import generate
from footfall.core.motion import Footstep, Motion, load_motion, save_motion
from footfall.core.motion.measures import measure
from footfall.core.plan.forces import ForceWindow, build_force_windows
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.sketch.placement.forefoot import (
    choose_placement,
    compute_heel_raise,
    find_forefoot_posture,
)
from footfall.core.sketch.placement.shift_bounds import compute_shift_bounds, shift_footstep
from footfall.core.sketch.placement.sole import FootTarget
from footfall.core.sketch.sketch import sketch_walk
from footfall.core.task import Path, SpeedProfile, Task, load_task, save_task
from footfall.core.terrain import MeshGround, Slab, make_slab_ground, make_stair_slabs

FOOT = load_builtin("humanoid").feet[0]
TREAD = (1.2, 1.4)  # the second of the stairs below


def _stairs(rise: float, tread: float = 0.2) -> MeshGround:
    flight = make_stair_slabs(1.0, 4, tread, rise, 4.0)
    return make_slab_ground(
        [
            Slab((-5.0, 1.0), (-2.0, 2.0)),
            *flight,
            Slab((flight[-1].x[1], 8.0), (-2.0, 2.0), flight[-1].height),
        ]
    )


def _raises(rise: float, ball: float, yaw: float = 0.0) -> float:
    return float(
        compute_heel_raise(_stairs(rise), FOOT, np.array([[ball, 0.0]]), np.array([yaw]))[0]
    )


def test_the_heel_hangs_level_over_a_lower_tread() -> None:
    assert _raises(0.17, 1.28) == 0
    for ball in (1.21, 1.36):  # too close to the edge, and with the toes inside the next riser
        assert np.isnan(_raises(0.17, ball))


def test_the_heel_is_up_before_a_higher_tread_behind_it() -> None:
    """The projection of the sole must end before the riser.

    The smallest raise is the arccos of the room divided by the length of the sole.
    """
    raised = _raises(-0.17, 1.38)
    length = FOOT.ball[0] - FOOT.heel[0]
    assert np.arccos((1.38 - TREAD[0]) / length) < raised < np.radians(45)
    assert np.isnan(_raises(-0.17, 1.30))
    assert np.isnan(_raises(-0.17, 1.395))  # the ball itself needs support


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_turned_outward_the_heel_is_lower(side: float) -> None:
    straight = _raises(-0.17, 1.38)
    posture = find_forefoot_posture(
        _stairs(-0.17), FOOT, np.array([[1.38, 0.0]]), np.zeros(1), np.array([side])
    )
    assert posture.turn_out[0] > 0
    assert posture.heel_raise[0] < straight
    assert posture.effort[0] < straight
    assert posture.heel_raise[0] == pytest.approx(
        _raises(-0.17, 1.38, side * float(posture.turn_out[0]))
    )


def test_lack_of_room_is_reported() -> None:
    ground = make_slab_ground([Slab((0.0, 1.0), (-1.0, 1.0))])
    assert np.isnan(
        compute_heel_raise(ground, FOOT, np.array([[0.995, 0.0], [3.0, 0.0]]), np.zeros(2))
    ).all()
    assert compute_heel_raise(ground, FOOT, np.zeros((0, 2)), np.zeros(0)).shape == (0,)


@pytest.mark.parametrize(
    ("xy", "forefoot", "raised", "height"),
    [
        ((0.5, 0.0), True, None, 0.0),
        ((1.28, 0.0), True, 0.0, 0.34),
        ((1.28, 0.0), False, None, None),
        ((2.5, 0.0), True, None, 0.68),
    ],
)
def test_foot_stands_on_its_whole_sole_where_there_is_room(
    xy: tuple[float, float], forefoot: bool, raised: float | None, height: float | None
) -> None:
    posture = choose_placement(
        _stairs(0.17), FOOT, FootTarget(np.array(xy), 0.0, 0.0, 1), 0.0, forefoot
    )
    assert posture.heel_raise == raised
    if height is not None:
        assert posture.position[2] == pytest.approx(height)
        np.testing.assert_allclose(posture.rotation, np.eye(3), atol=1e-9)
    if raised is not None:
        ball = posture.position + posture.rotation @ (FOOT.ball - FOOT.sole_center)
        np.testing.assert_allclose(ball, [*xy, height], atol=1e-9)


def test_toes_over_an_edge_leave_heel_and_ball_standing() -> None:
    ground = make_slab_ground([Slab((0.0, 1.0), (-1.0, 1.0)), Slab((1.0, 3.0), (-1.0, 1.0), -0.5)])
    posture = choose_placement(
        ground, FOOT, FootTarget(np.array([0.98, 0.0]), 0.0, 0.0, 1), 0.0, True
    )
    assert posture.heel_raise is None
    assert posture.position[0] + 0.5 * (FOOT.ball[0] - FOOT.heel[0]) == pytest.approx(0.98)


def test_shifts_keep_ball_and_toes_on_the_tread() -> None:
    ground = _stairs(0.17)
    put = choose_placement(ground, FOOT, FootTarget(np.array([1.28, 0.0]), 0.0, 0.0, 1), 0.0, True)
    step = Footstep(0, 0.0, 0.0, 0.4, 0.6, put.position, put.rotation, heel_raise=put.heel_raise)
    room = compute_shift_bounds(ground, FOOT, step, 0.1)
    assert room is not None
    assert (room[0] <= 0).all()
    assert (room[1] >= 0).all()
    for shift in (-0.1, 0.1, 0.03):
        moved = shift_footstep(ground, FOOT, step, step.position[:2] + [shift, 0.0])
        ball = moved.position + moved.rotation @ (FOOT.ball - FOOT.sole_center)
        assert TREAD[0] < ball[0] < TREAD[1]
        assert moved.position[2] == pytest.approx(step.position[2])
    assert moved.position[0] == pytest.approx(step.position[0] + 0.03)


def test_no_force_window_for_a_heel_that_hangs() -> None:
    step = Footstep(0, 0.0, 0.0, 0.4, 0.6, np.zeros(3), np.eye(3), heel_raise=0.0)
    assert build_force_windows(step) == (ForceWindow(1, 0.0, 0.6),)
    assert [w.point for w in build_force_windows(replace(step, heel_raise=None))] == [0, 1]


def test_forefoot_steps_change_nothing_on_wide_treads_and_level_ground() -> None:
    task = SCENARIOS["humanoid-step-up-down"].build_task(seconds=3)
    on_flat = Task(Path([[0, 0], [9, 0]]), SpeedProfile(1.2), tread="forefoot")
    drawn = sketch_walk(on_flat, load_builtin("humanoid"), load_builtin_style("walk"), 0.95, 0.45)
    assert all(s.footstep.heel_raise is None for s in drawn.steps)
    whole = sketch_walk(task, load_builtin("humanoid"), load_builtin_style("walk"), 0.95, 0.45)
    assert all(s.footstep.heel_raise is None for s in whole.steps)


@pytest.fixture(scope="module")
def narrow() -> Motion:
    return generate(SCENARIOS["humanoid-stair-forefoot"].build_task(fps=60, seconds=10))


def test_every_tread_is_stood_on_by_a_ball(narrow: Motion) -> None:
    raised = [f for f in narrow.footsteps if f.heel_raise is not None and 0 < f.strike < 9]
    heights = {round(float(f.position[2]), 2) for f in raised}
    assert heights == {0.17, 0.34, 0.51}
    up = [f for f in raised if f.position[0] < 2]
    down = [f for f in raised if f.position[0] > 2]
    assert all(f.heel_raise == 0 for f in up)
    assert len(down) == 3
    assert all(f.heel_raise and f.heel_raise > 0 for f in down)
    assert any(f.heel_raise is None for f in narrow.footsteps)


def test_a_free_heel_bears_nothing(narrow: Motion) -> None:
    times = np.arange(len(narrow.contact_active)) / narrow.fps
    for f in narrow.footsteps:
        on = (times > f.strike + 0.02) & (times < f.lift - 0.02)
        if f.heel_raise is None or not on.any():
            continue
        heel = 3 * f.leg
        ball = 3 * f.leg + 1
        assert not narrow.contact_active[on, heel].any()
        assert not narrow.contact_force[on, heel].any()
        assert narrow.contact_active[on, ball].all()
        place = narrow.contact_position[on]
        assert np.ptp(place[:, ball], axis=0).max() < 1e-3
        held = on & (times > f.strike + 0.35 * (f.lift - f.strike)) & (times < f.heel_off)
        sole = narrow.contact_position[held, ball] - narrow.contact_position[held, heel]
        pitch = np.arcsin(-sole[:, 2] / np.linalg.norm(sole, axis=1))
        np.testing.assert_allclose(pitch, f.heel_raise, atol=np.radians(6))


def test_a_motion_file_keeps_the_raise(narrow: Motion, tmp_path: FilePath) -> None:
    again = load_motion(save_motion(narrow, tmp_path))
    assert [f.heel_raise for f in again.footsteps] == [f.heel_raise for f in narrow.footsteps]


def test_a_task_file_keeps_the_tread(tmp_path: FilePath) -> None:
    task = SCENARIOS["humanoid-stair-forefoot"].build_task(seconds=4)
    save_task(task, tmp_path / "s.toml")
    assert load_task(tmp_path / "s.toml").tread == "forefoot"


def test_heels_clear_the_edges_that_they_swing_past() -> None:
    """On treads of 24 cm, feet that descend stand on heel and ball, close to the edge above."""
    ground = make_slab_ground(
        [
            Slab((-5.0, 1.0), (-2.0, 2.0), 0.68),
            *make_stair_slabs(1.0, 4, 0.24, -0.17, 4.0, 0.68),
            Slab((1.96, 8.0), (-2.0, 2.0)),
        ]
    )
    task = Task(
        Path([[0, 0], [5, 0]]),
        SpeedProfile(0.4),
        ground=ground,
        seconds=7,
        fps=60,
        style="walk",
        tread="forefoot",
    )
    motion = generate(task)
    assert any(0.1 < f.position[2] < 0.6 for f in motion.footsteps)
    assert measure(motion, ground.sample_heights).penetration_m < 0.005


def test_a_body_stops_on_a_narrow_tread() -> None:
    task = Task(
        Path([[0, 0], [1.3, 0]]),
        SpeedProfile(0.4),
        ground=_stairs(0.17),
        seconds=7,
        style="walk",
        tread="forefoot",
    )
    motion = generate(task)
    assert not motion.report.violations
    both = [f for f in motion.footsteps if f.lift > 7]
    assert len(both) == 2
    assert all(f.heel_raise == 0 for f in both)
    last = motion.com[-int(0.5 * motion.fps) :]
    assert np.linalg.norm(last[-1] - last[0]) / 0.5 < 0.02  # [m/s]
