"""Arms that come near the trunk, the thighs or each other,
so that they can be kept from passing through them.
"""

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

PROXIMITY_RANGE = 0.015  # leg lengths between two surfaces, from where on they count
MIN_RESOLVED_GAP = 1e-6  # m between surfaces, below which it cannot be told which way they part


@dataclass(frozen=True)
class ArmProximity:
    """m pairs of solids that are near each other, or inside each other.

    Args:
        deficit: (m,) m that they are nearer than they may be; below 0 where they are not.
        jacobian: (m, nv), how fast they part.
    """

    deficit: Array
    jacobian: Array


class ArmPairs:
    """The solids of a body's arms, and the pairs of them with others that can meet.

    Solids may be as near as they are while the body rests, or touch.

    Args:
        data: with the body as it rests.
        dof_mask: (bodies, nv) 1 where a body hangs on what a degree of freedom moves.
    """

    def __init__(
        self, character: Character, model: SimulatedModel, data: mujoco.MjData, dof_mask: Array
    ) -> None:
        self._model = model.mujoco
        self._range = PROXIMITY_RANGE * character.leg_length
        self._ends = np.zeros(6)  # the places on both that are nearest to each other
        gaps = [
            (one, other, self._measure_gap(data, one, other))
            for one, other in _find_pairs(character, model)
        ]
        # geoms, and how near they may be
        self._pairs = tuple((one, other, min(gap, 0.0)) for one, other, gap in gaps)
        geoms = np.array([pair[:2] for pair in self._pairs], np.int64).reshape(-1, 2)
        self._dof_mask = dof_mask[self._model.geom_bodyid[geoms]]  # (p, 2, nv)

    def find_near(self, data: mujoco.MjData) -> ArmProximity | None:
        """Those that are near each other in the pose of kinematic data;
        None where there are none.
        """
        indices = list[int]()
        gaps = list[float]()
        deficits = list[float]()
        endpoints = list[Array]()
        for k, (one, other, allowed_gap) in enumerate(self._pairs):
            gap = self._measure_gap(data, one, other)
            if gap < self._range + allowed_gap and abs(gap) > MIN_RESOLVED_GAP:
                indices.append(k)
                gaps.append(gap)
                deficits.append(allowed_gap - gap)
                endpoints.append(self._ends.copy())
        if not indices:
            return None
        ends = np.array(endpoints).reshape(-1, 2, 3)
        # from the second to the first, also if inside each other
        direction = (ends[:, 0] - ends[:, 1]) / np.array(gaps)[:, None]
        levers = so3.hat(ends - data.subtree_com[1]) @ direction[:, None, :, None]  # (m, 2, 3, 1)
        # (3, nv) about the centre of mass
        angular_axes = data.cdof[:, :3].T
        linear_axes = data.cdof[:, 3:].T
        # (m, 2, nv)
        rates = (
            (direction @ linear_axes)[:, None] + levers[..., 0] @ angular_axes
        ) * self._dof_mask[indices]
        return ArmProximity(np.array(deficits), rates[:, 0] - rates[:, 1])

    def _measure_gap(self, data: mujoco.MjData, one: int, other: int) -> float:
        """m between two surfaces, below 0 if they are inside each other;
        those out of range are as far as it.
        """
        return mujoco.mj_geomDistance(self._model, data, one, other, self._range, self._ends)


def _find_pairs(character: Character, model: SimulatedModel) -> Iterator[tuple[int, int]]:
    """Geoms of which the first is an arm's, the second what it can meet."""

    def pair_geoms(
        first_links: tuple[int, ...], second_links: tuple[int, ...]
    ) -> Iterator[tuple[int, int]]:
        geom_sets = (
            np.flatnonzero(np.isin(model.mujoco.geom_bodyid, model.links[list(links)]))
            for links in (first_links, second_links)
        )
        return ((int(one), int(other)) for one, other in product(*geom_sets))

    thighs = tuple(leg.links[0] for leg in character.legs)
    for arm in character.arms:
        # what hangs on the elbow meets more than the upper arm can
        yield from pair_geoms(arm.links[:1], character.trunk)
        yield from pair_geoms(arm.links[1:], (0, *character.trunk, *thighs))
    for arm, other in combinations(character.arms, 2):
        yield from pair_geoms(arm.links[1:], other.links[1:])
