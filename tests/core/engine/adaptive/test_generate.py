"""Motions of the adaptive engine, with helper forces where the start of the search needs them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel, LinkPoses
from footfall.core.character.load import load_character
from footfall.core.engine import generate
from footfall.core.engine.adaptive import backtracking
from footfall.core.engine.adaptive.generate import simulate_task
from footfall.core.engine.adaptive.movement_choice import TURN_NAME
from footfall.core.engine.adaptive.parameters import GaitParameters, LocomotionParameters
from footfall.core.engine.adaptive.path_follower import find_corners
from footfall.core.engine.adaptive.shipped import (
    load_shipped_controller,
    load_shipped_gaits,
)
from footfall.core.engine.adaptive.stumbles import (
    LegDepth,
    measure_longest_run,
    measure_slide,
)
from footfall.core.engine.safety.judge import MotionBounds, judge_motion
from footfall.core.errors import FootfallError, TaskError
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.scenarios.adaptive import boxes
from footfall.core.scripting import measure
from footfall.core.task import FacingOffset, Path, Profile, Push, SpeedProfile, Task
from footfall.core.terrain import (
    FlatGround,
    HeightField,
    MeshGround,
    TriangleMesh,
    make_rolling_hills,
)

BACKTRACKING = backtracking.BACKTRACKING
START = {"forward": GaitParameters(LocomotionParameters())}
TASK = Task(Path([[1, 2], [9, 2]]), SpeedProfile(1.06), seconds=2.0, fps=60.0)


@pytest.fixture(scope="module")
def walk() -> Motion:
    shares: list[float] = []
    motion = simulate_task(TASK, START, lambda stage, share: shares.append(share), 80.0)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    return motion


def test_a_walk_follows_its_path_at_its_speed(walk: Motion) -> None:
    assert walk.frames == TASK.frames
    assert walk.report.engine == "adaptive"
    travel = walk.com[-1] - walk.com[0]
    assert travel[0] == pytest.approx(2.0 * 1.06, rel=0.15)
    assert np.abs(walk.com[:, 1] - 2).max() < 0.15
    assert {step.leg for step in walk.footsteps} == {0, 1}
    assert len(walk.footsteps) >= 4


def test_its_figures_are_those_of_a_simulation(walk: Motion) -> None:
    measures = measure(walk)
    assert measures.drift_m < 0.03
    assert measures.penetration_m < 0.01
    assert measures.pop_deg < 25
    assert judge_motion(walk, FlatGround(), MotionBounds.for_simulation()).is_deliverable


def test_links_stay_at_their_joints(walk: Motion) -> None:
    character = load_character("humanoid")
    model = KinematicModel(character)
    rotation = so3.quat_to_matrix(walk.link_orientation)
    for k, link in enumerate(character.links[1:], start=1):
        joint = walk.link_origin[:, link.parent] + rotation[:, link.parent] @ np.array(link.offset)
        assert walk.link_origin[:, k] == pytest.approx(joint, abs=1e-6), link.name
    rest = model.compute_link_poses(model.neutral[None])
    lever = rest.link_com[0] - rest.origin[0]
    com = walk.link_origin + np.einsum("nlij,lj->nli", rotation, lever)
    assert walk.link_position == pytest.approx(com, abs=1e-6)
    assert walk.link_mass == pytest.approx(model.link_mass)


def test_a_walk_is_repeated_exactly(walk: Motion) -> None:
    again = simulate_task(TASK, START, helper_limit=80.0)
    assert np.array_equal(again.link_position, walk.link_position)


def test_bodies_of_other_sizes_walk_alike(walk: Motion) -> None:
    heavy = simulate_task(replace(TASK, mass=140.0), START, helper_limit=80.0)
    assert heavy.link_position == pytest.approx(walk.link_position, abs=1e-3)
    assert heavy.contact_force == pytest.approx(140 / 69.8 * walk.contact_force, rel=0.05, abs=30)


def test_a_body_that_falls_lies_at_the_end() -> None:
    task = replace(TASK, pushes=(Push(0.4, (900.0, 1200.0, 0.0)),), seconds=3.0)
    motion = simulate_task(task, START, helper_limit=80.0)
    assert motion.frames == task.frames
    assert any("falls at" in note for note in motion.report.notes)
    head = motion.link_names.index("head")
    assert motion.link_position[-1, head, 2] < 0.7
    assert np.abs(motion.push_force).max() > 500


def _stop_on_uneven_ground() -> Task:
    heights = np.random.default_rng(58).uniform(0.0, 0.12, (16, 11))
    return Task(
        Path([[0, 0], [3, 0]]),
        SpeedProfile(1.06),
        seconds=5.0,
        engine="adaptive",
        ground=HeightField(heights, (-3.0, -5.0), 1.0),
        start="standing",
    )


@pytest.fixture
def falls_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bodies go back before falls, not before stumbles."""
    monkeypatch.setattr(backtracking, "STUMBLING", replace(backtracking.STUMBLING, last_depth=0))


@pytest.mark.usefixtures("falls_alone")
def test_a_body_that_would_fall_takes_other_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    task = _stop_on_uneven_ground()
    motion = generate(task)
    assert motion.frames == task.frames
    assert not any("falls" in note for note in motion.report.notes)
    assert motion.com[:, 2].min() > 0.8
    assert np.abs(motion.com[-1, :2] - [3.0, 0.0]).max() < 0.6
    monkeypatch.setattr(
        backtracking, "BACKTRACKING", replace(backtracking.BACKTRACKING, last_depth=0)
    )
    fallen = generate(task)
    assert any("falls" in note for note in fallen.report.notes)
    begin = slice(0, motion.frames // 4)
    assert np.array_equal(fallen.link_position[begin], motion.link_position[begin])
    # Also where the fall counts after the end of the clip
    monkeypatch.setattr(backtracking, "BACKTRACKING", BACKTRACKING)
    short = generate(replace(task, seconds=4.4))
    same = motion.link_position[: short.frames]
    assert np.abs(short.link_position - same).max() < 1e-6


def test_a_body_that_would_stumble_takes_other_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    task = replace(boxes(0.055)(1.06, 8.0, 2), seconds=8.0, fps=60.0)
    motion = generate(task)
    assert measure(motion).drift_m < 0.02
    assert _measure_crossing(motion) <= 0.1
    monkeypatch.setattr(backtracking, "STUMBLING", replace(backtracking.STUMBLING, last_depth=0))
    stumbling = generate(task)
    assert measure(stumbling).drift_m > 0.05
    assert _measure_crossing(stumbling) > 0.1


def _measure_crossing(motion: Motion) -> float:
    """Return the longest time in which a leg is more than 2 cm deep in the other one [s]."""
    placed = LinkPoses(
        motion.link_origin,
        motion.link_position,
        so3.quat_to_matrix(motion.link_orientation),
        motion.com,
    )
    depth = LegDepth(load_character("humanoid")).measure(placed)
    return measure_longest_run(depth > 0.02) / motion.fps


def test_slides_are_measured_within_contacts_alone() -> None:
    position = np.zeros((9, 2, 3))
    position[:, :, 0] = 0.01 * np.arange(9)[:, None]
    resting = np.zeros((9, 2), bool)
    assert measure_slide(position, resting) == 0.0
    resting[1:6, 0] = True
    resting[7:, 1] = True
    assert measure_slide(position, resting) == pytest.approx(0.02)


def test_a_body_does_not_know_of_pushes_to_come() -> None:
    task = replace(TASK, engine="adaptive", speed=SpeedProfile(0.0), start="standing")
    pushed = generate(replace(task, pushes=(Push(1.0, (900.0, 0.0, 0.0)),)))
    assert any("falls" in note for note in pushed.report.notes)
    before = slice(0, int(1.0 * task.fps) - 1)
    assert np.array_equal(pushed.com[before], generate(task).com[before])


def test_the_ground_is_followed() -> None:
    hills = make_rolling_hills(np.random.default_rng(1), 14.0, 6.0, bump_height=0.05, slope_deg=2.0)
    motion = simulate_task(replace(TASK, ground=hills), START, helper_limit=80.0)
    assert motion.terrain_vertices is not None
    assert measure(motion).penetration_m < 0.03


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"speed": SpeedProfile(2.5)}, r"2\.50 m/s.*can do 0\.49"),
        ({"speed": SpeedProfile([1.0, 0.2], [0.0, 0.3])}, "0.20 to 1.00"),
        ({"start": "standing"}, "no controller for"),
        ({"stride_length": Profile("stride", 1.2)}, "stride length"),
        ({"path": Path([[0, 0], [2, 0], [2, 3]])}, "too curved near"),
        ({"path": Path([[0, 0], [1, 0]])}, "no controller for"),
        ({"character": "dog"}, "4 legs"),
    ],
)
def test_what_no_controller_does_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(FootfallError, match=words):
        simulate_task(replace(TASK, **changes), START)


def test_turns_on_the_spot_are_refused_without_their_controller() -> None:
    task = replace(
        TASK,
        speed=SpeedProfile([1.0, 0.0, 0.0, 0.7], [0.4, 0.41, 1.59, 1.6]),
        facing_offset=FacingOffset([0.0, 180.0], [0.45, 1.55]),
    )
    gaits = {name: gait for name, gait in load_shipped_gaits().items() if name != TURN_NAME}
    with pytest.raises(TaskError, match="turn by 180 degrees between walking forward and walking"):
        simulate_task(task, gaits)


def test_a_body_turns_without_a_stop_at_a_corner() -> None:
    task = replace(TASK, path=Path([[0, 0], [3.6, 0], [3.6, 6]]), seconds=6.0, engine="adaptive")
    motion = generate(task)
    assert not motion.report.notes
    assert motion.com[-1, 1] > 1.2
    assert motion.com[-1, 0] == pytest.approx(3.6, abs=0.4)
    velocity = np.linalg.norm(np.gradient(motion.com[:, :2], 1 / motion.fps, axis=0), axis=1)
    assert velocity.min() > 0.4
    near = np.linspace(0.0, task.path.length, 400)
    offsets = np.linalg.norm(motion.com[:, None, :2] - task.path.position_at(near), axis=-1)
    assert offsets.min(1).max() < 0.6


def test_a_body_that_shall_go_on_backward_stops_and_turns() -> None:
    task = replace(
        TASK,
        speed=SpeedProfile(0.72),
        facing_offset=FacingOffset([0.0, 180.0], [1.0, 2.0]),
        seconds=11.0,
        fps=24.0,
        engine="adaptive",
    )
    motion = generate(task)
    assert not motion.report.notes
    chest = so3.quat_to_matrix(motion.link_orientation)[:, motion.link_names.index("chest")]
    assert chest[0, 0, 0] > 0.9
    assert chest[-1, 0, 0] < -0.9
    assert np.abs(motion.com[:, 1] - 2.0).max() < 0.4


def test_sharp_turns_of_a_path_are_corners() -> None:
    straight = np.linspace(0.0, 4.0, 9)
    square = Path([*[(x, 0.0) for x in straight], (4.05, 0.05), (4.1, 4.0), (0.0, 4.0)])
    corners = find_corners(square)
    assert [np.degrees(corner.turn) for corner in corners] == pytest.approx([90, 90], abs=3)
    assert [corner.distance for corner in corners] == pytest.approx([4.05, 8.0], abs=0.1)
    angles = np.linspace(0.0, 1.5, 60)
    assert not find_corners(Path(6.0 * np.column_stack([np.sin(angles), 1 - np.cos(angles)])))
    close = Path([[0, 0], [3, 0], [3, 1], [8, 1]])
    with pytest.raises(TaskError, match=r"corner near"):
        generate(replace(TASK, path=close, engine="adaptive"))


def test_steps_and_holes_on_the_path_are_refused() -> None:
    x = np.array([-4.0, 2.0, 2.05, 12.0])
    vertices = np.array([(a, b, 0.4 * (a > 2.01)) for a in x for b in (-4.0, 8.0)])
    strips = [[(2 * k, 2 * k + 2, 2 * k + 1), (2 * k + 1, 2 * k + 2, 2 * k + 3)] for k in range(3)]
    stairs = MeshGround(vertices, np.array([t for strip in strips for t in strip]))
    with pytest.raises(TaskError, match="too steep near"):
        simulate_task(replace(TASK, ground=stairs), START)
    patch = TriangleMesh(vertices[:4], np.array(strips[0]))
    with pytest.raises(TaskError, match="no ground near"):
        simulate_task(replace(TASK, ground=MeshGround(patch.vertices, patch.triangles)), START)


def test_a_body_stands_and_is_pushed() -> None:
    push = Push(0.5, (80.0, 100.0, 0.0), 0.1)
    task = replace(TASK, engine="adaptive", speed=SpeedProfile(0.0), start="standing")
    motion = generate(replace(task, pushes=(push,)))
    assert not motion.report.notes
    assert np.abs(motion.com[:, :2] - motion.com[0, :2]).max() < 0.12
    assert motion.com[-1] == pytest.approx(motion.com[0], abs=0.02)
    measures = measure(motion)
    assert measures.drift_m < 0.01
    assert measures.momentum_residual < 0.02


def test_the_shipped_controller_walks_without_help() -> None:
    controller = load_shipped_controller()
    assert controller.training.helper_limit == 0
    motion = generate(replace(TASK, engine="adaptive", seconds=5.0))
    assert not any("falls" in note for note in motion.report.notes)
    measures = measure(motion)
    assert measures.drift_m < 0.02
    assert measures.penetration_m < 0.01
    assert measures.momentum_residual < 0.03
    row = next(row for row in controller.validation if row.case == "plane")
    assert row.survived == row.walks
    with pytest.raises(TaskError, match="no controller 'left-forward'"):
        load_shipped_controller("left-forward")


def test_steps_to_the_right_mirror_those_to_the_left() -> None:
    task = replace(TASK, engine="adaptive", speed=SpeedProfile(0.33))
    left, right = (
        generate(replace(task, facing_offset=FacingOffset(angle))) for angle in (-90.0, 90.0)
    )
    assert not left.report.notes
    covered = left.com[-1, 0] - left.com[0, 0]
    assert covered == pytest.approx(0.33 * task.seconds, rel=0.15)
    assert left.com[:, 0] == pytest.approx(right.com[:, 0], abs=1e-3)
    assert left.com[:, 1] - 2.0 == pytest.approx(2.0 - right.com[:, 1], abs=1e-3)
    assert measure(left).drift_m < 0.02


def test_a_body_begins_to_step_to_the_side_and_stops() -> None:
    task = replace(
        TASK,
        path=Path([[0, 0], [1.6, 0]]),
        speed=SpeedProfile(0.33),
        facing_offset=FacingOffset(-90.0),
        start="standing",
        seconds=7.0,
        fps=24.0,
        engine="adaptive",
    )
    motion = generate(task)
    assert not motion.report.notes
    assert motion.com[-1, 0] == pytest.approx(1.6, abs=0.4)
    assert np.linalg.norm(motion.com[-1] - motion.com[-8]) < 0.05


def test_a_body_walks_backward() -> None:
    task = replace(TASK, engine="adaptive", speed=SpeedProfile(0.72), seconds=3.0)
    motion = generate(replace(task, facing_offset=FacingOffset(180.0)))
    assert not any("falls" in note for note in motion.report.notes)
    assert motion.com[-1, 0] - motion.com[0, 0] == pytest.approx(3 * 0.72, rel=0.1)
    chest = so3.quat_to_matrix(motion.link_orientation)[:, motion.link_names.index("chest")]
    assert chest[:, 0, 0].max() < -0.8
    assert measure(motion).drift_m < 0.02
