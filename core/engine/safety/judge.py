"""Judge a motion before it is delivered, from its arrays alone.

The bounds are wide: they separate motions that an animator can look at from plans that diverged. A
motion within them may still have blemishes, which are reported as notes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from ...geometry.spans import find_spans
from ...motion import Motion
from ...motion.surface import list_strays, sample_contact_heights
from ...terrain import Ground
from ..shared.scaling import REFERENCE_GRAVITY, REFERENCE_LEG_LENGTH

Array = NDArray[np.float64]

# Frame rate [1/s], at legs of 0.93 m, below which second differences over frames are too coarse for
# the blemish bounds of residual and pop: a clean run at 30 frames a second shows 0.35 body weights.
MIN_FINE_FPS = 60.0
# Share by which rounding may raise the rate above while it is scaled to a body
FPS_ROUNDING = 1e-9


@dataclass(frozen=True)
class MotionBounds:
    """Largest figures of a motion, for legs of 0.93 m under 9.81 m/s^2.

    The breaking bounds lie two to five times above the worst figures of the gallery of scenarios
    (sprints, flips, hurdles, pushes), and far below those of plans that diverged, whose links move
    at 50 m/s to 10 km/s. The blemish bounds are those that docs/measured.md states.
    """

    # Speed of a link [m/s]. A sprinter's foot swings forward at 2.2 times the speed of the run.
    link_speed: float = 18.0
    link_speed_per_speed: float = 2.0
    # Speed that a push may give to the whole body [m/s]: a pedestrian hit by a car gets about 10.
    # tuned: physics of falls diverges at hundreds of m/s, and each remedy was tried for minutes;
    # test_task_limits.py
    push_speed: float = 20.0
    # Turning speed of a link [rad/s]. A sprinter's shin turns at 22 rad/s.
    turning_speed: float = 60.0
    # Distance by which a contact at rest strays from its place [m].
    broken_drift: float = 0.06
    blemish_drift: float = 0.002
    # Depth of a sole point in the ground [m].
    broken_penetration: float = 0.12
    blemish_penetration: float = 0.01
    # Root mean square of the unexplained force [body weights]: over a quarter of a second,
    # where the highest jumps of the gallery come to 1.6, a first pose that hangs 2 cm over its feet
    # to 5, and diverged plans to 180 and more; and over the motion.
    broken_residual: float = 10.0
    residual_span: float = 0.25  # Time over which the first is averaged [s].
    blemish_residual: float = 0.05
    # Change of a link's turning speed between two frames [rad/s]: a pop of 15 degrees a frame^2 at
    # 120 frames a second.
    blemish_turn_change: float = 31.4
    # Frame rate below which the blemish bounds of residual and pop do not count [1/s].
    min_fine_fps: float = MIN_FINE_FPS

    @staticmethod
    def for_simulation() -> MotionBounds:
        """Return the bounds of simulated bodies, whose soles roll and slide a little at rest."""
        return MotionBounds(blemish_drift=0.05, blemish_penetration=0.03, blemish_residual=0.5)

    def is_fine(self, fps: float) -> bool:
        """Return whether second differences over frames at a rate [1/s] are fine enough."""
        return fps > self.min_fine_fps * (1 - FPS_ROUNDING)

    def scale(self, leg_length: float, gravity: float) -> MotionBounds:
        """Return the bounds for a body of another size, under another gravity (Froude scaling)."""
        length = leg_length / REFERENCE_LEG_LENGTH
        time = float(np.sqrt(length * REFERENCE_GRAVITY / gravity))
        return replace(
            self,
            link_speed=self.link_speed * length / time,
            push_speed=self.push_speed * length / time,
            turning_speed=self.turning_speed / time,
            broken_drift=self.broken_drift * length,
            blemish_drift=self.blemish_drift * length,
            broken_penetration=self.broken_penetration * length,
            blemish_penetration=self.blemish_penetration * length,
            blemish_turn_change=self.blemish_turn_change / time,
            residual_span=self.residual_span * time,
            min_fine_fps=self.min_fine_fps / time,
        )


@dataclass(frozen=True)
class Flaw:
    """One figure of a motion that is beyond its bound.

    Attributes:
        kind: of the figure, a key of `FLAW_DESCRIPTIONS`.
        time: where the figure is first beyond its bound [s].
        value: the worst value, in the unit of its description.
        is_breaking: whether the motion cannot be delivered as it is.
        detail: what a plan could not do, of the kind "plan".
    """

    kind: str
    time: float
    value: float
    is_breaking: bool
    detail: str = ""

    def describe(self) -> str:
        """Return a sentence for the animator."""
        return FLAW_DESCRIPTIONS[self.kind].format(
            time=self.time, value=self.value, detail=self.detail
        )


FLAW_DESCRIPTIONS = {
    "plan": "at {time:.2f} s {detail}",
    "finite": "at {time:.2f} s the motion holds numbers that are not finite",
    "speed": "at {time:.2f} s a part of the body moves at {value:.0f} m/s",
    "turning": "at {time:.2f} s a part of the body turns at {value:.0f} rad/s",
    "drift": "at {time:.2f} s a foot on the ground moves by {value:.1f} cm",
    "penetration": "at {time:.2f} s a foot is {value:.1f} cm in the ground",
    "residual": "at {time:.2f} s forces of {value:.2f} body weights are unexplained",
    "pop": "at {time:.2f} s a part of the body jerks by {value:.0f} rad/s within a frame",
}


@dataclass(frozen=True)
class Verdict:
    """The flaws of a motion."""

    flaws: tuple[Flaw, ...]

    @property
    def breaking(self) -> tuple[Flaw, ...]:
        """The flaws with which the motion cannot be delivered, in order of time."""
        return tuple(sorted((f for f in self.flaws if f.is_breaking), key=lambda f: f.time))

    @property
    def is_finite(self) -> bool:
        """Whether all numbers are finite."""
        return all(flaw.kind != "finite" for flaw in self.flaws)

    @property
    def is_deliverable(self) -> bool:
        """Whether no flaw breaks the motion."""
        return not self.breaking

    def select(self, kind: str) -> Verdict:
        """Return the verdict with the flaws of one kind."""
        return Verdict(tuple(flaw for flaw in self.flaws if flaw.kind == kind))


def judge_motion(motion: Motion, ground: Ground, bounds: MotionBounds) -> Verdict:
    """Return the flaws of a motion.

    Args:
        ground: of the motion's task.
        bounds: scaled to the body and to gravity.
    """
    arrays = (motion.link_position, motion.link_orientation, motion.contact_position)
    if not all(np.isfinite(array).all() for array in (*arrays, motion.contact_force)):
        is_finite = np.all([np.isfinite(a).all((1, 2)) for a in arrays], axis=0)
        frame = int(np.argmin(is_finite)) if not is_finite.all() else 0
        return Verdict((Flaw("finite", frame / motion.fps, np.nan, True),))
    series = [
        _measure_speed(motion, bounds),
        *_measure_turning(motion, bounds),
        _measure_penetration(motion, ground, bounds),
        _measure_drift(motion, bounds),
        *_measure_residual(motion, bounds),
    ]
    return Verdict(tuple(flaw for one in series if (flaw := one.find_flaw()) is not None))


@dataclass(frozen=True)
class _FigureSeries:
    """A figure over time with its bounds.

    Attributes:
        times: (n,) [s].
        values: (n,) in the unit of the bounds.
        unit: factor from the unit of the values to that of the description.
    """

    kind: str
    times: Array
    values: Array
    broken: Array | float
    blemish: float = np.inf
    unit: float = 1.0

    def find_flaw(self) -> Flaw | None:
        is_broken = self.values > self.broken
        is_beyond = is_broken | (self.values > self.blemish)
        if not is_beyond.any():
            return None
        first = int(np.argmax(is_broken if is_broken.any() else is_beyond))
        return Flaw(
            self.kind,
            float(self.times[first]),
            value=float(self.values.max()) * self.unit,
            is_breaking=bool(is_broken.any()),
        )


def _measure_speed(motion: Motion, bounds: MotionBounds) -> _FigureSeries:
    """Return the speed of the fastest link between frames, relative to what the body may reach.

    A fall gains speed by gravity, a sprint by its goal and a thrown body by pushes: all raise the
    bound.
    """
    velocity = np.diff(motion.link_position, axis=0) * motion.fps
    speed = np.linalg.norm(velocity, axis=2).max(1, initial=0.0)
    com_speed = np.linalg.norm(np.diff(motion.com, axis=0) * motion.fps, axis=1)
    goal_speed = np.linalg.norm(motion.goal_velocity, axis=1)[: len(speed)]
    push = np.linalg.norm(motion.push_force, axis=1)[: len(speed)] / motion.link_mass.sum()
    pushed_speed = np.cumsum(push) / motion.fps
    # The centre of mass counts as far as gravity, the goal and pushes explain its speed.
    free_fall_speed = np.sqrt(
        2 * np.linalg.norm(motion.gravity) * np.maximum(np.ptp(motion.com[:, 2]), 0.0)
    )
    explained = np.minimum(com_speed, goal_speed + free_fall_speed + pushed_speed)
    bound = bounds.link_speed + bounds.link_speed_per_speed * explained
    return _FigureSeries("speed", _between_frames(motion, len(speed)), speed, bound)


def _measure_turning(motion: Motion, bounds: MotionBounds) -> tuple[_FigureSeries, ...]:
    """Return the turning speed of the fastest link, and its change from frame to frame."""
    turns = so3.quat_log(
        so3.quat_multiply(
            motion.link_orientation[1:], so3.quat_conjugate(motion.link_orientation[:-1])
        )
    )
    spin = turns * motion.fps
    speed = np.linalg.norm(spin, axis=-1).max(1, initial=0.0)
    change = np.linalg.norm(np.diff(spin, axis=0), axis=-1).max(1, initial=0.0)
    return (
        _FigureSeries("turning", _between_frames(motion, len(speed)), speed, bounds.turning_speed),
        _FigureSeries(
            "pop",
            (np.arange(len(change)) + 1) / motion.fps,
            change,
            broken=np.inf,
            blemish=bounds.blemish_turn_change if bounds.is_fine(motion.fps) else np.inf,
        ),
    )


def _measure_drift(motion: Motion, bounds: MotionBounds) -> _FigureSeries:
    """Return how far each contact at rest is from the mean place of its stance."""
    drift = np.zeros(motion.frames)
    for point in range(motion.contact_active.shape[1]):
        for span in find_spans(motion.contact_active[:, point]):
            strayed = list_strays(motion, point, span.start, span.stop)
            drift[span] = np.maximum(drift[span], strayed)
    return _FigureSeries(
        "drift",
        np.arange(motion.frames) / motion.fps,
        drift,
        broken=bounds.broken_drift,
        blemish=bounds.blemish_drift,
        unit=100.0,
    )


def _measure_penetration(motion: Motion, ground: Ground, bounds: MotionBounds) -> _FigureSeries:
    """Return the depth of the deepest sole point in the ground."""
    is_sole = ~motion.grips
    points = motion.contact_position[:, is_sole]
    height = sample_contact_heights(motion, ground.sample_heights)[:, is_sole]
    depth = np.where(np.isfinite(height), height - points[..., 2], 0.0).max(1, initial=0.0)
    return _FigureSeries(
        "penetration",
        np.arange(motion.frames) / motion.fps,
        depth,
        broken=bounds.broken_penetration,
        blemish=bounds.blemish_penetration,
        unit=100.0,
    )


def _measure_residual(motion: Motion, bounds: MotionBounds) -> tuple[_FigureSeries, ...]:
    """Return the force that does not explain the momentum: over a span, and over the motion.

    The second difference of the center of mass is its acceleration under a triangle of weights as
    wide as two frames; the forces of a motion are averaged under the same triangle.
    """
    if motion.frames < 3:
        return ()
    mass = float(motion.link_mass.sum())
    weight = mass * max(float(np.linalg.norm(motion.gravity)), 1e-9)
    force = (motion.contact_force.sum(1) + motion.push_force)[1:-1]
    acceleration = np.diff(motion.com, 2, axis=0) * motion.fps**2
    missing = ((mass * (acceleration - motion.gravity) - force) ** 2).sum(1) / weight**2
    span = min(max(1, round(bounds.residual_span * motion.fps)), len(missing))
    local = np.sqrt(np.convolve(missing, np.ones(span) / span, "valid"))
    times = (np.arange(len(local)) + span) / motion.fps  # ends of the spans
    overall = np.sqrt(missing.mean(keepdims=True))
    worst_time = (np.argmax(missing)[None] + 1) / motion.fps
    return (
        _FigureSeries("residual", times, local, broken=bounds.broken_residual),
        _FigureSeries(
            "residual",
            worst_time,
            overall,
            broken=np.inf,
            blemish=bounds.blemish_residual if bounds.is_fine(motion.fps) else np.inf,
        ),
    )


def _between_frames(motion: Motion, count: int) -> Array:
    return np.asarray((np.arange(count) + 0.5) / motion.fps)
