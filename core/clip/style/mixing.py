"""Styles made of others: mixed by shares, or with the upper body of another one."""
from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np

from .knobs import LEANING_HIPS
from .style import ROWS, Cycle, Style, blend

MOST_LEAN = np.radians(12)         # forward or back, by which an upper body leans otherwise than the one whose place it takes

UPPER = tuple(k for k, row in enumerate(ROWS) if row.startswith(("chest", "arm", "elbow", "head")))


def mixed_styles(base: Style, others: tuple[tuple[Style, float], ...]) -> Style:
    """A style with shares of others; what is missing to 1 is its own.

    Walks are mixed with walks, runs with runs, and hops with hops. Of a style that does not go as the base does at a speed, only
    what its upper body is like on the whole is mixed in.
    """
    kept = tuple((style, share) for style, share in others if share > 0)
    if not kept:
        return base
    cycles = tuple(_mixed(base.at(speed), kept) for speed in _speeds(base, kept))
    standing = _blended([(base.standing, _own(kept)), *((style.standing, share) for style, share in kept)])
    standing = replace(standing, duty=base.standing.duty)              # towards which the base's gait slows down
    preferred = [(base.preferred, _own(kept)), *((style.preferred, share) for style, share in kept if _gait(
        style.at(style.preferred)) == _gait(base.at(base.preferred)))]
    total = sum(share for _, share in preferred)
    speed = float(np.exp(sum(share * np.log(v) for v, share in preferred) / total)) if total > 0 else base.preferred
    return replace(base, cycles=cycles, stood=standing, preferred=speed,
                   name=" + ".join((base.name, *(style.name for style, _ in kept))),
                   sources=tuple(dict.fromkeys((*base.sources, *(s for style, _ in kept for s in style.sources)))))


def with_upper_body(base: Style, upper: Style) -> Style:
    """A style with chest, arms and head of another one: as they go at the same speed, in whatever gait it has there.

    Balance is the legs' matter: the chest leans otherwise by no more than legs can bear, and the pelvis takes part in that.
    """
    def dressed(cycle: Cycle, of: Cycle) -> Cycle:
        table = cycle.curves.copy()
        table[list(UPPER)] = of.curves[list(UPPER)]
        usual = cycle.curve("chest_lean")[0].real
        leaned = float(np.clip(of.curve("chest_lean")[0].real - usual, -MOST_LEAN, MOST_LEAN))
        table[ROWS.index("chest_lean"), 0] = usual + leaned
        table[ROWS.index("pelvis_tilt"), 0] += LEANING_HIPS * leaned
        return replace(cycle, curves=table)

    speeds = _speeds(base, ((upper, 1.0),))
    return replace(base, cycles=tuple(dressed(base.at(v), upper.at(v)) for v in speeds),
                   stood=dressed(base.standing, upper.standing),
                   sources=tuple(dict.fromkeys((*base.sources, *upper.sources))))


def _speeds(base: Style, others: tuple[tuple[Style, float], ...]) -> list[float]:
    """Those at which any of them is told, within what the base is told for, and the ends of its gaits."""
    low, high = base.cycles[0].speed, base.cycles[-1].speed
    told = {c.speed for style, _ in others for c in style.cycles if low < c.speed < high}
    # a cycle that another style has next to the base's own tells nothing new; at the change of gait both sides are the base's
    own = [c.speed for c in base.cycles]
    return sorted({*own, *(v for v in told if np.abs(np.subtract(own, v)).min() > 0.02)})


def _mixed(cycle: Cycle, others: tuple[tuple[Style, float], ...]) -> Cycle:
    parts, postures = [(cycle, _own(others))], []
    for style, share in others:
        alike = _alike(style, cycle)
        if alike is None:
            parts.append((cycle, share))
            postures.append((style.at(cycle.speed), share))
        else:
            parts.append((alike.at(cycle.speed), share))
    out = _blended(parts)
    table = out.curves.copy()
    for other, share in postures:
        table[list(UPPER), 0] += share * (other.curves - cycle.curves)[list(UPPER), 0]
    return replace(out, speed=cycle.speed, curves=table)


def _alike(style: Style, cycle: Cycle) -> Style | None:
    """The part of a style that goes as a cycle does, walking, running or hopping; None where there is none."""
    own = tuple(c for c in style.cycles if _gait(c) == _gait(cycle))
    return replace(style, cycles=own, change=float("inf"), stood=style.standing) if own else None


def _gait(cycle: Cycle) -> str:
    return "hop" if cycle.together else "walk" if cycle.walks else "run"


def _own(others: tuple[tuple[Style, float], ...]) -> float:
    return max(0.0, 1.0 - sum(share for _, share in others))


def _blended(parts: list[tuple[Cycle, float]]) -> Cycle:
    """Cycles by their shares, one after another."""
    def on(so_far: tuple[Cycle, float], part: tuple[Cycle, float]) -> tuple[Cycle, float]:
        total = so_far[1] + part[1]
        return blend(so_far[0], part[0], part[1] / total if total > 0 else 0.0), total

    return reduce(on, parts)[0]
