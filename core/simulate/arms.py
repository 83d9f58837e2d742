"""Proximity of the arms to the trunk, the thighs and each other, for collision avoidance."""

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

# Distance between two surfaces below which they are considered, as a share of the leg length
PROXIMITY_RANGE = 0.015
# Distance between surfaces below which their direction cannot be determined [m]
MIN_RESOLVED_GAP = 1e-6


@dataclass(frozen=True)
class ArmProximity:
    """m pairs of geoms that are near each other or overlap."""

    deficit: Array  # (m,) [m] by which they are too near; negative where they are not
    jacobian: Array  # (m, nv) rate of their distance


@dataclass(frozen=True)
class _GeomPair:
    """A geom of an arm, and one that it can collide with."""

    arm: int
    other: int


@dataclass(frozen=True)
class _WatchedPair:
    """A pair, and its smallest allowed distance."""

    pair: _GeomPair
    allowed_gap: float  # [m]; negative for geoms that overlap in the rest pose


class ArmPairs:
    """Pairs of geoms that the arms of a body can collide with.

    Geoms may touch, and overlap as far as they do in the rest pose.

    Args:
        character: of the model.
        model: of the body.
        data: with the body in its rest pose.
        dof_mask: (bodies, nv) 1 where a body is moved by a degree of freedom, else 0.
    """

    def __init__(
        self, character: Character, model: SimulatedModel, data: mujoco.MjData, dof_mask: Array
    ) -> None:
        self._model = model.mujoco
        self._range = PROXIMITY_RANGE * character.leg_length
        self._ends = np.zeros(6)  # buffer of the nearest points of both geoms
        self._pairs = tuple(
            _WatchedPair(pair, min(self._measure_gap(data, pair), 0.0))
            for pair in _find_pairs(character, model)
        )
        geoms = np.array([(w.pair.arm, w.pair.other) for w in self._pairs], np.int64).reshape(-1, 2)
        self._dof_mask = dof_mask[self._model.geom_bodyid[geoms]]  # (p, 2, nv)
        self._geoms = geoms
        # (p,) distance of two centers beyond which their surfaces are out of range
        self._reach = self._model.geom_rbound[geoms].sum(1) + self._range + MIN_RESOLVED_GAP

    def find_near(self, data: mujoco.MjData) -> ArmProximity | None:
        """Return the pairs that are near each other, or None if there are none.

        Args:
            data: with the kinematics of the current pose.
        """
        indices = list[int]()
        gaps = list[float]()
        deficits = list[float]()
        endpoints = list[Array]()
        for k in self._find_close_pairs(data):
            watched = self._pairs[k]
            gap = self._measure_gap(data, watched.pair)
            if gap < self._range + watched.allowed_gap and abs(gap) > MIN_RESOLVED_GAP:
                indices.append(k)
                gaps.append(gap)
                deficits.append(watched.allowed_gap - gap)
                endpoints.append(self._ends.copy())
        if not indices:
            return None
        ends = np.array(endpoints).reshape(-1, 2, 3)
        # Unit vector in which the first geom must move to increase the distance, also in overlap
        direction = (ends[:, 0] - ends[:, 1]) / np.array(gaps)[:, None]
        levers = so3.hat(ends - data.subtree_com[1]) @ direction[:, None, :, None]  # (m, 2, 3, 1)
        # (3, nv) motion axes about the CoM
        angular_axes = data.cdof[:, :3].T
        linear_axes = data.cdof[:, 3:].T
        # (m, 2, nv)
        rates = (
            (direction @ linear_axes)[:, None] + levers[..., 0] @ angular_axes
        ) * self._dof_mask[indices]
        return ArmProximity(np.array(deficits), rates[:, 0] - rates[:, 1])

    def _find_close_pairs(self, data: mujoco.MjData) -> list[int]:
        """Return the pairs whose surfaces may be in range, by spheres around the geoms."""
        centers = data.geom_xpos[self._geoms]  # (p, 2, 3)
        between = centers[:, 1] - centers[:, 0]
        distance = np.sqrt(np.einsum("pi,pi->p", between, between))
        return np.flatnonzero(distance < self._reach).tolist()

    def _measure_gap(self, data: mujoco.MjData, pair: _GeomPair) -> float:
        """Return the signed distance of two surfaces [m], at most the range.

        The nearest points are left in `_ends`.
        """
        return mujoco.mj_geomDistance(
            self._model, data, pair.arm, pair.other, self._range, self._ends
        )


def _find_pairs(character: Character, model: SimulatedModel) -> Iterator[_GeomPair]:
    """Yield all pairs of geoms that can collide.

    Upper arms are paired with the trunk alone; what hangs on the elbow with the pelvis, the thighs
    and the other arm as well.
    """

    def pair_geoms(arm_links: tuple[int, ...], other_links: tuple[int, ...]) -> Iterator[_GeomPair]:
        geom_sets = (
            np.flatnonzero(np.isin(model.mujoco.geom_bodyid, model.links[list(links)]))
            for links in (arm_links, other_links)
        )
        return (_GeomPair(int(arm), int(other)) for arm, other in product(*geom_sets))

    thighs = tuple(leg.links[0] for leg in character.legs)
    for arm in character.arms:
        yield from pair_geoms(arm.links[:1], character.trunk)
        yield from pair_geoms(arm.links[1:], (0, *character.trunk, *thighs))
    for arm, other in combinations(character.arms, 2):
        yield from pair_geoms(arm.links[1:], other.links[1:])
