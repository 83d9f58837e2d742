"""What makes up for the model's simplicity, as residuals: section 5.2, equations 24-26, and the soft bounds of 5.3."""
from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from .body import SlipBody
from .command import Projectile, StepWish
from .phases import Plane
from .rollout import NODES, SHARES, Rollout
from .schedule import COP, REST
from .state import SlipState
from .weights import SlipWeights

Array = NDArray[np.float64]

LEAST = 1e-4          # s that a phase counts at least: an objective of the root of a duration has no slope at 0
SLIPS = 0.6           # of the vertical force that the horizontal one may reach
STEP = 0.13           # m between the middles of the feet, across the heading, at least
CROSS = 0.25          # m by which this may be less,
PASSES = (0.15, 0.3)  # for feet whose middles are farther from each other along the heading, m, and over how much that comes
SWINGS = 100.0, 1000.0           # m/s^2 of a swinging foot at most, on level and on rough ground, where more of it was worse
BEYOND = 0.5          # s past the end of a preview in which the body is taken to go straight on before a projectile
HARD = 0.1            # of a leg's limit that one m/s^2 beyond what the ground can give weighs


def modelling(state: SlipState, wish: StepWish, body: SlipBody, w: SlipWeights, out: Rollout, u: Array) -> list[Array]:
    """Each (n, k), to be squared and summed."""
    n, push = len(u), out.acceleration
    share = np.sqrt(SHARES * (out.duration[..., None] + LEAST))                                       # (n, p, q)
    root = sqrt(w.acceleration) * share
    smooth = [(root * part[..., :-1]).reshape(n, -1) for part in (push.plane.real, push.plane.imag, push.up)]      # eq. 24
    found = [*smooth, sqrt(w.small) * u[:, COP], 0.1 * sqrt(w.small) * u[:, REST], *_legs(body, w, out, share)]
    resting = [k for k, slot in enumerate(out.slots) if slot.kind != "flight"]
    if resting:
        found += _ground_gives(body, w, push.plane[:, resting], push.up[:, resting])
    if out.touchdown is not None:
        found += _foot(state, wish, w, out)
    if wish.projectile is not None:
        found.append(_dodge(wish.projectile, w, out))
    return found


def _legs(body: SlipBody, w: SlipWeights, out: Rollout, share: Array) -> list[Array]:
    """Equations 25, 26 and 27 for each foot that stands in each phase."""
    pairs = [(k, foot) for k, slot in enumerate(out.slots) for foot in slot.feet]
    trails = [slot.kind == "double" and len(out.slots) > 1 and foot == slot.trailing for slot in out.slots for foot in slot.feet]
    if not pairs:
        return []
    n, which = len(out.duration), [k for k, _ in pairs]
    ankles = {name: foot.point(body.ankle[0], foot.side * body.ankle[1]) for name, foot in out.feet.items()}
    ankle, height = np.empty((n, len(pairs), 1), complex), np.empty((n, len(pairs), 1))
    for k, (_, name) in enumerate(pairs):
        ankle[:, k] = ankles[name]
        height[:, k] = out.feet[name].up + body.ankle[2]
    side = np.array([out.feet[name].side for _, name in pairs])[:, None]
    hip = np.exp(1j * out.heading[:, which]) * (body.hip[0] + 1j * side * body.hip[1])                # (n, f, q) from the com
    across = out.place.plane[:, which] + hip - ankle
    square = across.real**2 + across.imag**2 + (out.place.up[:, which] + body.hip[2] - height) ** 2
    part = share[:, which]
    length = sqrt(w.leg) * (square[..., :-1] - body.leg**2) * part                                    # eq. 25
    over = sqrt(w.hip) * across[..., :-1] * part                                                      # eq. 26
    long = np.sqrt(square)
    longest = body.longest + body.rise * np.array(trails)[:, None]
    limit = sqrt(w.limit) * (np.maximum(long - longest, 0) + np.maximum(body.shortest - long, 0))     # eq. 27
    return [part.reshape(n, -1) for part in (length, over.real, over.imag, limit)]


def _ground_gives(body: SlipBody, w: SlipWeights, aside: Plane, up: Array) -> list[Array]:
    """Ground that does not pull, and friction that ends: the model is free to break both. Accelerations (n, p, q)."""
    n, weight, push = len(up), HARD * sqrt(w.limit), up + body.gravity
    slips = np.maximum(np.sqrt(aside.real**2 + aside.imag**2 + 1e-6) - SLIPS * np.maximum(push, 0), 0)
    return [weight * np.maximum(-push, 0).reshape(n, -1), weight * slips.reshape(n, -1)]


def _foot(state: SlipState, wish: StepWish, w: SlipWeights, out: Rollout) -> list[Array]:
    """Where foot B comes down: beside the other one, in time, and on good ground."""
    b, down = out.feet["B"], out.touchdown
    assert down is not None
    away = (b.plane - out.feet["A"].plane) * np.exp(-1j * down.heading)
    # a foot that is well ahead of the other one, or behind it, may cross it; walking on rough ground there is seldom room to catch
    # that, but a run that may not weaves from side to side
    crosses = CROSS if wish.height is None or wish.flies else 0.0
    least = STEP - crosses * np.minimum(np.maximum((np.abs(away.real) - PASSES[0]) / PASSES[1], 0.0), 1.0)
    hops = wish.gait == "hop"
    found = [] if hops else [sqrt(w.apart) * np.maximum(least - away.imag * b.side, 0)]
    swinging = [k for k, slot in enumerate(out.slots) if slot.number in ((3,) if hops else (2, 3))]
    time = out.duration[:, swinging].sum(1)[:, None]
    # the cubic from where it is, as fast as it is, to rest there begins with 6 d / t^2 - 4 v / t
    old = out.feet["A" if hops else "O"]
    stands = state.support == "double" or (hops and state.support == "single")
    off = np.abs(b.plane - old.plane - 2 / 3 * time * (0.0 if stands else old.speed))
    hardest = SWINGS[int(wish.height is not None)]
    found.append(sqrt(w.swing) * np.maximum(off - hardest / 6 * time**2 - 0.02, 0))
    if wish.footing is not None:
        off = wish.footing(np.concatenate([b.plane.real, b.plane.imag], -1), np.broadcast_to(down.heading, time.shape)[:, 0])
        found.append(sqrt(w.footing) * off[:, None])
    return found


def _dodge(ball: Projectile, w: SlipWeights, out: Rollout) -> Array:
    """Equation 31 as a hinge. (n, p q).

    Between two nodes both go straight on, as seen from each other: what is fast would slip through between them. So they do past
    the end: else a preview that ends before the projectile is there would be the best way out.
    """
    begin = np.cumsum(out.duration, axis=1) - out.duration
    t = (begin[..., None] + out.duration[..., None] * NODES).reshape(len(begin), -1)                  # (n, p q)
    (x, y, z), (u, v, climb) = ball.place, ball.velocity
    aside = complex(x, y) + complex(u, v) * t - out.place.plane.reshape(t.shape)
    above = z + climb * t - out.place.up.reshape(t.shape)
    aside = np.column_stack([aside, aside[:, -1] + BEYOND * (complex(u, v) - out.end.velocity.plane)])
    above = np.column_stack([above, above[:, -1] + BEYOND * (climb - out.end.velocity.up)])
    if ball.beside:
        above = np.zeros_like(above)
    across, upward = np.diff(aside), np.diff(above)
    moved = np.abs(across) ** 2 + upward**2 + 1e-12
    share = np.clip(-((aside[:, :-1] * across.conj()).real + above[:, :-1] * upward) / moved, 0.0, 1.0)
    away = np.sqrt(np.abs(aside[:, :-1] + share * across) ** 2 + (above[:, :-1] + share * upward) ** 2 + 1e-9)
    return sqrt(w.dodge) * np.maximum(ball.distance - away, 0)
