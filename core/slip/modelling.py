"""What makes up for the model's simplicity, as residuals: section 5.2, equations 24-26, and the soft bounds of 5.3."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .rollout import NODES, SHARES, Rollout
from .schedule import COP, REST
from .state import SlipState
from .weights import SlipWeights
from .wish import Projectile, StepWish

Array = NDArray[np.float64]

LEAST = 1e-4          # s that a phase counts at least: an objective of the root of a duration has no slope at 0
SLIPS = 0.6           # of the vertical force that the horizontal one may reach
STEP = 0.13           # m between the middles of the feet, across the heading, at least
SWINGS = 5.0          # m/s of a swinging foot at most
HARD = 0.1            # of a leg's limit that one m/s^2 beyond what the ground can give weighs


def modelling(state: SlipState, wish: StepWish, body: SlipBody, w: SlipWeights, out: Rollout, u: Array) -> list[Array]:
    """Each (n, k), to be squared and summed."""
    n = len(u)
    share = np.sqrt(SHARES * (out.duration[..., None] + LEAST))                                       # (n, p, q)
    smooth = np.sqrt(w.acceleration) * out.acceleration[:, :, :-1] * share[..., None]                 # eq. 24
    knots = np.sqrt(w.small) * np.concatenate([u[:, COP], 0.1 * u[:, REST]], 1)
    found = [smooth.reshape(n, -1), knots, *_legs(body, w, out, share)]
    resting = [k for k, slot in enumerate(out.slots) if slot.kind != "flight"]
    if resting:
        found += _ground_gives(body, w, out.acceleration[:, resting])
    if out.touchdown is not None:
        found += _foot(state, wish, w, out)
    if wish.projectile is not None:
        found.append(_dodge(wish.projectile, w, out))
    return found


def _legs(body: SlipBody, w: SlipWeights, out: Rollout, share: Array) -> list[Array]:
    """Equations 25, 26 and 27 for each foot that stands in each phase."""
    pairs = [(k, foot) for k, slot in enumerate(out.slots) for foot in slot.feet]
    if not pairs:
        return []
    n, which = len(out.com), [k for k, _ in pairs]
    feet = [out.feet[foot] for _, foot in pairs]
    ankle = np.stack([np.concatenate([f.point(np.full(n, body.ankle[0]), np.full(n, f.side * body.ankle[1])),
                                      f.place[:, 2:] + body.ankle[2]], -1) for f in feet], 1)         # (n, f, 3)
    side = np.array([f.side for f in feet])[:, None]
    cos, sin = np.cos(out.heading[:, which]), np.sin(out.heading[:, which])                           # (n, f, q)
    x, y, z = body.hip
    away = out.com[:, which] - ankle[:, :, None]
    across = away[..., 0] + cos * x - sin * side * y
    beside = away[..., 1] + sin * x + cos * side * y
    square = across**2 + beside**2 + (away[..., 2] + z) ** 2
    part = share[:, which]
    length = np.sqrt(w.leg) * (square[..., :-1] - body.leg**2) * part                                 # eq. 25
    over = np.sqrt(w.hip) * np.concatenate([across[..., :-1] * part, beside[..., :-1] * part], -1)    # eq. 26
    long = np.sqrt(square)
    limit = np.sqrt(w.limit) * (np.maximum(long - body.longest, 0) + np.maximum(body.shortest - long, 0))     # eq. 27
    return [length.reshape(n, -1), over.reshape(n, -1), limit.reshape(n, -1)]


def _ground_gives(body: SlipBody, w: SlipWeights, acceleration: Array) -> list[Array]:
    """Ground that does not pull, and friction that ends: the model is free to break both. (n, p, q, 3)."""
    n, weight = len(acceleration), HARD * np.sqrt(w.limit)
    push = acceleration[..., 2] + body.gravity
    aside = np.sqrt(acceleration[..., 0] ** 2 + acceleration[..., 1] ** 2 + 1e-6)
    slips = np.maximum(aside - SLIPS * np.maximum(push, 0), 0)
    return [weight * np.maximum(-push, 0).reshape(n, -1), weight * slips.reshape(n, -1)]


def _foot(state: SlipState, wish: StepWish, w: SlipWeights, out: Rollout) -> list[Array]:
    """Where foot B comes down: beside the other one, in time, and on good ground."""
    b, down = out.feet["B"], out.touchdown
    assert down is not None
    away = b.place[:, :2] - state.standing.place[:2]
    beside = (np.cos(down.heading) * away[:, 1] - np.sin(down.heading) * away[:, 0]) * b.side
    found = [np.sqrt(w.apart) * np.maximum(STEP - beside, 0)[:, None]]
    swinging = [k for k, slot in enumerate(out.slots) if slot.number in (2, 3)]
    time = out.duration[:, swinging].sum(1)
    way = np.linalg.norm(b.place[:, :2] - state.stepping.place[:2], axis=1)
    found.append(np.sqrt(w.swing) * np.maximum(way - SWINGS * time - 0.02, 0)[:, None])
    if wish.footing is not None:
        off = wish.footing(b.place[:, :2], down.heading)
        found.append(np.sqrt(w.footing) * off[:, None])
    return found


def _dodge(ball: Projectile, w: SlipWeights, out: Rollout) -> Array:
    """Equation 31 as a hinge at the nodes. (n, p q)."""
    begin = np.cumsum(out.duration, axis=1) - out.duration
    t = begin[..., None] + out.duration[..., None] * NODES                                            # (n, p, q)
    there = ball.place + ball.velocity * t[..., None]
    away = np.linalg.norm(there - out.com, axis=-1)
    return np.sqrt(w.dodge) * np.maximum(ball.distance - away, 0).reshape(len(t), -1)
