"""Poses whose legs, of any joints, are led to where their feet are to be: damped least squares for all frames at once."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.kinematic_model import KinematicModel
from ..geometry import so3
from .foot_path import FootPath, Hold
from .leg_chain import Index, LegChain, LegPlaced
from .stride_path import held_point

Array = NDArray[np.float64]

ROUNDS = 12
AGAIN = 6             # of them, after which legs that are lost begin again
DAMPED = 0.03         # of a leg's length: less, and a stretched leg swings about
FARTHEST = 0.5        # rad a joint turns by in a round
TURN = 0.3            # leg lengths, what a rad of a sole counts against a length
CLOSE = 5e-4          # leg lengths by which a foot is off when its frame is done
LOST = 0.05           # leg lengths by which it is still off when it is lost and had better set out from another frame's pose
AT_BOUND = 1e-6       # rad from the end of its range that a hinge is at it


def legs_to(model: KinematicModel, poses: Array, com: Array, feet: tuple[FootPath, ...], rounds: int = ROUNDS) -> Array:
    """Poses moved so that the centre of mass is in its place, with legs that end where the feet's ways are. (n, nq).

    Legs that come to nothing, caught at the ends of their joints' ranges, begin again as the nearest frame has them
    that did arrive.

    Args:
        com: (n, 3).
    """
    poses, n, length = poses.copy(), len(poses), model.character.leg_length
    legs = _Legs.of(model, poses, feet)
    off = np.full((n, len(feet)), np.inf)
    own = np.arange(n)
    for k in range(rounds):
        if k == AGAIN:
            _begun_again(legs, poses, off, LOST * length)
        change, off[own], shift = legs.step(poses[own], own, com[own])
        poses[own] = legs.within_ranges(model.integrate(poses[own], change))
        own = own[(off[own].max(1) > CLOSE * length) | (shift > CLOSE * length)]
        if not own.size:
            break
    return poses


@dataclass(frozen=True)
class _Legs:
    """All legs of a body whose trunk stands as it does but for its place."""

    model: KinematicModel
    feet: tuple[FootPath, ...]
    chains: tuple[LegChain, ...]
    rest: Array           # (n, 3) mass times place against the root of all but the legs, kg m

    @staticmethod
    def of(model: KinematicModel, poses: Array, feet: tuple[FootPath, ...]) -> _Legs:
        placed = model.place(poses)
        chains = tuple(LegChain.of(model, k, placed, held_point(foot)) for k, foot in enumerate(model.character.feet))
        own = np.arange(len(poses))
        whole = model.character.mass * (placed.com - placed.origin[:, 0])
        return _Legs(model, feet, chains, whole - sum(chain.place(poses, own).moment for chain in chains))

    def step(self, poses: Array, own: Index, com: Array) -> tuple[Array, Array, Array]:
        """How poses (n, nq) of the frames `own` change, how far each foot is off, and the root. (n, nv), (n, feet), (n,)."""
        placed = [chain.place(poses, own) for chain in self.chains]
        at = (self.rest[own] + sum(leg.moment for leg in placed)) / self.model.character.mass
        root = com - at
        change = np.zeros((len(own), self.model.nv))
        change[:, :3] = root - poses[:, :3]
        off = np.empty((len(own), len(placed)))
        for k, (leg, chain) in enumerate(zip(placed, self.chains, strict=True)):
            change[:, chain.dofs], off[:, k] = self._bend(k, leg, poses, own, root)
        return change, off, np.linalg.norm(change[:, :3], axis=1)

    def _bend(self, k: int, leg: LegPlaced, poses: Array, own: Index, root: Array) -> tuple[Array, Array]:
        """Change of a leg's joints that leads its foot to its place, and how far that is off. (n, d), (n,)."""
        path, chain, length = self.feet[k], self.chains[k], self.model.character.leg_length
        linear, away = leg.slopes, path.origin[own] - root - leg.end
        if not self.model.character.feet[k].is_point:
            turned = so3.log(path.rotation[own] @ np.swapaxes(leg.rotation, 1, 2))
            linear = np.concatenate([linear, TURN * length * leg.axes], 1)
            away = np.concatenate([away, TURN * length * turned], 1)
        away = np.where((path.hold[own] == Hold.FREE)[:, None], 0.0, away)
        step = _damped(linear, away, DAMPED * length)
        angle, turn = poses[:, chain.coordinates], step[:, chain.hinged]
        stuck = ((angle > chain.high - AT_BOUND) & (turn > 0)) | ((angle < chain.low + AT_BOUND) & (turn < 0))
        stuck &= chain.beyond                            # hips share what they do: without one, the others turn a leg inside out
        caught = np.flatnonzero(stuck.any(1))
        if caught.size:                                  # the others go on without those that can go no further
            free = np.ones((len(caught), linear.shape[2]))
            free[:, chain.hinged] -= stuck[caught]
            step[caught] = _damped(linear[caught] * free[:, None], away[caught], DAMPED * length)
        largest = np.abs(step).max(1, keepdims=True)
        return step * np.minimum(1.0, FARTHEST / np.maximum(largest, FARTHEST)), np.linalg.norm(away, axis=1)

    def within_ranges(self, poses: Array) -> Array:
        """The same poses with hinges that keep their ranges."""
        for chain in self.chains:
            poses[:, chain.coordinates] = np.clip(poses[:, chain.coordinates], chain.low, chain.high)
        return poses


def _damped(slopes: Array, away: Array, damping: float) -> Array:
    """The step that leads a distance away (n, r) by slopes (n, r, d), kept short. (n, d)."""
    back = np.swapaxes(slopes, 1, 2)
    square = slopes @ back + damping**2 * np.eye(slopes.shape[1])
    return np.asarray((back @ np.linalg.solve(square, away[..., None]))[..., 0])


def _begun_again(legs: _Legs, poses: Array, off: Array, lost: float) -> None:
    """Give each leg that is lost the hinges of the nearest frame in time whose leg is not."""
    for chain, away in zip(legs.chains, off.T, strict=True):
        gone, found = np.flatnonzero(away > lost), np.flatnonzero(away <= lost)
        if gone.size and found.size:
            nearest = found[np.abs(gone[:, None] - found).argmin(1)]
            poses[gone[:, None], chain.coordinates] = poses[nearest[:, None], chain.coordinates]
