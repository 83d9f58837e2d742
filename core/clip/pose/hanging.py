"""How a body hangs by its hands: trunk, head and legs from a few angles, arms from where the hands are."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...geometry import so3

Array = NDArray[np.float64]

PELVIS_TWIST, PELVIS_LIST = 0.35, -0.25       # shares of the chest's turn and list that the pelvis has
ARCH = np.radians(5)                          # by which the chest leans back against the pelvis
LOOK_UP = np.radians(14)
ANKLE = np.radians(28)                        # toes down
SPREAD = np.radians(6)                        # of the thighs, outward
POLE = np.array([0.6, 0.8, 0.0])              # where elbows point: ahead and outward
STRAIGHTEST = 0.9995                          # of an arm's length that hands are put away at


@dataclass(frozen=True)
class Hang:
    """Angles over n moments, rad.

    Args:
        level: (n, 3, 3) the upright axes of the way ahead, as the plan's frame has them.
        twist: (n,) of the chest, to the left.
        list: (n,) of the chest, left side up.
        thigh: (n, legs) forward from the vertical.
        knee: (n, legs) bent.
    """

    level: Array
    twist: Array
    list: Array
    thigh: Array
    knee: Array

    def poses(self, model: KinematicModel) -> Array:
        """Poses with the root at the origin, in the plan's frame; arms stretched up. (n, nq)."""
        character, n = model.character, len(self.twist)
        pose = np.tile(model.neutral, (n, 1))

        def put(link: int, rotation: Array) -> None:
            pose[:, model.joint_coordinates(character.links[link].joint.name)] = so3.quat_from_matrix(rotation)

        pelvis = so3.about("z", PELVIS_TWIST * self.twist) @ so3.about("x", PELVIS_LIST * self.list)
        pose[:, 3:7] = so3.quat_from_matrix(pelvis)
        chest = pelvis
        if character.trunk:
            chest = so3.about("z", self.twist) @ so3.about("x", self.list) @ so3.about("y", np.full(n, -ARCH))
            share = so3.exp(so3.log(np.swapaxes(pelvis, 1, 2) @ chest) / len(character.trunk))
            for link in character.trunk:
                put(link, share)
        if character.head is not None:
            put(character.head, np.swapaxes(chest, 1, 2) @ self.level @ so3.about("y", -LOOK_UP))
        for k, leg in enumerate(character.legs):
            hip, knee, ankle = leg.links
            thigh = self.level @ so3.about("x", leg.side * SPREAD) @ so3.about("y", -self.thigh[:, k])
            put(hip, np.swapaxes(pelvis, 1, 2) @ thigh)
            pose[:, model.joint_coordinates(character.links[knee].joint.name)] = self.knee[:, k, None]
            pose[:, model.joint_coordinates(character.links[ankle].joint.name)[0]] = ANKLE
        for arm in character.arms:
            put(arm.links[0], np.swapaxes(chest, 1, 2) @ so3.about("y", np.full(n, np.pi)))
        return pose


def arm_length(model: KinematicModel) -> float:
    """From the shoulder to the grip of a straight arm, the mean of the hands that can hold, m."""
    return float(np.mean([sum(_segments(model, k)) for k in range(len(model.character.hands))]))


def _segments(model: KinematicModel, hand: int) -> tuple[float, float]:
    """Lengths of upper arm and forearm up to the grip, m."""
    upper, fore = model.character.holders[hand].links[:2]
    offset = model.character.origin(fore) - model.character.origin(upper)
    return float(np.linalg.norm(offset)), float(np.linalg.norm(model.character.hands[hand].grip))


def arms_to(model: KinematicModel, poses: Array, grips: Array) -> Array:
    """Poses with shoulders and elbows set so that hands are where they are to be, as far as arms reach.

    Args:
        poses: (n, nq) placed in the world.
        grips: (n, h, 3) of the hands that can hold, world axes, m.
    """
    placed, out = model.place(poses), poses.copy()
    character = model.character
    for k, arm in enumerate(character.holders):
        upper, fore = (character.links[link] for link in arm.links[:2])
        chest = placed.rotation[:, upper.parent]
        pole = chest @ (POLE * [1.0, arm.side, 1.0])
        turned, bend = _bent_towards(grips[:, k] - placed.origin[:, arm.links[0]], pole, *_segments(model, k))
        out[:, model.joint_coordinates(upper.joint.name)] = so3.quat_from_matrix(np.swapaxes(chest, 1, 2) @ turned)
        out[:, model.joint_coordinates(fore.joint.name)] = -bend[:, None]
    return out


def _bent_towards(away: Array, pole: Array, upper: float, fore: float) -> tuple[Array, Array]:
    """Rotation of an upper arm (n, 3, 3) and bend of the elbow (n,) for a hand away from its shoulder (n, 3)."""
    longest = STRAIGHTEST * (upper + fore)
    length = np.linalg.norm(away, axis=1)
    along = away / np.maximum(length, 1e-9)[:, None]
    length = np.clip(length, 1.02 * abs(upper - fore) + 1e-3, longest)
    bend = np.arccos(np.clip((length**2 - upper**2 - fore**2) / (2 * upper * fore), -1, 1))
    lift = np.arccos(np.clip((upper**2 + length**2 - fore**2) / (2 * upper * length), -1, 1))[:, None]
    aside = pole - (pole * along).sum(1, keepdims=True) * along
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    down = np.cos(lift) * along + np.sin(lift) * aside                       # the way of the upper arm
    ahead = np.sin(lift) * along - np.cos(lift) * aside                      # where the forearm bends to
    return np.stack([ahead, np.cross(-down, ahead), -down], -1), bend
