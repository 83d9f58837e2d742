"""What earlier plans had for the forces: what goes on as it was, and what to begin a search from."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..motion.footstep import Footstep
from .body import ForceCurve
from .force_basis import COUNT, force_basis, share_ahead
from .horizon import Horizon
from .linearization import Base, Goal

Array = NDArray[np.float64]

SAMPLES = 24          # of a force curve that another planner takes over

WindowKey = tuple[int, int, float]
"""Names a window: its footstep, its point and when it begins."""


class Memory:
    """Coefficients by window.

    Args:
        windows: point, begin and end of each window of each footstep.
        known: coefficients of an earlier pass.
        count: of coefficients of each window.
    """

    def __init__(self, windows: list[list[tuple[int, float, float]]], known: dict[WindowKey, Array], count: int = COUNT) -> None:
        self._windows, self._known, self._count = windows, known, count
        self._spans = np.array([(min(w[1] for w in own), max(w[2] for w in own)) for own in windows]).reshape(-1, 2)
        self._last: dict[WindowKey, Array] = {}
        self.shape: dict[WindowKey, Array] = {}

    def within(self, begin: float, end: float) -> list[tuple[int, list[tuple[int, float, float]]]]:
        """Footsteps with windows in a stretch of time, each with those; found at once, however many footsteps there are."""
        near = np.flatnonzero((self._spans[:, 0] < end) & (self._spans[:, 1] > begin))
        found = [(int(k), [w for w in self._windows[k] if w[1] < end and w[2] > begin]) for k in near]
        return [(k, own) for k, own in found if own]

    def remember(self, h: Horizon, coefficients: Array) -> None:
        """Keep the coefficients, and for later guesses each as it was when most of it still lay ahead."""
        ahead = share_ahead(h.windows, h.start, h.count) > 0.5
        for w, key in enumerate(_keys(h)):
            now = coefficients[h.count * w:h.count * (w + 1)]
            self._last[key] = now
            self.shape[key] = np.where(ahead[w][:, None], now, self.shape.get(key, now))

    def last(self, h: Horizon) -> Array:
        """The coefficients of a horizon's windows as they were planned last, nothing where they were not. (count w, 3)."""
        own = [self._last.get(key, np.zeros((h.count, 3))) for key in _keys(h)]
        return np.concatenate(own) if own else np.zeros((0, 3))

    def under_way(self, time: float, footsteps: list[Footstep]) -> dict[tuple[int, int], ForceCurve]:
        """The forces planned from a time on, of all points that are down then, by footstep and point."""
        out = {}
        for k, f in enumerate(footsteps):
            if not f.strike < time < f.lift:
                continue
            for point in {point for point, begin, end in self._windows[k] if begin < time < end}:
                own = [(begin, end) for p, begin, end in self._windows[k] if p == point and end > time]
                times = np.linspace(time, max(end for _, end in own), SAMPLES)
                value = force_basis(times, np.array(own), time, self._count).value.reshape(SAMPLES, -1)
                coefficients = np.concatenate([self._last.get((k, point, begin), np.zeros((self._count, 3))) for begin, _ in own])
                out[k, point] = ForceCurve(times, value @ coefficients)
        return out

    def adopt(self, time: float, forces: dict[tuple[int, int], ForceCurve]) -> None:
        """Take over forces from another planner, drawn out or shortened where their contacts now last longer or shorter."""
        for (k, point), curve in forces.items():
            own = [(begin, end) for p, begin, end in self._windows[k] if p == point and end > time]
            if not own:
                continue
            times = np.linspace(time, max(end for _, end in own), len(curve.times))
            value = force_basis(times, np.array(own), time, self._count).value.reshape(len(times), -1)
            found = np.linalg.lstsq(value, curve.values, rcond=1e-6)[0]
            for j, (begin, _) in enumerate(own):
                self._last[k, point, begin] = found[self._count * j:self._count * (j + 1)]

    def kept(self, h: Horizon) -> tuple[Array, Array] | None:
        """The force at the start of each window under way, as the plan before had it."""
        own = [self._last.get(key) if h.windows[k, 0] < h.start else None for k, key in enumerate(_keys(h))]
        under_way = [k for k, c in enumerate(own) if c is not None]
        if not under_way:
            return None
        value = force_basis(np.array([h.start]), h.windows, h.start, h.count).value[0]       # (w, count)
        rows = np.zeros((len(under_way), h.count * len(h.windows)))
        for row, k in zip(rows, under_way, strict=True):
            row[h.count * k:h.count * (k + 1)] = value[k]
        return rows, np.stack([value[k] @ own[k] for k in under_way])

    def warm(self, h: Horizon, goal: Goal, footsteps: list[Footstep]) -> Base | None:
        """What is known of this horizon's forces; None where something is not.

        Windows under way go on as they were; later ones do as in the earlier pass, or as the same leg did in its last
        contact. What the plan before had for the far end of its own horizon is not worth much.
        """
        found = []
        for k, key in enumerate(_keys(h)):
            if h.windows[k, 0] < h.start and key in self._last:
                found.append(self._last[key])
            elif key in self._known:
                found.append(self._known[key])
            else:
                repeated = self._repeated(footsteps, key[0], key[1])
                if repeated is None:
                    return None
                found.append(repeated)
        positions = np.stack([s.position for s in h.stances])
        coefficients = np.concatenate(found)
        base = Base.of(coefficients, positions, h.roll_out(coefficients, positions, goal.rotation))
        return replace(base, start_error=so3.log(h.state.rotation @ goal.rotation[0].T))

    def _repeated(self, footsteps: list[Footstep], step: int, point: int) -> Array | None:
        """Coefficients of the same point in the last contact of the same leg, where that lasted about as long."""
        f = footsteps[step]
        for k in range(step - 1, -1, -1):
            old = footsteps[k]
            if old.leg == f.leg:
                alike = 0.8 < (f.lift - f.strike) / (old.lift - old.strike) < 1.25
                own, new = ([begin for p, begin, _ in self._windows[j] if p == point] for j in (k, step))
                single = len(self._windows[k]) == len(self._windows[step]) <= 2 and len(own) == len(new) == 1
                return self.shape.get((k, point, own[0])) if alike and single else None
        return None


def _keys(h: Horizon) -> list[WindowKey]:
    """What names each window of a horizon: footstep, point and begin."""
    return [(h.stances[s].step, int(p), float(begin))
            for s, p, begin in zip(h.window_stance, h.window_point, h.windows[:, 0], strict=True)]
