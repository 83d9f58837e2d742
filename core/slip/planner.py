"""Previews one after the other, each begun from the last one's parameters."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .gauss_newton import SETTLED, GaussNewton
from .preview import Preview
from .problem import PreviewProblem
from .schedule import FOOT, T2, T34, advanced, exchanged
from .solver import Solution, Solver

Array = NDArray[np.float64]

COLD = 25             # iterations where nothing is known
AGAIN = 8             # of another start
JUMP = (1.3, 0.05)    # what the cost may grow by from one preview to the next: a factor, and as much on top
REST = 5              # previews between two looks at other starts, at least
LATER = 0.01, 0.05    # s after which a preview is no longer where it was, the second in a calm walk, and
ROUGHLY = 1e-3        # to what part of its cost it is found then: what follows is as good
SOON = 0.12           # s before a foot comes down, in which it is left to do so where it is
ALARM = 3.0           # a cost at which the body has to catch itself; then there are more iterations,
HARDER, OFTEN = 3, 15         # so many, and on level ground other starts after so many previews
DEAR = 2.0            # the cost of a step's first preview above which it is looked for elsewhere too,
STUCK = 10.0          # and of a run's before a gap above which it is sought behind that
BETTER = 0.97         # of the cost that another start must reach to be taken
ELSEWHERE = ((0.25, 0.0), (-0.25, 0.0), (0.0, 0.2), (0.0, -0.2))       # m by which other starts set foot B down,
BEYOND = ((0.5, 0.0),)                  # and on ground with edges besides
# m from the body to foot B as it comes down, s on foot A and in the air, of a run's long strides
STRIDES = ((0.45, 0.27, 0.15), (0.2, 0.35, 0.15), (0.45, 0.35, 0.15), (0.6, 0.27, 0.15))


@dataclass
class PreviewPlanner:
    """Keeps the parameters from one preview to the next.

    Args:
        solver: for a preview that follows another one.
        gentle: the same in a calm walk, where little happens from one to the next.
        every: previews after which other starts are tried though nothing has happened.
        cost: of the last preview; infinite where the next one is of another step.
        last_cost: of the last preview, whatever comes next.
    """

    solver: Solver = field(default_factory=lambda: GaussNewton(1))
    gentle: Solver = field(default_factory=lambda: GaussNewton(1, damping=0.3, believes=True))
    every: int = 250
    controls: Array | None = None
    cost: float = np.inf
    last_cost: float = np.inf
    count: int = 0
    restarts: int = 0         # other starts that were better

    @property
    def alarmed(self) -> bool:
        """Whether the body has to catch itself, as far as is known."""
        return ALARM < self.cost < np.inf

    def plan(self, problem: PreviewProblem, since: float = 0.0, same: bool = True, calm: bool = False) -> Preview:
        """The best preview that is found.

        Args:
            since: s since the last one was made.
            same: whether it began in the phase in which this one does.
            calm: whether the body walks where all ground is level.
        """
        self.count += 1
        later = since > LATER[int(calm)]
        if self.controls is None:
            found = self.elsewhere(problem, GaussNewton(COLD).solve(problem, problem.guess))
        elif not np.isfinite(self.cost):
            found = _begun(problem, self.controls, ROUGHLY if later else SETTLED)
        else:
            # else a walk's trailing leg grows too long from one preview to the next, and the search is thrown off its optimum
            moves = same and (calm or later)
            controls = advanced(self.controls, problem.slots[0], since) if moves else self.controls
            found = self._followed(problem, controls, calm, later)
        self.controls, self.cost, self.last_cost = found.controls, found.cost, found.cost
        return problem.preview(found.controls)

    def _followed(self, problem: PreviewProblem, controls: Array, calm: bool, later: bool) -> Solution:
        """What follows a preview of the same step, from its parameters on."""
        if later:
            controls = GaussNewton(AGAIN, ROUGHLY).solve(problem, controls).controls
        found = (self.gentle if calm else self.solver).solve(problem, controls)
        most, every = JUMP[0] * self.cost + JUMP[1], self.every
        if found.cost > (min(most, ALARM) if calm else ALARM):
            every = OFTEN if found.cost > ALARM and problem.wish.height is None else every
            found = GaussNewton(HARDER).solve(problem, found.controls)
        rested = self.count > REST or later
        if not _lands(problem, found) and ((found.cost > most and rested) or self.count >= every):
            return self.elsewhere(problem, GaussNewton(AGAIN).solve(problem, found.controls))
        return found

    def elsewhere(self, problem: PreviewProblem, found: Solution) -> Solution:
        """The better one of a solution and of what other starts lead to."""
        self.count = 0
        if problem.preview(found.controls).landing is None:
            return found
        starts = [problem.guess]
        for ahead, aside in ELSEWHERE + (BEYOND if problem.wish.footing is not None else ()):
            starts.append(_elsewhere(found.controls, ahead, aside))
        other = min(GaussNewton(AGAIN).solve_all(problem, np.array(starts)), key=lambda s: s.cost)
        if other.cost < BETTER * found.cost:
            found, self.restarts = other, self.restarts + 1
        return found

    def step_over(self, problem: PreviewProblem, lands_double: bool) -> None:
        """Foot B has come down: what was the second step is the first one now."""
        if self.controls is not None:
            self.controls, self.cost = exchanged(self.controls, problem.wish, lands_double), np.inf

    def forget(self) -> None:
        """Begin anew with the next preview."""
        self.controls, self.cost, self.last_cost, self.count = None, np.inf, np.inf, 0

    def adopt(self, controls: Array, cost: float) -> None:
        """Go on from parameters that were found elsewhere."""
        self.controls, self.cost, self.last_cost, self.count = controls, cost, cost, 0


def _begun(problem: PreviewProblem, controls: Array, enough: float) -> Solution:
    """The first preview of a step: of a walk much is known, of a run little, and of ground with edges less than it seems."""
    fresh = [controls, problem.guess] if problem.wish.flies else [controls]
    found = min(GaussNewton(COLD, enough).solve_all(problem, np.array(fresh)), key=lambda s: s.cost)
    if problem.wish.footing is not None and found.cost > DEAR:
        fresh = [problem.guess, *(_elsewhere(problem.guess, *by) for by in BEYOND)]
        found = min(found, *GaussNewton(COLD).solve_all(problem, np.array(fresh)), key=lambda s: s.cost)
    if problem.wish.steps is not None and found.cost > STUCK:
        fresh = [_strode(problem.guess, *stride) for stride in STRIDES]
        found = min(found, *GaussNewton(COLD).solve_all(problem, np.array(fresh)), key=lambda s: s.cost)
    return found


def _strode(controls: Array, ahead: float, stands: float, flies: float) -> Array:
    """The same parameters (24,) with a long stride: from one that ends in a gap the search goes back to before it."""
    start = controls.copy()
    start[FOOT.start], start[T2], start[T34] = ahead, stands, flies
    return start


def _lands(problem: PreviewProblem, found: Solution) -> bool:
    """Whether a foot is about to come down among edges, too late to make for another place."""
    wish, support = problem.wish, problem.state.support
    return wish.gait == "walk" and wish.footing is not None and support == "single" and found.controls[T2] < SOON


def _elsewhere(controls: Array, ahead: float, aside: float) -> Array:
    """The same parameters (24,) with foot B set down elsewhere."""
    start = controls.copy()
    start[FOOT] += (ahead, aside)
    start[T2] *= 1.0 + 0.8 * ahead
    return start
