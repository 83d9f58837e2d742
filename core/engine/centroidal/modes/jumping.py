"""A sketch of jumps: no pendulum makes it. Where both feet stand when, and the course that the body is to take.

Source: Kwon et al. 2020, section 7.2: a centroidal course in three parts, the middle one rebuilt as the parabola of the jump's
height and turned evenly in the air. Theirs is cut from a captured jump; ours is drawn.
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly

from ....character.kinematic_model import KinematicModel
from ....clip.pose.pose_sequence import Acted, Cast
from ....clip.style.style import Style
from ....errors import TaskError, TerrainError
from ....motion.footstep import Footstep
from ....plan.body import Body
from ....plan.pacing import JumpPacing
from ....plan.reference import DT, PlanReference
from ....plan.weights import PlanLimits, PlanWeights
from ....sketch.placement.sole import place_foot
from ....sketch.sketch import Sketch
from ....task import Task
from .as_sketch import told_as_sketch
from .base import OwnSketch
from .jump_timing import POSES, Leap

Array = NDArray[np.float64]

BEFORE, AFTER = 2.0, 10.0     # s that the body stands before and after
PAST = 1.3                    # s past the clip's end from which on jumps are left out
HEEL_DOWN = 0.5               # share of the landing after which heels come down, balls being down from its begin
ROLL = 0.45                   # share of the push-off over which the heels leave
STANDING_PIECE = 1.0          # s of a plan that only stands
STEADY = 10.0                 # weight of the way along the ground: a body that jumps has no next step to put things right
NODE = 0.03                   # s
COEFFICIENTS = 4              # of a force window: their windows are short where forces change
LONGEST = 1.06                # times the greatest height of the centre of mass over a foot that it can be away from it
FASTER = 1.3                  # times the fastest spin of the reference, that the plan reckons with
TOGETHER = 100.0              # times as much as for a step does it cost to put down a foot elsewhere
UNLIMITED = 100.0             # body weights a point
STRAIGHTENING = 0.25          # s from the bottom of a flip's landing until the body is over its feet
WIDER = 1.15                  # half hip widths that feet stand from the middle


@dataclass(frozen=True)
class Place:
    """Where the body stands: under its centre of mass."""

    line: Array           # (2,)
    facing: float
    feet: tuple[tuple[Array, Array], ...]      # position (3,) and rotation (3, 3) of each sole

    @property
    def ground(self) -> float:
        """Height of the ground, m."""
        return float(np.mean([position[2] for position, _ in self.feet]))


@dataclass(frozen=True)
class Jumping(OwnSketch):
    """Everything that takes the place of steps and style for a task of jumps."""

    drawn: Sketch
    reference: PlanReference
    leaps: tuple[Leap, ...]
    acted: Acted
    jump_pacing: JumpPacing
    inertia: Array        # (n, 3, 3) kg m^2 of the acted poses, over the reference's moments

    def limits(self, usual: PlanLimits) -> PlanLimits:
        """A jump may push as hard as it must (equation 12 is off), and spins fast."""
        fastest = float(np.linalg.norm(self.reference.at(self.reference.time).spin, axis=1).max())
        reach = LONGEST * max(max(leap.heights) for leap in self.leaps)
        return replace(usual, reach=(reach, reach), give=(0.0, 0.0, 0.0), largest_force=UNLIMITED,
                       fastest_spin=max(usual.fastest_spin, FASTER * fastest))

    def weights(self, usual: PlanWeights) -> PlanWeights:
        """Forces of a jump are as large as they are: calm costs less against the course, which is what was asked for."""
        return replace(usual, coefficient=0.1 * usual.coefficient, difference=0.1 * usual.difference,
                       com=(STEADY, STEADY, STEADY * usual.com[2]),
                       velocity=(0.1 * STEADY, 0.1 * STEADY, STEADY * usual.velocity[2]),
                       shift=TOGETHER * usual.shift)

    @property
    def pacing(self) -> JumpPacing:
        """A plan holds a whole jump."""
        return self.jump_pacing

    def rigid(self, body: Body) -> Body:
        """With the acted poses' inertia."""
        return replace(body, inertia=self.inertia_at)

    def inertia_at(self, times: Array) -> Array:
        """The acted poses' inertia in the body's frame. (n,) -> (n, 3, 3)."""
        k = np.clip(np.round(times / DT).astype(int), 0, len(self.inertia) - 1)
        return self.inertia[k]


def draw_jumps(task: Task, model: KinematicModel, style: Style) -> Jumping:
    """Sketch, course and poses of a task of jumps.

    Raises:
        TaskError: jumps follow each other too soon, or one is too low for the ground that it is to reach.
        TerrainError: a jump lands where there is no ground.
    """
    cast = Cast.of(model, style, POSES)
    jumps = sorted((j for j in task.jumps if j.time < task.seconds + PAST), key=lambda j: j.time)
    reached = np.cumsum([0.0, *(j.reach for j in jumps)])
    turned = np.cumsum([0.0, *(j.turn for j in jumps)])
    places = [_place(task, model, cast, float(s), float(t)) for s, t in zip(reached, turned, strict=True)]
    leaps = [Leap.of(j, cast, task.gravity, b.ground - a.ground) for j, (a, b) in zip(jumps, pairwise(places), strict=True)]
    _in_time(leaps)
    end = max(task.seconds + 2 * PAST, leaps[-1].stood + 1.0 if leaps else 0.0)
    legs, rest = zip(*(leap.keys(cast) for leap in leaps), strict=True) if leaps else ((), ())
    keys = [((0.0, cast.change()), *(key for leap in part for key in leap), (end, cast.change())) for part in (legs, rest)]
    acted = Acted(cast, (keys[0], keys[1]), end)
    time = np.arange(0.0, end, DT)
    inertia = model.centroidal(acted.at(time)).inertia
    reference = _reference(time, leaps, places, inertia, task.gravity, cast)
    drawn = told_as_sketch(task, model.character, style, reference, _steps(leaps, places), cast.height(cast.change()))
    return Jumping(drawn, reference, tuple(leaps), acted, _pacing(leaps, end), inertia)


def _place(task: Task, model: KinematicModel, cast: Cast, reached: float, turned: float) -> Place:
    line = task.path.position(reached)
    facing = float(task.path.heading(reached + 1e-3)) + turned
    forward, left = np.array([np.cos(facing), np.sin(facing)]), np.array([-np.sin(facing), np.cos(facing)])
    feet = []
    for limb, foot in zip(model.character.legs, model.character.feet, strict=True):
        at = line + cast.ahead() * forward + limb.side * WIDER * model.character.hip_half_width * left
        if not np.isfinite(task.ground.height(at)):
            raise TerrainError(f"A jump comes down at ({at[0]:.2f}, {at[1]:.2f}), where there is no ground. Change its reach, the "
                               "path or the terrain.")
        feet.append(place_foot(task.ground, foot, at, facing, 0.0))
    return Place(line, facing, tuple(feet))


def _in_time(leaps: list[Leap]) -> None:
    """Refuse jumps that leave no time to crouch for them."""
    free = 0.0
    for leap in leaps:
        if leap.dip < free - 1e-6:
            raise TaskError(f"The jump at {leap.lift:g} s comes too soon: it can take off at "
                            f"{leap.lift + free - leap.dip:.2f} s at the earliest, when the body has stood up and crouched again.")
        free = leap.stood


def _reference(time: Array, leaps: list[Leap], places: list[Place], inertia: Array, gravity: float, cast: Cast) -> PlanReference:
    """The course of the centre of mass, heading and flips."""
    com = np.tile([*places[0].line, places[0].ground + cast.height(cast.change())], (len(time), 1))
    yaw, pitch = np.full(len(time), places[0].facing), np.zeros(len(time))
    for leap, (a, b) in zip(leaps, pairwise(places), strict=True):
        knots = leap.knots((a.ground, b.ground), gravity)
        moments = np.array([t for t, _ in knots])
        on, after = (time >= leap.dip) & (time < leap.stood), time >= leap.stood
        com[on, 2] = BPoly.from_derivatives(moments, [v for _, v in knots])(time[on])
        com[after, 2] = knots[-1][1][0]
        begun = _carried(time, leap, leap.gathering, leap.settling)
        com[:, :2] += begun[:, None] * (b.line - a.line)
        yaw += begun * (b.facing - a.facing)
        if leap.jump.flips:
            # in the air the angular momentum stays: a body turns as fast as it is folded
            turned = 2 * np.pi * leap.jump.flips * _carried(time, leap, leap.lift - leap.bottom, leap.absorbed - leap.strike,
                                                            1 / inertia[:, 1, 1])
            pitch += turned
            ahead = np.stack([np.cos(yaw), np.sin(yaw)], -1)
            com[:, :2] += _leaning(time, leap, turned)[:, None] * ahead
    return PlanReference(time, com, yaw, np.zeros((len(time), 2)), gravity, pitch if any(j.jump.flips for j in leaps) else None)


def _carried(time: Array, leap: Leap, before: float, after: float, ease: Array | float = 1.0) -> Array:
    """How much of a way is done: a rate taken up before the lift, kept in the air and given up after the strike. (n,).

    Args:
        before, after: time in which it is taken up and given up, s.
        ease: (n,) how fast a kept momentum carries on.
    """
    def ramp(u: Array) -> Array:
        u = np.clip(u, 0, 1)
        return u * u * (3 - 2 * u)

    rate = ease * ramp(1 - (leap.lift - time) / before) * ramp(1 - (time - leap.strike) / after)
    done = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]))])
    return done / done[-1]


def _leaning(time: Array, leap: Leap, turned: Array) -> Array:
    """How far the centre of mass is in front of where it would be for a body that does not turn. (n,) m.

    A body that flips forward leaves its feet behind it as it takes off, and has them in front as it lands.

    Args:
        turned: (n,) forward, rad.
    """
    off = leap.heights[2] * np.sin(np.interp(leap.lift, time, turned))
    touch = leap.heights[3] * np.sin(np.interp(leap.strike, time, turned) - turned[-1])
    rate = (touch - off) / leap.flight
    knots = [(leap.dip, [0.0] * 3), (leap.lift, [off, rate, 0.0]), (leap.strike, [touch, rate, 0.0]),
             (leap.absorbed + STRAIGHTENING, [0.0] * 3)]
    curve = BPoly.from_derivatives([t for t, _ in knots], [v for _, v in knots])
    return np.where((time > knots[0][0]) & (time < knots[-1][0]), curve(np.clip(time, knots[0][0], knots[-1][0])), 0.0)


def _steps(leaps: list[Leap], places: list[Place]) -> list[Footstep]:
    """Both feet of each stand."""
    out = []
    for k, place in enumerate(places):
        strike = leaps[k - 1].strike if k else -BEFORE
        lift = leaps[k].lift if k < len(leaps) else strike + AFTER + BEFORE
        heel = strike + max(HEEL_DOWN * (leaps[k - 1].absorbed - strike), 0.02) if k else strike
        roll = ROLL * (leaps[k].lift - leaps[k].bottom) if k < len(leaps) else 0.1
        for leg, (position, rotation) in enumerate(place.feet):
            out.append(Footstep(leg, heel, strike, lift - max(roll, 0.02), lift, position, rotation))
    return out


def _pacing(leaps: list[Leap], end: float) -> JumpPacing:
    stood, dips = [0.0, *(leap.stood for leap in leaps)], [*(leap.dip for leap in leaps), end + 2.0]
    cuts: list[float] = []
    for a, b in zip(stood, dips, strict=True):
        parts = int(np.ceil((b - a) / STANDING_PIECE - 1e-9))
        cuts += [a + 0.5 * (b - a)] if parts < 2 else list(np.linspace(a, b, parts + 1)[1:-1])
    strikes = [-BEFORE, *(leap.strike for leap in leaps)]
    landings, pushes = [1.0, *(p.absorbed - p.strike for p in leaps)], [*(p.lift - p.bottom for p in leaps), 1.0]
    shortest = min([*landings, *pushes])
    return JumpPacing(min(NODE, max(shortest / 6, 0.012)), forceful=True, count=COEFFICIENTS, cuts=tuple(cuts),
                      rests=tuple(zip(strikes, landings, pushes, strict=True)))
