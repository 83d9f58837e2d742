"""Legged bodies of any build: limits, gaits, starts, stops and refused tasks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from footfall import measure
from footfall.core.character.character import Character
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin, load_character
from footfall.core.character.reach import compute_leg_reaches
from footfall.core.character.scaled import scale_character
from footfall.core.engine import generate
from footfall.core.engine.centroidal.body import PlannedBody
from footfall.core.engine.centroidal.modes.stride_sketch import sketch_strides
from footfall.core.errors import TaskError
from footfall.core.fullbody.foot_path import FootPath, FootSupport
from footfall.core.fullbody.hip_path import HipPath
from footfall.core.fullbody.leg_ik import solve_leg_ik
from footfall.core.fullbody.stride_path import build_stride_path, get_tracked_point
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.motion.footstep import Footstep
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.sketch.gait.gait_body import StrideCenters, build_gait_body
from footfall.core.task import Jump, Profile, Push, SpeedProfile, Task
from footfall.core.task import Path as Way
from footfall.core.task.file import load_task, save_task
from footfall.core.terrain import FlatGround
from judging import find_exceeded, judge_motion

WALKS = (
    "anymal-terrain",
    "anymal-rush",
    "cassie-style1",
    "cassie-style2",
    "cassie-style3",
    "hexapod-terrain",
    "spider-terrain",
    "dog-terrain",
    "horse-walk",
)
FAST = ("horse-gallop", "luxo-terrain", "anymal-gaits")
# Bodies that exceed the usual limits: these bounds only guard against getting worse.
SHORT = {"luxo-terrain": {"angular_residual": 0.3, "penetration_m": 0.008}}


def _straight(name: str, speed: float, **changes: object) -> Task:
    return Task(Way([[0, 0], [60, 0]]), SpeedProfile(speed), character=name, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [*WALKS, *(pytest.param(n, marks=pytest.mark.long) for n in FAST)])
def test_bars(judge_folder: Path | None, tmp_path: Path, name: str) -> None:
    task = SCENARIOS[name].build_task(fps=120, seconds=6)
    figures = judge_motion(judge_folder, tmp_path, generate(task))
    size = load_builtin(str(task.character)).leg_length / 0.9
    residuals = (0.05, 0.05) if name in FAST else (0.02, 0.03)
    bars = {
        "momentum_residual_bw": residuals[0],
        "angular_residual": residuals[1],
        "relaxed_share": 0.02,
        "friction_p99": 0.8,
        "speed_error": 0.03,
        "off_terrain_contacts": 0,
        "drift_m": 0.001 * size,
        "penetration_m": 0.005 * size,
    }
    figures |= {"drift_m": figures["drift_max_m"], "penetration_m": figures["penetration_max_m"]}
    bars |= SHORT.get(name, {})
    assert not find_exceeded(figures, bars)
    assert figures["pull_min_n"] >= -1


@pytest.mark.parametrize(
    ("name", "gait", "together"),
    [
        ("horse", "trot", [(0, 3), (1, 2)]),
        ("horse", "pace", [(0, 2), (1, 3)]),
        ("anymal", "pronk", [(0, 1), (1, 2), (2, 3)]),
        ("cassie", "hop", [(0, 1)]),
    ],
)
def test_a_gait_by_name_is_kept(name: str, gait: str, together: list[tuple[int, int]]) -> None:
    body = load_builtin(name)
    speed = 0.9 * float(np.sqrt(9.81 * body.leg_length))
    motion = generate(_straight(name, speed, seconds=3, gait=gait))
    for a, b in together:
        first, second = (
            [f.strike for f in motion.footsteps if f.leg == leg and 0.3 < f.strike < 2.7]
            for leg in (a, b)
        )
        period = float(np.diff(first).mean())
        lag = min(abs(second[0] - t) for t in first)
        assert lag < 0.08 * period


def test_stance_feet_rest_and_legs_keep_their_lengths(tmp_path: Path) -> None:
    motion = generate(_straight("dog", 1.0, seconds=3, fps=60))
    for k in range(4):
        on = motion.contact_active[:, k]
        moved = np.linalg.norm(np.diff(motion.contact_position[:, k], axis=0), axis=1)
        assert moved[on[1:] & on[:-1]].max() < 1e-4
        assert np.abs(motion.contact_position[on, k, 2]).max() < 1e-4


def test_body_starts_from_standing_and_stops_in_a_square_stance() -> None:
    body = load_builtin("anymal")
    task = Task(
        Way([[0, 0], [2.5, 0]]), SpeedProfile(0.8), character="anymal", seconds=8, start="standing"
    )
    motion = generate(task)
    assert np.linalg.norm(motion.com[5] - motion.com[0]) < 0.02
    assert np.linalg.norm(motion.com[-1] - motion.com[-10]) < 0.01
    assert motion.contact_active[[0, -1]].all()
    assert motion.com[-1, 0] == pytest.approx(2.5, abs=0.3)
    standing = motion.contact_position[-1, :, :2] - motion.contact_position[-1, :, :2].mean(0)
    square = body.neutral_foot_positions[:, :2] - body.neutral_foot_positions[:, :2].mean(0)
    np.testing.assert_allclose(standing, square, atol=0.08)
    height = motion.com[:, 2]
    assert np.ptp(height) < 0.12 * body.leg_length  # the body neither hops nor sinks as it stops


def test_it_turns() -> None:
    motion = generate(
        Task(Way([[0, 0], [3, 0], [3, 4]]), SpeedProfile(0.8), character="anymal", seconds=7)
    )
    heading = so3.yaw_from_matrix(so3.quat_to_matrix(motion.link_orientation[:, 0]))
    assert heading[-1] - heading[0] == pytest.approx(np.pi / 2, abs=0.25)


@pytest.mark.parametrize("factor", [0.1, 12.0])
def test_bodies_of_any_size_move_alike(factor: float) -> None:
    """Froude similarity: a scaled body has the same footfalls at the corresponding speed."""
    body = load_builtin("dog")
    original = build_gait_body(body)
    other = build_gait_body(scale_character(body, factor))
    assert other.hip_height == pytest.approx(factor * original.hip_height)
    model = KinematicModel(body)
    large = KinematicModel(scale_character(body, factor))
    time = float(np.sqrt(factor))
    plans = []
    for m, k, t in ((model, 1.0, 1.0), (large, factor, time)):
        task = Task(
            Way([[0, 0], [30 * k, 0]]), SpeedProfile(1.5 * k / t), character="dog", seconds=3 * t
        )
        from footfall.core.clip import load_builtin_style

        plans.append(
            sketch_strides(
                task,
                PlannedBody(
                    m.character,
                    m,
                    load_builtin_style("natural"),
                    com_height=0.45 * k,
                    inertia=np.eye(3),
                    gyration=0.2 * k,
                ),
            ).footfall_plan.footfalls
        )
    small = [f for f in plans[0] if 0.5 < f.mid_contact_time < 2.5]
    for f in small:
        twin = min(
            (g for g in plans[1] if g.leg == f.leg),
            key=lambda g: abs(g.mid_contact_time - f.mid_contact_time * time),
        )
        assert twin.mid_contact_time == pytest.approx(f.mid_contact_time * time, abs=0.06 * time)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"stride_length": Profile("stride", 1.0)}, "strides of a given length"),
        ({"jumps": (Jump(1.5, 0.3),), "start": "standing"}, "jumps"),
        ({"gait": "moonwalk"}, "must be one of: walk, trot"),
    ],
)
def test_impossible_tasks_are_refused(changes: dict[str, object], says: str) -> None:
    with pytest.raises(TaskError, match=says):
        generate(_straight("horse", 1.5, seconds=2, **changes))


@pytest.mark.parametrize(
    ("name", "speed", "newtons"), [("horse", 1.7, 2000.0), ("dog", 1.2, 120.0), ("hexapod", 0.3, 3)]
)
def test_pushed_body_steps_to_the_side_and_walks_on(
    name: str, speed: float, newtons: float
) -> None:
    push = Push(0.6, (0.0, newtons, 0.0))
    task = _straight(name, speed, seconds=2.0, fps=60.0, pushes=(push,))
    motion = generate(task)
    impulse = newtons * 0.75 * push.seconds  # the force rises and falls for a quarter of the time
    speed_gain = impulse / motion.link_mass.sum()
    velocity = np.gradient(motion.com[:, 1]) * motion.fps
    end = round(push.end * motion.fps)
    assert velocity[end] - velocity[round(push.time * motion.fps)] > 0.5 * speed_gain
    assert abs(velocity[-30:].mean()) < 0.5 * speed_gain, "caught"
    assert motion.report.notes == ()
    quality = measure(motion)
    assert quality.drift_m < 0.002
    assert quality.momentum_residual < 0.04


def test_push_is_not_foreseen() -> None:
    task = _straight("dog", 1.2, seconds=1.2, fps=60.0)
    pushed = generate(replace(task, pushes=(Push(0.6, (0.0, 120.0, 0.0)),)))
    apart = np.linalg.norm(pushed.link_position - generate(task).link_position, axis=2).max(1)
    assert apart[:36].max() < 0.01
    assert apart[50:].max() > 0.1


def test_body_on_four_legs_falls_by_a_push() -> None:
    task = _straight("anymal", 0.8, seconds=3.0, fps=60.0, pushes=(Push(0.5, (800.0, 0.0, 0.0)),))
    motion = generate(task)
    assert any("the body falls" in note for note in motion.report.notes)
    assert motion.com[-1, 2] < 0.5 * motion.com[0, 2]
    assert np.abs(np.diff(motion.link_position[-10:], axis=0)).max() * motion.fps < 0.15, "rests"


def test_humans_have_styles_and_no_gaits() -> None:
    with pytest.raises(TaskError, match="choose a style"):
        generate(_straight("humanoid", 1.2, gait="trot"))


def test_too_fast_is_refused_with_the_fastest() -> None:
    with pytest.raises(TaskError, match="at most"):
        generate(_straight("anymal", 40.0))


def test_a_gait_travels_in_the_task_file(tmp_path: Path) -> None:
    save_task(_straight("horse", 3.0, gait="trot"), tmp_path / "t.toml")
    assert load_task(tmp_path / "t.toml").gait == "trot"
    save_task(_straight("horse", 3.0), tmp_path / "t.toml")
    assert load_task(tmp_path / "t.toml").gait is None


def test_same_task_same_motion() -> None:
    task = SCENARIOS["hexapod-terrain"].build_task(seconds=2, seed=3)
    first = generate(task)
    second = generate(task)
    np.testing.assert_allclose(first.link_position, second.link_position, rtol=0, atol=1e-9)
    np.testing.assert_allclose(first.contact_force, second.contact_force, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ["horse", "cassie", "spider", "luxo"])
def test_legs_of_any_joints_reach_the_targets_of_their_feet(name: str) -> None:
    body = load_builtin(name)
    model = KinematicModel(body)
    rng = np.random.default_rng(1)
    n = 6
    size = body.leg_length
    neutral = np.tile(model.neutral, (n, 1))
    placed = model.compute_link_poses(neutral)
    com = placed.com + rng.uniform(-0.05, 0.02, (n, 3)) * size
    feet = []
    for foot in body.feet:
        at = placed.origin[:, foot.link] + placed.rotation[:, foot.link] @ get_tracked_point(foot)
        level = np.tile(np.eye(3), (n, 1, 1))
        feet.append(
            FootPath(
                np.full(n, int(FootSupport.FLAT)), level, at, level, at, at, np.zeros(n), np.ones(n)
            )
        )
    poses = solve_leg_ik(model, neutral, com, tuple(feet), 40)
    c = model.compute_centroidal_dynamics(poses)
    np.testing.assert_allclose(c.com, com, atol=0.004 * size)
    for k, (foot, path) in enumerate(zip(body.feet, feet, strict=True)):
        ends = c.foot_origin[:, k] + c.foot_rotation[:, k] @ get_tracked_point(foot)
        assert np.linalg.norm(ends - path.origin, axis=1).max() < 0.02 * size


def test_a_swing_leaves_and_lands_without_a_jump() -> None:
    foot = load_builtin("anymal").feet[0]
    steps = [
        Footstep(0, 0.0, 0.0, 0.5, 0.5, np.zeros(3), np.eye(3), heel_raise=0.0),
        Footstep(0, 0.9, 0.9, 1.4, 1.4, np.array([0.4, 0.05, 0.1]), np.eye(3), heel_raise=0.0),
    ]
    times = np.arange(0, 1.4, 0.005)
    hip = np.tile([0.2, 0.0, 0.5], (len(times), 1))
    path = build_stride_path(steps, foot, HipPath(times, hip, 0.75), FlatGround())
    speed = np.linalg.norm(np.diff(path.origin, axis=0), axis=1) / 0.005
    assert np.abs(np.diff(speed)).max() < 0.2
    assert path.origin[(times > 0.6) & (times < 0.8), 2].min() > foot.radius + 0.02
    np.testing.assert_allclose(path.origin[times < 0.5] - [0, 0, foot.radius], 0, atol=1e-12)


def test_a_narrow_sole_may_tilt_and_a_broad_one_not(walk: Motion) -> None:
    """A sole without a roll joint rests on its middle line; human soles lie flat."""
    motion = generate(_straight("cassie", 1.0, seconds=2, fps=60))
    assert not motion.relaxed.any()
    flat = motion.contact_active[:, 0] & motion.contact_active[:, 1]
    assert flat.any()
    assert np.abs(motion.contact_position[flat][:, :2, 2]).max() < 1e-4
    assert replace(motion).frames == motion.frames


@pytest.mark.parametrize(
    "file",
    [
        "erd_solo12/solo12.urdf",
        "menagerie/unitree_go1/go1.xml",
        "menagerie/anybotics_anymal_c/anymal_c.xml",
        "erd_simple_humanoid/simple_humanoid.urdf",
    ],
)
def test_robots_walk_as_their_files_have_them(shared: Path, tmp_path: Path, file: str) -> None:
    robot = str(shared / "data" / "robots" / file)
    speed = 0.42 * float(np.sqrt(9.81 * load_character(robot).leg_length))
    figures = judge_motion(shared, tmp_path, generate(_straight(robot, speed, seconds=3, fps=120)))
    bars = {
        "momentum_residual_bw": 0.02,
        "angular_residual": 0.03,
        "drift_max_m": 0.0005,
        "penetration_max_m": 0.001,
        "relaxed_share": 0,
        "speed_error": 0.03,
    }
    assert not find_exceeded(figures, bars)


@pytest.mark.parametrize("name", ["dog", "horse", "anymal", "hexapod", "spider"])
def test_feet_are_centered_where_they_rest_while_the_body_stands(name: str) -> None:
    character = load_builtin(name)
    centers = _find_centers(character)
    places = [centers.locate(leg, 0.0) for leg in range(len(character.legs))]
    assert np.array_equal(places, character.neutral_foot_positions)


def test_strides_of_slanted_legs_are_centered_closer_to_the_hips() -> None:
    """A rat whose hind feet rested far behind its hips walked with its belly in the ground."""
    dog = load_builtin("dog")
    shanks = {leg.links[1] for leg in dog.legs if leg.row == 0}
    slanted = replace(
        dog,
        links=tuple(
            replace(link, offset=np.asarray(link.offset) - [0.1, 0.0, 0.0]) if k in shanks else link
            for k, link in enumerate(dog.links)
        ),
    )
    centers = _find_centers(slanted)
    hips = slanted.hip_positions
    for k, leg in enumerate(slanted.legs):
        slow, fast = (centers.locate(k, travel) for travel in (0.0, 10.0))
        assert np.array_equal(slow, slanted.neutral_foot_positions[k])
        assert fast[0] == pytest.approx(hips[k, 0], abs=1e-9)
        assert np.array_equal(fast[1:], slow[1:])
        if leg.row == 0:
            between = centers.locate(k, 2 * centers.rooms[k] - 0.1)
            assert between[0] == pytest.approx(hips[k, 0] - 0.05, abs=1e-9)


def _find_centers(character: Character) -> StrideCenters:
    """Return the places of the feet of a body whose legs may be straight."""
    reaches = np.array(compute_leg_reaches(character))
    return StrideCenters.from_character(character, reaches, np.zeros(3))
