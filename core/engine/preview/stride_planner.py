"""Steps of a run farther ahead than a preview sees, so that a foot stands before each gap."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...geometry.planar import axes_of
from ...slip.command import Footing, Steps, StepWish
from ...task import Path
from .goal import RUN_ASKS, Course
from .ground.gaps import STRIDES, off_along
from .loop import PreviewLoop

Array = NDArray[np.float64]

FAR = 3.5             # m along the way that are looked ahead
CELL = 0.05           # m between places for feet
LEAST, MOST = 0.3, 1.3        # m of a step, and
WIDEST, SHORT = STRIDES[1], 0.12              # m of one over a gap that is wider than these by so much
BESIDE = np.array([-0.15, 0.0, 0.15])         # m beside the path, where feet may stand too
EVEN = 0.2            # what the square of a change from step to step counts, against one of a step's difference from what is wished
GOES = 1.25           # of a step that the body is asked to go, as steps come out shorter
GOOD = 300.0          # what the square of a foot's distance from good ground does


class Pacing:
    """Turns wishes for a run over ground with gaps into those for the steps that fit them.

    Args:
        course: the way.
        loop: the body.
    """

    def __init__(self, course: Course, loop: PreviewLoop) -> None:
        self._course, self._loop = course, loop
        self._foot: float | None = None       # m along the path, where the foot stands that it looked ahead from last
        self._from: tuple[float, Path | None, Footing | None] = -np.inf, None, None       # when that step began, and on which way
        self._length = 0.0                    # m, wished for then
        self._lengths: tuple[float, float] | None = None

    def of(self, wish: StepWish) -> StepWish:
        """The wish for one instant."""
        course, loop, stepping = self._course, self._loop, self._loop.stepping
        if wish.gait != "run" or wish.leap is not None or course.footing is None or course.task.turned.values.any():
            return wish
        path = course.task.path
        begun, known, good = self._from
        if stepping.support != "flight" and (begun != stepping.begun or known is not path or good is not course.footing):
            now, ahead = loop.reading, axes_of(float(path.heading(course.gone)))[0]
            foot = course.gone + float((now.feet.place[stepping.stance] - now.com)[:2] @ ahead)
            self._from = stepping.begun, path, course.footing
            self._look(path, foot, wish.length / RUN_ASKS[0], course.footing)
        if self._lengths is None or self._foot is None:
            return wish
        longer = [wish.seconds * max(length / self._length - 1, 0.0) for length in self._lengths]
        first, second = self._lengths
        return replace(wish, steps=Steps(path.position(self._foot + first), (GOES * first, GOES * second), (longer[0], longer[1])))

    def _look(self, path: Path, foot: float, length: float, footing: Footing) -> None:
        """Look ahead from a foot that has come down. What is chosen for its step stays: no leap can be changed halfway."""
        moved = np.inf if self._foot is None else foot - self._foot
        last = moved if LEAST <= moved <= MOST else length
        self._foot, self._length = foot, length
        self._lengths = paced(path, foot, last, length, footing)


def paced(path: Path, foot: float, last: float, length: float, footing: Footing) -> tuple[float, float] | None:
    """Lengths of the next two steps, m; None where any are as good.

    They begin the way with the least sum of squares: of lengths' differences from what is wished and from one another, and of
    feet's distances from good ground. All ways with feet a cell apart are looked at, by dynamic programming from the far end;
    steps as wide as a leap can be only before a gap that takes one.

    Args:
        foot: m along the path where the foot stands that the first of them begins from.
        last: m, length of the step before.
        length: m, wished for each.
    """
    ends = round(FAR / CELL)
    stands = GOOD * off_along(path, foot + CELL * np.arange(ends + round(WIDEST / CELL) + 1.0), BESIDE, footing) ** 2     # (s,)
    if not stands[:ends].any():
        return None
    across = CELL * np.diff(np.flatnonzero(stands <= 0)).max(initial=0)
    cells = np.arange(round(LEAST / CELL), round((WIDEST if MOST + SHORT < across <= WIDEST else MOST) / CELL) + 1)
    first, second = _best(cells, stands[:ends + cells[-1] + 1], last, length)
    return CELL * first, CELL * second


def _best(cells: NDArray[np.int64], stands: Array, last: float, length: float) -> tuple[int, int]:
    """Cells of the first two steps of the best way.

    Args:
        cells: (j,) that a step may have.
        stands: (s,) what a foot in each place costs.
    """
    long, ends = CELL * cells, len(stands) - int(cells[-1]) - 1
    differs, changes = (long - length) ** 2, EVEN * (long[:, None] - long) ** 2   # (j,), (j before, j next)
    # least cost from a place to the end after a step of some length, and the step that begins it
    left = np.zeros((len(stands), len(cells)))
    choice: NDArray[np.int64] = np.zeros((len(stands), len(cells)), np.int64)
    every = np.arange(len(cells))
    for at in range(ends - 1, -1, -1):
        to = at + cells
        cost = changes + (differs + stands[to] + left[to, every])
        choice[at] = np.argmin(cost, axis=1)
        left[at] = cost.min(1)
    first = int(choice[0][int(np.abs(long - last).argmin())])
    at = int(cells[first])
    return at, int(cells[int(choice[at][first])])
