"""Tasks whose motion breaks: what is delivered in its place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall import measure
from footfall.core.engine import deliver as deliver_task
from footfall.core.engine import find_engine, generate
from footfall.core.engine.safety import deliver
from footfall.core.engine.safety.deliver import Delivery
from footfall.core.engine.safety.judge import Flaw, MotionBounds, Verdict, judge_motion
from footfall.core.errors import MotionError, TerrainError
from footfall.core.motion import Motion
from footfall.core.task import Path, PinnedStep, Push, SpeedProfile, Task, list_changed_fields
from footfall.core.terrain import MeshGround, make_rolling_hills

STRAIGHT = Path([[0, 0], [20, 0]])
HOP = Task(STRAIGHT, SpeedProfile(9.0), seconds=2.0, fps=60, style="hop")
# Its plan diverges.
HOP_ON_ICE = replace(HOP, friction=0.3)


def measure_top_speed(motion: Motion) -> float:
    """Return the speed of the fastest link [m/s]."""
    velocity = np.diff(motion.link_position, axis=0) * motion.fps
    return float(np.linalg.norm(velocity, axis=2).max())


@pytest.fixture(scope="module")
def hop_on_ice() -> Delivery:
    """Return what is delivered for hops that are too fast for ice."""
    return deliver_task(HOP_ON_ICE)


def check_slower_motion(motion: Motion, task: Task) -> None:
    """Check that the motion of a task that breaks is sound and says why it is slower."""
    assert measure_top_speed(motion) < 25
    assert any("the speed was lowered" in note for note in motion.report.notes)
    assert judge_motion(motion, task.ground, MotionBounds()).is_deliverable


def test_corner_on_ice_is_delivered_slower() -> None:
    task = Task(Path([[0, 0], [4, 0], [4, 8]]), SpeedProfile(6.0), seconds=4.0, friction=0.2)
    check_slower_motion(generate(task), task)


def test_fast_hops_on_ice_are_delivered_slower(hop_on_ice: Delivery) -> None:
    check_slower_motion(hop_on_ice.motion, HOP_ON_ICE)


def test_fast_hops_are_delivered_as_requested() -> None:
    motion = generate(HOP)
    assert not any("otherwise" in note for note in motion.report.notes)
    assert measure_top_speed(motion) < 25
    assert measure(motion).speed_error < 0.02


def test_delivery_has_the_task_of_its_motion(hop_on_ice: Delivery) -> None:
    delivery = hop_on_ice
    assert list_changed_fields(delivery.task, HOP_ON_ICE) == ("speed",)
    assert delivery.task.speed.max_speed < 9.0
    again = generate(delivery.task)
    assert np.array_equal(again.link_position, delivery.motion.link_position)
    assert not any("lowered" in note for note in again.report.notes)


def test_slower_speed_is_that_of_the_note(hop_on_ice: Delivery) -> None:
    motion = hop_on_ice.motion
    note = next(note for note in motion.report.notes if "lowered" in note)
    stated = float(note.split(" to ")[1].split(" m/s")[0])
    assert 0.8 * stated < np.linalg.norm(motion.goal_velocity, axis=1).max() <= stated + 0.01


@pytest.mark.parametrize("direction", [(0, 1), (1, 0), (-1, 0)])
@pytest.mark.parametrize("part", ["com", "head"])
def test_body_that_is_thrown_falls_and_comes_to_rest(
    direction: tuple[float, float], part: str
) -> None:
    force = 900.0
    push = Push(1.0, (force * direction[0], force * direction[1], 0.0), body_part=part)
    task = Task(STRAIGHT, SpeedProfile(1.2), seconds=4.5, fps=60, pushes=(push,))
    motion = generate(task)
    assert any("the body falls" in note for note in motion.report.notes)
    velocity = np.diff(motion.link_position, axis=0) * motion.fps
    speed = np.linalg.norm(velocity, axis=2).max(1)
    assert speed.max() < 25
    assert speed[-15:].max() < 0.3
    assert motion.com[-1, 2] < 0.35
    # Centers of mass of limbs stay above the ground, so no limb is below it.
    assert motion.link_position[..., 2].min() > 0.0
    figures = measure(motion)
    # Impacts are shorter than a frame of 1/60 s, so a part of them is not in the frames' forces.
    assert figures.momentum_residual < 0.3
    assert figures.drift_m < 0.002


def test_small_body_is_thrown_far_on_the_moon() -> None:
    push = Push(0.4, (700.0, 300.0, 0.0), body_part="pelvis")
    task = Task(STRAIGHT, SpeedProfile(0.7), character="dog", seconds=1.4, fps=60, gravity=1.62)
    motion = generate(replace(task, engine="learned", pushes=(push,)))
    assert any("the body falls" in note for note in motion.report.notes)


def test_body_whose_task_is_too_fast_is_thrown_at_a_lower_speed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def judge(motion: Motion, *args: object) -> Verdict:
        is_fast = np.linalg.norm(motion.goal_velocity, axis=1).max() > 1.0
        is_thrown = motion.push_force.any() and "ground" not in motion.contact_limb
        return Verdict((Flaw("speed", 0.5, 80.0, True),) if is_fast or is_thrown else ())

    monkeypatch.setattr(deliver, "judge_motion", judge)
    push = Push(0.45, (0.0, 300.0, 0.0))
    task = Task(STRAIGHT, SpeedProfile(1.2), seconds=0.8, engine="learned", pushes=(push,))
    notes = generate(task).report.notes
    assert any("the speed was lowered from 1.20 to 0.96" in note for note in notes)
    assert any("the body falls" in note for note in notes)


def test_body_falls_on_a_large_fine_mesh() -> None:
    """A simulation samples a mesh every 2 cm, so it takes the part on which the body falls."""
    hills = make_rolling_hills(np.random.default_rng(2), 60, 50.0, bump_height=0.05, spacing=0.25)
    mesh = hills.to_mesh()
    push = Push(0.8, (0.0, 900.0, 0.0), body_part="head")
    task = Task(
        STRAIGHT,
        SpeedProfile(1.2),
        ground=MeshGround(mesh.vertices, mesh.triangles),
        seconds=2.5,
        pushes=(push,),
    )
    motion = generate(task)
    assert any("the body falls" in note for note in motion.report.notes)
    height = motion.com[:, 2] - hills.sample_heights(motion.com[:, :2])
    assert height[-1] < 0.5
    assert measure(motion).penetration_m < 0.05


def test_push_ends_a_stand_at_the_end_of_a_path() -> None:
    push = Push(1.3, (120.0, 0.0, 0.0))
    path = Path([[0, 0], [0.01, 0]])
    task = Task(path, SpeedProfile(0.04), seconds=3.0, fps=60, pushes=(push,))
    motion = generate(task)
    assert measure_top_speed(motion) < 10
    assert any(push.time < step.strike < push.time + 0.5 for step in motion.footsteps)
    # The second push finds both feet in a stand without an end.
    again = generate(replace(task, pushes=(push, replace(push, time=2.1))))
    assert measure_top_speed(again) < 10


def test_motion_of_few_frames_is_judged_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = []

    def judge(motion: Motion, *args: object) -> Verdict:
        rates.append(motion.fps)
        return judge_motion(motion, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(deliver, "judge_motion", judge)
    task = Task(STRAIGHT, SpeedProfile(1.2), seconds=2.0, fps=4)
    motion = generate(task)
    assert motion.fps == 4
    assert motion.frames == 9
    assert min(rates) >= 12


def test_frames_before_a_fall_are_those_of_the_walk() -> None:
    push = Push(1.0, (0.0, 900.0, 0.0), body_part="head")
    task = Task(STRAIGHT, SpeedProfile(1.2), seconds=2.5, fps=60, pushes=(push,))
    fallen = generate(task)
    walk = generate(replace(task, pushes=()))
    assert np.array_equal(fallen.link_position[:55], walk.link_position[:55]) or (
        np.abs(fallen.link_position[:55] - walk.link_position[:55]).max() < 0.02
    )
    assert all(step.strike < 1.6 for step in fallen.footsteps)


def test_same_fall_for_the_same_task() -> None:
    push = Push(0.8, (700.0, 300.0, 0.0), body_part="chest")
    task = Task(STRAIGHT, SpeedProfile(1.4), seconds=2.0, pushes=(push,))
    assert np.array_equal(generate(task).link_position, generate(task).link_position)


@pytest.mark.parametrize("character", ["dog", "humanoid", "spider", "luxo"])
def test_path_off_the_terrain_is_refused_with_its_place(character: str) -> None:
    ground = MeshGround(
        np.array([[-50.0, -9, 0], [4, -9, 0], [4, 9, 0], [-50, 9, 0]]),
        np.array([[0, 1, 2], [0, 2, 3]]),
    )
    speed = 0.3 if character == "spider" else 1.0
    task = Task(
        Path([[3, 0], [20, 0]]), SpeedProfile(speed), character=character, ground=ground, seconds=6
    )
    with pytest.raises(TerrainError, match=r"leaves the terrain at \((3\.9\d|4\.0\d?), "):
        generate(task)


def test_footsteps_that_overlap_are_released() -> None:
    pinned = tuple(
        PinnedStep(side, time, (1.2 * time, 0.1 if side == "L" else -0.1))
        for side, time in (("L", 0.5), ("R", 0.55), ("L", 0.6), ("R", 0.65))
    )
    task = Task(STRAIGHT, SpeedProfile(1.2), seconds=2.0, pinned_steps=pinned)
    motion = generate(task)
    assert measure_top_speed(motion) < 15
    assert any("released" in note for note in motion.report.notes) or not motion.report.notes


def test_task_that_no_remedy_helps_is_refused_with_its_fields(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verdict = Verdict((Flaw("speed", 0.5, value=80.0, is_breaking=True),))
    monkeypatch.setattr(deliver, "judge_motion", lambda *_: verdict)
    task = Task(STRAIGHT, SpeedProfile(1.2), seconds=0.5, friction=0.3)
    with pytest.raises(MotionError, match=r"80 m/s.*Reduce one of: speed, path, friction"):
        generate(task)


def test_progress_never_falls_while_remedies_are_tried() -> None:
    shares: list[float] = []
    task = Task(Path([[0, 0], [0.5, 0]]), SpeedProfile(3.5), seconds=2.0, friction=0.1)
    deliver.generate_sound_motion(
        task, find_engine("centroidal"), lambda _, share: shares.append(share)
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
