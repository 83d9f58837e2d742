"""The way of each foot of a body that jumps: down on its ball, flat, over its toes, and in the air as the pose has it.

The ball comes down at a footstep's `flat`, before the heel does at its `strike`.
"""
from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly, CubicSpline

from ..character.character import Foot
from ..geometry import so3
from ..geometry.quintic import Quintic
from ..motion.footstep import Footstep
from ..terrain import Ground
from .clearance import raise_over
from .foot_path import FootPath, Hold, within_reach
from .roll import STEEPEST_TOE_OFF, pitched

Array = NDArray[np.float64]

AWAY = 0.03           # m that a foot may be drawn aside for the speed that it has as it leaves or lands
TWISTED = 0.5         # rad, the same of its rotation
STEEPEST_LANDING = np.radians(40)
FADING = 0.3          # s in which what a foot lacks fades, at most
SHORTEST = 0.015      # s that a foot takes to come down or to leave at least
STRAIGHT_AGAIN = 0.15 # s in which toes straighten after the lift


@dataclass(frozen=True)
class _Contact:
    """A footstep's own curve of pitch, toes up positive, about the pivot over its toes."""

    begin: float
    end: float
    footstep: Footstep
    foot: Foot
    pivot: Array              # (3,) where it rests
    pitch: Quintic

    @staticmethod
    def of(f: Footstep, foot: Foot, drawn: _Drawn) -> _Contact:
        """A contact that begins and ends with the pitch that the pose's foot has then."""
        begin, end = min(f.flat, f.strike - SHORTEST), max(f.lift, f.heel_off + SHORTEST)
        down, _ = _leaning(f, drawn, begin, STEEPEST_LANDING)
        push, rate = _leaning(f, drawn, end, STEEPEST_TOE_OFF)
        slap = 1.4 * down / (f.strike - begin)
        rate = float(np.clip(rate, 1.2 * push / (end - f.heel_off), 3.0 * push / (end - f.heel_off)))
        pitch = Quintic([begin, f.strike, max(f.heel_off, f.strike + SHORTEST), end],
                        [[-down, slap, 0.0], [0.0] * 3, [0.0] * 3, [-push, -rate, 0.0]])
        return _Contact(begin, end, f, foot, f.position + f.rotation @ (foot.pivot - foot.centre), pitch)

    def origin(self, times: Array) -> tuple[Array, Array]:
        """Origin (n, 3) and rotation (n, 3, 3) of the foot."""
        rotation = pitched(self.footstep.rotation, self.pitch(times))
        return self.pivot - rotation @ self.foot.pivot, rotation

    def fill(self, path: FootPath, times: Array) -> None:
        """Write the contact into a path."""
        f, foot = self.footstep, self.foot
        on = (times >= self.begin) & (times <= self.end)
        path.hold[on] = np.where((times[on] < f.strike) | (times[on] > f.heel_off), Hold.BALL, Hold.FLAT)
        path.origin[on], path.rotation[on] = self.origin(times[on])
        path.rest[on], path.pivot[on] = f.rotation, self.pivot
        path.heel[on] = f.position + f.rotation @ (foot.heel - foot.centre)
        path.bend[on] = np.maximum(-self.pitch(times[on]), 0.0) * foot.has_toe


class _Drawn:
    """A foot as the pose has it, at any time within those known."""

    def __init__(self, times: Array, origin: Array, rotation: Array, body: Array) -> None:
        self.times, self._origin, self._rotation, self.body = times, CubicSpline(times, origin), rotation, body

    def knows(self, time: float) -> bool:
        return bool(self.times[0] <= time <= self.times[-1])

    def origin(self, time: float) -> list[Array]:
        """Place and velocity. Each (3,)."""
        return [self._origin(time), self._origin(time, 1)]

    def rotation(self, time: float) -> tuple[Array, Array]:
        """Rotation (3, 3) and angular velocity (3,)."""
        return self._turning(self._rotation, time)

    def frame(self, time: float) -> tuple[Array, Array]:
        """The same of the body as a whole."""
        return self._turning(self.body, time)

    def _turning(self, rotation: Array, time: float) -> tuple[Array, Array]:
        dt = self.times[1] - self.times[0]
        u = (time - self.times[0]) / dt
        k = int(np.clip(u, 0, len(self.times) - 2))
        turn = so3.log(rotation[k + 1] @ rotation[k].T)
        return so3.exp((u - k) * turn) @ rotation[k], turn / dt


def flight_path(times: Array, footsteps: list[Footstep], foot: Foot, origin: Array, rotation: Array, body: Array, ground: Ground,
                hip: Array, leg: float) -> FootPath:
    """The path of one foot through its footsteps; between them the pose's own foot, joined to the contacts at both ends.

    Args:
        times: (n,) rising.
        footsteps: of this foot, in order; the first strikes before the first time.
        origin, rotation: (n, 3), (n, 3, 3) that the pose gives, placed along the plan.
        body: (n, 3, 3) rotations of the body as a whole: what a foot lacks turns with it.
        hip: (n, 3) places of the hip joint in that pose.
        leg: length of the leg from hip to the foot's origin, m.
    """
    n = len(times)
    drawn = _Drawn(times, origin, rotation, body)
    contacts = [_Contact.of(f, foot, drawn) for f in footsteps]
    path = FootPath(np.zeros(n, np.int64), np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3)), np.tile(np.eye(3), (n, 1, 1)),
                    np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n), np.ones(n))
    for c in contacts:
        c.fill(path, times)
    for a, b in pairwise(contacts):
        on = (times > a.end) & (times < b.begin)
        if on.any():
            _fill_flight(path, on, a, b, drawn, origin[on], rotation[on], ground)
    swinging = path.hold == Hold.SWING
    path.origin[swinging] = within_reach(path.origin[swinging], hip[swinging], leg)
    return path


def _leaning(f: Footstep, drawn: _Drawn, time: float, most: float) -> tuple[float, float]:
    """How far the pose's foot has its toes down against where it rests, rad, and its rate, rad/s."""
    if not drawn.knows(time):
        return 0.0, 0.0
    rotation, spin = drawn.rotation(time)
    forward = f.rotation.T @ rotation[:, 0]
    return float(np.clip(-np.arctan2(forward[2], forward[0]), 0.0, most)), float(spin @ f.rotation[:, 1])


def _bent(pitch: float, u: Array) -> Array:
    """Toes that lie flat on the ground at u = 0 and are straight at 1. (n,)."""
    s = np.clip(u, 0, 1)
    return max(-pitch, 0.0) * (1 - s**3 * (10 - 15 * s + 6 * s * s))


def _fill_flight(path: FootPath, on: NDArray[np.bool_], a: _Contact, b: _Contact, drawn: _Drawn, origin: Array, rotation: Array,
                 ground: Ground) -> None:
    begin, end = a.end, b.begin
    t = drawn.times[on]
    u = (t - begin) / (end - begin)
    body = drawn.body[on]
    for contact, moment, side in ((a, begin, -1), (b, end, 1)):
        if drawn.knows(moment):
            place, pace, off, spin = _missing(contact, moment, side, drawn)
            span = -side * min(0.5 * (end - begin), FADING)
            origin = origin + (body @ _joined(t, moment, span, place, pace, AWAY)[..., None])[..., 0]
            rotation = so3.exp((body @ _joined(t, moment, span, off, spin, TWISTED)[..., None])[..., 0]) @ rotation
    smooth = u**3 * (10 - 15 * u + 6 * u * u)
    rest = a.footstep.rotation @ so3.exp(smooth[:, None] * so3.log(a.footstep.rotation.T @ b.footstep.rotation))
    bend = _bent(float(a.pitch(begin)), (t - begin) / STRAIGHT_AGAIN) + _bent(float(b.pitch(end)), (end - t) / STRAIGHT_AGAIN)
    bend *= a.foot.has_toe
    origin[:, 2] += raise_over(ground, a.foot, origin, rotation, bend, u, 0.0)
    path.origin[on], path.rotation[on], path.rest[on], path.bend[on] = origin, rotation, rest, bend
    path.firm[on] = np.clip(np.abs(2 * u - 1), 0, 1) ** 2


def _missing(c: _Contact, time: float, side: int, drawn: _Drawn) -> tuple[Array, Array, Array, Array]:
    """What the pose's foot lacks at an end of a contact, in the body's axes: place, rotation and their rates. Each (3,)."""
    step = 1e-3
    t = time + side * step * np.arange(3.0)
    place, turned = c.origin(t)
    pace = side * (-1.5 * place[0] + 2 * place[1] - 0.5 * place[2]) / step
    spin = so3.log(turned[1] @ turned[0].T) * side / step
    own, (rotation, own_spin) = drawn.origin(time), drawn.rotation(time)
    frame, turning = drawn.frame(time)
    away, off = place[0] - own[0], so3.log(turned[0] @ rotation.T)
    return (frame.T @ away, frame.T @ (pace - own[1] - np.cross(turning, away)), frame.T @ off,
            frame.T @ (spin - own_spin - np.cross(turning, off)))


def _joined(t: Array, moment: float, span: float, value: Array, rate: Array, most: float) -> Array:
    """A value that fades over a span, which is negative before the moment, and a rate that fades as soon as it must. (n, 3)."""
    quick = min(abs(span), most / max(0.15 * float(np.linalg.norm(rate)), 1e-9)) * np.sign(span)
    return _fading(t, moment, span, [value, 0 * value]) + _fading(t, moment, quick, [0 * value, rate])


def _fading(t: Array, moment: float, span: float, start: list[Array]) -> Array:
    nothing = [0 * start[0]] * 3
    begin, end = sorted((moment, moment + span))
    ends = [[*start, 0 * start[0]], nothing] if span > 0 else [nothing, [*start, 0 * start[0]]]
    inside = ((t >= begin) & (t <= end))[:, None]
    return np.where(inside, BPoly.from_derivatives([begin, end], ends)(np.clip(t, begin, end)), 0.0)
