"""Styles made of others: mixed by shares, or with the upper body of another one."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np

from .knobs import PELVIS_LEAN_SHARE
from .style import ROWS, Cycle, Style, blend_cycles

# forward or back, by which an upper body leans otherwise than the one whose place it takes
MAX_LEAN_DIFFERENCE = np.radians(12)

UPPER_BODY_ROWS = tuple(
    k for k, row in enumerate(ROWS) if row.startswith(("chest", "arm", "elbow", "head"))
)


def mix_styles(base: Style, others: tuple[tuple[Style, float], ...]) -> Style:
    """A style with shares of others; what is missing to 1 is its own.

    Walks are mixed with walks, runs with runs, and hops with hops. Of a style that does not go as
    the base does at a speed, only what its upper body is like on the whole is mixed in.
    """
    added = tuple((style, share) for style, share in others if share > 0)
    if not added:
        return base
    cycles = tuple(
        _mix_cycle(base.cycle_at(preferred_speed), added)
        for preferred_speed in _collect_speeds(base, added)
    )
    standing = _blend_weighted(
        [
            (base.standing, _compute_base_share(added)),
            *((style.standing, share) for style, share in added),
        ]
    )
    # towards which the base's gait slows down
    standing = replace(standing, duty=base.standing.duty)
    preferred_speeds = [
        (base.preferred_speed, _compute_base_share(added)),
        *(
            (style.preferred_speed, share)
            for style, share in added
            if _classify_gait(style.cycle_at(style.preferred_speed))
            == _classify_gait(base.cycle_at(base.preferred_speed))
        ),
    ]
    total = sum(share for _, share in preferred_speeds)
    preferred_speed = (
        float(np.exp(sum(share * np.log(v) for v, share in preferred_speeds) / total))
        if total > 0
        else base.preferred_speed
    )
    return replace(
        base,
        cycles=cycles,
        custom_standing=standing,
        preferred_speed=preferred_speed,
        name=" + ".join((base.name, *(style.name for style, _ in added))),
        sources=tuple(
            dict.fromkeys((*base.sources, *(s for style, _ in added for s in style.sources)))
        ),
    )


def replace_upper_body(base: Style, upper: Style) -> Style:
    """A style with chest, arms and head of another one: as they go at the same speed, in
    whatever gait it has there.

    Balance is the legs' matter: the chest leans otherwise by no more than legs can bear, and the
    pelvis takes part in that.
    """

    def dress_cycle(cycle: Cycle, upper_cycle: Cycle) -> Cycle:
        table = cycle.curves.copy()
        table[list(UPPER_BODY_ROWS)] = upper_cycle.curves[list(UPPER_BODY_ROWS)]
        base_lean = cycle.get_curve("chest_lean")[0].real
        lean_change = float(
            np.clip(
                upper_cycle.get_curve("chest_lean")[0].real - base_lean,
                -MAX_LEAN_DIFFERENCE,
                MAX_LEAN_DIFFERENCE,
            )
        )
        table[ROWS.index("chest_lean"), 0] = base_lean + lean_change
        table[ROWS.index("pelvis_tilt"), 0] += PELVIS_LEAN_SHARE * lean_change
        return replace(cycle, curves=table)

    speeds = _collect_speeds(base, ((upper, 1.0),))
    return replace(
        base,
        cycles=tuple(dress_cycle(base.cycle_at(v), upper.cycle_at(v)) for v in speeds),
        custom_standing=dress_cycle(base.standing, upper.standing),
        sources=tuple(dict.fromkeys((*base.sources, *upper.sources))),
    )


def _collect_speeds(base: Style, others: tuple[tuple[Style, float], ...]) -> list[float]:
    """Those at which any of them is told, within what the base is told for,
    and the ends of its gaits.
    """
    low = base.cycles[0].speed
    high = base.cycles[-1].speed
    other_speeds = {c.speed for style, _ in others for c in style.cycles if low < c.speed < high}
    # a cycle that another style has next to the base's own tells nothing new; at the change of gait
    # both sides are the base's
    base_speeds = [c.speed for c in base.cycles]
    return sorted(
        {
            *base_speeds,
            *(v for v in other_speeds if np.abs(np.subtract(base_speeds, v)).min() > 0.02),
        }
    )


def _mix_cycle(cycle: Cycle, others: tuple[tuple[Style, float], ...]) -> Cycle:
    parts = [(cycle, _compute_base_share(others))]
    postures = []
    for style, share in others:
        same_gait = _select_same_gait(style, cycle)
        if same_gait is None:
            parts.append((cycle, share))
            postures.append((style.cycle_at(cycle.speed), share))
        else:
            parts.append((same_gait.cycle_at(cycle.speed), share))
    out = _blend_weighted(parts)
    table = out.curves.copy()
    for other, share in postures:
        table[list(UPPER_BODY_ROWS), 0] += (
            share * (other.curves - cycle.curves)[list(UPPER_BODY_ROWS), 0]
        )
    return replace(out, speed=cycle.speed, curves=table)


def _select_same_gait(style: Style, cycle: Cycle) -> Style | None:
    """The part of a style that goes as a cycle does, walking, running or hopping;
    None where there is none.
    """
    same_cycles = tuple(c for c in style.cycles if _classify_gait(c) == _classify_gait(cycle))
    return (
        replace(
            style, cycles=same_cycles, change_speed=float("inf"), custom_standing=style.standing
        )
        if same_cycles
        else None
    )


def _classify_gait(cycle: Cycle) -> str:
    return "hop" if cycle.is_hop else "walk" if cycle.is_walk else "run"


def _compute_base_share(others: tuple[tuple[Style, float], ...]) -> float:
    return max(0.0, 1.0 - sum(share for _, share in others))


def _blend_weighted(parts: list[tuple[Cycle, float]]) -> Cycle:
    """Cycles by their shares, one after another."""

    def blend_next(blended: tuple[Cycle, float], part: tuple[Cycle, float]) -> tuple[Cycle, float]:
        total = blended[1] + part[1]
        return blend_cycles(blended[0], part[0], part[1] / total if total > 0 else 0.0), total

    return reduce(blend_next, parts)[0]
