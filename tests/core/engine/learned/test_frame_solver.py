"""Poses whose contacts are made exact frame by frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.engine.learned.frame_solver import FrameSolver
from footfall.core.engine.learned.gaits import PREDICTED_WALK_WEIGHTS
from footfall.core.fullbody.foot_path import FootPath, FootSupport
from footfall.core.fullbody.targets import BodyTargets
from numpy.typing import NDArray

Array = NDArray[np.float64]

MODEL = KinematicModel(load_character("humanoid"))
SOLVER = FrameSolver.from_model(MODEL, PREDICTED_WALK_WEIGHTS)
COUNT = 40


def _stand(lowered: float = 0.05, support: FootSupport = FootSupport.FLAT) -> BodyTargets:
    """Return targets of a body that stands, its center of mass lower than in its pose [m]."""
    poses = np.tile(MODEL.neutral, (COUNT, 1))
    for side in "LR":
        poses[:, MODEL.joint_coordinates(f"knee.{side}")] = 0.4
    placed = MODEL.compute_link_poses(poses)
    feet = []
    for foot in MODEL.character.feet:
        origin = placed.origin[:, foot.link]
        rotation = placed.rotation[:, foot.link]
        feet.append(
            replace(
                FootPath.empty(COUNT, support),
                origin=origin,
                rotation=rotation,
                rest_rotation=rotation,
                heel=origin + rotation @ foot.heel,
                pivot=origin + rotation @ foot.pivot,
            )
        )
    com = placed.com - [0.0, 0.0, lowered]
    return BodyTargets(
        np.arange(COUNT) / 60, com, np.zeros_like(com), reference=poses, feet=tuple(feet)
    )


def _measure_heels(poses: Array, targets: BodyTargets) -> float:
    """Return the largest distance of a heel from its place [m]."""
    placed = MODEL.compute_link_poses(poses)
    return max(
        float(
            np.linalg.norm(
                placed.origin[:, foot.link] + placed.rotation[:, foot.link] @ foot.heel - path.heel,
                axis=1,
            ).max()
        )
        for foot, path in zip(MODEL.character.feet, targets.feet, strict=True)
    )


def test_feet_and_center_of_mass_are_in_their_places() -> None:
    targets = _stand()
    poses = SOLVER.solve(targets)
    assert _measure_heels(poses, targets) < 2e-5
    assert MODEL.compute_link_poses(poses).com == pytest.approx(targets.com, abs=1e-4)
    elbow = MODEL.joint_coordinates("elbow.L")
    assert np.array_equal(poses[:, elbow], targets.reference[:, elbow])


def test_the_center_of_mass_yields_where_legs_do_not_reach() -> None:
    targets = _stand(lowered=-0.15)
    poses = SOLVER.solve(targets)
    assert _measure_heels(poses, targets) < 1e-3
    assert np.abs(MODEL.compute_link_poses(poses).com[:, 2] - targets.com[:, 2]).min() > 0.05
    knees = [int(MODEL.joint_coordinates(f"knee.{side}")[0]) for side in "LR"]
    assert poses[:, knees].min() > np.radians(-1)


def test_joints_beyond_their_range_return_smoothly() -> None:
    targets = _stand(support=FootSupport.FREE)
    knee = MODEL.joint_coordinates("knee.L")[0]
    bend = np.radians(90 + 80 * np.sin(np.linspace(0, np.pi, COUNT)))
    targets.reference[:, knee] = bend
    solved = SOLVER.solve(targets)[:, knee]
    assert np.degrees(bend.max()) > 165
    assert np.degrees(solved.max()) < 157
    assert np.abs(np.diff(solved, 2)).max() < 2.5 * np.abs(np.diff(bend, 2)).max()


def test_poses_continue_those_of_the_past() -> None:
    targets = _stand(support=FootSupport.FREE)
    elbow = int(MODEL.joint_coordinates("elbow.L")[0])
    past = targets.reference[:3].copy()
    past[:, elbow] += [0.28, 0.29, 0.3]
    poses = SOLVER.solve(targets, past)
    assert len(poses) == COUNT - len(past)
    offset = poses[:, elbow] - targets.reference[len(past) :, elbow]
    assert offset[0] == pytest.approx(0.31, abs=0.01)
    assert offset[-1] == pytest.approx(0.0, abs=1e-9)
    assert np.abs(np.diff(offset, 2)).max() < 0.015
