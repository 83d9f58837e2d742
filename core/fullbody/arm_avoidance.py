"""Arms led round the legs and the trunk where they would go through them.

The style's own pose keeps its arms clear, but the legs go where the footsteps are and the trunk where its momentum takes it:
in a tight turn a knee comes out to where the hand hangs. So poses that were already solved tell where an arm is in the way,
and the style's arms are led outward for the next solution, in time and by no more than it takes.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..character.capsule import Capsule, nearest
from ..character.character import Limb
from ..character.kinematic_model import KinematicModel, Placed
from ..geometry import so3

Array = NDArray[np.float64]

CLEAR = 0.016         # m between an arm and what it is led round
NEAR = 0.10           # m between them beyond which two parts are left out of account
OUTWARD = 0.06        # m by which the way out leans to the body's side
SOFTENED = 0.07       # s over which the arm is led out and back
ROUNDS = 6            # each leads out further where the arm is not clear yet
OVER = 2.0            # by which a round goes further than is missing, since a smoothed peak is lower
FURTHEST = 0.8        # rad that a joint is led at most
WILLING = np.array([1.0, 0.25, 1.0, 0.25])       # abduction, flexion, rotation of the upper arm; flexion of the elbow


@dataclass(frozen=True)
class _Arm:
    """An arm in n frames: where it hangs, and what it carries below the elbow."""

    shoulder: Array                   # (n, 3)
    upper: Array                      # (n, 3, 3) rotation of the upper arm
    bent: Array                       # (n, 3, 3) of the forearm in the upper arm's frame
    elbow: Array                      # (3,) in the upper arm's frame
    hinge: Array                      # (3,) of the elbow
    carried: tuple[Capsule, ...]

    def led(self, change: Array) -> _Arm:
        """The arm with its joints changed by (n, 4): the shoulder about the upper arm's own axes, and the elbow."""
        return replace(self, upper=self.upper @ so3.exp(change[:, :3]), bent=so3.exp(change[:, 3:] * self.hinge) @ self.bent)

    def moves(self, point: Array) -> Array:
        """How a place of the forearm (n, 3) moves with the four joint angles. (n, 3, 4)."""
        elbow = self.shoulder + self.upper @ self.elbow
        hinge = self.upper @ self.hinge
        by_shoulder = -so3.hat(point - self.shoulder) @ self.upper
        return np.concatenate([by_shoulder, np.cross(hinge, point - elbow)[..., None]], 2)

    def segments(self) -> list[tuple[Array, Array]]:
        """Ends of what it carries."""
        origin, rotation = self.shoulder + self.upper @ self.elbow, self.upper @ self.bent
        return [capsule.at(origin, rotation) for capsule in self.carried]


def arms_apart(model: KinematicModel, reference: Array, placed: Placed, dt: float) -> Array:
    """The style's poses with arms that are led round the body's other parts. (n, nq).

    Args:
        reference: (n, nq) the style's poses.
        placed: the links in the poses that they led to when the body was solved, or in what comes near to those.
        dt: time between two frames, s.
    """
    character, out = model.character, reference
    shapes = model.capsules
    limbs = {k for arm in character.arms for k in arm.links} | {character.head}
    others = [c for c in shapes if c.link not in limbs]
    for limb in character.arms:
        change = _clearing(_arm_of(model, limb, placed, shapes), _Others.of(others, placed), limb.side, dt)
        if change is None:
            continue
        full = np.zeros((len(reference), model.nv))
        upper, fore = (model.joint_dofs(character.links[k].joint.name) for k in limb.links[:2])
        full[:, upper], full[:, fore[:1]] = change[:, :3], change[:, 3:]
        out = model.integrate(out, full)
    return out


@dataclass(frozen=True)
class _Others:
    """What an arm may meet, in n frames."""

    segments: list[tuple[Array, Array]]
    radii: list[float]
    left: Array                       # (n, 3) across the pelvis

    @staticmethod
    def of(parts: list[Capsule], placed: Placed) -> _Others:
        """Parts of the body by their capsules."""
        return _Others([c.at(placed.origin[:, c.link], placed.rotation[:, c.link]) for c in parts], [c.radius for c in parts],
                       placed.rotation[:, 0, :, 1])

    def near(self, arm: _Arm) -> _Others:
        """Those that an arm comes near to in any frame."""
        kept = [(segment, radius) for segment, radius in zip(self.segments, self.radii, strict=True)
                if any(_gap(own, segment).min() < capsule.radius + radius + NEAR
                       for capsule, own in zip(arm.carried, arm.segments(), strict=True))]
        return replace(self, segments=[segment for segment, _ in kept], radii=[radius for _, radius in kept])


def _gap(one: tuple[Array, Array], other: tuple[Array, Array]) -> Array:
    here, there = nearest(one, other)
    return np.asarray(np.linalg.norm(here - there, axis=1))


def _arm_of(model: KinematicModel, limb: Limb, placed: Placed, shapes: tuple[Capsule, ...]) -> _Arm:
    upper, fore = limb.links[:2]
    link = model.character.links[fore]
    turn = placed.rotation[:, upper]
    return _Arm(placed.origin[:, upper], turn, np.swapaxes(turn, 1, 2) @ placed.rotation[:, fore], np.asarray(link.offset, float),
                np.asarray(link.joint.axes[0], float), tuple(c for c in shapes if c.link == fore))


def _clearing(arm: _Arm, others: _Others, side: int, dt: float) -> Array | None:
    """Joint angles (n, 4) by which an arm is clear of the others; None where it is so anyway."""
    change, others = np.zeros((len(arm.shoulder), 4)), others.near(arm)
    for k in range(ROUNDS):
        missing = _missing(arm.led(change) if k else arm, others, side * others.left)
        if not missing.any():
            break
        change = change + OVER * gaussian_filter1d(missing, SOFTENED / dt, axis=0, mode="nearest")
    return FURTHEST * np.tanh(change / FURTHEST) if change.any() else None


def _missing(arm: _Arm, others: _Others, out: Array) -> Array:
    """The least change of the four joints that leads an arm clear of what it is deepest in. (n, 4)."""
    n = len(out)
    deepest, point, way = np.zeros(n), np.zeros((n, 3)), np.zeros((n, 3))
    for capsule, segment in zip(arm.carried, arm.segments(), strict=True):
        for other, radius in zip(others.segments, others.radii, strict=True):
            here, there = nearest(segment, other)
            away, clear = here - there, capsule.radius + radius + CLEAR
            short = clear - np.linalg.norm(away, axis=1)
            deeper = short > deepest
            if not deeper.any():
                continue
            lean = away + OUTWARD * out
            lean /= np.maximum(np.linalg.norm(lean, axis=1, keepdims=True), 1e-9)
            along = (away * lean).sum(1)
            far = np.sqrt(np.maximum(along**2 + clear**2 - (away**2).sum(1), 0.0)) - along
            deepest = np.where(deeper, short, deepest)
            point = np.where(deeper[:, None], here, point)
            way = np.where(deeper[:, None], far[:, None] * lean, way)
    far = np.linalg.norm(way, axis=1, keepdims=True)
    row = ((way / np.maximum(far, 1e-9))[:, None] @ arm.moves(point))[:, 0]                  # (n, 4)
    # least squares with the lazy joints heavier; a point on the shoulder's axis is not forced
    return WILLING * row * far / np.maximum((WILLING * row * row).sum(1, keepdims=True), 0.01)
