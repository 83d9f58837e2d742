"""Knobs: what an animator may turn on any style, and the style that comes of it.

Each knob is continuous, changes nothing where it is by default, and is told in units that fit bodies of any size. Stride, time
and speed stay one thing: a stride is as long as the speed makes it in its time, whatever step length and cadence are asked for.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np

from ...errors import TaskError
from .style import CURVES, LIMBS, ROWS, Coefficients, Cycle, Style, fourier, harmonics

SHORTEST_STRIDE, LONGEST_STRIDE = 0.6, 1.5      # of a style's own, that knobs make of it
SAMPLES = 40                  # of a curve over a cycle, where it is worked on
STRAIGHTEST_LEG = 0.997       # of its length that a leg is told to be at most
LEANING_HIPS = 0.4            # share of a lean that the pelvis takes part in
STOOPING = 110.0               # degrees of lean for each leg length of a crouch: hips behind the feet spare the ankles
SOONER_OFF = 2.0              # share by which heels leave sooner for each leg length of a crouch: ankles bend by 40 degrees
LONGER_FLAT = 0.25            # of a contact, by which the heel stays down longer where feet do not roll at all
LIFTED = {"thigh": 1.0, "knee": 0.5, "ankle": 0.2}      # shares of a knee's lift in the middle of a swing
TRUNK = ("pelvis_turn", "pelvis_list", "pelvis_tilt", "chest_turn", "chest_list", "chest_lean",
         "head_turn", "head_nod", "head_list")
WIDEST_SWING = np.radians(60)      # of an arm to either side of its middle, that no knob goes beyond
STRAIGHTEST_ELBOW = np.radians(5)
ARMS_OUT = np.radians((-4, 92))
TOES = (-20.0, 40.0)


def _knob(usual: float, least: float, most: float, unit: str, about: str) -> Any:
    return field(default=usual, metadata={"least": least, "most": most, "unit": unit, "about": about})


@dataclass(frozen=True)
class Knobs:
    """What is turned, each by so much.

    Raises:
        TaskError: a knob beyond its ends.
    """

    step_length: float = _knob(0.0, -0.2, 0.15, "legs", "Leg lengths that each step is longer. At a given speed longer steps are "
                               "slower ones; at its natural speed the style goes faster with them")
    step_width: float = _knob(0.0, -0.6, 0.45, "hips", "Hip widths that the feet tread farther apart; below 0 nearer together")
    cadence: float = _knob(1.0, 0.75, 1.3, "times", "Steps a minute, as a multiple. At a given speed quicker steps are shorter "
                           "ones; at its natural speed the style goes faster with them")
    bounce: float = _knob(1.0, 0.0, 1.8, "times", "Rise and fall of the body; of a run its flight")
    sway: float = _knob(1.0, 0.0, 2.0, "times", "How far body and hips go from side to side")
    lean: float = _knob(0.0, -18.0, 18.0, "degrees", "Upper body forward; below 0 back")
    crouch: float = _knob(0.0, -0.015, 0.16, "legs", "Leg lengths that the hips ride lower, knees bent and the back a little")
    foot_roll: float = _knob(1.0, 0.4, 1.4, "times", "How far feet roll from heel to toes; less puts them down flat")
    toe_out: float = _knob(0.0, -15.0, 9.0, "degrees", "Toes turned outward; below 0 inward")
    knee_lift: float = _knob(0.0, 0.0, 32.0, "degrees", "Thighs lifted higher in the middle of a swing")
    arm_swing: float = _knob(1.0, 0.0, 2.0, "times", "How far arms swing")
    arm_spread: float = _knob(0.0, -8.0, 80.0, "degrees", "Arms held out to the sides; below 0 close to the body")
    head_turn: float = _knob(0.0, -60.0, 60.0, "degrees", "Head turned to the left; below 0 to the right")
    head_nod: float = _knob(0.0, -25.0, 35.0, "degrees", "Head bowed; below 0 raised")
    stiffness: float = _knob(0.0, -0.5, 1.0, "share", "How little hips, chest and head turn with the steps; 1 not at all, below 0 "
                             "more")

    def __post_init__(self) -> None:
        for knob in fields(self):
            value, (least, most) = getattr(self, knob.name), (knob.metadata["least"], knob.metadata["most"])
            if not least <= value <= most:
                raise TaskError(f"The knob {knob.name} is {value:g}; it must be between {least:g} and {most:g} "
                                f"({knob.metadata['unit']}, {knob.default:g} changes nothing).")

    def turned(self) -> dict[str, float]:
        """Those that change something."""
        usual = Knobs()
        return {name: value for name, value in asdict(self).items() if value != getattr(usual, name)}


def adjusted(style: Style, knobs: Knobs) -> Style:
    """A style with its knobs turned."""
    if not knobs.turned():
        return style
    cycles = tuple(_within(_posed(_stepping(style, cycle, knobs), knobs, True)) for cycle in style.cycles)
    standing = _within(_posed(style.standing, knobs, False))
    own = style.at(style.preferred).stride
    faster = np.clip((own + 2 * knobs.step_length) / own, SHORTEST_STRIDE, LONGEST_STRIDE) * knobs.cadence
    return replace(style, cycles=cycles, stood=standing, preferred=float(style.preferred * faster))


def _stepping(style: Style, cycle: Cycle, knobs: Knobs) -> Cycle:
    """A cycle with strides of another length: the motion of the speed at which such strides are natural."""
    if not (knobs.step_length or knobs.cadence != 1):
        return cycle
    share = (cycle.stride + 2 * knobs.step_length) / (cycle.stride * knobs.cadence)
    stride = cycle.stride * float(np.clip(share, SHORTEST_STRIDE, LONGEST_STRIDE))
    speeds = cycle.speed * np.linspace(0.3, 2.5, 60)
    speeds = speeds[(speeds >= style.change) == (cycle.speed >= style.change)]
    alike = style.at(float(np.interp(stride, [style.at(float(v)).stride for v in speeds], speeds)))
    # a long step alone makes no walk a run, nor a short one a run a walk
    return replace(alike, speed=cycle.speed, stride=stride, duty=cycle.duty)


def _posed(cycle: Cycle, knobs: Knobs, moving: bool) -> Cycle:
    """A cycle whose poses and numbers are turned; a body that stands lifts no knees."""
    table = cycle.curves.copy()

    def rows(*names: str) -> list[int]:
        return [ROWS.index(row) for name in names for row in ((name, f"{name}.R") if name in LIMBS else (name,))]

    def bent(angle: float, **shares: float) -> None:
        for name, share in shares.items():
            table[rows(name), 0] += share * np.radians(angle)

    _swing_arms(table, knobs, rows)
    table[rows("pelvis_list", "chest_list"), 1:] *= knobs.sway
    table[rows(*TRUNK, "elbow"), 1:] *= 1 - knobs.stiffness
    pitch = table[rows("thigh")] - table[rows("knee")] + table[rows("ankle")]
    table[rows("ankle")] += (knobs.foot_roll - 1) * pitch
    bent(knobs.lean, chest_lean=1.0, pelvis_tilt=LEANING_HIPS)
    bent(STOOPING * max(knobs.crouch, 0.0), chest_lean=1.0, pelvis_tilt=1.0)
    bent(knobs.arm_spread, arm_out=1.0)
    bent(knobs.head_turn, head_turn=1.0)
    bent(knobs.head_nod, head_nod=1.0)
    if knobs.crouch:
        for end in ("", ".R"):
            move_hips(table, [ROWS.index(name + end) for name in ("thigh", "knee", "ankle")], down=knobs.crouch)
    if moving and knobs.knee_lift:
        for side, end in ((1, ""), (-1, ".R")):
            lift = _swing_bump(cycle.of_side(side).duty) * knobs.knee_lift
            for name, share in LIFTED.items():
                table[ROWS.index(name + end)] += share * lift
    return _numbers(replace(cycle, curves=table), knobs)


def move_hips(table: Coefficients, rows: list[int], down: float = 0.0, back: float = 0.0) -> None:
    """Bend and turn a leg so that its ankle stays where it was, and the foot as it was pitched, under hips that ride elsewhere.

    Args:
        rows: of thigh, knee and ankle.
        down, back: leg lengths.
    """
    phase = np.arange(SAMPLES) / SAMPLES
    thigh, knee, ankle = (harmonics(phase) @ table[rows].T).real.T
    ahead = 0.5 * (np.sin(thigh) + np.sin(thigh - knee)) + back     # thigh and shin of half a leg length each
    below = 0.5 * (np.cos(thigh) + np.cos(thigh - knee)) - down
    bent = 2 * np.arccos(np.minimum(np.hypot(ahead, below), np.maximum(STRAIGHTEST_LEG, np.cos(0.5 * knee))))
    forward = np.arctan2(ahead, below) + 0.5 * bent
    for row, curve in zip(rows, (forward, bent, ankle + (bent - knee) - (forward - thigh)), strict=True):
        table[row] = fourier(np.degrees(curve))


def _swing_arms(table: Coefficients, knobs: Knobs, rows: Callable[..., list[int]]) -> None:
    for row in rows("arm"):
        widest = np.abs(np.fft.irfft(_spectrum(table[row]), SAMPLES)).max()
        table[row, 1:] *= min(knobs.arm_swing, max(1.0, WIDEST_SWING / max(widest, 1e-6)))
    for row in rows("elbow"):
        widest = np.abs(np.fft.irfft(_spectrum(table[row]), SAMPLES)).max()
        table[row, 1:] *= min(knobs.arm_swing, max(1.0, (table[row, 0].real - STRAIGHTEST_ELBOW) / max(widest, 1e-6)))


def _spectrum(row: Coefficients) -> Coefficients:
    """A curve without its mean, as numpy's inverse takes it."""
    return np.concatenate([[0.0], 0.5 * SAMPLES * row[1:]])


def _swing_bump(duty: float) -> Coefficients:
    """A curve of 1 degree in the middle of the swing that is 0 in the stance. (HARMONICS + 1,)."""
    phase = np.arange(SAMPLES) / SAMPLES
    into = np.clip((phase - duty) / (1 - duty), 0, 1)
    return fourier(np.sin(np.pi * into) ** 2)


def _numbers(cycle: Cycle, knobs: Knobs) -> Cycle:
    width = max(cycle.width + knobs.step_width, 0.0)
    duty = cycle.duty
    if not cycle.walks:                  # a run rises as the square of its flight
        duty = max(cycle.grounded - (cycle.grounded - duty) * float(np.sqrt(max(knobs.bounce, 0.25))), 0.7 * duty)
    roll = knobs.foot_roll
    return replace(
        cycle, width=width, duty=duty, rise=knobs.bounce * cycle.rise, toe_out=cycle.toe_out + knobs.toe_out,
        sway=knobs.sway * cycle.sway * max(width, 0.2) / max(cycle.width, 0.2),
        strike_pitch=roll * cycle.strike_pitch, toe_off_pitch=roll * cycle.toe_off_pitch,
        flat=cycle.flat * min(0.3 + 0.7 * roll, 1.0),
        heel_off=min(cycle.heel_off + LONGER_FLAT * max(1 - roll, 0.0), max(0.85, cycle.heel_off))
        * (1 - SOONER_OFF * max(knobs.crouch, 0.0)))


def _within(cycle: Cycle) -> Cycle:
    """Knobs of a style's own and of a task add up: what bodies cannot is cut off."""
    table = cycle.curves.copy()
    for row in (CURVES.index("arm_out"), ROWS.index("arm_out.R")):
        table[row, 0] = np.clip(table[row, 0].real, *ARMS_OUT)
    return replace(cycle, curves=table, toe_out=float(np.clip(cycle.toe_out, *TOES)))
