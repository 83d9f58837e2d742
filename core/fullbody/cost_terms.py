"""Terms of joints, feet and hands in the cost of the full body, and contacts of the limbs.

The second derivative of the terms of joints has a small block for each joint.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..character.kinematic_model import CentroidalDynamics, KinematicModel
from ..character.momentum import PlacementDynamics
from ..geometry import so3
from .foot_path import FootPath, FootSupport
from .hand_path import HandPath
from .stride_path import get_tracked_point
from .weights import BodyWeights

Array = NDArray[np.float64]


@dataclass
class JointTerms:
    """Expansion of cost terms that weight differences of poses, for n frames.

    Hinges and translations have entries of `diagonal`. Ball joints and the rotation of the root
    have entries of `blocks`.
    """

    model: KinematicModel
    blocks: Array  # Half the second derivatives of the j ball joints and the root, (n, j, 3, 3)
    diagonal: Array  # Half the second derivatives of the other degrees of freedom, (n, nv)
    gradient: Array  # Half the gradient, (n, nv)
    cost: float = 0.0

    @staticmethod
    def empty(model: KinematicModel, n: int) -> JointTerms:
        """Return the expansion of no terms, for n frames."""
        return JointTerms(
            model,
            np.zeros((n, len(model.rotation_dofs), 3, 3)),
            np.zeros((n, model.nv)),
            np.zeros((n, model.nv)),
        )

    def add(
        self, frames: slice, weights: Array, difference: Array, blocks: Array, sign: float = 1.0
    ) -> None:
        """Add weighted squares of differences at k frames.

        Args:
            frames: the k frames.
            weights: weight of each degree of freedom, shape (nv,) or (k, nv).
            difference: differences, shape (k, nv).
            blocks: derivatives of the differences of ball joints with respect to the pose of the
                frame, shape (k, j, 3, 3).
            sign: derivative of all other differences, 1 or -1.
        """
        turning = self.model.rotation_dofs
        weighted = weights * difference
        self.gradient[frames] += sign * weighted
        turned_gradient = (weighted[:, turning][:, :, None] @ blocks)[:, :, 0]  # (k, j, 3)
        self.gradient[frames, turning] += turned_gradient - sign * weighted[:, turning]
        self.diagonal[frames] += weights
        self.blocks[frames] += self.compute_blocks(weights, blocks, blocks)

    def compute_blocks(self, weights: Array, left: Array, right: Array) -> Array:
        """Return left' W right of each ball joint, shape (k, j, 3, 3).

        Args:
            weights: weight of each degree of freedom, shape (nv,) or (k, nv).
            left, right: shape (k, j, 3, 3).
        """
        return np.swapaxes(left, -1, -2) @ (
            weights[..., self.model.rotation_dofs][..., None] * right
        )

    def add_limits(self, limits: HingeLimits, poses: Array) -> None:
        """Add the cost of hinges beyond their limits in poses (n, nq)."""
        # Angles beyond the limits [rad], (n, m)
        excess = np.maximum(limits.sign * (poses[:, limits.coordinate] - limits.bound), 0.0)
        # A knee has several limits, which are summed by degree of freedom.
        self.diagonal += (limits.weight * (excess > 0)) @ limits.dof
        self.gradient += (limits.sign * limits.weight * excess) @ limits.dof
        self.cost += float((limits.weight * excess**2).sum())


@dataclass(frozen=True)
class HingeLimits:
    """Limits of hinges, beyond which angles have a cost. m limits."""

    coordinate: NDArray[np.int64]  # Index of the hinge in a pose, (m,)
    dof: Array  # One-hot rows of the hinge's degree of freedom, (m, nv)
    bound: Array  # Angle of the limit [rad], (m,)
    sign: Array  # 1 for an upper limit, -1 for a lower one, (m,)
    weight: Array  # Weight of the squared angle beyond the limit, (m,)

    def select(self, is_kept: NDArray[np.bool_]) -> HingeLimits:
        """Return some of the limits."""
        return HingeLimits(*(getattr(self, field.name)[is_kept] for field in fields(self)))


@dataclass(frozen=True)
class ContactRows:
    """Contact of one limb at n frames: rows @ x + error = 0 for a change x of the pose."""

    rows: Array  # Jacobian of the error, (n, r, nv)
    error: Array  # Distance from the place of rest, [m] or [rad], (n, r)


def find_used_rows(
    contacts: list[ContactRows], counts: list[NDArray[np.int64]]
) -> NDArray[np.bool_]:
    """Return which contact rows of all limbs are in use, shape (n, r).

    Args:
        contacts: contacts of each limb.
        counts: number of rows in use of each limb, shape (n,).
    """
    return np.concatenate(
        [
            np.arange(contact.rows.shape[1]) < count[:, None]
            for contact, count in zip(contacts, counts, strict=True)
        ],
        1,
    )


def pack_contacts(contacts: list[ContactRows], is_used: NDArray[np.bool_]) -> ContactRows:
    """Return the contact rows of all limbs, with those in use (n, r) first."""
    order = np.argsort(~is_used, axis=1, kind="stable")
    all_rows = np.concatenate([contact.rows for contact in contacts], 1)
    all_errors = np.concatenate([contact.error for contact in contacts], 1)
    return ContactRows(
        np.take_along_axis(all_rows, order[..., None], 1),
        np.take_along_axis(all_errors, order, 1),
    )


@dataclass(frozen=True)
class FootTerms:
    """Targets of a foot's path at n frames, computed once for all expansions."""

    leg: int  # Index of the leg
    origin: Array  # Target position of the tracked point [m], (n, 3)
    # Inverse of the target rotation, (n, 3, 3). For a flat foot the target is the rotation at rest.
    inverse_rotation: Array
    place_weight: Array  # Square roots of the weights of the position, (n, 3)
    turn_weight: Array  # Square root of the weight of the rotation, (n, 1)
    rest_point: Array  # Point of the foot that rests [m], in the frame of the foot, (n, 3)
    anchor: Array  # Position where that point rests [m], (n, 3)
    row_count: NDArray[np.int64]  # Number of contact rows in use, (n,)

    tracked_point: Array  # Point that the path places [m], in the frame of the foot, (3,)
    # Axes to the left, up and forward at rest, as rows, (n, 3, 3). None if the foot cannot tilt.
    tilt_axes: Array | None

    @staticmethod
    def from_path(
        leg: int, foot: Foot, path: FootPath, w: BodyWeights, can_tilt: bool = False
    ) -> FootTerms:
        """Return the terms of one path.

        Args:
            leg: index of the leg.
            foot: shape of the foot.
            path: path of the foot.
            w: weights.
            can_tilt: whether the ankle has no joint that keeps the sole level sideways. The sole
                then rests on its middle line.
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

    def select(self, frames: NDArray[np.int64]) -> FootTerms:
        """Return the terms of some of the frames."""
        return replace(
            self,
            origin=self.origin[frames],
            inverse_rotation=self.inverse_rotation[frames],
            place_weight=self.place_weight[frames],
            turn_weight=self.turn_weight[frames],
            rest_point=self.rest_point[frames],
            anchor=self.anchor[frames],
            row_count=self.row_count[frames],
            tilt_axes=None if self.tilt_axes is None else self.tilt_axes[frames],
        )

    def expand(self, c: PlacementDynamics, rows: Array, residual: Array) -> ContactRows:
        """Write the weighted terms and return the contact, r = 6 rows, position first.

        Args:
            c: dynamics of the n poses.
            rows: Jacobian of the weighted terms, shape (n, 6, nv). Written.
            residual: residuals of the weighted terms, shape (n, 6). Written.
        """
        origin = c.foot_origin[:, self.leg]
        rotation = c.foot_rotation[:, self.leg]
        jacobian = c.foot_jacobian[:, self.leg]
        rotation_error = so3.log(rotation @ self.inverse_rotation)  # In world axes
        tracked_origin = origin
        tracked_jacobian = jacobian[:, :3]
        if self.tracked_point.any():
            tracked_offset = (rotation @ self.tracked_point[:, None])[..., 0]  # (n, 3)
            tracked_origin = origin + tracked_offset
            tracked_jacobian = tracked_jacobian - so3.hat(tracked_offset) @ jacobian[:, 3:]
        rows[:, :3] = tracked_jacobian * self.place_weight[..., None]
        rows[:, 3:] = jacobian[:, 3:] * self.turn_weight[..., None]
        residual[:, :3] = (tracked_origin - self.origin) * self.place_weight
        residual[:, 3:] = rotation_error * self.turn_weight
        rest_offset = (rotation @ self.rest_point[..., None])[..., 0]  # (n, 3)
        contact_rows = jacobian.copy()
        contact_rows[:, :3] -= so3.hat(rest_offset) @ jacobian[:, 3:]
        if self.tilt_axes is not None:
            contact_rows[:, 3:] = self.tilt_axes @ contact_rows[:, 3:]
            rotation_error = (self.tilt_axes @ rotation_error[..., None])[..., 0]
        return ContactRows(
            contact_rows, np.concatenate([origin + rest_offset - self.anchor, rotation_error], 1)
        )


def _measure_heel_pitch(path: FootPath) -> Array:
    """Return the pitch of the foot with its heel up, relative to its rest [rad], shape (n,)."""
    ahead = path.rest_rotation[..., 0]
    up = path.rest_rotation[..., 2]
    forward = path.rotation[..., 0]
    return np.asarray(-so3.atan2((forward * up).sum(-1), (forward * ahead).sum(-1)))


@dataclass(frozen=True)
class HandTerms:
    """Targets of a hand's path at n frames, computed once for all expansions."""

    hand: int  # Index of the hand among those that can hold
    place: Array  # Target position of the grip [m], (n, 3)
    weight: Array  # Square root of the weight of a free hand's position, (n, 1)
    row_count: NDArray[np.int64]  # Number of contact rows in use, (n,)

    @staticmethod
    def from_path(hand: int, path: HandPath, w: BodyWeights) -> HandTerms:
        """Return the terms of one path."""
        free_weight = w.hand_middle * (w.swing_place / w.hand_middle) ** path.firmness
        return HandTerms(
            hand,
            path.place,
            np.sqrt(np.where(path.is_holding, 0.0, free_weight))[:, None],
            3 * path.is_holding,
        )

    def expand(self, c: CentroidalDynamics, rows: Array, residual: Array) -> ContactRows:
        """Write the weighted terms and return the contact, r = 3 rows.

        Args:
            c: dynamics of the n poses.
            rows: Jacobian of the weighted terms, shape (n, 3, nv). Written.
            residual: residuals of the weighted terms, shape (n, 3). Written.
        """
        jacobian = c.hand_jacobian[:, self.hand]
        place_error = c.hand_grip[:, self.hand] - self.place
        rows[:] = jacobian * self.weight[..., None]
        residual[:] = place_error * self.weight
        return ContactRows(jacobian, place_error)
