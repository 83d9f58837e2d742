"""What a plan shows, as arrays that can be drawn: in the motion's own axes
and metres, a row a frame.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...core.motion import Motion
from ...core.motion.easing import VIOLATION_REASONS, ConstraintViolation
from ...core.terrain import Ground
from ..bake.stored_plan import StoredPlan

Array = NDArray[np.float64]
Color = tuple[float, float, float]

MIN_SHOWN_FORCE = 1e-3  # body weights; smaller forces are not shown
# lengths of a body weight's arrow that the arc of a moment is wide,
# of one body weight at the body's size
MOMENT_ARC_SCALE = 3.0
# of the body's size that its place on the ground may be below the feet, as over gaps
MAX_GROUND_DEPTH = 0.3
# of limbs of one side, from the first row on: how much white, or black, is mixed in
LIMB_LIGHTNESS = (0.0, 0.5, -0.3, 0.25)

COM_COLOR: Color = (0.25, 0.85, 0.70)
SIDE_COLORS: dict[str, Color] = {"L": (0.25, 0.56, 0.96), "R": (0.95, 0.45, 0.20)}
MIDDLE_COLOR: Color = (0.72, 0.72, 0.70)
PUSH_COLOR: Color = (0.98, 0.98, 0.80)
VIOLATION_COLORS: dict[str, Color] = {
    "reach": (1.0, 0.20, 0.30),
    "arm": (1.0, 0.45, 0.75),
    "turn": (0.70, 0.40, 1.0),
    "miss": (1.0, 0.85, 0.10),
}


@dataclass(frozen=True)
class FootContactLine:
    """Where a foot stands: heel to tip, or one point twice; `up` is away from the ground."""

    limb: int
    heel: Array  # (3,)
    tip: Array  # (3,)
    up: Array  # (3,)


@dataclass(frozen=True)
class ContactSpan:
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
    """A force of the world on a limb, or on the body where that is -1:
    from `start` as far as `vector`, m.
    """

    limb: int
    start: Array  # (3,)
    vector: Array  # (3,)


@dataclass(frozen=True)
class MomentArc:
    """A moment on the body: about `axis`, by the right hand,
    drawn as an arc of a radius in m around a place.
    """

    center: Array  # (3,)
    axis: Array  # (3,)
    radius: float


@dataclass(frozen=True)
class PhysicsDisplay:
    """n frames of m limbs and c contact points.

    Args:
        com_height: height of the centre of mass above the feet, m,
            which all that is drawn is in proportion to.
        violation_index: number of the reason for which something gave way, in the order of
            `VIOLATION_REASONS`; -1 where nothing did.
        bears_load: points that bear load on the ground; hands that hold are not among them.
        force: of each limb, in body weights.
        pressure_center: of each limb's pressure, where its force acts.
    """

    first_frame: int
    com_height: float
    limbs: tuple[str, ...]
    com: Array  # (n, 3)
    com_ground_projection: Array  # (n, 3) on the ground
    violation_index: NDArray[np.int64]  # (n,)
    points: Array  # (n, c, 3)
    bears_load: NDArray[np.bool_]  # (n, c)
    force: Array  # (n, m, 3)
    pressure_center: Array  # (n, m, 3)
    push: Array  # (n, 3) in body weights
    push_point: Array  # (n, 3)
    push_moment: Array  # (n, 3) in body weights times m
    foot_contacts: tuple[FootContactLine, ...]
    contact_spans: tuple[ContactSpan, ...]
    violations: tuple[ConstraintViolation, ...]
    fps: float

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return len(self.com)

    @cached_property
    def limb_colors(self) -> tuple[Color, ...]:
        """One a limb: blue on the left, orange on the right, rows apart by their lightness."""
        row_counts: dict[str, int] = {}
        colors = []
        for limb in self.limbs:
            side = limb.rpartition(".")[2]
            row_counts[side] = row_counts.get(side, -1) + 1
            shade = LIMB_LIGHTNESS[row_counts[side] % len(LIMB_LIGHTNESS)]
            r, g, b = (
                x + abs(shade) * ((shade > 0) - x) for x in SIDE_COLORS.get(side, MIDDLE_COLOR)
            )
            colors.append((r, g, b))
        return tuple(colors)

    @cached_property
    def vertical_force(self) -> Array:
        """Vertical force of each limb in body weights. (n, m)."""
        return self.force[..., 2]

    def to_motion_frame(self, frame: float) -> int | None:
        """The motion's frame at one of the scene's; None before its first and after its last."""
        k = round(frame - self.first_frame)
        return k if 0 <= k < self.frame_count else None

    def compute_support_polygon(self, k: int) -> Array:
        """Corners of the polygon that contacts on the ground span at a frame:
        two of a line, none in the air. (p, 3).
        """
        loaded_points: Array = self.points[k, self.bears_load[k]]
        return loaded_points[_find_hull_corners(loaded_points[:, :2].tolist())]

    def make_force_arrows(self, k: int, length: float) -> list[Arrow]:
        """Forces of the ground, or of what is held, at a frame.

        Args:
            length: m that stand for a body weight.
        """
        return [
            Arrow(limb, self.pressure_center[k, limb], length * self.force[k, limb])
            for limb in range(len(self.limbs))
            if np.abs(self.force[k, limb]).max() > MIN_SHOWN_FORCE
        ]

    def make_push_arrows(self, k: int, length: float) -> list[Arrow]:
        """What pushes the body at a frame, up to where it does."""
        vector = length * self.push[k]
        return (
            [Arrow(-1, self.push_point[k] - vector, vector)]
            if np.abs(self.push[k]).max() > MIN_SHOWN_FORCE
            else []
        )

    def make_moment_arcs(self, k: int, length: float) -> list[MomentArc]:
        """What turns the body at a frame; the arc of one body weight at the lever `com_height` is
        `MOMENT_ARC_SCALE` times `length` wide.
        """
        moment = self.push_moment[k]
        radius = MOMENT_ARC_SCALE * length * float(np.linalg.norm(moment)) / self.com_height
        return (
            [MomentArc(self.push_point[k], moment, radius)]
            if np.abs(moment).max() > MIN_SHOWN_FORCE * self.com_height
            else []
        )

    def find_violation(self, k: int) -> ConstraintViolation | None:
        """What gave way at a frame."""
        time = k / self.fps
        return next((e for e in self.violations if e.begin - 1e-9 <= time <= e.end + 1e-9), None)


def build_physics_display(stored_plan: StoredPlan) -> PhysicsDisplay:
    """What a plan shows."""
    motion = stored_plan.motion
    limbs = tuple(dict.fromkeys(motion.contact_limb))
    body_weight = float(motion.link_mass.sum() * np.linalg.norm(motion.gravity))
    force, pressure_center = _compute_limb_forces(motion, limbs, body_weight)
    lowest_contact = motion.contact_position[..., 2].min(1)
    com_height = max(float(np.median(motion.com[:, 2] - lowest_contact)), 1e-3)
    return PhysicsDisplay(
        first_frame=stored_plan.first_frame,
        com_height=com_height,
        limbs=limbs,
        com=motion.com,
        com_ground_projection=_project_to_ground(
            motion.com, stored_plan.task.ground, lowest_contact - MAX_GROUND_DEPTH * com_height
        ),
        violation_index=_compute_violation_index(motion),
        points=motion.contact_position,
        bears_load=motion.contact_active & ~motion.grips,
        force=force,
        pressure_center=pressure_center,
        push=motion.push_force / body_weight,
        push_point=motion.push_point,
        push_moment=motion.push_moment / body_weight,
        foot_contacts=_find_foot_contacts(motion, limbs),
        contact_spans=_find_contact_spans(motion, limbs),
        violations=motion.report.violations,
        fps=motion.fps,
    )


def _find_hull_corners(xy: list[list[float]]) -> list[int]:
    """Which of a few points are corners of their convex hull, counter-clockwise;
    the outermost two of a line.

    `terrain.find_convex_outline` takes ten times as long for so few,
    which is too long for each frame.
    """
    order = sorted(range(len(xy)), key=xy.__getitem__)
    halves: list[list[int]] = []
    for row in (order, order[::-1]):
        half: list[int] = []
        for i in row:
            while len(half) > 1 and _cross_2d(xy[half[-2]], xy[half[-1]], xy[i]) <= 0:
                half.pop()
            half.append(i)
        halves.append(half[:-1])
    return halves[0] + halves[1] if len(order) > 1 else order


def _cross_2d(a: list[float], b: list[float], c: list[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def describe_limb(limb: str) -> str:
    """A limb as people say it: `hind_pair_lag.L` is 'left hind leg', `leg.L` 'left leg'."""
    limb_kind, _, side = limb.partition(".")
    words = [
        word for word in re.sub(r"[_\d]+", " ", limb_kind).split() if word not in ("leg", "arm")
    ]
    return " ".join(
        [
            *{"L": ["left"], "R": ["right"]}.get(side, []),
            *words,
            "arm" if "arm" in limb_kind else "leg",
        ]
    )


def _compute_limb_forces(
    motion: Motion, limbs: tuple[str, ...], body_weight: float
) -> tuple[Array, Array]:
    """Force in body weights and centre of pressure of each limb. (n, m, 3) each."""
    # (m, c)
    is_limb_point = np.array(
        [[name == limb for name in motion.contact_limb] for limb in limbs], float
    )
    force = np.einsum("mc,ncx->nmx", is_limb_point, motion.contact_force) / body_weight
    # (n, m, c)
    point_weights = (
        np.linalg.norm(motion.contact_force, axis=-1)[:, None] * is_limb_point
        + 1e-9 * is_limb_point
    )
    pressure_center = np.einsum(
        "nmc,ncx->nmx", point_weights, motion.contact_position
    ) / point_weights.sum(-1, keepdims=True)
    return force, pressure_center


def _project_to_ground(com: Array, ground: Ground, min_height: Array) -> Array:
    """The body's place on the ground; where there is none, or only far below,
    somewhat below the feet.
    """
    ground_height = np.asarray(ground.sample_heights(com[:, :2]), float)
    projected: Array = np.column_stack([com[:, :2], np.fmax(ground_height, min_height)])
    return projected


def _compute_violation_index(motion: Motion) -> NDArray[np.int64]:
    index = np.where(motion.relaxed, list(VIOLATION_REASONS).index("miss"), -1)
    time = np.arange(motion.frames) / motion.fps
    for violation in motion.report.violations:
        index[(time >= violation.begin - 1e-9) & (time <= violation.end + 1e-9)] = list(
            VIOLATION_REASONS
        ).index(violation.reason)
    return index.astype(np.int64)


def _find_foot_contacts(motion: Motion, limbs: tuple[str, ...]) -> tuple[FootContactLine, ...]:
    """Footprints, as the body's own soles lie there."""
    foot_contacts = []
    for step in motion.footsteps:
        k = round(step.time * motion.fps)
        if step.grip or not 0 <= k < motion.frames:
            continue
        point_indices = [i for i, limb in enumerate(motion.contact_limb) if limb == limbs[step.leg]]
        foot_contacts.append(
            FootContactLine(
                step.leg,
                motion.contact_position[k, point_indices[0]],
                motion.contact_position[k, point_indices[-1]],
                step.rotation[:, 2],
            )
        )
    return tuple(foot_contacts)


def _find_contact_spans(motion: Motion, limbs: tuple[str, ...]) -> tuple[ContactSpan, ...]:
    """When heels, balls, points and hands bear load."""
    is_loaded: dict[tuple[int, str], NDArray[np.bool_]] = {}
    for name, limb, active in zip(
        motion.contact_names, motion.contact_limb, motion.contact_active.T, strict=True
    ):
        point_kind = name.rpartition("/")[2]
        key = (
            limbs.index(limb),
            {"tip": "ball", "heel": "heel", "ball": "ball", "grip": "grip"}.get(
                point_kind, "point"
            ),
        )
        is_loaded[key] = is_loaded.get(key, False) | active
    spans = []
    for (limb_index, part), active in is_loaded.items():
        edges = np.flatnonzero(np.diff(np.concatenate([[0], active.astype(np.int8), [0]])))
        spans += [
            ContactSpan(limb_index, part, int(a), int(b) - 1)
            for a, b in zip(edges[::2], edges[1::2], strict=True)
        ]
    return tuple(spans)
