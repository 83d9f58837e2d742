"""Footsteps taken out of a motion: the ones around them are spread over the room that there is."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from ..motion import Footstep
from ..task import KeptStep

ROOM = 4              # footsteps on either side that are spread
TURNS = 0.05          # s between the middles of contacts of feet that take turns, at least


def fewer_steps(steps: Sequence[Footstep], gone: Collection[int], held: Collection[int] = ()) -> tuple[KeptStep, ...]:
    """Footsteps to keep so that some are missing; feet go on taking turns, so the next one goes as well where it must.

    None are told where both feet land together, where nothing is left on either side, and where held ones leave no room.

    Args:
        steps: in the order of their times.
        gone: numbers of those that shall be missing.
        held: numbers of those that stay where they are.
    """
    out: list[KeptStep] = []
    for first, last in _runs(sorted(gone)):
        if (last - first) % 2 == 0:                  # feet take turns
            if last + 1 < len(steps) and last + 1 not in held:
                last += 1
            elif first > 0 and first - 1 not in held:
                first -= 1
            else:
                continue
        begin, end = max(first - ROOM, 0), min(last + ROOM, len(steps) - 1)
        begin = max([begin, *(k for k in held if k < first)])
        end = min([end, *(k for k in held if k > last)])
        window = steps[begin:end + 1]
        if begin >= first or end <= last or any(a.leg == b.leg or b.time - a.time < TURNS for a, b in pairwise(window)):
            continue
        left = [*range(begin, first), *range(last + 1, end + 1)]
        for old, at in zip(left, np.linspace(begin, end, len(left)), strict=True):
            out.append(_between(steps, steps[old].leg, float(at), (begin, end)))
    return tuple(out)


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """First and last of each run of neighbours."""
    out: list[tuple[int, int]] = []
    for k in numbers:
        if out and k <= out[-1][1] + 1:
            out[-1] = (out[-1][0], k)
        else:
            out.append((k, k))
    return out


def _between(steps: Sequence[Footstep], leg: int, at: float, window: tuple[int, int]) -> KeptStep:
    """A footstep of a leg at a place in the row of footsteps that may lie between two of them."""
    begin, end = max(window[0] - 1, 0), min(window[1] + 1, len(steps) - 1)
    own = [k for k in range(begin, end + 1) if steps[k].leg == leg]
    time = np.interp(at, range(begin, end + 1), [steps[k].time for k in range(begin, end + 1)])
    x, y = (np.interp(at, own, [steps[k].position[axis] for k in own]) for axis in (0, 1))
    yaw = np.interp(at, own, np.unwrap([steps[k].yaw for k in own]))
    return KeptStep("LR"[leg], float(time), (float(x), float(y)), float(yaw))
