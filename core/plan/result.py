"""A finished plan, asked at any times."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..motion.easing import Easing, joined
from ..motion.footstep import Footstep
from .force_basis import force_basis
from .horizon import Horizon, Rollout

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Piece:
    """One plan's outcome from its start until the next one takes over."""

    horizon: Horizon
    end: float
    coefficients: Array                # (count w, 3)
    positions: Array                   # (s, 3)
    rollout: Rollout
    eased: tuple[Easing, ...]          # where a limit of the body gave way


@dataclass(frozen=True)
class PlanSample:
    """The plan at n times; forces in newtons."""

    time: Array                        # (n,)
    com: Array                         # (n, 3)
    velocity: Array                    # (n, 3)
    rotation: Array                    # (n, 3, 3)
    momentum: Array                    # (n, 3) angular, kg m^2/s
    force: Array                       # (n, limbs, 2, 3) at heel and ball; a grip is the first point of its limb


@dataclass(frozen=True)
class Plan:
    """All pieces in order, and the footsteps as the plan has shifted them."""

    pieces: tuple[Piece, ...]
    footsteps: tuple[Footstep, ...]
    weight: float                      # N
    limbs: int
    known: dict[tuple[int, int, float], Array]     # (count, 3) coefficients by footstep, point and begin of the window

    def at(self, times: Array) -> PlanSample:
        """The plan at rising times. (n,)."""
        parts = []
        ends = np.array([p.end for p in self.pieces])
        owner = np.minimum(np.searchsorted(ends, times, side="right"), len(ends) - 1)
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        for own in np.split(np.arange(len(times)), first[1:]):
            parts.append(self._within(self.pieces[owner[own[0]]], times[own[0]:own[-1] + 1]))
        joined = {name: np.concatenate([getattr(p, name) for p in parts]) for name in PlanSample.__dataclass_fields__}
        return PlanSample(**joined)

    @property
    def eased(self) -> tuple[Easing, ...]:
        """Where limits of the body gave way, each within the piece of the plan that was carried out."""
        return joined(Easing(max(e.begin, p.horizon.start), min(e.end, p.end), e.reason) for p in self.pieces for e in p.eased
                      if e.begin < p.end and e.end > p.horizon.start)

    def _within(self, piece: Piece, times: Array) -> PlanSample:
        h, c = piece.horizon, piece.coefficients
        b = force_basis(times, h.windows, h.start, h.count)
        n, w = len(times), len(h.windows)
        com, velocity = h.coast(times)
        com = com + h.gravity * (b.twice.reshape(n, -1) @ c)
        velocity = velocity + h.gravity * (b.once.reshape(n, -1) @ c)
        push = (b.value[:, :, None] @ (self.weight * c).reshape(w, h.count, 3))[:, :, 0]
        force = np.zeros((n, self.limbs, 2, 3))
        for k in range(w):
            force[:, h.stances[h.window_stance[k]].leg, h.window_point[k]] += push[:, k]
        u, out = (times - h.start) / h.dt, piece.rollout
        node = np.minimum(np.maximum(u.astype(int), 0), h.nodes - 2)
        u = (u - node)[:, None]
        momentum = _hermite(u, *out.momentum[[2 * node, 2 * node + 2]], *h.dt * out.moment[[2 * node, 2 * node + 2]])
        before = out.rotation[node]
        rotation = so3.exp(u * so3.log(out.rotation[node + 1] @ np.swapaxes(before, 1, 2))) @ before
        return PlanSample(times, com, velocity, rotation, momentum * self.weight, force)


def _hermite(u: Array, start: Array, end: Array, leaving: Array, arriving: Array) -> Array:
    """The cubic between two values with the rates at both, at shares u of the way."""
    way = end - start
    return start + u * (leaving + u * (3 * way - 2 * leaving - arriving + u * (leaving + arriving - 2 * way)))
