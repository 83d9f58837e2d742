"""What a plan shows, as arrays that can be drawn: in the motion's own axes and metres, a row a frame."""
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...core.motion import Motion
from ...core.motion.easing import REASONS, Easing
from ...core.terrain import Ground
from ..bake.stored_plan import Planned

Array = NDArray[np.float64]
Colour = tuple[float, float, float]

LEAST = 1e-3              # body weights; smaller forces are not shown
WIDE = 3.0                # lengths of a body weight's arrow that the arc of a moment is wide, of one body weight at the body's size
DEEPEST = 0.3             # of the body's size that its place on the ground may be below the feet, as over gaps
SHADES = (0.0, 0.5, -0.3, 0.25)     # of limbs of one side, from the first row on: how much white, or black, is mixed in

COM: Colour = (0.25, 0.85, 0.70)
SIDES: dict[str, Colour] = {"L": (0.25, 0.56, 0.96), "R": (0.95, 0.45, 0.20)}
MIDDLE: Colour = (0.72, 0.72, 0.70)
PUSH: Colour = (0.98, 0.98, 0.80)
EASED: dict[str, Colour] = {"reach": (1.0, 0.20, 0.30), "arm": (1.0, 0.45, 0.75), "turn": (0.70, 0.40, 1.0),
                            "miss": (1.0, 0.85, 0.10)}


@dataclass(frozen=True)
class Sole:
    """Where a foot stands: heel to tip, or one point twice; `up` is away from the ground."""

    limb: int
    heel: Array               # (3,)
    tip: Array                # (3,)
    up: Array                 # (3,)


@dataclass(frozen=True)
class Bar:
    """A stretch of time in which a part of a limb bears load; frames of the motion.

    Args:
        part: "heel" or "ball" of a sole, "point" of a foot without one, "grip" of a hand.
    """

    limb: int
    part: str
    begin: int
    end: int


@dataclass(frozen=True)
class Arrow:
    """A force of the world on a limb, or on the body where that is -1: from `start` as far as `way`, m."""

    limb: int
    start: Array              # (3,)
    way: Array                # (3,)


@dataclass(frozen=True)
class Turn:
    """A moment on the body: about `axis`, by the right hand, drawn as an arc of a radius in m around a place."""

    place: Array              # (3,)
    axis: Array               # (3,)
    radius: float


@dataclass(frozen=True)
class Physics:
    """n frames of m limbs and c contact points.

    Args:
        size: height of the centre of mass above the feet, m, which all that is drawn is in proportion to.
        eased: number of the reason for which something gave way, in the order of `REASONS`; -1 where nothing did.
        resting: points that bear load on the ground; hands that hold are not among them.
        force: of each limb, in body weights.
        centre: of each limb's pressure, where its force acts.
    """

    first_frame: int
    size: float
    limbs: tuple[str, ...]
    com: Array                # (n, 3)
    below: Array              # (n, 3) on the ground
    eased: NDArray[np.int64]  # (n,)
    points: Array             # (n, c, 3)
    resting: NDArray[np.bool_]          # (n, c)
    force: Array              # (n, m, 3)
    centre: Array             # (n, m, 3)
    push: Array               # (n, 3) in body weights
    push_point: Array         # (n, 3)
    push_moment: Array        # (n, 3) in body weights times m
    soles: tuple[Sole, ...]
    bars: tuple[Bar, ...]
    easings: tuple[Easing, ...]
    fps: float

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.com)

    @cached_property
    def colours(self) -> tuple[Colour, ...]:
        """One a limb: blue on the left, orange on the right, rows apart by their lightness."""
        met: dict[str, int] = {}
        out = []
        for limb in self.limbs:
            side = limb.rpartition(".")[2]
            met[side] = met.get(side, -1) + 1
            shade = SHADES[met[side] % len(SHADES)]
            r, g, b = (x + abs(shade) * ((shade > 0) - x) for x in SIDES.get(side, MIDDLE))
            out.append((r, g, b))
        return tuple(out)

    @cached_property
    def upward(self) -> Array:
        """Vertical force of each limb in body weights. (n, m)."""
        return self.force[..., 2]

    def index(self, frame: float) -> int | None:
        """The motion's frame at one of the scene's; None before its first and after its last."""
        k = round(frame - self.first_frame)
        return k if 0 <= k < self.frames else None

    def support(self, k: int) -> Array:
        """Corners of the polygon that contacts on the ground span at a frame: two of a line, none in the air. (p, 3)."""
        resting: Array = self.points[k, self.resting[k]]
        return resting[_outline(resting[:, :2].tolist())]

    def arrows(self, k: int, length: float) -> list[Arrow]:
        """Forces of the ground, or of what is held, at a frame.

        Args:
            length: m that stand for a body weight.
        """
        return [Arrow(limb, self.centre[k, limb], length * self.force[k, limb]) for limb in range(len(self.limbs))
                if np.abs(self.force[k, limb]).max() > LEAST]

    def pushes(self, k: int, length: float) -> list[Arrow]:
        """What pushes the body at a frame, up to where it does."""
        way = length * self.push[k]
        return [Arrow(-1, self.push_point[k] - way, way)] if np.abs(self.push[k]).max() > LEAST else []

    def turns(self, k: int, length: float) -> list[Turn]:
        """What turns the body at a frame; the arc of one body weight at the lever `size` is `WIDE` times `length` wide."""
        moment = self.push_moment[k]
        radius = WIDE * length * float(np.linalg.norm(moment)) / self.size
        return [Turn(self.push_point[k], moment, radius)] if np.abs(moment).max() > LEAST * self.size else []

    def told(self, k: int) -> Easing | None:
        """What gave way at a frame."""
        time = k / self.fps
        return next((e for e in self.easings if e.begin - 1e-9 <= time <= e.end + 1e-9), None)


def physics_of(planned: Planned) -> Physics:
    """What a plan shows."""
    motion = planned.motion
    limbs = tuple(dict.fromkeys(motion.contact_limb))
    weight = float(motion.link_mass.sum() * np.linalg.norm(motion.gravity))
    force, centre = _forces(motion, limbs, weight)
    lowest = motion.contact_position[..., 2].min(1)
    size = max(float(np.median(motion.com[:, 2] - lowest)), 1e-3)
    return Physics(
        first_frame=planned.first_frame, size=size, limbs=limbs, com=motion.com,
        below=_below(motion.com, planned.task.ground, lowest - DEEPEST * size), eased=_eased(motion),
        points=motion.contact_position, resting=motion.contact_active & ~motion.grips, force=force, centre=centre,
        push=motion.push_force / weight, push_point=motion.push_point, push_moment=motion.push_moment / weight,
        soles=_soles(motion, limbs), bars=_bars(motion, limbs),
        easings=motion.report.eased, fps=motion.fps)


def _outline(xy: list[list[float]]) -> list[int]:
    """Which of a few points are corners of their convex hull, counter-clockwise; the outermost two of a line.

    `terrain.convex_outline` takes ten times as long for so few, which is too long for each frame.
    """
    order = sorted(range(len(xy)), key=xy.__getitem__)
    halves: list[list[int]] = []
    for row in (order, order[::-1]):
        half: list[int] = []
        for i in row:
            while len(half) > 1 and _turn(xy[half[-2]], xy[half[-1]], xy[i]) <= 0:
                half.pop()
            half.append(i)
        halves.append(half[:-1])
    return halves[0] + halves[1] if len(order) > 1 else order


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def spoken_limb(limb: str) -> str:
    """A limb as people say it: `hind.L` is 'left hind leg', `leg.L` 'left leg'."""
    stem, _, side = limb.partition(".")
    words = [word for word in re.sub(r"[_\d]+", " ", stem).split() if word not in ("leg", "arm")]
    return " ".join([*{"L": ["left"], "R": ["right"]}.get(side, []), *words, "arm" if "arm" in stem else "leg"])


def _forces(motion: Motion, limbs: tuple[str, ...], weight: float) -> tuple[Array, Array]:
    """Force in body weights and centre of pressure of each limb. (n, m, 3) each."""
    member = np.array([[name == limb for name in motion.contact_limb] for limb in limbs], float)          # (m, c)
    force = np.einsum("mc,ncx->nmx", member, motion.contact_force) / weight
    share = np.linalg.norm(motion.contact_force, axis=-1)[:, None] * member + 1e-9 * member                # (n, m, c)
    centre = np.einsum("nmc,ncx->nmx", share, motion.contact_position) / share.sum(-1, keepdims=True)
    return force, centre


def _below(com: Array, ground: Ground, deepest: Array) -> Array:
    """The body's place on the ground; where there is none, or only far below, somewhat below the feet."""
    height = np.asarray(ground.height(com[:, :2]), float)
    out: Array = np.column_stack([com[:, :2], np.fmax(height, deepest)])
    return out


def _eased(motion: Motion) -> NDArray[np.int64]:
    out = np.where(motion.relaxed, list(REASONS).index("miss"), -1)
    time = np.arange(motion.frames) / motion.fps
    for e in motion.report.eased:
        out[(time >= e.begin - 1e-9) & (time <= e.end + 1e-9)] = list(REASONS).index(e.reason)
    return out.astype(np.int64)


def _soles(motion: Motion, limbs: tuple[str, ...]) -> tuple[Sole, ...]:
    """Footprints, as the body's own soles lie there."""
    out = []
    for step in motion.footsteps:
        k = round(step.time * motion.fps)
        if step.grip or not 0 <= k < motion.frames:
            continue
        own = [i for i, limb in enumerate(motion.contact_limb) if limb == limbs[step.leg]]
        out.append(Sole(step.leg, motion.contact_position[k, own[0]], motion.contact_position[k, own[-1]], step.rotation[:, 2]))
    return tuple(out)


def _bars(motion: Motion, limbs: tuple[str, ...]) -> tuple[Bar, ...]:
    """When heels, balls, points and hands bear load."""
    bearing: dict[tuple[int, str], NDArray[np.bool_]] = {}
    for name, limb, active in zip(motion.contact_names, motion.contact_limb, motion.contact_active.T, strict=True):
        end = name.rpartition("/")[2]
        key = limbs.index(limb), {"tip": "ball", "heel": "heel", "ball": "ball", "grip": "grip"}.get(end, "point")
        bearing[key] = bearing.get(key, False) | active
    out = []
    for (limb_index, part), active in bearing.items():
        edges = np.flatnonzero(np.diff(np.concatenate([[0], active.astype(np.int8), [0]])))
        out += [Bar(limb_index, part, int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return tuple(out)
