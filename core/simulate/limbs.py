"""Limbs that come near each other or the trunk, so that they can be kept from passing through each other."""
from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from .. import so3
from ..character.capsule import capsules, nearest
from ..character.character import Character, Limb
from .model import SimulatedModel

Array = NDArray[np.float64]
Pair = tuple[int, int, int, bool]     # two solids, to which side of the second the first belongs, whether both are of legs

NEAR = 0.03           # leg lengths between two surfaces, from where on they count
SOFT = 0.02           # leg lengths by which thighs may press each other
CROSSED = 0.3         # of the way between the axes of legs inside each other that leads to the wrong side, if they have crossed


@dataclass(frozen=True)
class Nearness:
    """m pairs of solids that are near each other, or pass through each other.

    Args:
        lacks: (m,) m that they are nearer than they may be; below 0 where they are not.
        jacobian: (m, nv), how fast they part.
        of_legs: (m,) whether both are legs'.
    """

    lacks: Array
    jacobian: Array
    of_legs: NDArray[np.bool_]


class Limbs:
    """The solids of a body's legs, arms and trunk as capsules, and the pairs of them that can meet.

    Solids may be as near as they are while the body rests, or touch.

    Args:
        data: with the body as it rests.
        carried: (bodies, nv) 1 where a body hangs on what a degree of freedom moves.
    """

    def __init__(self, character: Character, model: SimulatedModel, data: mujoco.MjData, carried: Array) -> None:
        shapes = capsules(character)
        self._link = np.array([shape.link for shape in shapes])
        self._bodies = model.links[self._link]
        self._ends = np.array([[shape.start, shape.end] for shape in shapes])[..., None]    # (c, 2, 3, 1)
        pairs = self._pairs(character)
        self._one, self._other = (np.array([pair[k] for pair in pairs], np.int64) for k in range(2))
        self._sides = np.array([pair[2] for pair in pairs], float)                          # 1 where the first is to the left
        self.of_legs = np.array([pair[3] for pair in pairs], bool)
        self._radii = sum(np.array([shape.radius for shape in shapes])[k] for k in (self._one, self._other))
        self._carried = carried[self._bodies]                                               # (c, nv)
        feet = [foot.link for foot in character.feet]        # these pass before and behind whatever they like
        self._sides[np.isin(self._link[self._one], feet) | np.isin(self._link[self._other], feet)] = 0.0
        thighs = [leg.links[0] for leg in character.legs]
        soft = np.isin(self._link[self._one], thighs) & np.isin(self._link[self._other], thighs)
        self._near, self._keeps = NEAR * character.leg_length, np.zeros(len(pairs))
        if len(pairs):
            self._keeps = np.minimum(self._gaps(data)[0], 0.0) - SOFT * character.leg_length * soft

    def _pairs(self, character: Character) -> list[Pair]:
        def of(links: tuple[int, ...]) -> list[int]:
            return [k for k, link in enumerate(self._link) if link in links]

        def both(ones: tuple[int, ...], others: tuple[int, ...], side: int = 0, legs: bool = False) -> list[Pair]:
            return [(one, other, side, legs) for one in of(ones) for other in of(others)]

        legs, arms, pairs = character.legs, character.arms, list[Pair]()
        for leg, other in _couples(legs):
            pairs += both(leg.links, other.links, int(np.sign(leg.side - other.side)), True)
        for arm in arms:
            # what hangs on the elbow meets more than the upper arm can
            pairs += both(arm.links[:1], character.trunk) + both(arm.links[1:], (0, *character.trunk))
            pairs += [pair for leg in legs for pair in both(arm.links[1:], leg.links[:1])]
        for arm, other in _couples(arms):
            pairs += both(arm.links[1:], other.links[1:])
        return pairs

    def near(self, data: mujoco.MjData) -> Nearness | None:
        """Those that are near each other in the pose of kinematic data; None where there are none."""
        if not len(self._one):
            return None
        gaps, here, there, away = self._gaps(data)
        lacks = self._keeps - gaps
        k = np.flatnonzero(lacks > -self._near)
        if not len(k):
            return None
        turn, move, com = data.cdof[:, :3].T, data.cdof[:, 3:].T, data.subtree_com[1]       # (3, nv)
        one, other = (self._carried[which[k]] for which in (self._one, self._other))       # (m, nv)
        along = away[k]
        arms = [(so3.hat(place[k] - com) @ along[..., None])[..., 0] @ turn for place in (here, there)]
        return Nearness(lacks[k], along @ move * (one - other) + arms[0] * one - arms[1] * other, self.of_legs[k])

    def _gaps(self, data: mujoco.MjData) -> tuple[Array, Array, Array, Array]:
        """Between surfaces, (p,) m; the nearest places on both axes, and which way leads from the second to the first, (p, 3)."""
        turned = data.xmat[self._bodies].reshape(-1, 1, 3, 3)
        axes = data.xpos[self._bodies][:, None] + (turned @ self._ends)[..., 0]             # (c, 2, 3)
        one, other = axes[self._one], axes[self._other]
        here, there = nearest((one[:, 0], one[:, 1]), (other[:, 0], other[:, 1]))
        away = here - there
        far = np.sqrt((away * away).sum(-1))
        away /= np.maximum(far, 1e-9)[:, None]
        # legs whose axes have passed through each other part the way that they came; one that stands across the other has not
        wrong = self._sides * (away @ data.xmat[1].reshape(3, 3)[:, 1]) < -CROSSED
        signs = np.where(wrong & (far < self._radii), -1.0, 1.0)
        return signs * far - self._radii, here, there, signs[:, None] * away


def _couples(limbs: tuple[Limb, ...]) -> list[tuple[Limb, Limb]]:
    return [(limb, other) for k, limb in enumerate(limbs) for other in limbs[k + 1:]]
