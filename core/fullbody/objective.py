"""The full body's cost over a window of frames, expanded to second order
(Gauss-Newton), and its contacts.

Source: Kwon et al. 2020, equation 23 and appendix E, with stance contacts as equality constraints
instead of weights. The terms of single frames give the diagonal blocks, the terms in velocities
couple each frame with the next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.character import Character
from ..character.kinematic_model import KinematicModel
from ..character.link import Joint
from .foot_terms import FootTerms
from .hand_terms import HandTerms
from .joints import HingeLimits, JointTerms
from .targets import BodyTargets
from .weights import BodyWeights, compute_posture_weights, find_leg_dofs

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CostExpansion:
    """Half the cost's second derivative in blocks and half its first,
    and the contacts C x = -e of each frame.

    `rows` holds up to 6 rows a leg and 3 a hand; `count` tells how many of a frame's are in
    use, from the first on.
    """

    diagonal: Array  # (n, nv, nv)
    coupling: Array  # (n - 1, nv, nv) rows of frame k + 1, columns of frame k
    gradient: Array  # (n, nv)
    rows: Array  # (n, r, nv)
    error: Array  # (n, r)
    count: NDArray[np.int64]  # (n,)
    cost: float

    @property
    def max_contact_error(self) -> float:
        """Largest error of a contact, m or rad."""
        return float(
            np.abs(self.error * (np.arange(self.error.shape[1]) < self.count[:, None])).max(
                initial=0.0
            )
        )


class BodyObjective:
    """Cost of poses that are to fulfil a wish.

    Args:
        previous: (nq,) the pose of the frame before the first one, already decided;
            None at the start of a clip.
        previous_reference: (nq,) its reference.
        previous_momentum: (3,) angular momentum wished for there, kg m^2/s.
    """

    def __init__(
        self,
        model: KinematicModel,
        targets: BodyTargets,
        weights: BodyWeights,
        previous_pose: Array | None = None,
        previous_reference: Array | None = None,
        previous_momentum: Array | None = None,
    ) -> None:
        self.model = model
        self.targets = targets
        self.weights = weights
        self.posture = compute_posture_weights(model, weights)
        self._is_leg_dof = find_leg_dofs(model)
        self.previous = (
            None if previous_pose is None else _prepare_previous(model, previous_pose[None])
        )
        self.dt = float(targets.time[1] - targets.time[0])
        reference = (
            targets.reference
            if previous_reference is None
            else np.concatenate([previous_reference[None], targets.reference])
        )
        self._reference_step = model.difference(reference[:-1], reference[1:])  # (n - 1 or n, nv)
        momentum = (
            targets.momentum
            if previous_momentum is None
            else np.concatenate([previous_momentum[None], targets.momentum])
        )
        self._momentum = 0.5 * (momentum[1:] + momentum[:-1])
        self._limits = _build_hinge_limits(model, weights, bool(targets.hands))
        self._feet = [
            FootTerms.from_path(
                leg,
                model.character.feet[leg],
                path,
                w=weights,
                can_tilt=_can_tilt(model.character, leg),
            )
            for leg, path in enumerate(targets.feet)
        ]
        self._hands = [
            HandTerms.from_path(k, path, weights) for k, path in enumerate(targets.hands)
        ]

    def expand(self, poses: Array) -> CostExpansion:
        """Expand the cost about poses. (n, nq).

        All terms but those of single joints are squares of a few rows a frame,
        which are stacked and squared at once.
        """
        model = self.model
        w = self.weights
        centroidal = model.compute_centroidal_dynamics(poses)
        n = len(poses)
        nv = model.nv
        feet = 12 + 6 * len(self._feet)
        count = feet + 3 * len(self._hands)
        rows = np.zeros((n, count, nv))
        residual = np.zeros((n, count))
        rows[:, :3] = np.sqrt(w.com) * centroidal.com_jacobian
        residual[:, :3] = np.sqrt(w.com) * (centroidal.com - self.targets.com)
        inverse = np.linalg.inv(centroidal.inertia)
        spin_map = inverse @ centroidal.angular_map  # (n, 3, nv)
        joints = JointTerms.empty(model, n)
        self._add_posture(poses, spin_map, joints, rows=rows[:, 3:6], residual=residual[:, 3:6])
        coupling = self._add_velocities(
            poses, spin_map, inverse, joints=joints, rows=rows[:, 6:12], residual=residual[:, 6:12]
        )
        contacts = []
        for foot in self._feet:
            foot_rows = slice(12 + 6 * foot.leg, 18 + 6 * foot.leg)
            contacts.append(foot.expand(centroidal, rows[:, foot_rows], residual[:, foot_rows]))
        for hand in self._hands:
            foot_rows = slice(feet + 3 * hand.hand, feet + 3 + 3 * hand.hand)
            contacts.append(hand.expand(centroidal, rows[:, foot_rows], residual[:, foot_rows]))
        diagonal = np.swapaxes(rows, 1, 2) @ rows
        model.add_blocks(diagonal, joints.blocks, joints.diagonal)
        diagonal[:, np.arange(nv), np.arange(nv)] += w.damping
        gradient = (residual[:, None] @ rows)[:, 0] + joints.gradient
        # the rows in velocities count for two frames each, and for the cost but once
        cost = joints.cost + float((residual**2).sum() - (residual[:, 9:12] ** 2).sum())
        counts = [foot.row_count for foot in self._feet] + [hand.row_count for hand in self._hands]
        return CostExpansion(diagonal, coupling, gradient, *_pack_contacts(contacts, counts), cost)

    def _add_posture(
        self, poses: Array, spin_map: Array, joints: JointTerms, rows: Array, residual: Array
    ) -> None:
        """Difference from the style's pose, the second term of equation 23 as rows (n, 3, nv), and
        the ranges of the hinges.
        """
        difference = self.model.difference(self.targets.reference, poses)  # (n, nv)
        blocks = self.model.difference_jacobian_blocks(difference)
        # where a leg must be elsewhere than the style has it, as on a slope, it pulls at the trunk
        # no harder the farther it is
        size = np.abs(difference)
        yield_angle = np.where(self._is_leg_dof, self.weights.leg_yields, np.inf)
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
        rows[:], residual[:] = (
            scale * self.model.multiply_blocks(spin_map, blocks),
            scale * (spin_map @ difference[..., None])[..., 0],
        )

    def _add_velocities(
        self,
        poses: Array,
        spin_map: Array,
        inverse: Array,
        joints: JointTerms,
        rows: Array,
        residual: Array,
    ) -> Array:
        """The terms in velocities: angular momentum as rows (n, 6, nv), three for the step to a
        frame and three for the step from it, and joint velocities against the reference's. Returns
        the coupling.

        Of the momentum only what changes faster than the leak counts: its slow part is no attitude,
        and to follow it would turn the trunk away from its style without any force asking for it.
        """
        model = self.model
        w = self.weights
        dt = self.dt
        start = 0
        momentum_map = spin_map
        all_poses = poses
        if self.previous is not None:
            pose, previous_inverse, spin_rows = self.previous
            all_poses = np.concatenate([pose, poses])
            inverse = np.concatenate([previous_inverse, inverse])
            momentum_map = np.concatenate([spin_rows, spin_map])
            start = 1
        later = slice(1 - start, None)
        step = model.difference(all_poses[:-1], all_poses[1:])  # (k, nv)
        ahead_blocks = model.difference_jacobian_blocks(step)
        back_blocks = -np.swapaxes(ahead_blocks, -1, -2)
        spin_rows = (0.5 / dt * np.sqrt(w.momentum)) * (momentum_map[1:] + momentum_map[:-1])
        target_spin = (
            0.5
            * np.sqrt(w.momentum)
            * ((inverse[1:] + inverse[:-1]) @ self._momentum[..., None])[..., 0]
        )
        spin_error = (spin_rows @ step[..., None])[..., 0] - target_spin  # (k, 3) rad/s, weighted
        spin_error = spin_error - gaussian_filter1d(spin_error, w.leak / dt, axis=0, mode="nearest")
        rows[later, :3] = model.multiply_blocks(spin_rows, ahead_blocks)
        residual[later, :3] = spin_error
        rows[:-1, 3:], residual[:-1, 3:] = (
            -model.multiply_blocks(spin_rows[start:], -back_blocks[start:]),
            spin_error[start:],
        )
        velocity_weight = w.smooth**2 / dt**2 * self.posture
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


def _prepare_previous(model: KinematicModel, pose: Array) -> tuple[Array, Array, Array]:
    """A pose (1, nq) with its inverse inertia (1, 3, 3) and the map from velocities to its
    angular velocity (1, 3, nv).
    """
    centroidal = model.compute_centroidal_dynamics(pose)
    inverse = np.linalg.inv(centroidal.inertia)
    return pose, inverse, inverse @ centroidal.angular_map


def _build_hinge_limits(
    model: KinematicModel, w: BodyWeights, has_holding_hands: bool
) -> HingeLimits:
    """The ranges of all hinges; a knee is soft before it is straight, and stiff at last, and so is
    an elbow whose hand holds.
    """
    links = model.character.links
    knees = {
        links[leg.links[1]].joint.name
        for leg in model.character.legs
        if _can_lock(links[leg.links[1]].joint)
    }
    elbows = {
        links[arm.links[1]].joint.name
        for arm in (model.character.grasping_arms if has_holding_hands else ())
    }
    # coordinate, degree of freedom, bound, sign, weight
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


def _can_tilt(character: Character, leg: int) -> bool:
    """Whether a leg has a sole but no joint at it that would keep it level sideways."""
    foot = character.feet[leg]
    joint = character.links[foot.link].joint
    return not foot.is_point and joint.kind == "hinges" and len(joint.axes) == 1


def _can_lock(knee: Joint) -> bool:
    """Whether a knee is at 0 where its leg is straight, and bends one way from there."""
    return len(knee.ranges) == 1 and knee.ranges[0][0] == 0.0


def _pack_contacts(
    contacts: list[tuple[Array, Array]], counts: list[NDArray[np.int64]]
) -> tuple[Array, Array, NDArray[np.int64]]:
    """Contact rows of all limbs with those in use first, whatever each limb's number."""
    is_used = np.concatenate(
        [
            np.arange(rows.shape[1]) < count[:, None]
            for (rows, _), count in zip(contacts, counts, strict=True)
        ],
        1,
    )
    order = np.argsort(~is_used, axis=1, kind="stable")
    all_rows, all_errors = (np.concatenate(parts, 1) for parts in zip(*contacts, strict=True))
    return (
        np.take_along_axis(all_rows, order[..., None], 1),
        np.take_along_axis(all_errors, order, 1),
        is_used.sum(1),
    )
