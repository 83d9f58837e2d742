"""One motion put into another in place of a stretch of it."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import so3
from ..errors import MotionError
from .easing import joined
from .motion import Motion

Array = NDArray[np.float64]

TURNS = ("link_orientation", "reference_orientation", "toe_orientation")
PLACES = ("link_position", "link_origin", "contact_position", "contact_force", "push_force", "push_point", "push_moment",
          "planned_com", "goal_velocity")
FLAGS = ("contact_active", "relaxed")


def spliced(old: Motion, new: Motion, begin: float, end: float, blend: float) -> Motion:
    """The old motion with a stretch of the new one.

    Outside of it every frame stays as it was, to the bit. Inside, the motions go over into each other within `blend`
    seconds of either end, with the same places, velocities and accelerations at the ends; for bones to stay together there
    both must be nearly the same. An end that lies outside of the clip is none.

    Raises:
        MotionError: the motions are not of the same body and length.
    """
    if old.link_names != new.link_names or old.frames != new.frames or old.fps != new.fps:
        raise MotionError(f"A motion of {new.frames} frames and {len(new.link_names)} links cannot go into one of {old.frames} "
                          f"frames and {len(old.link_names)} links; they must be of the same body, length and frame rate.")
    times = np.arange(old.frames) / old.fps
    into = np.ones(old.frames) if begin <= 0 else _smooth((times - begin) / blend)
    out_of = np.ones(old.frames) if end >= times[-1] else _smooth((end - times) / blend)
    share = np.minimum(into, out_of)                                                       # (n,)
    arrays: dict[str, Any] = {}
    for name in (*TURNS, *PLACES, *FLAGS):
        a, b = getattr(old, name), getattr(new, name)
        if name in FLAGS:
            mixed = np.where(_across(share, a) > 0.5, b, a)
        elif name in TURNS:
            mixed = _turned(a, b, share)
        else:
            mixed = a + _across(share, a) * (b - a)
        arrays[name] = np.where(_across(share, a) == 0, a, np.where(_across(share, a) == 1, b, mixed))
    first, last = -np.inf if begin <= 0 else begin, np.inf if end >= times[-1] else end
    steps = sorted([*(f for f in old.footsteps if not first <= f.time <= last),
                    *(f for f in new.footsteps if first <= f.time <= last)], key=lambda f: f.time)
    eased = joined([*(e for e in old.report.eased if e.end < begin or e.begin > end),
                    *(e for e in new.report.eased if e.end >= begin and e.begin <= end)])
    return replace(new, **arrays, footsteps=tuple(steps), report=replace(new.report, eased=eased))


def _smooth(u: Array) -> Array:
    u = np.clip(u, 0, 1)
    return u**3 * (10 - 15 * u + 6 * u * u)


def _across(share: Array, like: NDArray[Any]) -> Array:
    return share.reshape((-1,) + (1,) * (like.ndim - 1))


def _turned(a: Array, b: Array, share: Array) -> Array:
    """From quaternions to others, by shares. (n, k, 4), (n, k, 4), (n,)."""
    if not a.size:
        return a
    way = so3.quat_log(so3.quat_multiply(so3.quat_conjugate(a), b))
    return so3.quat_multiply(a, so3.quat_exp(_across(share, way) * way))
