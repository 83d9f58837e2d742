"""What a clip shows: its gait, its cleanest cycle, and the numbers of both."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ..errors import ClipError
from .actor import FPS, Actor, find_actor
from .angles import SAMPLES, cycle_angles
from .bvh import Recording
from .contacts import Feet, Step, find_feet, in_motion
from .mass import centre_of_mass

Array = NDArray[np.float64]
Gait = Literal["walk", "run"]

STRIDES = (0.35, 2.6)     # s that two steps of a walk or run take
OTHER = (0.3, 0.7)        # share of the cycle at which the other foot strikes
LEAST_SPEED = 0.08        # sqrt(g l)
ASTRAY = np.radians(35)   # between where the body looks and where it goes
MOST_TURN = np.radians(50)       # within a cycle
MOST_OPEN = 0.25          # leg lengths that joints are off at most where the cycle closes
# how far off a cycle may be before it is as bad as one that is off by as much of the others
OPEN, CHANGE, TURN, RISE = 0.04, 0.08, np.radians(10), 0.05
LOOP = 0.06               # leg lengths within which the last pose is the first one again
LEVEL = 0.008             # leg lengths of rise below which a clip has lost it
SLOWEST_RUN = 0.2         # sqrt(g l) below which nobody runs
RISEN = np.radians(3)     # of a foot against how it lies in its contact, from which on its heel rises
FACING = 0.1              # s, over which the facing is evened out at the ends of a cycle


@dataclass(frozen=True)
class Understood:
    """What was understood of a clip. Every field may be replaced, and what is made of it follows.

    Args:
        begin, end: of the cleanest cycle, s of the clip.
        leg_length: m, after which lengths of the body are told.
        speed: m/s.
        stride_length, stride_time: m, s; of two steps.
        duty: share of the cycle that a foot is on the ground.
        heel_off, flat: share of the stance from which on the heel rises, and at which the ball comes down. A heel rises so
            slowly at first that contacts, which go by speed, have it down for longer.
        strike_pitch, toe_off_pitch: of the foot as it strikes, toes up, and as it leaves, toes down; degrees.
        step_width: between the lines of left and right feet, m.
        hip_width: between the hip joints, m.
        toe_out: degrees.
        foot_offset: how far feet are behind the centre of mass in the middle of their contacts, m.
        crouch: how far the hip rides below a straight leg in the middle of its contact, m.
        bounce: amplitude of the centre of mass's rise, m.
        sway: amplitude to the side of the foot that stands, m.
        steps: all contacts of the clip; their times are s of the clip.
        curves: (2, CURVES, SAMPLES) of left and right, each from its own foot's strike, degrees; NaN for arms that are not there.
        notes: what was left out or assumed, for users.
    """

    name: str
    gait: Gait
    begin: float
    end: float
    leg_length: float
    speed: float
    stride_length: float
    stride_time: float
    duty: float
    heel_off: float
    flat: float
    strike_pitch: float
    toe_off_pitch: float
    step_width: float
    hip_width: float
    toe_out: float
    foot_offset: float
    crouch: float
    bounce: float
    sway: float
    steps: tuple[Step, ...]
    curves: Array
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Cycle:
    """A stretch from one strike of a foot to its next, frames; and how unclean it is."""

    side: int
    begin: int
    end: int
    other: int
    heading: Array            # (SAMPLES + 1,) rad
    badness: float


def understand(recording: Recording) -> Understood:
    """Find the gait of a clip.

    Raises:
        ClipError: nobody with two legs, or nobody who walks or runs ahead for a stride.
    """
    found = find_actor(recording)
    actor, treadmill = in_motion(found)
    notes = [f"lengths in {actor.unit}, {actor.up} up"]
    if actor.skipped:
        notes.append(f"the first {actor.skipped * recording.fps:.0f} frames were left out: a pose from which the body leaps")
    if treadmill:
        notes.append(f"it stays in place; its feet say that it goes at {treadmill:.2f} m/s")
    feet = find_feet(actor)
    cycles, why = _cycles(actor, feet)
    length = actor.frames
    if not cycles and (looped := _tiled(actor)) is not None:
        actor = looped
        notes.append("it is a loop, and was put one after the other to find whole strides")
        feet = find_feet(actor)
        cycles, why = _cycles(actor, feet)
    if not cycles:
        raise ClipError(f"The clip {recording.name} has no whole stride of a walk or a run ahead: {why}. Show at least two steps "
                        "with each foot, straight ahead.")
    told = _measured(actor, feet, min(cycles, key=lambda c: c.badness), notes, length)
    if told.gait == "run" and told.speed < SLOWEST_RUN * np.sqrt(9.81 * told.leg_length):
        raise ClipError(f"The clip {recording.name} leaves the ground at {told.speed:.2f} m/s: that is a hop, and no run. Footfall "
                        "learns from walks and runs.")
    return told


def _cycles(actor: Actor, feet: Feet) -> tuple[list[_Cycle], str]:
    """All strides that could be taken, and why none is there."""
    out, why = [], "no foot comes down twice"
    facing = _facing(actor)
    mean = gaussian_filter1d(actor.hips.mean(1), 0.05 * FPS, axis=0, mode="nearest")
    u = float(np.sqrt(9.81 * actor.leg_length))
    for side in (0, 1):
        strikes = [round(s.strike * FPS) for s in feet.of(side) if s.strike * FPS > 1]
        others = np.array([round(s.strike * FPS) for s in feet.of(1 - side)])
        for a, b in zip(strikes, strikes[1:], strict=False):
            inside = others[(others > a + OTHER[0] * (b - a)) & (others < a + OTHER[1] * (b - a))]
            went = (mean[b] - mean[a])[:2]
            speed = float(np.linalg.norm(went)) * FPS / (b - a)
            turned = float(facing[b] - facing[a])
            astray = abs(_wrapped(np.arctan2(went[1], went[0]) - float(facing[a:b].mean())))
            if not STRIDES[0] <= (b - a) / FPS <= STRIDES[1] or len(inside) != 1:
                why = "its feet do not come down in turn, as in a walk or a run"
            elif speed < LEAST_SPEED * u:
                why = "it does not go anywhere"
            elif astray > ASTRAY:
                why = "it goes backward or sideways"
            elif abs(turned) > MOST_TURN:
                why = "it turns all the time"
            else:
                heading = np.arctan2(went[1], went[0]) + turned * (np.arange(SAMPLES + 1) / SAMPLES - 0.5)
                badness, gap = _badness(actor, mean, a, b, turned)
                if gap > MOST_OPEN:
                    why = "no stride ends as it began"
                    continue
                out.append(_Cycle(side, a, b, int(inside[0]), heading, badness))
    return out, why


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2 * np.pi) - np.pi)


def _facing(actor: Actor) -> Array:
    """Which way the hips look, rad, without jumps. (n,)."""
    across = gaussian_filter1d(actor.hips[:, 0] - actor.hips[:, 1], FACING * FPS, axis=0, mode="nearest")
    return np.unwrap(np.arctan2(-across[:, 0], across[:, 1]))


def _badness(actor: Actor, mean: Array, a: int, b: int, turned: float) -> tuple[float, float]:
    """How far a stride is from steady, straight and closed; and the last alone, leg lengths."""
    l = actor.leg_length
    gap = _difference(actor, a, b) / l
    half = (a + b) // 2
    first, second = (float(np.linalg.norm((mean[k] - mean[j])[:2])) / (k - j) for j, k in ((a, half), (half, b)))
    change = abs(first - second) / (first + second) * 2
    rise = abs(mean[b, 2] - mean[a, 2]) / l
    return gap / OPEN + change / CHANGE + abs(turned) / TURN + rise / RISE, gap


def _difference(actor: Actor, a: int, b: int) -> float:
    """How far joints of two frames are from each other, as the body sees them: the root of the mean square, m."""
    facing = _facing(actor)
    points = [getattr(actor, name) for name in ("knees", "ankles", "elbows", "wrists") if getattr(actor, name) is not None]
    poses = []
    for k in (a, b):
        c, s = np.cos(facing[k]), np.sin(facing[k])
        own = np.concatenate([p[k] for p in points]) - actor.hips[k].mean(0)
        poses.append(own @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]))
    return float(np.sqrt(((poses[0] - poses[1]) ** 2).sum(1).mean()))


def _tiled(actor: Actor) -> Actor | None:
    """A clip that ends as it begins, three times over; None where it does not."""
    if _difference(actor, 0, actor.frames - 1) > LOOP * actor.leg_length:
        return None
    went = (actor.hips[-1] - actor.hips[0]).mean(0)

    def tiled(values: Array | None, moves: bool) -> Array | None:
        if values is None:
            return None
        return np.concatenate([values[:-1] + k * went * moves for k in range(3)])

    points = ("hips", "knees", "ankles", "balls", "shoulders", "elbows", "wrists", "neck", "head")
    return replace(actor, **{name: tiled(getattr(actor, name), True) for name in points},
                   **{name: tiled(getattr(actor, name), False) for name in ("pelvis", "chest", "feet")})


def _measured(actor: Actor, feet: Feet, cycle: _Cycle, notes: list[str], length: int) -> Understood:
    """The numbers of a cycle."""
    a, b = cycle.begin, cycle.end
    strikes = np.zeros(2)
    strikes[1 - cycle.side] = (cycle.other - a) / (b - a)
    com = centre_of_mass(actor)
    went = com[b] - com[a]
    seconds = (b - a) / FPS
    stances = [s for s in feet.steps if s.whole and 0.5 * seconds > abs(s.strike - (a + 0.5 * (b - a)) / FPS) - 0.1 * seconds]
    stances = stances or list(feet.steps)
    heading = float(cycle.heading.mean())
    ahead, left = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    stood = [_Stood.of(feet, com, s, ahead, left, (went / (b - a), a, com[a])) for s in stances]
    sides = np.array([1.0 - 2 * s.side for s in stances])
    lines = [np.mean([st.aside for st, s in zip(stood, stances, strict=True) if s.side == k] or [np.nan]) for k in (0, 1)]
    lateral = [np.mean([st.swayed for st, s in zip(stood, stances, strict=True) if s.side == k] or [np.nan]) for k in (0, 1)]
    duty = float(np.mean([(s.lift - s.strike) / seconds for s in stances]))
    height = com[a:b + 1, 2] - went[2] * np.arange(b - a + 1) / (b - a)
    if np.ptp(actor.hips[a:b + 1].mean(1)[:, 2]) < LEVEL * actor.leg_length:
        notes = [*notes, "its hips keep their height, so the rise is taken from the feet"]
        height = com[a:b + 1, 2] - np.minimum(feet.heels, feet.balls)[a:b + 1, :, 2].min(1)
    curves = cycle_angles(actor, feet, a, b, cycle.heading, (float(strikes[0]), float(strikes[1])))
    shift = actor.skipped - (a // (length - 1)) * (length - 1) / FPS * (actor.frames > length)
    return Understood(
        actor.name, "walk" if duty > 0.5 else "run", a / FPS + shift, b / FPS + shift, actor.leg_length,
        float(np.linalg.norm(went[:2])) / seconds, float(np.linalg.norm(went[:2])), seconds, duty,
        float(np.mean([(st.rises - s.strike) / (s.lift - s.strike) for st, s in zip(stood, stances, strict=True)])),
        float(np.mean([(s.flat - s.strike) / (s.lift - s.strike) for s in stances])),
        float(np.degrees(np.mean([st.strike_pitch for st in stood]))), float(np.degrees(-np.mean([st.lift_pitch for st in stood]))),
        float(np.nan_to_num(lines[0] - lines[1])), float(np.median(np.linalg.norm(actor.hips[:, 0] - actor.hips[:, 1], axis=1))),
        float(np.degrees(np.mean(sides * np.array([_wrapped(st.heading - heading) for st in stood])))),
        float(np.mean([st.behind for st in stood])), _crouch(actor, stances),
        0.5 * float(np.ptp(gaussian_filter1d(height, 2.0, mode="nearest"))), float(np.nan_to_num(0.5 * (lateral[0] - lateral[1]))),
        tuple(replace(s, strike=s.strike + actor.skipped, flat=s.flat + actor.skipped, heel_off=s.heel_off + actor.skipped,
                      lift=s.lift + actor.skipped) for s in feet.steps if s.strike * FPS < length),
        np.degrees(curves), tuple(notes))


def _crouch(actor: Actor, stances: list[Step]) -> float:
    """How far hips ride below straight legs in mid-contact, m."""
    straight = sum(float(np.median(np.linalg.norm(a - b, axis=-1)))
                   for a, b in ((actor.hips, actor.knees), (actor.knees, actor.ankles)))
    rise = (actor.hips - actor.ankles)[..., 2]
    return straight - float(np.mean([rise[min(round(s.time * FPS), len(rise) - 1), s.side] for s in stances]))


@dataclass(frozen=True)
class _Stood:
    """One contact as it is seen from the body."""

    strike_pitch: float
    lift_pitch: float
    rises: float
    heading: float
    behind: float
    aside: float
    swayed: float

    @staticmethod
    def of(feet: Feet, com: Array, step: Step, ahead: Array, left: Array, line: tuple[Array, int, Array]) -> _Stood:
        """Args: line: per frame the body's mean way, and where it was at which frame."""
        strike, flat, off, lift = (min(round(t * FPS), len(com) - 1) for t in (step.strike, step.flat, step.heel_off, step.lift))
        still = slice(min(flat, off), max(flat, off) + 1)
        sole = 0.5 * (feet.heels + feet.balls)[still, step.side].mean(0)
        middle = min(round(step.time * FPS), len(com) - 1)
        usual = line[2] + line[0] * (middle - line[1])
        level = float(np.median(feet.pitch[still, step.side]))
        rises = off
        while rises > flat and feet.pitch[rises - 1, step.side] < level - RISEN:
            rises -= 1
        return _Stood(float(feet.pitch[strike, step.side]), float(feet.pitch[lift, step.side]), rises / FPS,
                      float(feet.heading[still, step.side].mean()), float((com[middle] - sole)[:2] @ ahead),
                      float((sole - usual)[:2] @ left), float((com[middle] - usual)[:2] @ left))
