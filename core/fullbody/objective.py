"""Cost of the full body over a window of frames, in its Gauss-Newton expansion, and its contacts.

Source: Kwon et al. 2020, equation 23 and appendix E, with stance contacts as equality constraints
instead of weights. Terms of single frames give the diagonal blocks. Terms in velocities couple each
frame with the next one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.character import Character
from ..character.kinematic_model import CentroidalDynamics, KinematicModel
from ..character.link import Joint
from .cost_terms import (
    ContactRows,
    FootTerms,
    HandTerms,
    HingeLimits,
    JointTerms,
    find_used_rows,
    pack_contacts,
)
from .targets import BodyTargets
from .weights import BodyWeights, compute_posture_weights, find_leg_dofs

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CostExpansion:
    """Expansion of the cost about n poses, with the contacts rows @ x = -error of each frame.

    There are up to 6 contact rows for each leg and 3 for each hand. The rows in use come first.
    """

    diagonal: Array  # Half the second derivative of each frame, (n, nv, nv)
    # Half the mixed derivative of frames k + 1 (rows) and k (columns), (n - 1, nv, nv)
    coupling: Array
    gradient: Array  # Half the gradient, (n, nv)
    rows: Array  # Jacobian of the contacts, (n, r, nv)
    error: Array  # Errors of the contacts [m] or [rad], (n, r)
    count: NDArray[np.int64]  # Number of contact rows in use, (n,)
    cost: float

    @property
    def contact_errors(self) -> Array:
        """Largest error of a contact in each frame [m] or [rad], (n,)."""
        is_used = np.arange(self.error.shape[1]) < self.count[:, None]
        return np.asarray(np.abs(self.error * is_used).max(axis=1, initial=0.0))

    @property
    def max_contact_error(self) -> float:
        """Largest error of a contact [m] or [rad]."""
        return float(self.contact_errors.max(initial=0.0))


@dataclass(frozen=True)
class PreviousFrame:
    """Frame before the first one, which is already solved."""

    pose: Array  # (nq,)
    reference: Array  # Pose of the style, (nq,)
    momentum: Array  # Target of the angular momentum [kg m^2/s], (3,)


@dataclass(frozen=True)
class _PreviousPose:
    """Pose of the frame before the first one, with its dynamics."""

    pose: Array  # (1, nq)
    inverse_inertia: Array  # Inverse of the inertia [1/(kg m^2)], (1, 3, 3)
    spin_map: Array  # Map from velocities to the angular velocity of the body, (1, 3, nv)

    @staticmethod
    def from_pose(model: KinematicModel, pose: Array) -> _PreviousPose:
        """Return the dynamics of a pose (1, nq)."""
        centroidal = model.compute_centroidal_dynamics(pose)
        inverse = np.linalg.inv(centroidal.inertia)
        return _PreviousPose(pose, inverse, inverse @ centroidal.angular_map)


@dataclass(frozen=True)
class _BodySpin:
    """Inertia and angular velocity of the body as a whole, for n poses."""

    inverse_inertia: Array  # Inverse of the inertia [1/(kg m^2)], (n, 3, 3)
    spin_map: Array  # Map from velocities to the angular velocity of the body, (n, 3, nv)


@dataclass(frozen=True)
class _WeightedRows:
    """Rows of weighted least-squares terms, to be written."""

    jacobian: Array  # (n, r, nv)
    residual: Array  # (n, r)

    def select(self, begin: int, end: int) -> _WeightedRows:
        """Return a view of the rows from `begin` up to, but not including, `end`."""
        return _WeightedRows(self.jacobian[:, begin:end], self.residual[:, begin:end])


class BodyObjective:
    """Cost of poses with respect to targets.

    Args:
        model: body.
        targets: targets of n frames.
        weights: weights of the terms.
        previous: frame before the first one, or None at the start of a clip.
    """

    def __init__(
        self,
        model: KinematicModel,
        targets: BodyTargets,
        weights: BodyWeights,
        previous: PreviousFrame | None = None,
    ) -> None:
        self.model = model
        self.targets = targets
        self.weights = weights
        self.posture = compute_posture_weights(model, weights)
        self._is_leg_dof = find_leg_dofs(model)
        self.previous = (
            None if previous is None else _PreviousPose.from_pose(model, previous.pose[None])
        )
        self.dt = float(targets.time[1] - targets.time[0])
        reference = (
            targets.reference
            if previous is None
            else np.concatenate([previous.reference[None], targets.reference])
        )
        self._reference_step = model.difference(reference[:-1], reference[1:])  # (n - 1 or n, nv)
        momentum = (
            targets.momentum
            if previous is None
            else np.concatenate([previous.momentum[None], targets.momentum])
        )
        self._momentum = 0.5 * (momentum[1:] + momentum[:-1])
        self._limits = build_hinge_limits(model, weights, bool(targets.hands))
        self._feet = [
            FootTerms.from_path(
                leg,
                model.character.feet[leg],
                path,
                w=weights,
                can_tilt=can_tilt(model.character, leg),
            )
            for leg, path in enumerate(targets.feet)
        ]
        self._hands = [
            HandTerms.from_path(k, path, weights) for k, path in enumerate(targets.hands)
        ]

    def expand(self, poses: Array) -> CostExpansion:
        """Return the expansion of the cost about poses (n, nq).

        Terms of single joints are added as separate blocks. All other terms are squares of a few
        rows in each frame, which are stacked and squared at once.
        """
        model = self.model
        w = self.weights
        centroidal = model.compute_centroidal_dynamics(poses)
        n = len(poses)
        nv = model.nv
        count = 12 + 6 * len(self._feet) + 3 * len(self._hands)
        terms = _WeightedRows(np.zeros((n, count, nv)), np.zeros((n, count)))
        rows = terms.jacobian
        residual = terms.residual
        rows[:, :3] = np.sqrt(w.com) * centroidal.com_jacobian
        residual[:, :3] = np.sqrt(w.com) * (centroidal.com - self.targets.com)
        inverse = np.linalg.inv(centroidal.inertia)
        spin = _BodySpin(inverse, inverse @ centroidal.angular_map)
        joints = JointTerms.empty(model, n)
        self._add_posture(poses, spin.spin_map, joints, terms.select(3, 6))
        coupling = self._add_velocities(poses, spin, joints, terms.select(6, 12))
        contacts = self._expand_contacts(centroidal, terms)
        diagonal = np.swapaxes(rows, 1, 2) @ rows
        model.add_blocks(diagonal, joints.blocks, joints.diagonal)
        diagonal[:, np.arange(nv), np.arange(nv)] += w.damping
        gradient = (residual[:, None] @ rows)[:, 0] + joints.gradient
        # The rows in velocities are part of two frames each, but count once in the cost.
        cost = joints.cost + float((residual**2).sum() - (residual[:, 9:12] ** 2).sum())
        counts = [foot.row_count for foot in self._feet] + [hand.row_count for hand in self._hands]
        is_used = find_used_rows(contacts, counts)
        packed = pack_contacts(contacts, is_used)
        return CostExpansion(
            diagonal,
            coupling,
            gradient,
            rows=packed.rows,
            error=packed.error,
            count=is_used.sum(1),
            cost=cost,
        )

    def _expand_contacts(
        self, centroidal: CentroidalDynamics, terms: _WeightedRows
    ) -> list[ContactRows]:
        """Return the constraints of feet and hands in contact, and write their cost terms.

        Args:
            centroidal: dynamics of the poses.
            terms: all terms; those of feet and hands, from row 12, are written.
        """
        contacts = []
        first = 12
        for foot in self._feet:
            rows = slice(first, first + 6)
            contacts.append(
                foot.expand(centroidal, terms.jacobian[:, rows], terms.residual[:, rows])
            )
            first += 6
        for hand in self._hands:
            rows = slice(first, first + 3)
            contacts.append(
                hand.expand(centroidal, terms.jacobian[:, rows], terms.residual[:, rows])
            )
            first += 3
        return contacts

    def _add_posture(
        self, poses: Array, spin_map: Array, joints: JointTerms, terms: _WeightedRows
    ) -> None:
        """Add the difference from the pose of the style and the ranges of the hinges.

        Args:
            poses: poses, shape (n, nq).
            spin_map: map from velocities to the angular velocity of the body, shape (n, 3, nv).
            joints: terms of single joints. Added to.
            terms: the second term of equation 23, with 3 rows. Written.
        """
        difference = self.model.difference(self.targets.reference, poses)  # (n, nv)
        blocks = self.model.difference_jacobian_blocks(difference)
        # Where a leg must differ from the style, as on a slope, its pull on the trunk is limited.
        size = np.abs(difference)
        yield_angle = np.where(self._is_leg_dof, self.weights.leg_yield_angle, np.inf)
        pull_share = np.minimum(1.0, yield_angle / np.maximum(size, 1e-9))
        joints.add(slice(None), self.posture * pull_share, difference, blocks)
        joints.cost += float(
            (
                self.posture
                * np.where(
                    size > yield_angle,
                    2 * pull_share * size**2 - (pull_share * size) ** 2,
                    difference**2,
                )
            ).sum()
        )
        joints.add_limits(self._limits, poses)
        scale = np.sqrt(self.weights.configuration)
        terms.jacobian[:] = scale * self.model.multiply_blocks(spin_map, blocks)
        terms.residual[:] = scale * (spin_map @ difference[..., None])[..., 0]

    def _add_velocities(
        self, poses: Array, spin: _BodySpin, joints: JointTerms, terms: _WeightedRows
    ) -> Array:
        """Add the terms in velocities: angular momentum, and joint velocities of the reference.

        Args:
            poses: poses, shape (n, nq).
            spin: inertia and angular velocity of the body in these poses.
            joints: terms of single joints. Added to.
            terms: angular momentum, three rows for the step to a frame and three for the step from
                it. Written.

        Returns:
            The coupling of successive frames, shape (n - 1, nv, nv).
        """
        model = self.model
        w = self.weights
        start = 0
        all_poses = poses
        if self.previous is not None:
            all_poses = np.concatenate([self.previous.pose, poses])
            spin = _BodySpin(
                np.concatenate([self.previous.inverse_inertia, spin.inverse_inertia]),
                np.concatenate([self.previous.spin_map, spin.spin_map]),
            )
            start = 1
        later = slice(1 - start, None)
        step = model.difference(all_poses[:-1], all_poses[1:])  # (k, nv)
        ahead_blocks = model.difference_jacobian_blocks(step)
        back_blocks = -np.swapaxes(ahead_blocks, -1, -2)
        momentum = self._expand_momentum(spin, step)
        rows = terms.jacobian
        rows[later, :3] = model.multiply_blocks(momentum.jacobian, ahead_blocks)
        rows[:-1, 3:] = -model.multiply_blocks(momentum.jacobian[start:], -back_blocks[start:])
        terms.residual[later, :3] = momentum.residual
        terms.residual[:-1, 3:] = momentum.residual[start:]
        velocity_weight = w.smooth**2 / self.dt**2 * self.posture
        drift = step - self._reference_step
        joints.add(later, velocity_weight, drift, ahead_blocks)
        joints.add(slice(None, -1), velocity_weight, drift[start:], back_blocks[start:], sign=-1.0)
        joints.cost += float((velocity_weight * drift**2).sum())
        coupling = np.swapaxes(rows[1:, :3], 1, 2) @ rows[:-1, 3:]
        model.add_blocks(
            coupling,
            joints.compute_blocks(velocity_weight, ahead_blocks[start:], back_blocks[start:]),
            -velocity_weight,
        )
        return coupling

    def _expand_momentum(self, spin: _BodySpin, step: Array) -> _WeightedRows:
        """Return the angular momentum of k steps between frames, as 3 weighted rows.

        Only changes faster than the leak count. The integral of the slow part is not an attitude of
        the body. To follow it would turn the trunk away from its style although no force does so.

        Args:
            spin: inertia and angular velocity in the k + 1 frames.
            step: change of the pose in each step, shape (k, nv).
        """
        w = self.weights
        dt = self.dt
        inverse = spin.inverse_inertia
        spin_rows = (0.5 / dt * np.sqrt(w.momentum)) * (spin.spin_map[1:] + spin.spin_map[:-1])
        target_spin = (
            0.5
            * np.sqrt(w.momentum)
            * ((inverse[1:] + inverse[:-1]) @ self._momentum[..., None])[..., 0]
        )
        spin_error = (spin_rows @ step[..., None])[..., 0] - target_spin  # (k, 3)
        return _WeightedRows(
            spin_rows,
            spin_error - gaussian_filter1d(spin_error, w.leak / dt, axis=0, mode="nearest"),
        )


def build_hinge_limits(
    model: KinematicModel, w: BodyWeights, has_holding_hands: bool
) -> HingeLimits:
    """Return the limits of all hinges.

    A knee has a soft limit before it is straight and a stiff one closer to straight. So has an
    elbow if hands hold on to something.

    Args:
        model: body.
        w: weights of the limits.
        has_holding_hands: whether hands hold on.
    """
    links = model.character.links
    shins = (leg.lower_link for leg in model.character.legs)
    knees = {
        links[shin].joint.name
        for shin in shins
        if shin is not None and _can_lock(links[shin].joint)
    }
    elbows = {
        links[arm.links[1]].joint.name
        for arm in (model.character.grasping_arms if has_holding_hands else ())
    }
    # Coordinate, degree of freedom, bound, sign and weight
    bounds: list[tuple[int, int, float, float, float]] = []
    for joint in (link.joint for link in links if link.joint.kind == "hinges"):
        for q, v, (low, high) in zip(
            model.joint_coordinates(joint.name),
            model.joint_dofs(joint.name),
            joint.ranges,
            strict=True,
        ):
            above = [(high, w.limit)]
            below = [(low, w.limit)]
            if joint.name in elbows:
                above = [(-w.soft_elbow_from, w.soft_elbow), (-w.stiff_elbow_from, w.stiff_elbow)]
            if joint.name in knees:
                below = [(w.soft_knee_from, w.soft_knee), (w.stiff_knee_from, w.stiff_knee)]
            bounds += [(int(q), int(v), bound, 1.0, weight) for bound, weight in above]
            bounds += [(int(q), int(v), bound, -1.0, weight) for bound, weight in below]
    q, v, bound, sign, weight = np.array(bounds, float).reshape(-1, 5).T
    return HingeLimits(
        q.astype(int), np.eye(model.nv)[v.astype(int)], bound, sign=sign, weight=weight
    )


def can_tilt(character: Character, leg: int) -> bool:
    """Return whether a leg has a sole but no joint that keeps it level sideways."""
    foot = character.feet[leg]
    joint = character.links[foot.link].joint
    return not foot.is_point and joint.kind == "hinges" and len(joint.axes) == 1


def _can_lock(knee: Joint) -> bool:
    """Return whether a knee is at 0 in a straight leg and bends in one direction only."""
    return len(knee.ranges) == 1 and knee.ranges[0][0] == 0.0
