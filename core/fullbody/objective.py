"""The full body's cost over a window of frames, expanded to second order (Gauss-Newton), and its contacts.

Source: Kwon et al. 2020, equation 23 and appendix E, with stance contacts as equality constraints instead of weights. The
terms of single frames give the diagonal blocks, the terms in velocities couple each frame with the next.
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
from .joints import JointTerms, Limits
from .targets import Wish
from .weights import BodyWeights, leg_freedoms, posture_weights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Expansion:
    """Half the cost's second derivative in blocks and half its first, and the contacts C x = -e of each frame.

    `rows` holds up to 6 rows a leg and 3 a hand; `count` tells how many of a frame's are in use, from the first on.
    """

    diagonal: Array                   # (n, nv, nv)
    coupling: Array                   # (n - 1, nv, nv) rows of frame k + 1, columns of frame k
    gradient: Array                   # (n, nv)
    rows: Array                       # (n, r, nv)
    error: Array                      # (n, r)
    count: NDArray[np.int64]          # (n,)
    cost: float

    @property
    def missed(self) -> float:
        """Largest error of a contact, m or rad."""
        return float(np.abs(self.error * (np.arange(self.error.shape[1]) < self.count[:, None])).max(initial=0.0))


class Objective:
    """Cost of poses that are to fulfil a wish.

    Args:
        before: (nq,) the pose of the frame before the first one, already decided; None at the start of a clip.
        before_reference: (nq,) its reference.
        before_momentum: (3,) angular momentum wished for there, kg m^2/s.
    """

    def __init__(self, model: KinematicModel, wish: Wish, weights: BodyWeights, before: Array | None = None,
                 before_reference: Array | None = None, before_momentum: Array | None = None) -> None:
        self.model, self.wish, self.weights = model, wish, weights
        self.posture = posture_weights(model, weights)
        self._legs = leg_freedoms(model)
        self.before = None if before is None else _known(model, before[None])
        self.dt = float(wish.time[1] - wish.time[0])
        reference = wish.reference if before_reference is None else np.concatenate([before_reference[None], wish.reference])
        self._reference_step = model.difference(reference[:-1], reference[1:])                # (n - 1 or n, nv)
        momentum = wish.momentum if before_momentum is None else np.concatenate([before_momentum[None], wish.momentum])
        self._momentum = 0.5 * (momentum[1:] + momentum[:-1])
        self._limits = _hinge_limits(model, weights, bool(wish.hands))
        self._feet = [FootTerms.of(leg, model.character.feet[leg], path, weights, _tilts(model.character, leg))
                      for leg, path in enumerate(wish.feet)]
        self._hands = [HandTerms.of(k, path, weights) for k, path in enumerate(wish.hands)]

    def expand(self, poses: Array) -> Expansion:
        """Expand the cost about poses. (n, nq).

        All terms but those of single joints are squares of a few rows a frame, which are stacked and squared at once.
        """
        model, w = self.model, self.weights
        c = model.centroidal(poses)
        n, nv, feet = len(poses), model.nv, 12 + 6 * len(self._feet)
        count = feet + 3 * len(self._hands)
        rows, residual = np.zeros((n, count, nv)), np.zeros((n, count))
        rows[:, :3], residual[:, :3] = np.sqrt(w.com) * c.com_jacobian, np.sqrt(w.com) * (c.com - self.wish.com)
        inverse = np.linalg.inv(c.inertia)
        spin_map = inverse @ c.angular_map                                                     # (n, 3, nv)
        joints = JointTerms.none(model, n)
        self._posture(poses, spin_map, joints, rows[:, 3:6], residual[:, 3:6])
        coupling = self._velocities(poses, spin_map, inverse, joints, rows[:, 6:12], residual[:, 6:12])
        contacts = []
        for foot in self._feet:
            own = slice(12 + 6 * foot.leg, 18 + 6 * foot.leg)
            contacts.append(foot.expand(c, rows[:, own], residual[:, own]))
        for hand in self._hands:
            own = slice(feet + 3 * hand.number, feet + 3 + 3 * hand.number)
            contacts.append(hand.expand(c, rows[:, own], residual[:, own]))
        diagonal = np.swapaxes(rows, 1, 2) @ rows
        model.add_blocks(diagonal, joints.blocks, joints.diagonal)
        diagonal[:, np.arange(nv), np.arange(nv)] += w.damping
        gradient = (residual[:, None] @ rows)[:, 0] + joints.gradient
        # the rows in velocities count for two frames each, and for the cost but once
        cost = joints.cost + float((residual**2).sum() - (residual[:, 9:12]**2).sum())
        counts = [foot.count for foot in self._feet] + [hand.count for hand in self._hands]
        return Expansion(diagonal, coupling, gradient, *_pack(contacts, counts), cost)

    def _posture(self, poses: Array, spin_map: Array, joints: JointTerms, rows: Array, residual: Array) -> None:
        """Difference from the style's pose, the second term of equation 23 as rows (n, 3, nv), and the ranges of the hinges."""
        away = self.model.difference(self.wish.reference, poses)                               # (n, nv)
        blocks = self.model.difference_blocks(away)
        # where a leg must be elsewhere than the style has it, as on a slope, it pulls at the trunk no harder the farther it is
        size, most = np.abs(away), np.where(self._legs, self.weights.leg_yields, np.inf)
        near = np.minimum(1.0, most / np.maximum(size, 1e-9))
        joints.add(slice(None), self.posture * near, away, blocks)
        joints.cost += float((self.posture * np.where(size > most, 2 * near * size**2 - (near * size) ** 2, away**2)).sum())
        joints.add_limits(self._limits, poses)
        scale = np.sqrt(self.weights.configuration)
        rows[:], residual[:] = scale * self.model.times_blocks(spin_map, blocks), scale * (spin_map @ away[..., None])[..., 0]

    def _velocities(self, poses: Array, spin_map: Array, inverse: Array, joints: JointTerms, rows: Array,
                    residual: Array) -> Array:
        """The terms in velocities: angular momentum as rows (n, 6, nv), three for the step to a frame and three for the step
        from it, and joint velocities against the reference's. Returns the coupling.

        Of the momentum only what changes faster than the leak counts: its slow part is no attitude, and to follow it would
        turn the trunk away from its style without any force asking for it.
        """
        model, w, dt, start = self.model, self.weights, self.dt, 0
        momentum_map, all_poses = spin_map, poses
        if self.before is not None:
            pose, own, spin = self.before
            all_poses, inverse = np.concatenate([pose, poses]), np.concatenate([own, inverse])
            momentum_map, start = np.concatenate([spin, spin_map]), 1
        later = slice(1 - start, None)
        step = model.difference(all_poses[:-1], all_poses[1:])                                  # (k, nv)
        ahead = model.difference_blocks(step)
        back = -np.swapaxes(ahead, -1, -2)
        spin = (0.5 / dt * np.sqrt(w.momentum)) * (momentum_map[1:] + momentum_map[:-1])
        wanted = 0.5 * np.sqrt(w.momentum) * ((inverse[1:] + inverse[:-1]) @ self._momentum[..., None])[..., 0]
        off = (spin @ step[..., None])[..., 0] - wanted                                         # (k, 3) rad/s, weighted
        off = off - gaussian_filter1d(off, w.leak / dt, axis=0, mode="nearest")
        rows[later, :3], residual[later, :3] = model.times_blocks(spin, ahead), off
        rows[:-1, 3:], residual[:-1, 3:] = -model.times_blocks(spin[start:], -back[start:]), off[start:]
        pace = w.smooth**2 / dt**2 * self.posture
        drift = step - self._reference_step
        joints.add(later, pace, drift, ahead)
        joints.add(slice(None, -1), pace, drift[start:], back[start:], sign=-1.0)
        joints.cost += float((pace * drift**2).sum())
        coupling = np.swapaxes(rows[1:, :3], 1, 2) @ rows[:-1, 3:]
        model.add_blocks(coupling, joints.between(pace, ahead[start:], back[start:]), -pace)
        return coupling


def _known(model: KinematicModel, pose: Array) -> tuple[Array, Array, Array]:
    """A pose (1, nq) with its inverse inertia (1, 3, 3) and the map from velocities to its angular velocity (1, 3, nv)."""
    c = model.centroidal(pose)
    inverse = np.linalg.inv(c.inertia)
    return pose, inverse, inverse @ c.angular_map


def _hinge_limits(model: KinematicModel, w: BodyWeights, holding: bool) -> Limits:
    """The ranges of all hinges; a knee is soft before it is straight, and stiff at last, and so is an elbow whose hand holds."""
    links = model.character.links
    knees = {links[leg.links[1]].joint.name for leg in model.character.legs if _may_lock(links[leg.links[1]].joint)}
    elbows = {links[arm.links[1]].joint.name for arm in (model.character.holders if holding else ())}
    found: list[tuple[int, int, float, float, float]] = []          # coordinate, degree of freedom, bound, sign, weight
    for joint in (link.joint for link in links if link.joint.kind == "hinges"):
        for q, v, (low, high) in zip(model.joint_coordinates(joint.name), model.joint_dofs(joint.name), joint.ranges, strict=True):
            above, below = [(high, w.limit)], [(low, w.limit)]
            if joint.name in elbows:
                above = [(-w.soft_elbow_from, w.soft_elbow), (-w.stiff_elbow_from, w.stiff_elbow)]
            if joint.name in knees:
                below = [(w.soft_knee_from, w.soft_knee), (w.stiff_knee_from, w.stiff_knee)]
            found += [(int(q), int(v), bound, 1.0, weight) for bound, weight in above]
            found += [(int(q), int(v), bound, -1.0, weight) for bound, weight in below]
    q, v, bound, sign, weight = np.array(found, float).reshape(-1, 5).T
    return Limits(q.astype(int), np.eye(model.nv)[v.astype(int)], bound, sign, weight)


def _tilts(character: Character, leg: int) -> bool:
    """Whether a leg has a sole but no joint at it that would keep it level sideways."""
    foot = character.feet[leg]
    joint = character.links[foot.link].joint
    return not foot.is_point and joint.kind == "hinges" and len(joint.axes) == 1


def _may_lock(knee: Joint) -> bool:
    """Whether a knee is at 0 where its leg is straight, and bends one way from there."""
    return len(knee.ranges) == 1 and knee.ranges[0][0] == 0.0


def _pack(contacts: list[tuple[Array, Array]], counts: list[NDArray[np.int64]]) -> tuple[Array, Array, NDArray[np.int64]]:
    """Contact rows of all limbs with those in use first, whatever each limb's number."""
    used = np.concatenate([np.arange(rows.shape[1]) < count[:, None] for (rows, _), count in zip(contacts, counts, strict=True)], 1)
    order = np.argsort(~used, axis=1, kind="stable")
    every, miss = (np.concatenate(parts, 1) for parts in zip(*contacts, strict=True))
    return (np.take_along_axis(every, order[..., None], 1), np.take_along_axis(miss, order, 1), used.sum(1))
