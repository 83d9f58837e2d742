"""The full body's cost over a window of frames, expanded to second order (Gauss-Newton), and its contacts.

Source: Kwon et al. 2020, equation 23 and appendix E, with stance contacts as equality constraints instead of weights. The
terms of single frames give the diagonal blocks, the terms in velocities couple each frame with the next.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from .. import so3
from ..character.model import Centroidal, KinematicModel
from .foot_path import FootPath, Hold
from .hand_path import HandPath
from .weights import BodyWeights, posture_weights
from .wish import Wish

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


class Objective:
    """Cost of poses that are to fulfil a wish.

    Args:
        before: (nq,) the pose of the frame before the first one, already decided; None at the start of a clip.
        before_reference: (nq,) its reference.
    """

    def __init__(self, model: KinematicModel, wish: Wish, weights: BodyWeights, before: Array | None = None,
                 before_reference: Array | None = None, before_momentum: Array | None = None) -> None:
        self.model, self.wish, self.weights = model, wish, weights
        self.posture = posture_weights(model, weights)
        self.before = before
        self.dt = float(wish.time[1] - wish.time[0])
        reference = wish.reference if before_reference is None else np.concatenate([before_reference[None], wish.reference])
        self._reference_step = model.difference(reference[:-1], reference[1:])                # (n - 1 or n, nv)
        momentum = wish.momentum if before_momentum is None else np.concatenate([before_momentum[None], wish.momentum])
        self._momentum = 0.5 * (momentum[1:] + momentum[:-1])
        self._hinges = self._hinge_limits()

    def expand(self, poses: Array) -> Expansion:
        """Expand the cost about poses. (n, nq)."""
        model, w = self.model, self.weights
        c = model.centroidal(poses)
        n, nv = len(poses), model.nv
        diagonal, gradient = np.zeros((n, nv, nv)), np.zeros((n, nv))
        spin_map = np.linalg.solve(c.inertia, c.angular_map)                                   # (n, 3, nv)
        cost = self._posture(poses, spin_map, diagonal, gradient)
        rows, residuals = [c.com_jacobian * np.sqrt(w.com)], [(c.com - self.wish.com) * np.sqrt(w.com)]
        contact_rows, contact_errors, counts = [], [], []
        for leg, path in enumerate(self.wish.feet):
            soft, hard = self._foot(leg, path, c)
            rows.append(soft[0])
            residuals.append(soft[1])
            contact_rows.append(hard[0])
            contact_errors.append(hard[1])
            counts.append(hard[2])
        for k, hand in enumerate(self.wish.hands):
            place = np.sqrt(np.where(hand.hold, 0.0, self._firmness(hand)))
            miss = c.hand_grip[:, k] - hand.place
            rows.append(c.hand_jacobian[:, k] * place[:, None, None])
            residuals.append(miss * place[:, None])
            contact_rows.append(c.hand_jacobian[:, k])
            contact_errors.append(miss)
            counts.append(3 * hand.hold)
        jacobian, residual = np.concatenate(rows, 1), np.concatenate(residuals, 1)
        diagonal += np.swapaxes(jacobian, 1, 2) @ jacobian
        gradient += (residual[:, None] @ jacobian)[:, 0]
        cost += float((residual**2).sum())
        coupling, more = self._velocities(poses, spin_map, c, diagonal, gradient)
        diagonal[:, np.arange(nv), np.arange(nv)] += w.damping
        packed = _pack(contact_rows, contact_errors, counts)
        return Expansion(diagonal, coupling, gradient, *packed, cost + more)

    def _posture(self, poses: Array, spin_map: Array, diagonal: Array, gradient: Array) -> float:
        """Difference from the style's pose, the second term of equation 23, and the ranges of the hinges."""
        away = self.model.difference(self.wish.reference, poses)                               # (n, nv)
        blocks = self.model.difference_jacobian(away)
        weighted = self.posture * away
        diagonal += np.swapaxes(blocks, 1, 2) @ (self.posture[:, None] * blocks)
        gradient += (weighted[:, None] @ blocks)[:, 0]
        shift = (spin_map @ away[..., None])[..., 0]                                           # (n, 3)
        rows = spin_map @ blocks
        diagonal += self.weights.configuration * np.swapaxes(rows, 1, 2) @ rows
        gradient += self.weights.configuration * (shift[:, None] @ rows)[:, 0]
        cost = float((weighted * away).sum() + self.weights.configuration * (shift**2).sum())
        for q, v, bound, sign, weight in self._hinges:
            over = np.maximum(sign * (poses[:, q] - bound), 0.0)
            diagonal[:, v, v] += weight * (over > 0)
            gradient[:, v] += sign * weight * over
            cost += float(weight * (over**2).sum())
        return cost

    def _hinge_limits(self) -> list[tuple[int, int, float, float, float]]:
        """Each: pose index, velocity index, bound, +1 above or -1 below, weight."""
        w, model, out = self.weights, self.model, []
        holders = model.character.holders if self.wish.hands else ()
        elbows = {model.character.links[arm.links[1]].joint.name for arm in holders}
        knees = {model.character.links[leg.links[1]].joint.name for leg in model.character.legs}
        for link in model.character.links:
            if link.joint.kind != "hinges":
                continue
            name = link.joint.name
            for q, v, (low, high) in zip(model.joint_coordinates(name), model.joint_dofs(name), link.joint.ranges, strict=True):
                if name in elbows:
                    out += [(int(q), int(v), -w.soft_elbow_from, 1.0, w.soft_elbow),
                            (int(q), int(v), -w.stiff_elbow_from, 1.0, w.stiff_elbow)]
                else:
                    out += [(int(q), int(v), high, 1.0, w.limit)]
                if name in knees:
                    out += [(int(q), int(v), w.soft_knee_from, -1.0, w.soft_knee),
                            (int(q), int(v), w.stiff_knee_from, -1.0, w.stiff_knee)]
                else:
                    out += [(int(q), int(v), low, -1.0, w.limit)]
        return out

    def _foot(self, leg: int, path: FootPath, c: Centroidal) -> tuple[tuple[Array, Array], tuple[Array, Array, NDArray[np.int64]]]:
        """Soft rows and residuals (n, 6, nv), (n, 6), and hard rows, errors and their number for one foot."""
        foot, w = self.model.character.feet[leg], self.weights
        origin, rotation = c.foot_origin[:, leg], c.foot_rotation[:, leg]
        linear, angular = c.foot_jacobian[:, leg, :3], c.foot_jacobian[:, leg, 3:]
        # rotation error against the wish, and against the rest for a flat foot, in world axes
        wished = np.where((path.hold == Hold.FLAT)[:, None, None], path.rest, path.rotation)
        off = so3.log(rotation @ np.swapaxes(wished, 1, 2))
        swing = path.hold == Hold.SWING
        middle = np.array([w.swing_along_middle, w.swing_along_middle, w.swing_height_middle])
        firm = middle * (w.swing_place / middle) ** path.firm[:, None]                          # (n, 3)
        place = np.sqrt(np.where(swing[:, None], firm, 0.0))
        turn = np.sqrt(np.select([swing, path.hold == Hold.HEEL, path.hold == Hold.BALL],
                                 [w.swing_turn, w.heel_turn, w.ball_turn], 0.0))
        soft = np.concatenate([linear * place[..., None], angular * turn[:, None, None]], 1)
        residual = np.concatenate([(origin - path.origin) * place, off * turn[:, None]], 1)
        on_heel = (path.hold == Hold.HEEL)[:, None]
        arm = np.where(on_heel, rotation @ foot.heel, rotation @ foot.pivot)                    # (n, 3)
        anchor = np.where(on_heel, path.heel, path.pivot)
        hard = np.concatenate([linear - so3.hat(arm) @ angular, angular], 1)
        error = np.concatenate([origin + arm - anchor, off], 1)
        count = np.choose(path.hold, [0, 3, 6, 3, 0])
        return (soft, residual), (hard, error, count)

    def _firmness(self, hand: HandPath) -> Array:
        """Weight of a free hand's place. (n,)."""
        return self.weights.hand_middle * (self.weights.swing_place / self.weights.hand_middle) ** hand.firm

    def _velocities(self, poses: Array, spin_map: Array, c: Centroidal, diagonal: Array, gradient: Array) -> tuple[Array, float]:
        """The terms in velocities: angular momentum, and joint velocities against the reference's.

        Of the momentum only what changes faster than the leak counts: its slow part is no attitude, and to follow it would
        turn the trunk away from its style without any force asking for it.
        """
        model, w, dt = self.model, self.weights, self.dt
        momentum_map, inverse = spin_map, np.linalg.inv(c.inertia)
        all_poses = poses
        if self.before is not None:
            b = model.centroidal(self.before[None])
            all_poses = np.concatenate([self.before[None], poses])
            momentum_map = np.concatenate([np.linalg.solve(b.inertia, b.angular_map), spin_map])
            inverse = np.concatenate([np.linalg.inv(b.inertia), inverse])
        step = model.difference(all_poses[:-1], all_poses[1:])                                  # (k, nv)
        ahead, back = model.difference_jacobian(step), model.difference_jacobian(-step)
        spin = 0.5 * (momentum_map[1:] + momentum_map[:-1]) / dt
        wanted = (0.5 * (inverse[1:] + inverse[:-1]) @ self._momentum[..., None])[..., 0]
        off = (spin @ step[..., None])[..., 0] - wanted                                         # (k, 3) rad/s
        off = off - gaussian_filter1d(off, w.leak / dt, axis=0, mode="nearest")
        pace = w.smooth**2 / dt**2 * self.posture
        drift = step - self._reference_step
        # one stack of rows for both: [momentum; velocity], by frame k + 1 and frame k
        scale = np.sqrt(pace)[:, None]
        after = np.concatenate([np.sqrt(w.momentum) * (spin @ ahead), scale * ahead], 1)
        before = -np.concatenate([np.sqrt(w.momentum) * (spin @ back), scale * back], 1)
        residual = np.concatenate([np.sqrt(w.momentum) * off, np.sqrt(pace) * drift], 1)
        start = 0 if self.before is None else 1
        later = slice(1 - start, None)
        diagonal[later] += np.swapaxes(after, 1, 2) @ after
        gradient[later] += (residual[:, None] @ after)[:, 0]
        before, own = before[start:], residual[start:]
        diagonal[:-1] += np.swapaxes(before, 1, 2) @ before
        gradient[:-1] += (own[:, None] @ before)[:, 0]
        coupling = np.swapaxes(after[start:], 1, 2) @ before
        return coupling, float((residual**2).sum())


def _pack(rows: list[Array], errors: list[Array], counts: list[NDArray[np.int64]]) -> tuple[Array, Array, NDArray[np.int64]]:
    """Contact rows of all limbs with those in use first, whatever each limb's number."""
    used = np.concatenate([np.arange(r.shape[1]) < count[:, None] for r, count in zip(rows, counts, strict=True)], 1)
    order = np.argsort(~used, axis=1, kind="stable")
    every, miss = np.concatenate(rows, 1), np.concatenate(errors, 1)
    return (np.take_along_axis(every, order[..., None], 1), np.take_along_axis(miss, order, 1), used.sum(1))
