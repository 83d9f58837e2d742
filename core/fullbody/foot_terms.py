"""Terms and contacts of one foot in the full body's cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..character.kinematic_model import CentroidalDynamics
from ..geometry import so3
from .foot_path import FootPath, FootSupport
from .stride_path import get_tracked_point
from .weights import BodyWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootTerms:
    """What a foot's path asks for at n frames, prepared once for all expansions."""

    leg: int
    origin: Array  # (n, 3) wished for
    # (n, 3, 3) inverse of the rotation wished for; of a flat foot, of the one where it rests
    inverse_rotation: Array
    place_weight: Array  # (n, 3) roots of weights
    turn_weight: Array  # (n, 1) root of the weight
    rest_point: Array  # (n, 3) of the foot that rests, in its frame
    anchor: Array  # (n, 3) where it rests
    row_count: NDArray[np.int64]  # (n,) contact rows in use

    tracked_point: Array  # (3,) in its frame, that the origin wished for is a place of
    # (n, 3, 3) to the left, up and forward where the foot rests, of one that may tilt sideways
    tilt_axes: Array | None

    @staticmethod
    def from_path(
        leg: int, foot: Foot, path: FootPath, w: BodyWeights, can_tilt: bool = False
    ) -> FootTerms:
        """Prepare the terms of one path.

        Args:
            can_tilt: the ankle has no joint to keep the sole level sideways,
                which then rests on its middle line.
        """
        support = path.support
        target_rotation = np.where(
            (support == FootSupport.FLAT)[:, None, None], path.rest_rotation, path.rotation
        )
        swing = support == FootSupport.SWING
        is_on_heel = (support == FootSupport.HEEL)[:, None]
        middle = np.array([w.swing_along_middle, w.swing_along_middle, w.swing_height_middle])
        swing_weight = middle * (w.swing_place / middle) ** path.firmness[:, None]  # (n, 3)
        heel_share = np.clip(_measure_heel_pitch(path) / w.ball_low, 0, 1)
        ball_weight = w.ball_turn_low * (w.ball_turn / w.ball_turn_low) ** heel_share
        rotation_weight = np.choose(support, [w.swing_turn, w.heel_turn, 0.0, ball_weight, 0.0]) * (
            not foot.is_point
        )
        return FootTerms(
            leg,
            path.origin,
            np.swapaxes(target_rotation, 1, 2),
            place_weight=np.sqrt(np.where(swing[:, None], swing_weight, 0.0)),
            turn_weight=np.sqrt(rotation_weight)[:, None],
            rest_point=np.where(
                is_on_heel, foot.heel, foot.sphere_center if foot.is_point else foot.pivot
            ),
            anchor=np.where(is_on_heel, path.heel, path.pivot),
            row_count=np.choose(support, [0, 3, 5 if can_tilt else 6, 3, 0]),
            tracked_point=get_tracked_point(foot),
            tilt_axes=np.swapaxes(path.rest_rotation[..., [1, 2, 0]], 1, 2) if can_tilt else None,
        )

    def expand(self, c: CentroidalDynamics, rows: Array, residual: Array) -> tuple[Array, Array]:
        """Write soft rows (n, 6, nv) and residuals (n, 6); contact rows (n, 6, nv) and errors
        (n, 6), linear ones first.
        """
        origin = c.foot_origin[:, self.leg]
        rotation = c.foot_rotation[:, self.leg]
        jacobian = c.foot_jacobian[:, self.leg]
        rotation_error = so3.log(rotation @ self.inverse_rotation)  # world axes
        tracked_origin = origin
        tracked_jacobian = jacobian[:, :3]
        if self.tracked_point.any():
            tracked_offset = (rotation @ self.tracked_point[:, None])[..., 0]  # (n, 3)
            tracked_origin = origin + tracked_offset
            tracked_jacobian = tracked_jacobian - so3.hat(tracked_offset) @ jacobian[:, 3:]
        rows[:, :3], rows[:, 3:] = (
            tracked_jacobian * self.place_weight[..., None],
            jacobian[:, 3:] * self.turn_weight[..., None],
        )
        residual[:, :3], residual[:, 3:] = (
            (tracked_origin - self.origin) * self.place_weight,
            rotation_error * self.turn_weight,
        )
        rest_offset = (rotation @ self.rest_point[..., None])[..., 0]  # (n, 3)
        contact_rows = jacobian.copy()
        contact_rows[:, :3] -= so3.hat(rest_offset) @ jacobian[:, 3:]
        if self.tilt_axes is not None:
            contact_rows[:, 3:] = self.tilt_axes @ contact_rows[:, 3:]
            rotation_error = (self.tilt_axes @ rotation_error[..., None])[..., 0]
        return contact_rows, np.concatenate([origin + rest_offset - self.anchor, rotation_error], 1)


def _measure_heel_pitch(path: FootPath) -> Array:
    """Return by how much a heel is up against the foot's rest. (n,) rad."""
    ahead = path.rest_rotation[..., 0]
    up = path.rest_rotation[..., 2]
    forward = path.rotation[..., 0]
    return np.asarray(-so3.atan2((forward * up).sum(-1), (forward * ahead).sum(-1)))
