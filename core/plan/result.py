"""A finished plan, asked at any times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..motion.easing import ConstraintViolation, merge_violations
from ..motion.footstep import Footstep
from .force_basis import evaluate_force_basis
from .horizon import Horizon, PlanRollout

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlanPiece:
    """One plan's outcome from its start until the next one takes over."""

    horizon: Horizon
    end: float
    coefficients: Array  # (count w, 3)
    positions: Array  # (s, 3)
    rollout: PlanRollout
    violations: tuple[ConstraintViolation, ...]  # where a limit of the body gave way


@dataclass(frozen=True)
class PlanSample:
    """The plan at n times; forces in newtons."""

    time: Array  # (n,)
    com: Array  # (n, 3)
    velocity: Array  # (n, 3)
    rotation: Array  # (n, 3, 3)
    momentum: Array  # (n, 3) angular, kg m^2/s
    force: Array  # (n, limbs, 2, 3) at heel and ball; a grip is the first point of its limb


@dataclass(frozen=True)
class Plan:
    """All pieces in order, and the footsteps as the plan has shifted them."""

    pieces: tuple[PlanPiece, ...]
    footsteps: tuple[Footstep, ...]
    weight: float  # N
    limb_count: int
    # (count, 3) coefficients by footstep, point and begin of the window
    warm_start: dict[tuple[int, int, float], Array]

    def sample(self, times: Array) -> PlanSample:
        """The plan at rising times. (n,)."""
        parts = []
        ends = np.array([p.end for p in self.pieces])
        piece_index = np.minimum(np.searchsorted(ends, times, side="right"), len(ends) - 1)
        first_of_piece = np.flatnonzero(np.diff(piece_index, prepend=-1))
        for indices in np.split(np.arange(len(times)), first_of_piece[1:]):
            parts.append(
                self._sample_piece(
                    self.pieces[piece_index[indices[0]]], times[indices[0] : indices[-1] + 1]
                )
            )
        arrays = {
            name: np.concatenate([getattr(p, name) for p in parts])
            for name in PlanSample.__dataclass_fields__
        }
        return PlanSample(**arrays)

    @property
    def violations(self) -> tuple[ConstraintViolation, ...]:
        """Where limits of the body gave way, each within the piece of the
        plan that was carried out.
        """
        return merge_violations(
            ConstraintViolation(max(e.begin, p.horizon.start), min(e.end, p.end), e.reason)
            for p in self.pieces
            for e in p.violations
            if e.begin < p.end and e.end > p.horizon.start
        )

    def _sample_piece(self, piece: PlanPiece, times: Array) -> PlanSample:
        h = piece.horizon
        coefficients = piece.coefficients
        basis = evaluate_force_basis(times, h.windows, h.start, h.coefficient_count)
        n = len(times)
        w = len(h.windows)
        com, velocity = h.integrate_contact_free(times)
        com = com + h.gravity * (basis.double_integral.reshape(n, -1) @ coefficients)
        velocity = velocity + h.gravity * (basis.integral.reshape(n, -1) @ coefficients)
        window_force = (
            basis.value[:, :, None]
            @ (self.weight * coefficients).reshape(w, h.coefficient_count, 3)
        )[:, :, 0]
        force = np.zeros((n, self.limb_count, 2, 3))
        for k in range(w):
            force[:, h.stances[h.window_stance[k]].leg, h.window_point[k]] += window_force[:, k]
        u = (times - h.start) / h.dt
        rollout = piece.rollout
        node = np.minimum(np.maximum(u.astype(int), 0), h.node_count - 2)
        u = (u - node)[:, None]
        momentum = _interpolate_hermite(
            u,
            *rollout.momentum[[2 * node, 2 * node + 2]],
            *h.dt * rollout.moment[[2 * node, 2 * node + 2]],
        )
        before = rollout.rotation[node]
        rotation = (
            so3.exp(u * so3.log(rollout.rotation[node + 1] @ np.swapaxes(before, 1, 2))) @ before
        )
        return PlanSample(
            times, com, velocity, rotation=rotation, momentum=momentum * self.weight, force=force
        )


def _interpolate_hermite(
    u: Array, start: Array, end: Array, start_rate: Array, end_rate: Array
) -> Array:
    """The cubic between two values with the rates at both, at shares u of the way."""
    difference = end - start
    return start + u * (
        start_rate
        + u
        * (
            3 * difference
            - 2 * start_rate
            - end_rate
            + u * (start_rate + end_rate - 2 * difference)
        )
    )
