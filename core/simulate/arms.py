"""Arms that come near the trunk, the thighs or each other, so that they can be kept from passing through them."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..geometry import so3
from .model import SimulatedModel

Array = NDArray[np.float64]

NEAR = 0.015          # leg lengths between two surfaces, from where on they count
TOUCH = 1e-6          # m between surfaces, below which it cannot be told which way they part


@dataclass(frozen=True)
class Nearness:
    """m pairs of solids that are near each other, or inside each other.

    Args:
        lacks: (m,) m that they are nearer than they may be; below 0 where they are not.
        jacobian: (m, nv), how fast they part.
    """

    lacks: Array
    jacobian: Array


class Arms:
    """The solids of a body's arms, and the pairs of them with others that can meet.

    Solids may be as near as they are while the body rests, or touch.

    Args:
        data: with the body as it rests.
        carried: (bodies, nv) 1 where a body hangs on what a degree of freedom moves.
    """

    def __init__(self, character: Character, model: SimulatedModel, data: mujoco.MjData, carried: Array) -> None:
        self._model, self._range = model.mujoco, NEAR * character.leg_length
        self._ends = np.zeros(6)                    # the places on both that are nearest to each other
        gaps = [(one, other, self._gap(data, one, other)) for one, other in _pairs(character, model)]
        self._pairs = tuple((one, other, min(gap, 0.0)) for one, other, gap in gaps)         # geoms, and how near they may be
        geoms = np.array([pair[:2] for pair in self._pairs], np.int64).reshape(-1, 2)
        self._carried = carried[self._model.geom_bodyid[geoms]]                             # (p, 2, nv)

    def near(self, data: mujoco.MjData) -> Nearness | None:
        """Those that are near each other in the pose of kinematic data; None where there are none."""
        which, gaps, lacks, places = list[int](), list[float](), list[float](), list[Array]()
        for k, (one, other, keeps) in enumerate(self._pairs):
            gap = self._gap(data, one, other)
            if gap < self._range + keeps and abs(gap) > TOUCH:
                which.append(k)
                gaps.append(gap)
                lacks.append(keeps - gap)
                places.append(self._ends.copy())
        if not which:
            return None
        ends = np.array(places).reshape(-1, 2, 3)
        away = (ends[:, 0] - ends[:, 1]) / np.array(gaps)[:, None]    # from the second to the first, also if inside each other
        levers = so3.hat(ends - data.subtree_com[1]) @ away[:, None, :, None]               # (m, 2, 3, 1)
        turn, move = data.cdof[:, :3].T, data.cdof[:, 3:].T                                 # (3, nv) about the centre of mass
        rates = ((away @ move)[:, None] + levers[..., 0] @ turn) * self._carried[which]     # (m, 2, nv)
        return Nearness(np.array(lacks), rates[:, 0] - rates[:, 1])

    def _gap(self, data: mujoco.MjData, one: int, other: int) -> float:
        """m between two surfaces, below 0 if they are inside each other; those out of range are as far as it."""
        return mujoco.mj_geomDistance(self._model, data, one, other, self._range, self._ends)


def _pairs(character: Character, model: SimulatedModel) -> Iterator[tuple[int, int]]:
    """Geoms of which the first is an arm's, the second what it can meet."""
    def both(ones: tuple[int, ...], others: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        of = (np.flatnonzero(np.isin(model.mujoco.geom_bodyid, model.links[list(links)])) for links in (ones, others))
        return ((int(one), int(other)) for one, other in product(*of))

    thighs = tuple(leg.links[0] for leg in character.legs)
    for arm in character.arms:
        # what hangs on the elbow meets more than the upper arm can
        yield from both(arm.links[:1], character.trunk)
        yield from both(arm.links[1:], (0, *character.trunk, *thighs))
    for arm, other in combinations(character.arms, 2):
        yield from both(arm.links[1:], other.links[1:])
