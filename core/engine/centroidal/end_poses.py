"""Poses that a clip begins and ends in: the body stands there, its feet where the pose has them."""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ...errors import TaskError
from ...geometry import so3
from ...plan.reference import PlanReference
from ...sketch.sketch import Sketch
from ...task import KeptStep, StandingPose, Task

Array = NDArray[np.float64]

EASE = 0.9            # s over which the body goes from a pose to the course of its walk, and back
JOINED = 0.3          # s over which what is left of a difference from the pose goes away
LEAST = 0.5           # s that the body must stand at the end to take up its pose
FLOATS = 0.04         # leg lengths that a foot may be off the ground and still stand on it


@dataclass(frozen=True)
class End:
    """A standing pose of a character."""

    pose: Array                       # (nq,)
    com: Array                        # (3,)
    feet: tuple[KeptStep, ...]        # where the feet stand; their time is 0

    @staticmethod
    def of(given: StandingPose, which: str, task: Task, model: KinematicModel) -> End:
        """A pose as the joints allow it.

        Raises:
            TaskError: a link that the character does not have, or a foot that is not on the ground.
        """
        names = model.character.link_names()
        if strange := [name for name in given.turns if name not in names]:
            raise TaskError(f"The {which} pose turns the link {strange[0]!r}; {model.character.name} has: {', '.join(names)}.")
        wanted = {names.index(name): so3.quat_to_matrix(np.asarray(turn, float) / np.linalg.norm(turn))
                  for name, turn in given.turns.items()}
        pose = model.pose_of(np.asarray(given.position, float), wanted)
        placed, feet = model.place(pose[None]), []
        for leg, foot in zip(model.character.legs, model.character.feet, strict=True):
            origin, rotation = placed.origin[0, foot.link], placed.rotation[0, foot.link]
            middle = origin + rotation @ foot.centre
            under = float(task.ground.height(middle[:2]))
            if not abs(middle[2] - under) < FLOATS:
                raise TaskError(f"In the {which} pose the {'left' if leg.side > 0 else 'right'} foot is {middle[2] - under:.2f} m "
                                "off the ground; both feet must stand on it.")
            ahead = rotation[:, 0]
            feet.append(KeptStep("L" if leg.side > 0 else "R", 0.0, (float(middle[0]), float(middle[1])),
                                 float(np.arctan2(ahead[1], ahead[0]))))
        return End(pose, placed.com[0], tuple(feet))


@dataclass(frozen=True)
class Ends:
    """The poses at both ends of a clip, where there are any."""

    first: End | None
    last: End | None

    @staticmethod
    def of(task: Task, model: KinematicModel) -> Ends:
        """The ends that a task asks for, at human scale."""
        first, last = (None if given is None else End.of(given, which, task, model)
                       for which, given in (("first", task.first), ("last", task.last)))
        return Ends(first, last)

    def begun(self, task: Task) -> Task:
        """The task with its feet at the start where the first pose has them."""
        return task if self.first is None else replace(task, kept=(*task.kept, *self.first.feet))

    def arriving(self, task: Task, drawn: Sketch) -> Task:
        """The task with its last two footsteps where the last pose has them.

        Args:
            drawn: without them; their times are its.

        Raises:
            TaskError: the body does not come to rest in time.
        """
        if self.last is None:
            return task
        final = {s.footstep.leg: s for s in drawn.steps[-2:]}
        landed = max(s.footstep.strike for s in final.values())
        if not all(s.standing for s in final.values()) or landed > task.seconds - LEAST:
            raise TaskError(f"At the clip's end, after {task.seconds:g} s, the body is still on its way and cannot be in its last "
                            "pose; make the clip longer, the path shorter, or let it stop where the path ends.")
        kept = [replace(self.last.feet[leg], time=s.footstep.strike + 0.5 * s.gait.contact_time) for leg, s in final.items()]
        return replace(task, kept=(*task.kept, *kept))

    def led(self, reference: PlanReference, seconds: float) -> PlanReference:
        """A course that begins over the first pose's centre of mass and ends over the last one's."""
        com = reference.com.copy()
        for end, share, moment in self._shares(reference.time, seconds, EASE):
            there = reference.at(np.array([moment])).com[0]
            com += share[:, None] * (end.com - there)
        return replace(reference, com=com)

    def posed(self, model: KinematicModel, poses: Array, times: Array, seconds: float, within: float = EASE) -> Array:
        """Poses that go over into the ends'. (n, nq)."""
        for end, share, _ in self._shares(times, seconds, within):
            away = model.difference(poses, np.broadcast_to(end.pose, poses.shape))
            poses = model.integrate(poses, share[:, None] * away)
        return poses

    def joined(self, model: KinematicModel, poses: Array, times: Array, seconds: float) -> Array:
        """Poses with what is left of a difference from the ends' taken away. (n, nq)."""
        return self.posed(model, poses, times, seconds, JOINED)

    def _shares(self, times: Array, seconds: float, within: float) -> list[tuple[End, Array, float]]:
        """Each end with how much it counts over time, (n,), and its moment."""
        out: list[tuple[End, Array, float]] = []
        for end, moment, since in ((self.first, 0.0, times), (self.last, seconds, seconds - times)):
            if end is not None:
                u = np.clip(1 - since / within, 0, 1)
                out.append((end, np.asarray(u**3 * (10 - 15 * u + 6 * u * u)), moment))
        return out
