"""Feet that are on their way when their goal changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..geometry import so3
from .foot_path import FootPath, FootSupport

Array = NDArray[np.float64]


def retarget_swing(old_path: FootPath, new_path: FootPath, times: Array, time: float) -> FootPath:
    """A foot that went the old way until a time and goes the new way after it.

    In the air it keeps its place and velocity, and what it is off the new way by
    then fades until it lands.

    Args:
        times: (n,) of both paths.
        time: at which the new way holds.
    """
    k = int(np.searchsorted(times, time))
    if k == 0:
        return new_path
    if k >= len(times):
        return old_path
    joined = FootPath(
        *(
            np.concatenate([getattr(old_path, name)[:k], getattr(new_path, name)[k:]])
            for name in FootPath.__dataclass_fields__
        )
    )
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
    span = (float(times[k - 1]), float(times[end]))
    fading_frames = slice(k, end)
    position_offset = _fade_offset(
        old_path.origin[k - 2 : k] - new_path.origin[k - 2 : k],
        times[k - 2 : k],
        span,
        times[fading_frames],
    )
    rotation_offset = _fade_offset(
        so3.log(old_path.rotation[k - 2 : k] @ np.swapaxes(new_path.rotation[k - 2 : k], 1, 2)),
        times[k - 2 : k],
        span,
        times[fading_frames],
    )
    bend_offset = _fade_offset(
        (old_path.toe_bend - new_path.toe_bend)[k - 2 : k, None],
        times[k - 2 : k],
        span,
        times[fading_frames],
    )[:, 0]
    origin = joined.origin.copy()
    rotation = joined.rotation.copy()
    toe_bend = joined.toe_bend.copy()
    origin[fading_frames] += position_offset
    rotation[fading_frames] = so3.exp(rotation_offset) @ rotation[fading_frames]
    toe_bend[fading_frames] = np.maximum(toe_bend[fading_frames] + bend_offset, 0.0)
    return replace(joined, origin=origin, rotation=rotation, toe_bend=toe_bend)


def _fade_offset(
    offsets: Array, offset_times: Array, span: tuple[float, float], times: Array
) -> Array:
    """What two values at two times were off, going on with its rate and fading to nothing at
    the span's end. (m, d).

    Of fourth degree in the share u of the span: with the calmest end that value and
    rate at the start leave.
    """
    # a span
    rate = (span[1] - span[0]) * (offsets[1] - offsets[0]) / (offset_times[1] - offset_times[0])
    u = ((times - span[0]) / (span[1] - span[0]))[:, None]
    return (1 - u) ** 3 * (offsets[1] + u * (3 * offsets[1] + rate))
