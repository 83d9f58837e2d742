"""Feet that are on their way when their goal changes."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .foot_path import FootPath, Hold

Array = NDArray[np.float64]


def redirected(old: FootPath, new: FootPath, times: Array, time: float) -> FootPath:
    """A foot that went the old way until a time and goes the new way after it.

    In the air it keeps its place and velocity, and what it is off the new way by then fades until it lands.

    Args:
        times: (n,) of both paths.
        time: at which the new way holds.
    """
    k = int(np.searchsorted(times, time))
    if k == 0:
        return new
    if k >= len(times):
        return old
    joined = FootPath(*(np.concatenate([getattr(old, name)[:k], getattr(new, name)[k:]]) for name in FootPath.__dataclass_fields__))
    if k < 2 or new.hold[k] != Hold.SWING or old.hold[k - 1] != Hold.SWING:
        return joined
    landed = np.flatnonzero(new.hold[k:] != Hold.SWING)
    end = k + int(landed[0]) if len(landed) else len(times) - 1
    if end - k < 2:
        return joined
    span = (float(times[k - 1]), float(times[end]))
    on = slice(k, end)
    place = _fading(old.origin[k - 2:k] - new.origin[k - 2:k], times[k - 2:k], span, times[on])
    turn = _fading(so3.log(old.rotation[k - 2:k] @ np.swapaxes(new.rotation[k - 2:k], 1, 2)), times[k - 2:k], span, times[on])
    bend = _fading((old.bend - new.bend)[k - 2:k, None], times[k - 2:k], span, times[on])[:, 0]
    origin, rotation, bent = joined.origin.copy(), joined.rotation.copy(), joined.bend.copy()
    origin[on] += place
    rotation[on] = so3.exp(turn) @ rotation[on]
    bent[on] = np.maximum(bent[on] + bend, 0.0)
    return replace(joined, origin=origin, rotation=rotation, bend=bent)


def _fading(off: Array, at: Array, span: tuple[float, float], times: Array) -> Array:
    """What two values at two times were off, going on with its rate and fading to nothing at the span's end. (m, d).

    Of fourth degree in the share u of the span: with the calmest end that value and rate at the start leave.
    """
    rate = (span[1] - span[0]) * (off[1] - off[0]) / (at[1] - at[0])                     # a span
    u = ((times - span[0]) / (span[1] - span[0]))[:, None]
    return (1 - u) ** 3 * (off[1] + u * (3 * off[1] + rate))
