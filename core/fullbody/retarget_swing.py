"""Feet in a swing whose footstep changes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from ..geometry.curves import fade_offset
from .foot_path import FootPath, FootSupport

Array = NDArray[np.float64]


def retarget_swing(old_path: FootPath, new_path: FootPath, times: Array, time: float) -> FootPath:
    """Return a foot path that follows the old path up to a time, and the new one after it.

    A foot in the air keeps its position and velocity. Its difference from the new path fades until
    it lands.

    Args:
        old_path, new_path: paths at the same n times.
        times: times of both paths [s], shape (n,).
        time: time from which on the new path holds [s].
    """
    k = int(np.searchsorted(times, time))
    if k == 0:
        return new_path
    if k >= len(times):
        return old_path
    joined = old_path.slice_frames(slice(None, k)).append(new_path.slice_frames(slice(k, None)))
    if (
        k < 2
        or new_path.support[k] != FootSupport.SWING
        or old_path.support[k - 1] != FootSupport.SWING
    ):
        return joined
    landed = np.flatnonzero(new_path.support[k:] != FootSupport.SWING)
    end = k + int(landed[0]) if len(landed) else len(times) - 1
    if end - k < 2:
        return joined
    fade = _OffsetFade(times, first=k, end=end)
    last = slice(k - 2, k)
    faded = slice(k, end)
    turn = so3.log(old_path.rotation[last] @ np.swapaxes(new_path.rotation[last], 1, 2))
    bend_change = (old_path.toe_bend - new_path.toe_bend)[last, None]
    origin = joined.origin.copy()
    rotation = joined.rotation.copy()
    toe_bend = joined.toe_bend.copy()
    origin[faded] += fade.evaluate(old_path.origin[last] - new_path.origin[last])
    rotation[faded] = so3.exp(fade.evaluate(turn)) @ rotation[faded]
    toe_bend[faded] = np.maximum(toe_bend[faded] + fade.evaluate(bend_change)[:, 0], 0.0)
    return replace(joined, origin=origin, rotation=rotation, toe_bend=toe_bend)


@dataclass(frozen=True)
class _OffsetFade:
    """Fade of offsets from the two frames before `first` up to the frame `end`."""

    times: Array  # Times of all frames [s], (n,)
    first: int
    end: int

    def evaluate(self, offsets: Array) -> Array:
        """Return offsets that continue with their rate and fade to zero, (end - first, d).

        Args:
            offsets: offsets at the two frames before `first`, shape (2, d).
        """
        begin = float(self.times[self.first - 1])
        span = float(self.times[self.end]) - begin
        t0, t1 = self.times[self.first - 2 : self.first]
        rate = span * (offsets[1] - offsets[0]) / (t1 - t0)  # Change per span
        u = ((self.times[self.first : self.end] - begin) / span)[:, None]
        return fade_offset(u, offsets[1], rate)
