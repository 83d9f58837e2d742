"""Poses acted out over time: a body that goes from one key pose to the next, each at its moment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline, PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from ...character.kinematic_model import KinematicModel
from ..style.style import Style
from .key_pose import find_key_pose
from .pose import compute_style_poses

Array = NDArray[np.float64]

SAMPLE_INTERVAL = 0.01  # s between samples
CORNER_SMOOTHING_TIME = 0.025  # s over which the corners at the keys are rounded
MIN_KEY_SPACING = 0.04  # s between keys at least


@dataclass(frozen=True)
class KeyPoses:
    """The key poses of a body, each as a change from how it stands. (nv,) by name."""

    model: KinematicModel
    standing_pose: Array  # (nq,)
    offsets: dict[str, Array]

    @staticmethod
    def from_style(model: KinematicModel, style: Style, names: tuple[str, ...]) -> KeyPoses:
        """A body that stands as a style has it, and named key poses."""
        legs = len(model.character.legs)
        standing = compute_style_poses(
            model, style.curves_at(np.zeros(1)), np.zeros(1), np.zeros((1, legs))
        )[0]
        return KeyPoses(
            model,
            standing,
            {
                name: model.difference(standing, find_key_pose(name).build_pose(model, 0))
                for name in names
            },
        )

    def mix(self, *shares: tuple[str, float]) -> Array:
        """A mix of key poses by their shares; what is missing to 1 is standing. (nv,)."""
        return np.sum([share * self.offsets[name] for name, share in shares], axis=0) + np.zeros(
            self.model.nv
        )

    def compute_com_height(self, offset: Array) -> float:
        """Of the centre of mass over the lowest point of the soles, toes flat on the ground, m."""
        placed = self.model.compute_link_poses(
            self.model.integrate(self.standing_pose[None], offset[None])
        )
        sole_heights = []
        for foot in self.model.character.feet:
            origin = placed.origin[0, foot.link]
            rotation = placed.rotation[0, foot.link]
            heel, pivot = ((origin + rotation @ p)[2] for p in (foot.heel, foot.pivot))
            sole_heights.append(min(heel, pivot - (foot.pivot - foot.ball)[2]))
        return float(placed.com[0, 2] - np.mean(sole_heights))

    @property
    def leg_dofs(self) -> Array:
        """Which degrees of freedom are the legs'. (nv,) of 0 and 1."""
        mask = np.zeros(self.model.nv)
        character = self.model.character
        for leg in character.legs:
            for link in leg.links:
                mask[self.model.joint_dofs(character.links[link].joint.name)] = 1.0
        return mask

    def measure_sole_offset(self) -> float:
        """How far the middle of the soles is in front of the centre of mass
        of the standing body, m.
        """
        placed = self.model.compute_link_poses(self.standing_pose[None])
        return float(
            np.mean(
                [
                    (
                        placed.origin[0, f.link]
                        + placed.rotation[0, f.link] @ f.sole_center
                        - placed.com[0]
                    )[0]
                    for f in self.model.character.feet
                ]
            )
        )


PoseKeys = tuple[tuple[float, Array], ...]


@dataclass(frozen=True)
class PoseSequence:
    """Key poses in order of time, gone through without stopping where the way leads on.

    Args:
        keys: moments, s, and changes from how the body stands, (nv,);
            of the legs, and of all the rest.
        end_time: up to which poses can be asked for, s.
    """

    key_poses: KeyPoses
    keys: tuple[PoseKeys, PoseKeys]
    end_time: float

    def sample(self, times: Array) -> Array:
        """Poses with the root at the origin and the heading along x. (n,) -> (n, nq)."""
        return self.key_poses.model.integrate(
            np.tile(self.key_poses.standing_pose, (len(times), 1)),
            self._curve(np.clip(times, 0.0, self.end_time)),
        )

    @cached_property
    def _curve(self) -> CubicSpline:
        time = np.arange(0.0, self.end_time + SAMPLE_INTERVAL, SAMPLE_INTERVAL)
        leg_dofs = self.key_poses.leg_dofs
        offsets = leg_dofs * _interpolate_keys(self.keys[0], time) + (
            1 - leg_dofs
        ) * _interpolate_keys(self.keys[1], time)
        return CubicSpline(
            time,
            gaussian_filter1d(
                offsets, CORNER_SMOOTHING_TIME / SAMPLE_INTERVAL, axis=0, mode="nearest"
            ),
        )


def _interpolate_keys(keys: PoseKeys, time: Array) -> Array:
    """Changes over time, through keys in order. (n,) -> (n, nv)."""
    spaced_keys: list[tuple[float, Array]] = []
    for key in sorted(keys, key=lambda key: key[0]):
        if not spaced_keys or key[0] - spaced_keys[-1][0] > MIN_KEY_SPACING:
            spaced_keys.append(key)
    key_times = np.array([t for t, _ in spaced_keys])
    return np.asarray(
        PchipInterpolator(key_times, np.stack([c for _, c in spaced_keys]))(
            np.clip(time, key_times[0], key_times[-1])
        )
    )
