"""Bodies that fall: from which pose they start, and how far their joints turn."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin
from footfall.core.character.pose_from_links import poses_from_links
from footfall.core.engine import generate
from footfall.core.geometry import so3
from footfall.core.motion import Motion
from footfall.core.simulate.model import build_simulated_model
from footfall.core.simulate.ragdoll import FallingBody, Ragdoll
from footfall.core.task import Path, Push, SpeedProfile, Task
from footfall.core.terrain import FlatGround, Ground, Slab, make_slab_ground, make_stair_slabs

MAX_EXCESS = np.radians(6.0)  # of a joint whose stop is hit [rad]


@pytest.mark.parametrize(
    ("speed", "push"),
    [
        # The plan's waist turned by 150 degrees before its figures showed that it had diverged.
        (3.306, Push(0.7775, (-704.7, 2.9, 0.0), body_part="head")),
        # The plan's foot was 5 cm in the ground.
        (1.969, Push(0.7130, (59.6, 718.0, 0.0), body_part="pelvis")),
    ],
    ids=["waist", "foot"],
)
def test_fall_begins_while_poses_are_possible(speed: float, push: Push) -> None:
    path = Path([[0, 0], [30, 0]])
    task = Task(path, SpeedProfile(speed), seconds=push.end + 3.2, fps=60, pushes=(push,))
    motion = generate(task)
    assert "ground" in motion.contact_limb
    character = load_builtin("humanoid")
    poses = poses_from_links(
        KinematicModel(character),
        motion.link_origin[:, 0],
        so3.quat_to_matrix(motion.link_orientation),
    )
    excess = build_simulated_model(character, FlatGround()).measure_range_excess(poses)
    assert excess[int(push.end * motion.fps) :].max() < MAX_EXCESS
    # Tips of feet move with the foot, though the toes of a foot that lies on them bend.
    feet = [k for k, name in enumerate(motion.contact_names) if name.endswith(("heel", "ball"))]
    assert motion.contact_position[:, feet, 2].min() > -0.03
    velocity = np.diff(motion.link_position, axis=0) * motion.fps
    assert np.linalg.norm(velocity, axis=2)[-10:].max() < 0.15


def _make_stairs() -> Ground:
    floor = Slab((-30.0, 0.6), (-30.0, 30.0), 0.0)
    top = Slab((0.6 + 12 * 0.32, 40.0), (-30.0, 30.0), 12 * 0.16)
    return make_slab_ground([floor, *make_stair_slabs(0.6, 12, 0.32, 0.16, width=60.0), top])


def _fall_on_stairs(push: Push, seconds: float) -> Motion:
    """Return the fall of a body that is pushed as it walks up stairs."""
    task = Task(
        Path([[0, 0], [30, 0]]),
        SpeedProfile(0.8),
        ground=_make_stairs(),
        seconds=seconds,
        fps=60,
        pushes=(push,),
    )
    motion = generate(task)
    assert "ground" in motion.contact_limb
    return motion


def test_body_falls_on_stairs_though_its_feet_are_below_the_tread_beside_them() -> None:
    motion = _fall_on_stairs(Push(1.2123, (-694.2, -125.6, 0.0), body_part="head"), 3.0)
    assert np.linalg.norm(np.diff(motion.link_position, axis=0) * 60, axis=2).max() < 20


@pytest.mark.parametrize(
    "push",
    [
        # An arm that nearly balanced sank faster and faster, at 0.6 m/s after 3 s.
        Push(1.7849, (-302.9, 456.2, 0.0), body_part="head"),
        # The trunk slid over the edges of stairs at 0.1 m/s and got no slower.
        Push(1.1136, (98.1, -458.6, 0.0), body_part="head"),
    ],
    ids=["arm", "trunk"],
)
def test_body_on_stairs_comes_to_rest_with_its_arms_down(push: Push) -> None:
    motion = _fall_on_stairs(push, push.end + 3.5)
    speed = np.linalg.norm(np.diff(motion.link_position, axis=0) * motion.fps, axis=2).max(1)
    assert speed[int((push.end + 2.0) * motion.fps) :].max() < 0.05
    # Arms that nearly balanced on the shoulders of a body on its back stayed 0.62 m high.
    forearms = [k for k, name in enumerate(motion.link_names) if name.startswith("forearm")]
    place = motion.link_position[-1, forearms]
    assert (place[:, 2] - _make_stairs().sample_heights(place[:, :2])).max() < 0.4


def test_excess_of_a_joint_is_what_it_turns_beyond_its_range() -> None:
    character = load_builtin("humanoid")
    model = KinematicModel(character)
    simulated = build_simulated_model(character, FlatGround())
    poses = np.tile(model.neutral, (3, 1))
    knee = next(link.joint for link in character.links if link.joint.name.startswith("knee"))
    (column,) = model.joint_coordinates(knee.name)
    low, high = knee.ranges[0]
    poses[:, column] = (high + 0.2, 0.5 * (low + high), low - 0.1)
    assert simulated.measure_range_excess(poses).max(1) == pytest.approx([0.2, 0.0, 0.1])


def test_depth_of_a_body_is_that_of_its_deepest_solid() -> None:
    character = load_builtin("humanoid")
    model = KinematicModel(character)
    poses = np.tile(model.neutral, (3, 1))
    poses[:, 2] = character.root_height + np.array([0.1, -0.02, -0.03])
    level = np.tile(np.eye(3), (3, len(character.legs), 1, 1))
    depth = Ragdoll(character, FlatGround(), 1.0).measure_depth(poses, level)
    assert depth == pytest.approx([0.0, 0.02, 0.03], abs=2e-3)


def test_toes_of_a_raised_heel_stay_on_the_ground() -> None:
    character = load_builtin("humanoid")
    model = KinematicModel(character)
    pose = model.neutral.copy()
    pose[2] = character.root_height + 1.0
    pitch = so3.exp(np.array([0.0, 0.5, 0.0]))  # of the body, whose toes stay level
    pose[3:7] = so3.quat_from_matrix(pitch)
    level = np.tile(np.eye(3), (len(character.legs), 1, 1))
    start = FallingBody(pose, np.zeros(model.nv), level)
    fall = Ragdoll(character, FlatGround(), 1.0).fall(start, 2, fps=60.0)
    assert fall.toe_rotation[0] == pytest.approx(level, abs=1e-6)
