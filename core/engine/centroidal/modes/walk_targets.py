"""Targets of the full body of a walk: style poses on the plan, and paths of the feet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character
from ....character.kinematic_model import KinematicModel, LinkPoses
from ....clip.pose.key_pose import KeyPosePassage, blend_key_poses, find_key_pose
from ....clip.pose.pose import compute_style_poses
from ....clip.style.style import reverse_curves
from ....fullbody.clearance import HurdleBar
from ....fullbody.foot_path import FootPath, StyleFoot, SwingObstacles, build_foot_path
from ....fullbody.hip_path import HipPath
from ....fullbody.leg_avoidance import separate_foot_paths
from ....fullbody.roll import ROLL, compute_roll_share
from ....fullbody.swivel import swivel_path
from ....fullbody.targets import BodyTargets
from ....geometry import so3
from ....motion.footstep import Footstep
from ....plan.result import Plan, PlanSample
from ....sketch.reference.style_keys import compute_leg_phases, compute_style_keys
from ....sketch.sketch import Sketch
from ....task import GazeTarget, Hurdle, Push, Task
from ....terrain import Ground
from ...shared.checks import make_clearance_bars
from ..body import PlannedBody
from ..compliance import apply_push_compliance
from ..gaze import turn_head
from ..hurdles import has_hurdle_between, make_hurdle_passages
from ..key_poses import build_key_pose_passages
from ..segments import FootstepRevision, build_revised_paths

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WalkParameters:
    """Tuned numbers of foot paths and leaps of a walk."""

    # Height of the sole above the ground in mid-swing [m]. Humans clear the ground by 0.019 m.
    mid_swing_clearance: float = 0.018
    # Distance behind its heel by which a foot among narrow treads clears their edges [m]
    heel_edge_margin: float = 0.025
    # Distance between ankles that pass each other, in radii of a shin. tuned: doubled, pops of a
    # run are 11 degrees instead of 7.6
    ankle_spacing_ratio: float = 2.1
    # Shortest flight in which the pose of a leap begins to show [s]. tuned: halved, leaps over
    # hurdles move by 4 cm
    min_leap_flight: float = 0.22
    # Flight from which on the pose of a leap shows fully [s]. tuned: doubled, pops of leaps over
    # hurdles are 36 degrees instead of 25
    full_leap_flight: float = 0.45
    # Time by which the pose of a leap begins before the flight, as a share of the flight
    leap_lead: float = 0.4
    # Time by which it ends after the flight, as a share of the flight
    leap_tail: float = 0.4


WALK = WalkParameters()


@dataclass(frozen=True)
class WalkConditions:
    """Parts of a task that change the poses of a walk.

    Args:
        ground: ground that feet clear.
        is_forefoot_tread: whether feet may stand close to edges. Their heels then pass edges
            closely, too.
        gaze: what the head turns to.
        hurdles: hurdles that feet clear.
        pushes: pushes under which limbs deflect.
        passages: key poses.
    """

    ground: Ground
    is_forefoot_tread: bool
    gaze: GazeTarget | None
    hurdles: tuple[Hurdle, ...] = ()
    pushes: tuple[Push, ...] = ()
    passages: tuple[KeyPosePassage, ...] = ()

    @staticmethod
    def from_task(task: Task, model: KinematicModel) -> WalkConditions:
        """Return the conditions of a clip.

        Raises:
            TaskError: A key pose is not possible for the body.
        """
        return replace(
            WalkConditions.without_events(task),
            hurdles=task.hurdles,
            pushes=task.pushes,
            passages=build_key_pose_passages(model, task.key_poses),
        )

    @staticmethod
    def without_events(task: Task) -> WalkConditions:
        """Return the conditions of a task without hurdles, pushes and key poses."""
        return WalkConditions(task.ground, task.tread == "forefoot", task.gaze)


@dataclass(frozen=True)
class WalkPoser:
    """Computation of style poses and foot paths of a walk along a sketch."""

    planned_body: PlannedBody
    sketch: Sketch
    conditions: WalkConditions

    def compute_targets(
        self,
        plan: Plan,
        times: Array,
        rotation: Array | None = None,
        revisions: tuple[FootstepRevision, ...] = (),
    ) -> BodyTargets:
        """Return targets of the full body at n times.

        Args:
            plan: plan to follow.
            times: equally spaced times [s], shape (n,).
            rotation: rotation of the body, shape (n, 3, 3); None for that of the plan.
            revisions: footsteps that were planned before those of the plan.
        """
        sample = plan.sample(times)
        rotation = sample.rotation if rotation is None else rotation
        pose = self._place_style_poses(plan.footsteps, sample, rotation)
        builder = self._make_foot_path_builder(pose.locate_links(), times, rotation)
        feet = build_revised_paths(builder.build_paths, revisions, plan.footsteps, times=times)
        return BodyTargets(times, sample.com, sample.momentum, reference=pose.poses, feet=feet)

    def build_foot_paths(
        self, footsteps: tuple[Footstep, ...], placed: LinkPoses, times: Array, rotation: Array
    ) -> tuple[FootPath, ...]:
        """Return the paths of the feet through footsteps, near the feet of given poses.

        The poses already swing their feet around edges.

        Args:
            footsteps: footsteps.
            placed: links in n poses, in their places.
            times: equally spaced times [s], shape (n,).
            rotation: rotation of the body, shape (n, 3, 3).
        """
        builder = replace(
            self._make_foot_path_builder(placed, times, rotation), advances_early=False
        )
        return tuple(builder.build_paths(footsteps))

    def make_style_poses(self, footsteps: tuple[Footstep, ...], times: Array) -> Array:
        """Return the poses of the style along footsteps, before the body as a whole is rotated
        and placed, shape (n, nq).
        """
        model = self.planned_body.model
        style = self.planned_body.style
        steps = self.sketch.steps
        course = self.sketch.course
        duties = np.array([s.gait.cycle.duty for s in steps])
        phases = compute_leg_phases(footsteps, duties, len(model.character.legs), times)
        toe_out = np.full(len(times), steps[0].gait.toe_out)
        keys = compute_style_keys(self.sketch, times)
        curves = style.curves_at(keys)
        if course.facing_offset.any():
            step_times = np.array([s.footstep.time for s in steps])
            order = np.argsort(step_times, kind="stable")
            curves = reverse_curves(
                curves,
                np.interp(times, step_times[order], duties[order]),
                np.cos(course.facing_offset_at(times)),
            )
        pose = compute_style_poses(
            model, curves, toe_out, phases=phases, right_delay=style.right_delay_at(keys)
        )
        # A hop does not have the spread legs of a leap.
        stepping_footsteps = [
            f for f, s in zip(footsteps, steps, strict=True) if not s.gait.cycle.is_hop
        ]
        leaps = _make_leap_passages(model, stepping_footsteps, self.conditions.hurdles)
        return blend_key_poses(model, pose, times, [*leaps, *self.conditions.passages])

    def _place_style_poses(
        self, footsteps: tuple[Footstep, ...], sample: PlanSample, rotation: Array
    ) -> _PlacedPoses:
        """Return the poses of the style, rotated and placed at the center of mass of the plan."""
        model = self.planned_body.model
        times = sample.time
        pose = self.make_style_poses(footsteps, times)
        pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
        pose = apply_push_compliance(model, pose, times, self.conditions.pushes)
        placed = model.compute_link_poses(pose)
        pose[:, :3] = sample.com - placed.com
        if self.conditions.gaze is not None:
            pose = turn_head(model, pose, times, self.conditions.gaze)
        return _PlacedPoses(pose, placed)

    def _make_foot_path_builder(
        self, placed: LinkPoses, times: Array, rotation: Array
    ) -> _FootPathBuilder:
        """Return the builder of foot paths near the feet of placed poses."""
        conditions = self.conditions
        forward = placed.rotation[..., 0]  # (n, l, 3)
        heading = so3.yaw_from_matrix(rotation)[:, None]
        pitch = so3.atan2(
            forward[..., 2], forward[..., 0] * np.cos(heading) + forward[..., 1] * np.sin(heading)
        )
        pitch *= self.sketch.course.roll_share_at(times)[:, None]
        return _FootPathBuilder(
            self.planned_body.model,
            times,
            placed.origin,
            pitch=pitch,
            heading=heading[:, 0],
            ground=conditions.ground,
            bars=make_clearance_bars(conditions.hurdles, conditions.ground),
            heel_margin=WALK.heel_edge_margin if conditions.is_forefoot_tread else 0.0,
        )


@dataclass(frozen=True)
class _PlacedPoses:
    """Poses (n, nq), and their links as they are before the pelvis is moved to its place."""

    poses: Array
    placed: LinkPoses

    def locate_links(self) -> LinkPoses:
        """Return the links in their places."""
        return replace(self.placed, origin=self.placed.origin + self.poses[:, None, :3])


@dataclass(frozen=True)
class _FootPathBuilder:
    """Builder of foot paths through footsteps, near the feet of the style poses.

    Args:
        model: the body.
        times: equally spaced times [s], shape (n,).
        origin: origins of the links in the style poses [m], shape (n, l, 3).
        pitch: upward pitch of the links in the direction of the heading [rad], shape (n, l).
        heading: heading of the body [rad], shape (n,).
        ground: ground.
        bars: bars that feet clear.
        heel_margin: distance behind the heel that swings carry over edges, too [m].
        advances_early: whether swings that lead down are out sooner than the poses have them.
    """

    model: KinematicModel
    times: Array
    origin: Array
    pitch: Array
    heading: Array
    ground: Ground
    bars: list[HurdleBar]
    heel_margin: float
    advances_early: bool = True

    def build_paths(self, footsteps: tuple[Footstep, ...]) -> list[FootPath]:
        """Return the path of each foot through its footsteps."""
        character = self.model.character
        dt = float(self.times[1] - self.times[0])
        paths = [
            self._build_path(leg, [f for f in footsteps if f.leg == leg])
            for leg in range(len(character.legs))
        ]
        paths = [
            swivel_path(path, foot, limb.side, heading=self.heading, dt=dt)
            for path, foot, limb in zip(paths, character.feet, character.legs, strict=True)
        ]
        return separate_foot_paths(
            paths,
            [leg.side for leg in character.legs],
            self.heading,
            min_separation=_compute_ankle_spacing(character),
            dt=dt,
        )

    def _build_path(self, leg: int, footsteps: list[Footstep]) -> FootPath:
        character = self.model.character
        limb = character.legs[leg]
        foot = character.feet[leg]
        size_ratio = float(foot.tip[0] - foot.heel[0]) / ROLL.long_foot_length
        return build_foot_path(
            footsteps,
            foot,
            StyleFoot(
                self.origin[:, foot.link], compute_roll_share(foot) * self.pitch[:, foot.link]
            ),
            HipPath(
                self.times,
                self.origin[:, limb.links[0]],
                character.straight_leg_length(limb, foot),
            ),
            SwingObstacles(
                self.ground,
                WALK.mid_swing_clearance * max(1.0, size_ratio),
                self.bars,
                self.heel_margin,
                self.advances_early,
            ),
        )


def _compute_ankle_spacing(character: Character) -> float:
    """Return the distance between ankles that pass each other, from the thickness of the shins
    [m].
    """
    shins = [character.links[leg.links[1]] for leg in character.legs]
    return WALK.ankle_spacing_ratio * float(
        np.mean([min(s.radii[0] for s in shin.shapes) for shin in shins])
    )


def _make_leap_passages(
    model: KinematicModel, footsteps: Sequence[Footstep], hurdles: tuple[Hurdle, ...]
) -> list[KeyPosePassage]:
    """Return a leap's pose for each long flight, or that of a hurdler for a flight over a bar."""
    out = []
    for first, second in pairwise(footsteps):
        flight = second.strike - first.lift
        share = float(
            np.clip(
                (flight - WALK.min_leap_flight) / (WALK.full_leap_flight - WALK.min_leap_flight),
                0,
                1,
            )
        )
        if share > 0:
            if has_hurdle_between(first, second, hurdles):
                out += make_hurdle_passages(model, first, second, share)
                continue
            out.append(
                KeyPosePassage(
                    first.lift - WALK.leap_lead * flight,
                    second.strike + WALK.leap_tail * flight,
                    find_key_pose("leap").build_pose(model, second.leg),
                    share,
                )
            )
    return out
