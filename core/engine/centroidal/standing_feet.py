"""Poses whose feet stand on the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...character.kinematic_model import KinematicModel, LinkPoses
from ...fullbody.foot_path import FootPath, FootSupport
from ...fullbody.initial_pose import compute_initial_poses
from ...fullbody.targets import BodyTargets
from ...sketch.placement.sole import GroundedFootPose

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StandingFeetParameters:
    """How exactly feet stand on the ground."""

    # Distance of heel or ball from its place up to which a pose is kept as it is [m]
    tolerance: float = 0.002
    # Angle to which straight knees are bent first, since a straight leg could bend to either side
    # [rad]
    first_knee_bend: float = 0.05
    # Number of times that the body is lowered where a leg is too short. tuned: with none, feet of a
    # pose in the air end 3 cm from the ground; test_ends.test_feet_of_a_pose_are_set_on_the_ground
    lowering_rounds: int = 4


STANDING_FEET = StandingFeetParameters()


@dataclass(frozen=True)
class StandingBody:
    """A pose whose feet stand on the ground.

    Args:
        pose: shape (nq,).
        correction: largest height by which a heel or ball was moved [m]; 0 if the pose is kept.
    """

    pose: Array
    correction: float


def stand_on_feet(
    model: KinematicModel, pose: Array, places: tuple[GroundedFootPose, ...]
) -> StandingBody:
    """Return a pose with its soles at given places.

    A pose whose soles are there is kept. Otherwise its legs bend, and the body is lowered as far as
    they are too short. The center of mass stays above its place.

    Args:
        pose: shape (nq,).
        places: of each foot.
    """
    gaps = _measure_gaps(model, pose, places)
    if np.linalg.norm(gaps, axis=1).max() <= STANDING_FEET.tolerance:
        return StandingBody(pose, 0.0)
    paths = tuple(
        _make_path(place, foot) for place, foot in zip(places, model.character.feet, strict=True)
    )
    com = model.compute_link_poses(pose[None]).com
    bent = _bend_straight_knees(model, pose)
    for _ in range(STANDING_FEET.lowering_rounds):
        bent = compute_initial_poses(
            model,
            BodyTargets(np.zeros(1), com, np.zeros((1, 3)), reference=bent[None], feet=paths),
        )[0]
        remaining = float(np.linalg.norm(_measure_gaps(model, bent, places), axis=1).max())
        if remaining <= STANDING_FEET.tolerance:
            break
        com = com - [0.0, 0.0, remaining]
    return StandingBody(bent, float(np.abs(gaps[:, 2]).max()))


def _measure_gaps(
    model: KinematicModel, pose: Array, places: tuple[GroundedFootPose, ...]
) -> Array:
    """Return the vectors from heels and balls to their places (n, 3) [m]."""
    placed = model.compute_link_poses(pose[None])
    return np.concatenate(
        [
            _locate_rest(place, foot) - _locate_ends(placed, foot)
            for place, foot in zip(places, model.character.feet, strict=True)
        ]
    )


def _locate_ends(placed: LinkPoses, foot: Foot) -> Array:
    """Return heel and ball of a foot in the first frame (2, 3) [m]."""
    ends = np.stack([foot.heel, foot.ball])
    return np.asarray(placed.origin[0, foot.link] + ends @ placed.rotation[0, foot.link].T)


def _locate_rest(place: GroundedFootPose, foot: Foot) -> Array:
    """Return heel and ball of a foot at its place (2, 3) [m]."""
    ends = np.stack([foot.heel, foot.ball]) - foot.sole_center
    return np.asarray(place.position + ends @ place.rotation.T)


def _make_path(place: GroundedFootPose, foot: Foot) -> FootPath:
    """Return the path of a single frame of a foot at its place."""
    path = FootPath.empty(1, FootSupport.FLAT)
    path.rotation[0] = path.rest_rotation[0] = place.rotation
    path.origin[0] = place.position - place.rotation @ foot.sole_center
    return path


def _bend_straight_knees(model: KinematicModel, pose: Array) -> Array:
    """Return a pose (nq,) whose straight knees are bent a little, to the longer side."""
    pose = pose.copy()
    for leg in model.character.legs:
        if leg.lower_link is None:
            continue
        joint = model.character.links[leg.lower_link].joint
        low, high = joint.ranges[0]
        knee = model.joint_coordinates(joint.name)[0]
        if abs(pose[knee]) < STANDING_FEET.first_knee_bend:
            pose[knee] = STANDING_FEET.first_knee_bend * (1.0 if high > -low else -1.0)
    return pose
