"""Result of planning, evaluated at any times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..motion.footstep import Footstep
from ..motion.violations import ConstraintViolation, merge_violations
from .forces import ForceBasis, WindowKey, evaluate_force_basis
from .horizon import Horizon, PlanRollout

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlanPiece:
    """Result of one plan, used from its start until the next one takes over."""

    horizon: Horizon
    end: float  # [s]
    coefficients: Array  # (w K, 3) [body weights]
    positions: Array  # (s, 3) [m] of the stances
    rollout: PlanRollout
    violations: tuple[ConstraintViolation, ...]  # relaxed limits


@dataclass(frozen=True)
class PlanSample:
    """Plan at n times."""

    time: Array  # (n,) [s]
    com: Array  # (n, 3) [m]
    velocity: Array  # (n, 3) [m/s]
    rotation: Array  # (n, 3, 3)
    momentum: Array  # (n, 3) [kg m^2/s] angular, about the CoM
    # (n, limbs, 2, 3) [N] at heel and ball; that of a grip at the first point
    force: Array

    def select(self, part: slice) -> PlanSample:
        """Return the plan at some of the times."""
        return PlanSample(*(getattr(self, name)[part] for name in self.__dataclass_fields__))


@dataclass(frozen=True)
class Plan:
    """All pieces in order, and the footsteps with their displacements."""

    pieces: tuple[PlanPiece, ...]
    footsteps: tuple[Footstep, ...]
    weight: float  # [N]
    limb_count: int
    warm_start: dict[WindowKey, Array]  # coefficients (K, 3) [body weights]

    def sample(self, times: Array) -> PlanSample:
        """Evaluate the plan at increasing times (n,) [s]."""
        parts = [self._sample_piece(*part) for part in self._split_by_piece(times)]
        arrays = {
            name: np.concatenate([getattr(p, name) for p in parts])
            for name in PlanSample.__dataclass_fields__
        }
        return PlanSample(**arrays)

    def average_forces(self, sample: PlanSample, frame_time: float) -> Array:
        """Return the mean force of each point about each frame [N], (n, limbs, 2, 3).

        The weights of the mean fall to 0 a frame before and after, so that the forces at the frames
        explain how the momentum changes from frame to frame, whatever they do in between, as when a
        heel strikes.

        Args:
            sample: the plan at the frames.
            frame_time: time from frame to frame [s].
        """
        times = sample.time
        middles = np.append(times - 0.5 * frame_time, times[-1] + 0.5 * frame_time)
        middles = np.clip(middles, self.pieces[0].horizon.start, self.pieces[-1].end)
        force = np.concatenate(
            [
                self._sum_point_forces(piece, _evaluate_basis(piece, part))
                for piece, part in self._split_by_piece(middles)
            ]
        )
        return 0.5 * sample.force + 0.25 * (force[:-1] + force[1:])

    def _split_by_piece(self, times: Array) -> list[tuple[PlanPiece, Array]]:
        """Return the pieces that hold at increasing times (n,) [s], each with its times."""
        ends = np.array([p.end for p in self.pieces])
        piece_index = np.minimum(np.searchsorted(ends, times, side="right"), len(ends) - 1)
        first_of_piece = np.flatnonzero(np.diff(piece_index, prepend=-1))
        return [
            (self.pieces[piece_index[first]], part)
            for first, part in zip(first_of_piece, np.split(times, first_of_piece[1:]), strict=True)
        ]

    @property
    def violations(self) -> tuple[ConstraintViolation, ...]:
        """Relaxed limits, each clipped to the time for which its plan was used."""
        return merge_violations(
            ConstraintViolation(max(e.begin, p.horizon.start), min(e.end, p.end), e.reason)
            for p in self.pieces
            for e in p.violations
            if e.begin < p.end and e.end > p.horizon.start
        )

    def _sample_piece(self, piece: PlanPiece, times: Array) -> PlanSample:
        """Evaluate one piece: CoM and forces exactly, rotation and momentum interpolated."""
        h = piece.horizon
        coefficients = piece.coefficients
        basis = _evaluate_basis(piece, times)
        flat = basis.flatten()
        contact_free = h.integrate_contact_free(times)
        com = contact_free.com + h.gravity * (flat.double_integral @ coefficients)
        velocity = contact_free.velocity + h.gravity * (flat.integral @ coefficients)
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
            times,
            com,
            velocity,
            rotation=rotation,
            momentum=momentum * self.weight,
            force=self._sum_point_forces(piece, basis),
        )

    def _sum_point_forces(self, piece: PlanPiece, basis: ForceBasis) -> Array:
        """Sum the forces of all windows of each contact point [N]. (n, limbs, 2, 3)."""
        h = piece.horizon
        w = len(h.windows)
        window_force = (
            basis.value[:, :, None]
            @ (self.weight * piece.coefficients).reshape(w, h.coefficient_count, 3)
        )[:, :, 0]
        force = np.zeros((len(basis.value), self.limb_count, 2, 3))
        for k in range(w):
            force[:, h.stances[h.window_stance[k]].leg, h.window_point[k]] += window_force[:, k]
        return force


def _evaluate_basis(piece: PlanPiece, times: Array) -> ForceBasis:
    """Return the basis of the force curves of a piece at times (n,) [s]."""
    h = piece.horizon
    return evaluate_force_basis(times, h.windows, h.start, h.coefficient_count)


def _interpolate_hermite(
    u: Array, start: Array, end: Array, start_rate: Array, end_rate: Array
) -> Array:
    """Evaluate the cubic Hermite interpolant. (n, 1), (n, 3) -> (n, 3).

    Args:
        u: elapsed share of the interval.
        start: value at 0.
        end: value at 1.
        start_rate: derivative with respect to u at 0.
        end_rate: derivative with respect to u at 1.
    """
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
