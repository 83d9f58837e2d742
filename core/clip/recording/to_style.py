"""A style from what a clip shows: as it is at its own speed, and for other speeds what it does otherwise than people usually do.

Bruderlin & Williams 1995, as the paper uses it (section 8): what makes the clip its own, its difference from the built-in gait at
the same speed, is added to the built-in gait at every speed, the more the longer strides are there. Posture stays as it is.
In the gait that the clip does not show, only the posture above the legs is taken over.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..style.shelf import builtin_style
from ..style.style import CURVES, HARMONICS, LEGS, LIMBS, ROWS, UNEVEN, UNTOLD, Coefficients, Cycle, Style, fourier, table_of
from .gait_analysis import Understood

Array = NDArray[np.float64]

MULTIPLES = (0.35, 0.55, 0.75, 1.0, 1.3, 1.65, 2.0)      # of the clip's speed that the style has cycles at
UNEVEN_GROUND = 14.0             # degrees that legs of somebody who does not limp differ by, from which on it is what they step on
ROOM = 1.08                      # by which the change of gait keeps from the clip's own speed
EASED = 0.6                      # of the posture that the other gait takes over
GAIN = (0.25, 1.5)               # of the difference at short and at long strides
ABOVE = tuple(k for k, name in enumerate(ROWS) if name.startswith(("chest", "arm", "elbow")))
LIMITS = {"duty": (0.15, 0.8), "heel_off": (0.35, 0.92), "flat": (0.04, 0.3), "strike_pitch": (0.0, 38.0),
          "toe_off_pitch": (10.0, 75.0), "sway": (0.0, 0.08), "behind": (0.0, 0.16),
          "width": (0.15, 1.6), "toe_out": (-10.0, 35.0)}
# What is seen in motions generated in the built-in gaits, less what these ask for: heel off (it is seen once the heel has risen),
# ball down.
SEEN = {"walk": (0.2, 0.02), "run": (0.0, 0.04)}
WALKS, RUNS = (0.53, 0.8), (0.15, 0.47)          # shares of the cycle that a foot may be down
LATEST = 0.12                    # share of the cycle that a right foot may be late or early


def style_shown(clip: Understood) -> Style:
    """The style that a clip shows, from standing to twice its speed and beyond."""
    natural = builtin_style("natural")
    speed = clip.speed / clip.unit_speed
    walks = clip.gait == "walk"
    base = builtin_style(clip.gait)
    change = max(natural.change, ROOM * speed) if walks else min(natural.change, speed / ROOM)
    own = _own(clip, base.at(speed), speed)
    usual = base.at(speed)
    cycles = [own if m == 1.0 else _derived(base.at(m * speed), usual, own, m * speed, walks)
              for m in MULTIPLES if (m * speed < change) == walks]
    if walks:
        cycles.append(_derived(base.at(change - 0.01), usual, own, change - 0.01, walks))
    else:
        cycles.append(_derived(base.at(change), usual, own, change, walks))
    other = builtin_style("run" if walks else "walk")
    there = [v for v in (c.speed for c in other.cycles) if (v > change) == walks]
    there.append(change if walks else change - 0.01)
    cycles += [_postured(other.at(v), usual, own, v) for v in there]
    kept: list[Cycle] = []
    for cycle in sorted(cycles, key=lambda c: c.speed):
        if not kept or cycle.speed > kept[-1].speed + 1e-3:
            kept.append(cycle)
    return Style(clip.name, speed, (f"the clip {clip.name}", *base.sources), tuple(kept), change)


def _own(clip: Understood, usual: Cycle, speed: float) -> Cycle:
    """The cycle as it is in the clip."""
    leg = clip.leg_length
    later, earlier = SEEN[clip.gait]
    told: dict[str, Any] = {
        "duty": clip.duty, "heel_off": clip.heel_off - later, "flat": clip.flat + earlier, "strike_pitch": clip.strike_pitch,
        "toe_off_pitch": clip.toe_off_pitch, "sway": clip.sway / leg,
        "behind": clip.foot_offset / leg, "width": clip.step_width / max(clip.hip_width, 1e-6), "toe_out": clip.toe_out}
    if clip.sides is not None:           # a cycle's own numbers are those of the left foot
        told |= {"duty": told["duty"] - 0.5 * clip.sides.longer}
        # how much lower the body rides over one leg follows from its curves
        told |= dict(zip(UNEVEN, (clip.sides.longer, clip.sides.later, 0.0), strict=True))
    own = replace(usual, speed=speed, stride=clip.stride_length / leg, curves=_coefficients(clip, usual), **told)
    return _sound(own, clip.gait == "walk")


def _coefficients(clip: Understood, usual: Cycle) -> Coefficients:
    """Fourier series: each limb's own, of the mean of both sides for the trunk, as usual for what is not told."""
    def series(name: str, row: Array) -> Coefficients:
        return fourier(row) if np.isfinite(row).all() else usual.curve(name)

    left, right = clip.curves
    legs = [CURVES.index(name) for name in ("thigh", "knee")]
    if clip.sides is None and np.sqrt(np.mean((left[legs] - right[legs]) ** 2)) > UNEVEN_GROUND:
        left, right = left.copy(), right.copy()
        legs = [CURVES.index(name) for name in LEGS]
        left[legs] = right[legs] = 0.5 * (left[legs] + right[legs])
    told = {name: series(name, left[k] if name in (*LIMBS, *UNTOLD) else 0.5 * (left[k] + right[k]))
            for k, name in enumerate(CURVES)}
    told |= {f"{name}.R": series(name, right[k]) for k, name in enumerate(CURVES) if name in LIMBS}
    told["pelvis_tilt"] = told["pelvis_tilt"] + usual.curve("pelvis_tilt") * (np.arange(HARMONICS + 1) == 0)
    return table_of(told)


def _derived(there: Cycle, usual: Cycle, own: Cycle, speed: float, walks: bool) -> Cycle:
    """The built-in gait at another speed with the clip's difference."""
    gain = float(np.clip(there.stride / usual.stride, *GAIN))
    curves = there.curves.copy()
    difference = own.curves - usual.curves
    curves[:, 0] += difference[:, 0]
    curves[:, 1:] += gain * difference[:, 1:]
    numbers: dict[str, Any] = {name: getattr(there, name) + (gain if name == "sway" else 1.0)
                               * (getattr(own, name) - getattr(usual, name)) for name in LIMITS}
    numbers |= {name: getattr(own, name) for name in UNEVEN}
    # what strides are longer or shorter by is less where all strides are long, as legs reach no farther
    stride = there.stride * (own.stride / usual.stride) ** min(1.0, 1 / gain**2)
    return _sound(replace(there, speed=speed, stride=stride, curves=curves, **numbers), walks)


def _postured(there: Cycle, usual: Cycle, own: Cycle, speed: float) -> Cycle:
    """The other gait with what of the clip's posture goes along."""
    curves = there.curves.copy()
    above = list(ABOVE)
    curves[above, 0] += EASED * (own.curves - usual.curves)[above, 0]
    return replace(there, speed=speed, curves=curves)


def _sound(cycle: Cycle, walks: bool) -> Cycle:
    """The cycle within what bodies can do."""
    numbers: dict[str, Any] = {name: float(np.clip(getattr(cycle, name), *bounds)) for name, bounds in LIMITS.items()}
    down = WALKS if walks else RUNS
    numbers["duty"] = float(np.clip(numbers["duty"], *down))
    numbers["flat"] = min(numbers["flat"], numbers["heel_off"] - 0.15)
    numbers["right_longer"] = float(np.clip(numbers["duty"] + cycle.right_longer, *down)) - numbers["duty"]
    return replace(cycle, right_later=float(np.clip(cycle.right_later, -LATEST, LATEST)), **numbers)
