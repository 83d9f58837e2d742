"""A sketch of a body that goes along bars hand over hand: holds, the course below them, and how the body hangs.

Source: Kwon et al. 2020, section 7.2: a rough course and a plan of contacts are given to the planner, hands being contacts that
are pulled.
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from .. import so3
from ..character.model import KinematicModel, Placed
from ..clip.hanging import Hang, arm_length, arms_to
from ..clip.style import Style
from ..errors import TaskError
from ..fullbody.hand_path import HandPath, hand_path
from ..fullbody.weights import BodyWeights
from ..plan.pacing import HangPacing
from ..plan.reference import DT, PlanReference
from ..plan.weights import PlanLimits, PlanWeights
from ..task import Bars, Task
from .handholds import Handholds, take_hold
from .hanging import Pendulum, Support, dangling
from .sketch import Sketch
from .told import told_as_sketch

Array = NDArray[np.float64]

PAST = 1.3                    # s past the clip's end after which no hand leaves its rung
STRAIGHT = 0.982              # of an arm's length at which it bears: an elbow bent by 22 degrees
STRAIGHTEST = 0.99            # that an arm may be for the plan
TURN_SMOOTH, LIST_SMOOTH, RISE_SMOOTH = 0.12, 0.1, 0.06      # s
HELD = 0.03                   # s before and after a hold in which its arm must reach it already, and still
LIST = np.radians(7)          # by which the shoulder that bears is raised, and the one that reaches before it bears
LEADS = 0.12                  # s
TWIST = 2.6                   # half shoulder widths that hands are apart along the way where the chest turns by 45 degrees
THIGH, KNEE = np.radians(20), np.radians(42)     # of a body that hangs at rest
SCISSORS = np.radians(14)     # of the thighs against each other, as the chest turns by its usual most
USUAL_TWIST = np.radians(40)
KNEE_GIVES = 0.8              # times as far as the thigh swings
LEG_PACE, LEG_DAMPING = 4.6, 0.25     # rad/s and share of the critical, of legs of 0.93 m
CALMED = 0.04                 # s over which what known poses do besides is smoothed before it is taken on
FORGOTTEN = 0.3               # s before the end of known poses in which they go over into those that were drawn
CLEAR = 0.05                  # m that feet keep from the ground


@dataclass(frozen=True)
class Swinging:
    """Everything that takes the place of steps and style for a task with bars."""

    model: KinematicModel
    drawn: Sketch
    reference: PlanReference
    holds: Handholds
    hung: Array           # (n, nq) poses over the reference's moments, in the plan's frame, arms stretched up
    inertia: Array        # (n, 3, 3) kg m^2, with arms where they hold and reach
    shoulders: Array      # (n, h, 3) of the arms that hold, against the centre of mass, world axes, m
    arm: float            # m from a shoulder to its grip

    @property
    def pacing(self) -> HangPacing:
        """Plans take over from each other in the middle of each swing."""
        middles = 0.5 * (self.holds.both[1:, 0] + self.holds.both[:-1, 1])
        end = float(self.reference.time[-1])
        return HangPacing(cuts=(*(float(t) for t in middles), *np.arange(float(self.holds.both[-1, 0]) + 0.5, end + 1.0, 0.5)))

    def limits(self, usual: PlanLimits) -> PlanLimits:
        """Arms are as long as they are."""
        return replace(usual, reach=(STRAIGHTEST * self.arm, STRAIGHTEST * self.arm))

    def weights(self, usual: PlanWeights) -> PlanWeights:
        """A body that hangs has no footsteps to put right: the course counts more."""
        return replace(usual, com=(10.0, 10.0, 100.0), velocity=(1.0, 1.0, 3.0), sideways=1.0, slack=(5e3, 5.0))

    def body_weights(self, usual: BodyWeights) -> BodyWeights:
        """Legs are free to hang as the pose has it."""
        return replace(usual, momentum=3.0, leak=1.0, leg=0.6, leg_twist=0.6, ankle=0.6, ankle_roll=0.6, arm=0.3)

    def inertia_at(self, times: Array) -> Array:
        """In the body's frame. (n,) -> (n, 3, 3)."""
        return self.inertia[np.clip(np.round(times / DT).astype(int), 0, len(self.inertia) - 1)]

    def moved(self, times: Array, poses: Array, rotation: Array) -> Swinging:
        """The same for a body whose poses are known: it hangs as those have it, and its shoulders are where those have them.

        Args:
            times: (n,) rising.
            poses: (n, nq) in the world.
            rotation: (n, 3, 3) of the plan's frame that they were drawn in.
        """
        found = _shoulders(self.model, self.model.place(poses))
        time = self.reference.time
        shoulders = np.stack([[np.interp(time, times, own) for own in arm.T] for arm in found.swapaxes(0, 1)]).transpose(2, 0, 1)
        own = poses.copy()
        own[:, :3] = 0.0
        own[:, 3:7] = so3.quat_multiply(so3.quat_conjugate(so3.quat_from_matrix(rotation)), own[:, 3:7])
        strayed = gaussian_filter1d(self.model.difference(self.poses_at(times), own), CALMED / (times[1] - times[0]), axis=0)
        strayed = CubicSpline(times, strayed)(np.clip(time, times[0], times[-1]))
        kept = np.clip((times[-1] - time) / FORGOTTEN, 0, 1)
        kept = kept * kept * (3 - 2 * kept)
        return replace(self, shoulders=shoulders, hung=self.model.integrate(self.hung, kept[:, None] * strayed))

    def root_at(self, limb: int, times: Array) -> Array:
        """Shoulder of a limb that holds against the centre of mass, world axes. (n,) -> (n, 3) m."""
        own = self.shoulders[:, limb - len(self.model.character.legs)]
        return np.stack([np.interp(times, self.reference.time, own[:, axis]) for axis in range(3)], -1)

    def hands(self, times: Array) -> tuple[HandPath, ...]:
        """The ways of the hands that can hold."""
        return _hands(self.model, self.holds, times)

    def poses_at(self, times: Array) -> Array:
        """How the body hangs, in the plan's frame, arms stretched up. (n,) -> (n, nq)."""
        t = np.clip(times, 0.0, self.reference.time[-1])
        return self.model.integrate(np.tile(self.hung[0], (len(times), 1)), self._changes(t))

    @cached_property
    def _changes(self) -> CubicSpline:
        first = np.tile(self.hung[0], (len(self.hung), 1))
        return CubicSpline(self.reference.time, self.model.difference(first, self.hung))


def draw_bars(task: Task, bars: Bars, model: KinematicModel, style: Style) -> Swinging:
    """Sketch, course and poses of a task with bars.

    Raises:
        CharacterError: the body has no hands.
        TaskError: a rung that no hand reaches, or one so low that feet would touch the ground.
    """
    arm = arm_length(model) if model.character.hands else 0.0
    below, feet, gyration = _at_rest(model)
    pendulum = Pendulum(STRAIGHT * arm + below, gyration, task.gravity)
    holds = take_hold(task, bars, model.character, arm, pendulum.half_period, task.seconds + PAST)
    _off_the_ground(task, bars, arm + feet)
    time = np.arange(0.0, max(task.seconds + 2 * PAST, float(holds.both[-1, 0]) + PAST), DT)
    support = Support.of(holds, time)
    level, lean = pendulum.swing(time, holds, support)
    com = np.column_stack([level, np.zeros(len(time))])
    yaw = gaussian_filter1d(support.share @ holds.headings, TURN_SMOOTH / DT, mode="nearest")
    frame = PlanReference(time, com, yaw, lean, task.gravity)
    hung = _hang(model, frame, support, holds, task.gravity).poses(model)
    com[:, 2] = _height(model, frame, hung, holds, support, arm)
    reference = PlanReference(time, com, yaw, lean, task.gravity)
    grips = np.stack([h.place for h in _hands(model, holds, time)], 1)
    poses = placed_along(model, hung, reference.at(time).rotation, com, grips)
    drawn = told_as_sketch(task, model.character, style, reference, list(holds.grips), pendulum.length)
    notes = (*drawn.course.notes, *holds.notes)
    return Swinging(model, replace(drawn, course=replace(drawn.course, notes=notes)), reference, holds, hung,
                    _inertia(model, poses, reference.at(time).rotation), _shoulders(model, model.place(poses)), arm)


def placed_along(model: KinematicModel, hung: Array, rotation: Array, com: Array, grips: Array) -> Array:
    """Poses turned and placed in the world, arms to where the hands are. (n, nq).

    Args:
        hung: (n, nq) in the plan's frame.
        rotation: (n, 3, 3) of that frame.
        com: (n, 3) where the centre of mass is to be.
        grips: (n, h, 3) of the hands that can hold.
    """
    pose = hung.copy()
    pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
    pose[:, :3] += com - model.place(pose).com
    for _ in range(2):                            # where arms are moves the centre of mass, and the shoulders with it
        pose = arms_to(model, pose, grips)
        pose[:, :3] += com - model.place(pose).com
    return arms_to(model, pose, grips)


def _at_rest(model: KinematicModel) -> tuple[float, float, float]:
    """Of a body that hangs: its centre of mass and its lowest point below the shoulders, m, and its gyration, m."""
    one, legs = np.zeros(1), len(model.character.legs)
    hang = Hang(np.eye(3)[None], one, one, np.full((1, legs), THIGH), np.full((1, legs), KNEE)).poses(model)
    placed, character = model.place(hang), model.character
    shoulder = float(np.mean([placed.origin[0, arm.links[0], 2] for arm in character.arms])) if character.arms else 0.0
    low = min(float((placed.origin[0, f.link] + placed.rotation[0, f.link] @ p)[2])
              for f in character.feet for p in (f.heel, f.ball, f.tip))
    inertia = model.centroidal(hang).inertia[0]
    return shoulder - float(placed.com[0, 2]), shoulder - low, float(np.sqrt(inertia[1, 1] / character.mass))


def _off_the_ground(task: Task, bars: Bars, needed: float) -> None:
    """Refuse rungs from which feet would touch the ground."""
    height = bars.rungs[:, 2] - task.ground.height(bars.rungs[:, :2])
    low = np.flatnonzero(height < needed + CLEAR)
    if low.size:
        raise TaskError(f"Rung {low[0] + 1} is {height[low[0]]:.2f} m above the ground; a body that hangs from it needs "
                        f"{needed + CLEAR:.2f} m for its feet to be free. Raise the bars.")


def _hands(model: KinematicModel, holds: Handholds, times: Array) -> tuple[HandPath, ...]:
    legs, arm = len(model.character.legs), arm_length(model)
    return tuple(hand_path(times, [g for g in holds.grips if g.leg == legs + k], limb.side, arm)
                 for k, limb in enumerate(model.character.holders))


def _hang(model: KinematicModel, frame: PlanReference, support: Support, holds: Handholds, gravity: float) -> Hang:
    """How trunk and legs hang along a course."""
    time, character = frame.time, model.character
    wished = frame.at(time)
    upright = so3.about("z", frame.yaw)
    ahead, legs = upright[:, :, 0], len(character.legs)
    shoulder = float(np.mean([abs(character.origin(limb.links[0])[1]) for limb in character.holders]))
    sides = np.array([character.holders[g.leg - legs].side for g in holds.grips])
    apart = -sum(limb.side * (path.place * ahead).sum(1)
                 for limb, path in zip(character.holders, _hands(model, holds, time), strict=True))
    twist = np.arctan(apart / (TWIST * shoulder))
    bears = gaussian_filter1d(support.share @ sides, LIST_SMOOTH / DT, mode="nearest")
    raised = LIST * np.interp(time + LEADS, time, bears)
    drive = (np.gradient(wished.velocity, DT, axis=0) * ahead).sum(1) / gravity
    swing = dangling(drive, LEG_PACE * np.sqrt(gravity / 9.81 * 0.93 / character.leg_length), LEG_DAMPING)
    thigh = np.empty((len(time), legs))
    for k, leg in enumerate(character.legs):
        thigh[:, k] = THIGH + swing + leg.side * SCISSORS * twist / USUAL_TWIST
    knee = np.maximum(KNEE + KNEE_GIVES * (thigh - THIGH), np.radians(8))
    level = np.swapaxes(wished.rotation, 1, 2) @ upright
    return Hang(level, twist, raised, thigh, knee)


def _height(model: KinematicModel, frame: PlanReference, hung: Array, holds: Handholds, support: Support, arm: float) -> Array:
    """Height at which arms that bear are nearly straight, and every hand reaches what it holds. (n,) m."""
    placed, time = model.place(hung), frame.time
    rotation = frame.at(time).rotation
    out, least = np.zeros(len(time)), np.full(len(time), -np.inf)
    for k, grip in enumerate(holds.grips):
        limb = model.character.holders[grip.leg - len(model.character.legs)]
        shoulder = (rotation @ (placed.origin[:, limb.links[0]] - placed.com)[..., None])[..., 0]
        aside = ((grip.position[:2] - frame.com[:, :2] - shoulder[:, :2])**2).sum(1)
        straight, longest = (grip.position[2] - shoulder[:, 2] - np.sqrt(np.maximum((share * arm)**2 - aside, (0.5 * arm)**2))
                             for share in (STRAIGHT, STRAIGHTEST))
        out += support.share[:, k] * straight
        held = (time > grip.strike - HELD) & (time < grip.lift + HELD)
        least[held] = np.maximum(least[held], longest[held])
    out = gaussian_filter1d(out, RISE_SMOOTH / DT, mode="nearest")
    higher = maximum_filter1d(np.maximum(least - out, 0.0), 2 * int(RISE_SMOOTH / DT) + 1)
    return out + gaussian_filter1d(higher, RISE_SMOOTH / DT, mode="nearest")


def _shoulders(model: KinematicModel, placed: Placed) -> Array:
    """Shoulders of the arms that hold against the centre of mass. (n, h, 3) m."""
    return np.stack([placed.origin[:, limb.links[0]] - placed.com for limb in model.character.holders], 1)


def _inertia(model: KinematicModel, poses: Array, rotation: Array) -> Array:
    return np.swapaxes(rotation, 1, 2) @ model.centroidal(poses).inertia @ rotation
