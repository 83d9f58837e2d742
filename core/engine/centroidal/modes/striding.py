"""A sketch of bodies with any number of legs: the course, the footfalls of a gait that its speed brings about, and their places.

Source: Kwon et al. 2020, section 4 and appendix G; legs come down where their hips pass over them.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ....character.character import Character
from ....character.kinematic_model import KinematicModel
from ....character.reach import reaches
from ....clip.lookup import quadruped_for
from ....clip.pose.carriage import settled
from ....clip.style.quadruped_style import QuadrupedStyle
from ....clip.style.style import Style
from ....errors import TaskError
from ....fullbody.weights import BodyWeights
from ....motion.footstep import Footstep
from ....plan.pacing import NODE, Pacing, StridePacing
from ....plan.reference import DT, PlanReference
from ....plan.result import Plan
from ....plan.weights import PlanLimits, PlanWeights
from ....sketch.course.course import Course, plan_course
from ....sketch.course.pendulum import Pendulum
from ....sketch.course.style_phase import Bearing
from ....sketch.footsteps.footfalls import Footfall, FootfallPlan, plan_footfalls
from ....sketch.footsteps.timing import Step
from ....sketch.gait.gait import GaitLaw
from ....sketch.gait.gait_body import _hold, gait_body
from ....sketch.gait.gait_law import RhythmLaw
from ....sketch.placement.round_foot import stand_on
from ....sketch.reference.shoulders import Shoulders
from ....sketch.reference.stride_reference import Stance, stooped, stride_reference, typical_stride
from ....sketch.sketch import Sketch
from ....task import Task
from .base import OwnSketch

Array = NDArray[np.float64]

TAIL = 2.6            # s of the course past the clip's end
STEPPED = 1.8         # s of footfalls past it
FASTEST = 6.0         # v / sqrt(g h); horses and dogs at full gallop come to 4 or 5
BEFORE, AFTER = 2.0, 10.0     # s that a body stands before the clip and after it
EARLY = 0.012         # s, half a plan's node: fast legs come to their ends between two of them
LEAST_REACH = 0.92    # of its reach that a leg uses in any case
NODES = 30            # of a plan, each stride
COARSEST = 0.05       # s between them at most
SHORTEST, LONGEST = 0.45, 0.9     # s of a plan of a long body: what it costs to begin one counts more than its length
COEFFICIENTS = 4      # of the force of each contact: many share the load
AHEAD = 0.5           # s that it looks past its end
STRETCHED = 0.4       # of what a leg reaches beyond how it stands, that it uses


@dataclass(frozen=True)
class Striding(OwnSketch):
    """Everything that takes the place of steps and style for a body of any number of legs."""

    limbs_are_led: ClassVar[bool] = False

    drawn: Sketch
    reference: PlanReference
    footfalls: FootfallPlan
    hips: Shoulders       # where legs begin against the centre of mass, in the body's frame
    reach: Array          # (legs,) from hip to foot, stretched, m
    used: Array           # (legs,) of it, from hip to the ground under the foot, m
    stance: Stance
    stride: float         # s
    bearing: Bearing
    turned: Array | None = None       # (n, 3, 3) over the reference's moments, once it is known how the body pitches and rolls

    def limits(self, usual: PlanLimits) -> PlanLimits:
        """Legs are as long as they are, from the hip on; those of long bodies, which may gallop, as they come down, too."""
        return replace(usual, legs=tuple(self.used), give=(0.0, 0.0, 0.0), shift=0.1, early=EARLY if self.long else 0.0)

    def weights(self, usual: PlanWeights) -> PlanWeights:
        """A long body pitches as its gait has it: to hold it level would take feet elsewhere."""
        if not self.long:
            return usual
        return replace(usual, rotation=2.0, spin=0.2, end=(*usual.end[:2], 10.0, 1.0))

    def body_weights(self, usual: BodyWeights) -> BodyWeights:
        """Legs that are a good part of the body's mass carry momentum, which its trunk must be free to answer."""
        head = 6.0 if self.long else usual.head             # necks would give way to the momentum, and not do as a style has it
        return replace(usual, momentum=3.0 if self.long else 1.0, pelvis=4.0, head=head, swing_turn=200.0, swing_along_middle=3.0,
                       swing_height_middle=100.0)

    @property
    def long(self) -> bool:
        """Whether there are legs before other legs."""
        return bool(np.ptp(self.hips.still[:, 0]) > 0)

    def roots_at(self, limbs: NDArray[np.int64], times: Array) -> Array:
        """Hips of legs (s,) against the centre of mass, world axes. (n,) -> (s, n, 3) m."""
        if self.turned is None:
            turned = self.reference.at(times).rotation
        else:
            k = np.clip(np.round((times - self.reference.time[0]) / DT).astype(int), 0, len(self.turned) - 1)
            turned = self.turned[k]
        hips = self.hips.at(times)[:, limbs]                                                # (n, s, 3)
        return np.swapaxes(hips @ np.swapaxes(np.broadcast_to(turned, (len(times), 3, 3)), 1, 2), 0, 1)

    def nods(self, times: Array, rotation: Array) -> Array:
        """How far the nose is raised against the ground, of a trunk turned by (n, 3, 3) at times (n,), rad. (n,)."""
        has, asked = (np.arcsin(np.clip(r[:, 2, 0], -1, 1)) for r in (rotation, self.reference.at(times).rotation))
        return np.asarray(has - asked + self.bearing.nose(times))

    @property
    def pacing(self) -> Pacing:
        """As coarse as the strides of a long body are slow."""
        if not self.long:
            return Pacing()
        node = min(max(self.stride / NODES, NODE), COARSEST)
        return StridePacing(node, count=COEFFICIENTS, shortest=SHORTEST, longest=LONGEST, ahead=AHEAD)

    @property
    def roots(self) -> Callable[[NDArray[np.int64], Array], Array]:
        """Legs begin at their hips."""
        return self.roots_at

    def told(self, plan: Plan, times: Array, poses: Array, rotation: Array) -> Striding:
        """The same with a body that pitches and rolls as a plan has it, and as low as its legs need it then."""
        found = plan.at(self.reference.time[self.reference.time < plan.pieces[-1].end])
        return replace(self, reference=stooped(self.reference, list(plan.footsteps), found, self.stance, self.stride),
                       turned=found.rotation)


def draw_strides(task: Task, model: KinematicModel, style: Style, com_height: float, gyration: float) -> Striding:
    """Course, footfalls and footsteps of a body of any number of legs.

    Raises:
        TaskError: the speed is beyond the legs, the body has no gait of the name asked for, or something is asked for that only
            bodies built like people's can do.
    """
    character = model.character
    _refuse(task, character)
    own = quadruped_for(task.recipe, character)
    law = RhythmLaw(gait_body(character), task.gravity, _gait(task, own), own.duty, own.quick, own.gait is not None, own.phases)
    if task.speed.top > FASTEST * law.unit_speed:
        raise TaskError(f"The speed is {task.speed.top:g} m/s; with hips {law.body.hip_height:.2f} m high {character.name} can be "
                        f"asked for at most {FASTEST * law.unit_speed:.1f} m/s.")
    pendulum = Pendulum(com_height, gyration, task.gravity, 1 / 30)
    course = plan_course(task, pendulum, character.leg_length, task.seconds + TAIL)
    kept = course.time <= task.seconds + STEPPED
    falls = plan_footfalls(law, course.time[kept], course.distance[kept], task.start == "standing")
    neutral, usual = (model.place(pose[None]).com[0] for pose in (model.neutral, settled(model, own)))
    com, com_height = usual, com_height + float(usual[2] - neutral[2])
    gait = GaitLaw.of(style, character, task.gravity).at(0.0)
    places = character.footprints - com
    steps = tuple(Step(_footstep(task, character, f, course, places[f.leg]), f.middle, gait, standing=True)
                  for f in sorted(falls.footfalls, key=lambda f: (_span(f, task)[0] + _span(f, task)[1], f.leg)))
    reach = np.array(reaches(character))
    standing = np.array([np.linalg.norm(_hold(character, leg) - hip) for leg, hip in enumerate(character.hips)])
    ends = np.array([_hold(character, leg) for leg in range(len(character.legs))])
    used = np.maximum(standing + STRETCHED * (reach - standing), LEAST_REACH * reach) + ends[:, 2] - character.footprints[:, 2]
    stride = typical_stride(course, law)
    leader = min(range(len(law.body.legs)), key=lambda k: (law.body.row[k], law.body.second[k]))
    bearing = Bearing.along(own, course, [s.footstep for s in steps], leader, law, stride)
    hips = Shoulders.of(model, bearing, com)
    stance = Stance(hips, places, used, com_height)
    reference = stride_reference(course, [s.footstep for s in steps], stance, task.gravity, law, bearing)
    drawn = Sketch(course, steps, task.seconds, GaitLaw.of(style, character, task.gravity), pendulum, task.path)
    return Striding(drawn, reference, falls, hips, reach, used, stance, stride, bearing)


def _gait(task: Task, style: QuadrupedStyle) -> str | None:
    """The gait that is kept, if any: the style's or the one asked for."""
    if style.gait is not None and task.gait not in (None, style.gait):
        raise TaskError(f"The style {style.name!r} goes at a {style.gait}, and the gait that is asked for is a {task.gait}; leave "
                        "out the gait, or take another style.")
    return style.gait if task.gait is None else task.gait


def _refuse(task: Task, character: Character) -> None:
    """Say what bodies of other builds than people's cannot do as yet."""
    asked = {"pushes": task.pushes, "hurdles": task.hurdles, "stepping stones": task.stones is not None,
             "footsteps that are kept": task.kept, "first and last poses": task.first or task.last, "jumps": task.jumps,
             "bars": task.bars is not None, "strides of a given length": task.stride is not None,
             "something to look at": task.look is not None, "poses to strike": task.struck,
             "turns against the path": task.turned.values.any() or task.faces}
    for what, there in asked.items():
        if there:
            raise TaskError(f"{character.name} has {len(character.legs)} legs of another build than people's, and cannot do with "
                            f"{what} as yet; take them out.")


def _span(f: Footfall, task: Task) -> tuple[float, float]:
    """When a footfall begins and ends; feet that stand did so for a while, and will."""
    return max(f.touch_down, -BEFORE), min(f.lift_off, task.seconds + AFTER)


def _footstep(task: Task, character: Character, f: Footfall, course: Course, place: Array) -> Footstep:
    """A footfall on the ground: under its hip as the body passes over it, where the foot can stand."""
    time = np.array(f.middle)
    line, facing = _middle(course, f), float(np.interp(time, course.time, course.facing))
    turn = np.array([[np.cos(facing), -np.sin(facing)], [np.sin(facing), np.cos(facing)]])
    foot = character.feet[f.leg]
    stood = stand_on(task.floor, foot, line + turn @ place[:2], facing, float(task.ground.height(line)), character.leg_length)
    begin, end = _span(f, task)
    return Footstep(f.leg, begin, begin, end, end, stood.position, stood.rotation, raised=0.0 if foot.is_point else None)


def _middle(course: Course, f: Footfall) -> Array:
    """Where the middle of the feet is as a hip is over its foot. (2,)."""
    path = course.pendulum
    inside = np.clip(f.middle, path.time[0], path.time[-1])
    line: Array = path.at(np.array(inside), "cart") + (f.middle - inside) * course.goal[0 if f.middle < 0 else -1]
    return line
