"""Sequences of poses: a body that passes through key poses at given times."""

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

# Time between two samples [s], a fraction of the time over which corners are rounded
SAMPLE_INTERVAL = 0.01
# Standard deviation of the filter that rounds corners at keys [s]: over a frame and a half at 60 a
# second, so that a joint's speed does not jump
CORNER_SMOOTHING_TIME = 0.025
# Shortest time between two keys [s], below which the filter would merge them
MIN_KEY_SPACING = 0.04


@dataclass(frozen=True)
class KeyPoses:
    """Key poses of a body, relative to its standing pose.

    Args:
        model: kinematic model of the body.
        standing_pose: (nq,) standing pose.
        offsets: (nv,) change from the standing pose to each key pose, by name.
    """

    model: KinematicModel
    standing_pose: Array
    offsets: dict[str, Array]

    @staticmethod
    def from_style(model: KinematicModel, style: Style, names: tuple[str, ...]) -> KeyPoses:
        """Return built-in key poses of a body whose standing pose is that of a style."""
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
        """Return the change from the standing pose to a mix of key poses, (nv,).

        The rest of the shares to 1 is the standing pose.
        """
        return np.sum([share * self.offsets[name] for name, share in shares], axis=0) + np.zeros(
            self.model.nv
        )

    def compute_com_height(self, offset: Array) -> float:
        """Return the height of the center of mass over the ground with the toes flat [m].

        Args:
            offset: (nv,) change from the standing pose.
        """
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
        """(nv,) mask of the degrees of freedom of the legs, 0 or 1."""
        mask = np.zeros(self.model.nv)
        character = self.model.character
        for leg in character.legs:
            for link in leg.links:
                mask[self.model.joint_dofs(character.links[link].joint.name)] = 1.0
        return mask

    def measure_sole_offset(self) -> float:
        """Return the distance of the soles in front of the center of mass in standing [m]."""
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
"""Times [s] with changes from the standing pose, (nv,)."""


@dataclass(frozen=True)
class PoseSequence:
    """A motion through key poses, which stops at a key only where its direction reverses.

    Args:
        key_poses: key poses of the body.
        keys: keys of the legs and keys of the other joints.
        end_time: end of the motion [s].
    """

    key_poses: KeyPoses
    keys: tuple[PoseKeys, PoseKeys]
    end_time: float

    def sample(self, times: Array) -> Array:
        """Return poses with the root at the origin and the heading along x, (n,) -> (n, nq)."""
        return self.key_poses.model.integrate(
            np.tile(self.key_poses.standing_pose, (len(times), 1)),
            self._curve(np.clip(times, 0.0, self.end_time)),
        )

    @cached_property
    def _curve(self) -> CubicSpline:
        """Change from the standing pose over time."""
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
    """Return changes from the standing pose at n times by monotone interpolation, (n, nv)."""
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
