"""Physics of a plan as arrays to draw, in the axes of the motion [m], one row per frame."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...core.motion import Motion
from ...core.motion.violations import VIOLATION_REASONS, ConstraintViolation
from ...core.terrain import Ground
from ..bake.stored_plan import StoredPlan

Array = NDArray[np.float64]
Color = tuple[float, float, float]

# Smallest force that is shown [body weights]; its arrow is shorter than a pixel.
MIN_SHOWN_FORCE = 1e-3
# Radius of the arc of a moment, relative to the arrow of one body weight. It holds for a moment of
# one body weight with a lever of the height of the center of mass.
MOMENT_ARC_SCALE = 3.0
# Greatest depth of the projection of the center of mass below the feet, as over gaps, relative to
# the height of the center of mass.
MAX_GROUND_DEPTH = 0.3
TIME_TOLERANCE = 1e-9  # tolerance at the ends of a violation [s]
# Share of white (positive) or black (negative) in the colors of successive limbs of a side.
LIMB_LIGHTNESS = (0.0, 0.5, -0.3, 0.25)

# Colors by eye: left blue and right orange, which color-blind people distinguish, and each
# violation another color than those of the sides.
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
    """Contact of a foot with the ground, from heel to tip; a point foot has equal ends."""

    limb: int
    heel: Array  # (3,) [m]
    tip: Array  # (3,) [m]
    up: Array  # unit vector away from the ground, (3,)


@dataclass(frozen=True)
class ContactSpan:
    """Successive frames in which a part of a limb bears load."""

    limb: int
    part: str  # "heel" or "ball" of a sole, "point" of a point foot, "grip" of a hand
    begin: int  # first frame
    end: int  # last frame


@dataclass(frozen=True)
class Arrow:
    """Arrow of an external force."""

    limb: int  # limb on which the force acts; -1 for the whole body
    start: Array  # (3,) [m]
    vector: Array  # from start to tip, (3,) [m]


@dataclass(frozen=True)
class MomentArc:
    """Arc of an external moment."""

    center: Array  # (3,) [m]
    axis: Array  # axis by the right-hand rule, (3,)
    radius: float  # [m]


@dataclass(frozen=True)
class PhysicsDisplay:
    """Physics of n frames with m limbs and c contact points.

    Args:
        first_frame: frame of the scene at which the motion begins.
        com_height: height of the center of mass above the feet, to which all sizes are
            proportional [m].
        limbs: names of the limbs.
        com: center of mass, (n, 3) [m].
        com_ground_projection: projection of the center of mass onto the ground, (n, 3) [m].
        violation_index: index of the violation of a frame in `VIOLATION_REASONS`; -1 without a
            violation; (n,).
        points: contact points, (n, c, 3) [m].
        bears_load: whether a point bears load on the ground, which grips do not; (n, c).
        force: contact force of each limb, (n, m, 3) [body weights].
        pressure_center: center of pressure of each limb, (n, m, 3) [m].
        push: external force, (n, 3) [body weights].
        push_point: point at which the external force acts, (n, 3) [m].
        push_moment: external moment, (n, 3) [body weights m].
        foot_contacts: contacts of the feet, one per footstep.
        contact_spans: frames in which parts of limbs bear load.
        violations: constraint violations.
        fps: frames per second.
    """

    first_frame: int
    com_height: float
    limbs: tuple[str, ...]
    com: Array
    com_ground_projection: Array
    violation_index: NDArray[np.int64]
    points: Array
    bears_load: NDArray[np.bool_]
    force: Array
    pressure_center: Array
    push: Array
    push_point: Array
    push_moment: Array
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
        """Color of each limb: blue on the left, orange on the right, with different lightness."""
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
        """Vertical force of each limb, (n, m) [body weights]."""
        return self.force[..., 2]

    def to_motion_frame(self, frame: float) -> int | None:
        """Return the frame of the motion at a frame of the scene; None outside the motion."""
        k = round(frame - self.first_frame)
        return k if 0 <= k < self.frame_count else None

    def compute_support_polygon(self, k: int) -> Array:
        """Return the corners of the support polygon of a frame, (p, 3) [m].

        There are two corners for a line and none in the air.
        """
        loaded_points: Array = self.points[k, self.bears_load[k]]
        return loaded_points[_find_hull_corners(loaded_points[:, :2].tolist())]

    def make_force_arrows(self, k: int, length: float) -> list[Arrow]:
        """Return the contact forces of a frame.

        Args:
            k: frame of the motion.
            length: length of the arrow for one body weight [m].
        """
        return [
            Arrow(limb, self.pressure_center[k, limb], length * self.force[k, limb])
            for limb in range(len(self.limbs))
            if np.abs(self.force[k, limb]).max() > MIN_SHOWN_FORCE
        ]

    def make_push_arrows(self, k: int, length: float) -> list[Arrow]:
        """Return the external force of a frame, with the tip of its arrow where the force acts.

        Args:
            k: frame of the motion.
            length: length of the arrow for one body weight [m].
        """
        vector = length * self.push[k]
        return (
            [Arrow(-1, self.push_point[k] - vector, vector)]
            if np.abs(self.push[k]).max() > MIN_SHOWN_FORCE
            else []
        )

    def make_moment_arcs(self, k: int, length: float) -> list[MomentArc]:
        """Return the external moment of a frame.

        Args:
            k: frame of the motion.
            length: length of the arrow for one body weight [m]; see `MOMENT_ARC_SCALE`.
        """
        moment = self.push_moment[k]
        radius = MOMENT_ARC_SCALE * length * float(np.linalg.norm(moment)) / self.com_height
        return (
            [MomentArc(self.push_point[k], moment, radius)]
            if np.abs(moment).max() > MIN_SHOWN_FORCE * self.com_height
            else []
        )

    def find_violation(self, k: int) -> ConstraintViolation | None:
        """Return the constraint violation in a frame; None without one."""
        time = k / self.fps
        return next(
            (
                e
                for e in self.violations
                if e.begin - TIME_TOLERANCE <= time <= e.end + TIME_TOLERANCE
            ),
            None,
        )


def build_physics_display(stored_plan: StoredPlan) -> PhysicsDisplay:
    """Return the physics of a plan."""
    motion = stored_plan.motion
    limbs = tuple(dict.fromkeys(motion.contact_limb))
    body_weight = float(motion.link_mass.sum() * np.linalg.norm(motion.gravity))
    limb_forces = _compute_limb_forces(motion, limbs, body_weight)
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
        force=limb_forces.force,
        pressure_center=limb_forces.pressure_center,
        push=motion.push_force / body_weight,
        push_point=motion.push_point,
        push_moment=motion.push_moment / body_weight,
        foot_contacts=_find_foot_contacts(motion, limbs),
        contact_spans=_find_contact_spans(motion, limbs),
        violations=motion.report.violations,
        fps=motion.fps,
    )


def _find_hull_corners(xy: list[list[float]]) -> list[int]:
    """Return the indices of the corners of a convex hull, counterclockwise.

    Collinear points have the outermost two as corners. For a few points this is ten times as fast
    as `terrain.find_convex_outline`, which would be too slow in every frame.

    Args:
        xy: coordinates of the points.
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
    """Return the name of a limb in plain words, such as 'left leg' for `leg.L`."""
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


@dataclass(frozen=True)
class _LimbForces:
    """Contact forces of the limbs."""

    force: Array  # (n, m, 3) [body weights]
    pressure_center: Array  # (n, m, 3) [m]


def _compute_limb_forces(motion: Motion, limbs: tuple[str, ...], body_weight: float) -> _LimbForces:
    """Return force and center of pressure of each limb.

    Args:
        motion: motion with contact forces.
        limbs: names of the limbs.
        body_weight: weight of the body [N].
    """
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
    return _LimbForces(force, pressure_center)


def _project_to_ground(com: Array, ground: Ground, min_height: Array) -> Array:
    """Return the projection of the center of mass onto the ground, (n, 3) [m].

    Args:
        com: center of mass, (n, 3) [m].
        ground: ground.
        min_height: lowest height, also used where there is no ground, (n,) [m].
    """
    ground_height = np.asarray(ground.sample_heights(com[:, :2]), float)
    projected: Array = np.column_stack([com[:, :2], np.fmax(ground_height, min_height)])
    return projected


def _compute_violation_index(motion: Motion) -> NDArray[np.int64]:
    index = np.where(motion.relaxed, list(VIOLATION_REASONS).index("miss"), -1)
    time = np.arange(motion.frames) / motion.fps
    for violation in motion.report.violations:
        index[
            (time >= violation.begin - TIME_TOLERANCE) & (time <= violation.end + TIME_TOLERANCE)
        ] = list(VIOLATION_REASONS).index(violation.reason)
    return index.astype(np.int64)


def _find_foot_contacts(motion: Motion, limbs: tuple[str, ...]) -> tuple[FootContactLine, ...]:
    """Return the contact of each footstep at its middle."""
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
    """Return the frames in which heels, balls, points and hands bear load."""
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
