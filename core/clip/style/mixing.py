"""Styles composed of others: mixtures, and legs with the upper body of another style."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .knobs import KNOB
from .style import ROWS, Cycle, Style, blend_cycles

# Largest change of the lean of the chest when the upper body is replaced [rad], so that the legs,
# which are those of another style, still carry it.
MAX_LEAN_DIFFERENCE = np.radians(12)
# Smallest difference between the speeds of two cycles of a mixture [sqrt(g l)].
MIN_SPEED_DIFFERENCE = 0.02

UPPER_BODY_ROWS = tuple(
    k for k, row in enumerate(ROWS) if row.startswith(("chest", "arm", "elbow", "head"))
)


def mix_styles(base: Style, others: tuple[tuple[Style, float], ...]) -> Style:
    """Return a mixture of styles.

    Walks are mixed with walks, runs with runs, and hops with hops. A style that does not have the
    gait of the base contributes only the mean posture of its upper body.

    Args:
        base: style that has the rest of the shares to 1.
        others: styles with their shares.
    """
    added = tuple((style, share) for style, share in others if share > 0)
    if not added:
        return base
    cycles = tuple(
        _mix_cycle(base.cycle_at(speed), added) for speed in _collect_speeds(base, added)
    )
    standing = _blend_weighted(
        [
            (base.standing, _compute_base_share(added)),
            *((style.standing, share) for style, share in added),
        ]
    )
    # The gait of the base slows down to this duty.
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
    """Return a style with chest, arms and head of another style at the same speed.

    The gaits of both may differ. Since the legs have to balance the body, the lean of the chest
    changes by `MAX_LEAN_DIFFERENCE` at most, and the pelvis tilts with it.
    """

    def combine(cycle: Cycle, upper_cycle: Cycle) -> Cycle:
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
        table[ROWS.index("pelvis_tilt"), 0] += KNOB.pelvis_lean_share * lean_change
        return replace(cycle, curves=table)

    speeds = _collect_speeds(base, ((upper, 1.0),))
    return replace(
        base,
        cycles=tuple(combine(base.cycle_at(v), upper.cycle_at(v)) for v in speeds),
        custom_standing=combine(base.standing, upper.standing),
        sources=tuple(dict.fromkeys((*base.sources, *upper.sources))),
    )


def _collect_speeds(base: Style, others: tuple[tuple[Style, float], ...]) -> list[float]:
    """Return the speeds of all cycles within the range of the base [sqrt(g l)]."""
    low = base.cycles[0].speed
    high = base.cycles[-1].speed
    other_speeds = {c.speed for style, _ in others for c in style.cycles if low < c.speed < high}
    # Speeds close to one of the base are left out, also because both sides of the change of gait
    # must be those of the base.
    base_speeds = [c.speed for c in base.cycles]
    return sorted(
        {
            *base_speeds,
            *(
                v
                for v in other_speeds
                if np.abs(np.subtract(base_speeds, v)).min() > MIN_SPEED_DIFFERENCE
            ),
        }
    )


def _mix_cycle(cycle: Cycle, others: tuple[tuple[Style, float], ...]) -> Cycle:
    """Return a cycle of the base mixed with other styles at its speed."""
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
    """Return the cycles of a style that have the gait of a cycle, None if there are none."""
    same_cycles = tuple(c for c in style.cycles if _classify_gait(c) == _classify_gait(cycle))
    return (
        replace(
            style, cycles=same_cycles, change_speed=float("inf"), custom_standing=style.standing
        )
        if same_cycles
        else None
    )


def _classify_gait(cycle: Cycle) -> str:
    """Return walk, run or hop."""
    return "hop" if cycle.is_hop else "walk" if cycle.is_walk else "run"


def _compute_base_share(others: tuple[tuple[Style, float], ...]) -> float:
    """Return the rest of the shares to 1."""
    return max(0.0, 1.0 - sum(share for _, share in others))


def _blend_weighted(parts: list[tuple[Cycle, float]]) -> Cycle:
    """Return the weighted mean of cycles, blended one after the other."""
    blended, total = parts[0]
    for cycle, share in parts[1:]:
        total += share
        blended = blend_cycles(blended, cycle, share / total if total > 0 else 0.0)
    return blended
